import { checkTime } from '../endpoint/option-table.js'
import type { PartRequest, RequestPart, SourceCall, SourceHost } from '../endpoint/options.js'
import { headerOf } from '../rest/response.js'
import type { Schema } from '../schema/schema.js'
import { describe } from '../util/describe.js'
import { OptionError } from '../util/errors.js'
import { needFunction } from '../util/need-function.js'
import { Connection } from './connection.js'
import type { KeyFacts } from './connection-options.js'
import { type ConnectionStatus, IDLE } from './connection-status.js'
import { Messages } from './frame.js'
import type { Wire } from './wire.js'

/** The options of `live`. */
export interface LiveOptions {
  /** Its name in errors and developer tools. */
  readonly name: string
  /**
   * The address of the stream for the arguments of a call. Calls with the same address share one connection.
   *
   * @example live({ name: 'todos', url: ({ projectId }) => `/events?project=${projectId}`, wire: sse(), messages: { changed: Todo } })
   */
  // biome-ignore lint/suspicious/noExplicitAny: the arguments are those of the endpoint that takes the source, which is not known here; unknown would refuse `({ projectId }) => …`.
  readonly url: string | ((...args: any[]) => string)
  /** How messages travel: `sse()`, or any function that yields them. */
  readonly wire: Wire
  /** Headers of each connection, such as a token. They are asked for each time. */
  readonly headers?: (() => HeadersInit | Promise<HeadersInit>) | undefined
  /**
   * What messages of a name do. An entity writes its rows, `push` of a Collection adds them to every list that they belong to, `Invalidate`
   * deletes them, and the endpoint's own schema replaces its data.
   */
  readonly messages: Readonly<Record<string, Schema>>
  /**
   * The header by which responses of the endpoint say up to which event they know all, and streams where they begin.
   *
   * @default 'x-event-id'
   */
  readonly eventIdHeader?: string | undefined
  /**
   * `'id'` if the server always goes on behind `Last-Event-ID`, and needs not say so.
   *
   * @default undefined: a stream that does not say that it goes on may lack something, so what is read is fetched once
   */
  readonly resume?: 'id' | undefined
  /**
   * How many rows may wait for a frame before reading stops.
   *
   * @default 20_000
   */
  readonly maxBuffer?: number | undefined
  /**
   * How long the server may be silent before the connection counts as lost, in ms.
   *
   * @default 45_000
   */
  readonly silence?: number | undefined
  /**
   * How often the endpoint is fetched while the stream is not open, in ms.
   *
   * @default undefined: never
   */
  readonly fallbackPoll?: number | undefined
}

/** What a source knows of one controller. */
interface Board {
  readonly connections: Map<string, Connection>
  readonly facts: Map<string, KeyFacts>
  /** Who shows the connection of a URL. */
  readonly listeners: Map<string, Set<() => void>>
}

/** How many keys without a connection are remembered. */
const REMEMBERED = 1_000

/** A source of messages as a part of an endpoint. */
export class LiveSource implements RequestPart {
  readonly name: string
  readonly #options: LiveOptions
  readonly #boards = new WeakMap<object, Board>()
  readonly #eventIds = new WeakMap<PartRequest, string>()

  constructor(options: LiveOptions) {
    this.name = options.name
    this.#options = options
  }

  /** The address of the stream of a call. */
  urlOf(args: readonly unknown[]): string {
    const { url } = this.#options
    return typeof url === 'string' ? url : url(...args)
  }

  // — for readers —

  subscribe(host: SourceHost, call: SourceCall): () => void {
    if (process.env.NODE_ENV !== 'production' && call.endpoint.pollFrequency !== undefined) {
      throw new OptionError(
        'pollFrequency',
        `and a live source exclude each other. fallbackPoll polls while there is no stream.`,
      )
    }
    return this.#connection(host, call).add(call)
  }

  /** How the source of a URL is connected. */
  statusOf(owner: object, url: string): ConnectionStatus {
    return this.#boards.get(owner)?.connections.get(url)?.status ?? IDLE
  }

  /** Calls the listener when that changes. */
  follow(owner: object, url: string, listener: () => void): () => void {
    const { listeners } = this.#board(owner)
    const own = listeners.get(url) ?? new Set()
    listeners.set(url, own)
    own.add(listener)
    return () => {
      own.delete(listener)
      if (own.size === 0 && listeners.get(url) === own) listeners.delete(url)
    }
  }

  #connection(host: SourceHost, { args, endpoint }: SourceCall): Connection {
    const {
      wire,
      headers,
      eventIdHeader = 'x-event-id',
      resume,
      maxBuffer = 20_000,
      silence = 45_000,
      fallbackPoll,
      messages,
    } = this.#options
    const url = this.urlOf(args)
    const board = this.#board(host.owner)
    const existing = board.connections.get(url)
    if (existing !== undefined) return existing
    const connection = new Connection(host, {
      name: this.name,
      url,
      wire,
      headers,
      messages: new Messages(this.name, messages, endpoint.dataExpiryLength),
      eventIdHeader,
      resumesById: resume === 'id',
      maxBuffer,
      silence,
      fallbackPoll,
      factsOf: (key) => factsOf(board, key),
      onStatus: () => {
        for (const listener of [...(board.listeners.get(url) ?? [])]) listener()
      },
      onClose: () => {
        if (board.connections.get(url) === connection) board.connections.delete(url)
      },
    })
    board.connections.set(url, connection)
    return connection
  }

  #board(owner: object): Board {
    const existing = this.#boards.get(owner)
    if (existing !== undefined) return existing
    const board: Board = { connections: new Map(), facts: new Map(), listeners: new Map() }
    this.#boards.set(owner, board)
    return board
  }

  // — for requests —

  prepare(request: PartRequest): void {
    const board = this.#boardOf(request)
    if (board === undefined) return
    const connection = this.#connectionOf(board, request)
    factsOf(board, request.key).flights.set(request, connection?.stretch)
  }

  async exchange(
    { request, init }: Parameters<Required<RequestPart>['exchange']>[0],
    next: (init: RequestInit) => Promise<Response>,
  ): Promise<Response> {
    const response = await next(init)
    const id = headerOf(response, this.#options.eventIdHeader ?? 'x-event-id')
    if (id) this.#eventIds.set(request, id)
    return response
  }

  wrote(request: PartRequest): void {
    this.#end(request, undefined)
  }

  settled(request: PartRequest, error: Error | undefined): void {
    if (error !== undefined) this.#end(request, error)
  }

  #end(request: PartRequest, error: Error | undefined): void {
    const board = this.#boardOf(request)
    if (board === undefined) return
    const facts = factsOf(board, request.key)
    if (error === undefined) {
      facts.eventId = this.#eventIds.get(request)
      facts.stretch = facts.flights.get(request)
    }
    facts.flights.delete(request)
    this.#connectionOf(board, request)?.answered(request.key, error)
  }

  #boardOf({ owner, endpoint }: PartRequest): Board | undefined {
    return owner === undefined || endpoint.sideEffect === true ? undefined : this.#board(owner)
  }

  #connectionOf({ connections }: Board, { args }: PartRequest): Connection | undefined {
    if (connections.size === 0) return undefined
    return connections.get(this.urlOf(args))
  }
}

function factsOf({ facts }: Board, key: string): KeyFacts {
  const existing = facts.get(key)
  if (existing !== undefined) return existing
  const added: KeyFacts = { flights: new Map(), eventId: undefined, stretch: undefined }
  facts.set(key, added)
  if (facts.size > REMEMBERED) {
    const [oldest] = facts
    if (oldest !== undefined && oldest[1].flights.size === 0) facts.delete(oldest[0])
  }
  return added
}

/**
 * Returns the options of an endpoint that a server keeps up to date: `useLive`, `useSubscription` and `poll` connect to it in place of
 * polling.
 *
 * @remarks
 * Messages that come between two frames are one commit. They have the place in the order of requests at which they came: a response that
 * was asked for before does not overwrite them. There is one connection for each URL and controller, five seconds longer than its last
 * reader. After a cut it is made again, with a growing pause; if the server does not say that the stream goes on where it was cut, what is
 * read is fetched once. It closes on pages that are hidden for 30 seconds.
 *
 * @example
 * ```ts
 * const getLiveTodos = TodoResource.getList.extend(
 *   live({
 *     name: 'todos',
 *     url: '/events',
 *     wire: sse(),
 *     messages: {
 *       'todo.changed': Todo,
 *       'todo.created': TodoResource.getList.schema.push,
 *       'todo.deleted': new Invalidate(Todo),
 *     },
 *   }),
 * )
 * ```
 * @throws OptionError for an invalid option
 */
export function live(options: LiveOptions): { readonly parts: readonly RequestPart[] } {
  checkOptions(options)
  return { parts: [new LiveSource(options)] }
}

function checkOptions({
  url,
  wire,
  headers,
  messages,
  silence = 1,
  maxBuffer = 1,
  fallbackPoll = 1,
}: LiveOptions): void {
  checkTime('live.silence', silence, false)
  checkTime('live.maxBuffer', maxBuffer, false)
  checkTime('live.fallbackPoll', fallbackPoll, false)
  if (process.env.NODE_ENV === 'production') return
  if (typeof url !== 'string') needFunction('url', url, 'live')
  needFunction('wire', wire, 'live')
  if (headers !== undefined) needFunction('headers', headers, 'live')
  for (const [name, schema] of Object.entries(messages)) {
    if (name === 'opened')
      throw new OptionError('live.messages', `cannot have the name opened: servers say by it where a stream begins.`)
    if (typeof schema === 'string' || schema == null)
      throw new OptionError(`live.messages.${name}`, `must be a schema, found ${describe(schema)}.`)
  }
}
