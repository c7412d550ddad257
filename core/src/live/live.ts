import { checkTime } from '../endpoint/option-table.js'
import type { PartRequest, RequestPart, SourceCall, SourceHost } from '../endpoint/options.js'
import { headerOf } from '../rest/response.js'
import { describe } from '../util/describe.js'
import { OptionError } from '../util/errors.js'
import { needFunction } from '../util/need-function.js'
import { needOptions } from '../util/need-options.js'
import { Connection } from './connection.js'
import { type ConnectionStatus, IDLE } from './connection-status.js'
import { EVENT_ID_HEADER, type LiveOptions } from './options.js'
import { eventOf, type Flight, Responses, Round } from './responses.js'

/** The state of a source for one controller. */
interface Board {
  /** The connections, by URL. */
  readonly connections: Map<string | undefined, Connection>
  readonly responses: Responses
  /** The requests in flight, by the URL of their stream. */
  readonly rounds: Map<string | undefined, Round>
  /** The observers of its connections. */
  readonly listeners: Set<() => void>
}

/** The facts known from a request of a controller. */
interface OwnFlight extends Flight {
  readonly board: Board
  /** The URL of its stream. */
  readonly url: string | undefined
}

/** A source of messages as a part of an endpoint. */
export class LiveSource implements RequestPart {
  readonly name: string
  readonly #options: LiveOptions
  readonly #boards = new WeakMap<object, Board>()
  readonly #flights = new WeakMap<PartRequest, OwnFlight>()

  constructor(options: LiveOptions) {
    this.name = options.name
    this.#options = options
  }

  /** The address of the stream of a call. */
  urlOf(args: readonly unknown[]): string {
    const { url } = this.#options
    return typeof url === 'string' ? url : url(...args)
  }

  #board(owner: object): Board {
    const existing = this.#boards.get(owner)
    if (existing !== undefined) return existing
    const board: Board = { connections: new Map(), responses: new Responses(), rounds: new Map(), listeners: new Set() }
    this.#boards.set(owner, board)
    return board
  }

  // — for readers —

  subscribe(host: SourceHost, call: SourceCall): () => void {
    const { endpoint, args } = call
    if (process.env.NODE_ENV !== 'production' && endpoint.pollFrequency !== undefined) {
      throw new OptionError(
        'pollFrequency',
        `and a live source exclude each other. fallbackPoll polls while there is no stream.`,
      )
    }
    const url = this.urlOf(args)
    const { connections, responses, listeners } = this.#board(host.owner)
    const existing = connections.get(url)
    if (existing !== undefined) return existing.add(call)
    const connection = new Connection(host, url, this.#options, responses, endpoint.dataExpiryLength, () => {
      if (connection.isClosed) connections.delete(url)
      for (const listener of [...listeners]) listener()
    })
    connections.set(url, connection)
    return connection.add(call)
  }

  /** The connection status of a URL. */
  statusOf(owner: object, url: string): ConnectionStatus {
    return this.#boards.get(owner)?.connections.get(url)?.status ?? IDLE
  }

  /** Calls the listener when the status of any URL changes. */
  follow(owner: object, listener: () => void): () => void {
    const { listeners } = this.#board(owner)
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

  // — for requests —

  prepare(request: PartRequest): void {
    const { owner, endpoint, key, args } = request
    if (owner === undefined || endpoint.sideEffect === true) return
    const board = this.#board(owner)
    board.responses.of(key).flights.add(request)
    const url = this.#streamOf(args)
    const round = board.rounds.get(url) ?? new Round()
    board.rounds.set(url, round)
    round.open++
    const began = board.connections.get(url)?.stretch
    const place = ++round.begun
    this.#flights.set(request, { board, url, round, place, began, last: began?.last, eventId: undefined })
  }

  async exchange(
    { request, init }: Parameters<Required<RequestPart>['exchange']>[0],
    next: (init: RequestInit) => Promise<Response>,
  ): Promise<Response> {
    const response = await next(init)
    const flight = this.#flights.get(request)
    if (flight !== undefined)
      flight.eventId = headerOf(response, this.#options.eventIdHeader ?? EVENT_ID_HEADER) || undefined
    return response
  }

  settled(request: PartRequest, error: Error | undefined): void {
    const flight = this.#flights.get(request)
    if (flight === undefined) return
    const { board, url, round } = flight
    board.responses.of(request.key).flights.delete(request)
    if (--round.open === 0) board.rounds.delete(url)
    if (error !== undefined) board.connections.get(url)?.answered(request.key, error)
  }

  wrote(request: PartRequest): void {
    const flight = this.#flights.get(request)
    if (flight === undefined) return
    const { board, url, round, began, last } = flight
    // Messages that arrived meanwhile replace rows of the response, whatever later events it includes.
    if (began?.last !== last) flight.eventId = began?.last
    const responses = board.responses.of(request.key)
    // A page makes no other page of its list newer.
    if (request.endpoint.requestKey && responses.newest && eventOf(responses.newest) !== flight.eventId)
      flight.eventId = undefined
    responses.newest = flight
    const isMixed = round.add(flight)
    const connection = board.connections.get(url)
    // Later messages repair rows of responses that were requested during the current stretch.
    connection?.answered(request.key, undefined, isMixed && began !== connection.stretch)
  }

  /** The URL of the stream of a request; undefined if there is none for its arguments. */
  #streamOf(args: readonly unknown[]): string | undefined {
    try {
      return this.urlOf(args)
    } catch {
      // If it has readers, subscribing reports the error.
      return undefined
    }
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

function checkOptions(options: LiveOptions): void {
  needOptions('live', options, 'live({ name, url, wire: sse(), messages: { changed: Todo } })')
  const { url, wire, headers, messages, silence = 1, maxBuffer = 1, fallbackPoll = 1 } = options
  checkTime('live.silence', silence, false)
  checkTime('live.maxBuffer', maxBuffer, false)
  checkTime('live.fallbackPoll', fallbackPoll, false)
  if (typeof url !== 'string') needFunction('url', url, 'live')
  needFunction('wire', wire, 'live')
  if (headers !== undefined) needFunction('headers', headers, 'live')
  if (typeof messages !== 'object' || messages === null)
    throw new OptionError('live.messages', `must be schemas by the names of messages, found ${describe(messages)}.`)
  for (const [name, schema] of Object.entries(messages)) {
    if (name === 'opened')
      throw new OptionError('live.messages', `cannot be named opened: servers use that name for the start of a stream.`)
    if (typeof schema === 'string' || schema == null)
      throw new OptionError(`live.messages.${name}`, `must be a schema, found ${describe(schema)}.`)
  }
}
