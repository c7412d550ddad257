import { checkTime } from '../endpoint/option-table.js'
import type { PartRequest, RequestPart, SourceCall, SourceHost } from '../endpoint/options.js'
import { headerOf } from '../rest/response.js'
import { describe } from '../util/describe.js'
import { OptionError } from '../util/errors.js'
import { needFunction } from '../util/need-function.js'
import { Connection } from './connection.js'
import { type ConnectionStatus, IDLE } from './connection-status.js'
import { type Board, factsOf } from './facts.js'
import { EVENT_ID_HEADER, type LiveOptions } from './options.js'

interface Connections extends Board {
  readonly connections: Map<string, Connection>
}

/** A source of messages as a part of an endpoint. */
export class LiveSource implements RequestPart {
  readonly name: string
  readonly #options: LiveOptions
  readonly #boards = new WeakMap<object, Connections>()

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

  /** Calls the listener when the status changes. */
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
    const url = this.urlOf(args)
    const board = this.#board(host.owner)
    const connection =
      board.connections.get(url) ?? new Connection(host, url, this.#options, board, endpoint.dataExpiryLength)
    board.connections.set(url, connection)
    return connection
  }

  #board(owner: object): Connections {
    const existing = this.#boards.get(owner)
    if (existing !== undefined) return existing
    const board: Connections = { connections: new Map(), facts: new Map(), listeners: new Map() }
    this.#boards.set(owner, board)
    return board
  }

  // — for requests —

  prepare(request: PartRequest): void {
    const board = this.#boardOf(request)
    if (board === undefined) return
    const stretch = this.#connectionOf(board, request)?.stretch
    factsOf(board, request.key).flights.set(request, { stretch, eventId: undefined })
  }

  async exchange(
    { request, init }: Parameters<Required<RequestPart>['exchange']>[0],
    next: (init: RequestInit) => Promise<Response>,
  ): Promise<Response> {
    const response = await next(init)
    const board = this.#boardOf(request)
    const flight = board && factsOf(board, request.key).flights.get(request)
    if (flight !== undefined)
      flight.eventId = headerOf(response, this.#options.eventIdHeader ?? EVENT_ID_HEADER) || undefined
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
    if (error === undefined) Object.assign(facts, facts.flights.get(request))
    facts.flights.delete(request)
    this.#connectionOf(board, request)?.answered(request.key, error)
  }

  #boardOf({ owner, endpoint }: PartRequest): Connections | undefined {
    return owner === undefined || endpoint.sideEffect === true ? undefined : this.#board(owner)
  }

  #connectionOf({ connections }: Connections, { args }: PartRequest): Connection | undefined {
    if (connections.size === 0) return undefined
    return connections.get(this.urlOf(args))
  }
}

/**
 * Returns options for an endpoint that a server keeps up to date: `useLive`, `useSubscription` and `poll` connect to
 * it instead of polling.
 *
 * @remarks
 * Messages that arrive between two frames form one commit. They are ordered by their arrival: responses requested
 * earlier do not overwrite them. There is one connection per URL and controller, which closes five seconds after its
 * last reader has left, and on pages that are hidden for 30 seconds. If it breaks, it is restored after a growing
 * pause. Unless the server says that the stream resumes without a gap, mounted data is then refetched once.
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
  if (process.env.NODE_ENV !== 'production') checkOptions(options)
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
  if (typeof url !== 'string') needFunction('url', url, 'live')
  needFunction('wire', wire, 'live')
  if (headers !== undefined) needFunction('headers', headers, 'live')
  for (const [name, schema] of Object.entries(messages)) {
    if (name === 'opened')
      throw new OptionError('live.messages', `cannot be named opened: servers use that name for the start of a stream.`)
    if (typeof schema === 'string' || schema == null)
      throw new OptionError(`live.messages.${name}`, `must be a schema, found ${describe(schema)}.`)
  }
}
