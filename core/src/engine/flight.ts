import type { Cause } from '../cause.js'
import type { Layer } from '../commit/layer.js'
import type { PlaceInRefresh } from '../commit/list-engine.js'
import type { EndpointInterface, PartRequest, RequestPart, Transport } from '../endpoint/options.js'
import type { Received } from '../endpoint/result.js'
import type { Change } from '../table/change.js'
import type { Page } from '../table/row.js'
import type { ResponseInfo } from '../table/value.js'
import type { Env } from '../util/env.js'
import type { Entry, PageRequest } from './entry.js'
import type { KeyTest, Mark } from './staleness.js'
import type { Store } from './store.js'

/** One call of an endpoint. */
export interface Call {
  readonly endpoint: EndpointInterface
  readonly args: readonly unknown[]
  readonly key: string
  /** The sequence number at which the flight starts, if it is not a new one. */
  readonly startsAt?: number
}

/** A caller that waits for a flight. */
export interface FlightSubscriber {
  /** Receives the result, right after its commit; undefined if the caller needs no data. */
  readonly settle?: (result: FlightResult) => void
  /** Receives the error of the flight, or the reason why the subscriber had to leave. */
  readonly fail: (error: Error) => void
  readonly signal?: AbortSignal | undefined
  /** True if it also joins a read that started before the last mutation settled. */
  readonly joinsAny?: boolean
  /** The reason for the request. A flight takes the cause of the subscriber that opened it. */
  readonly cause: Cause
  /** Stops listening to the signal. */
  dispose?: () => void
}

/** The dependencies of the network. */
export interface NetworkOptions {
  readonly env: Env
  /** The clock that may be read while rendering. */
  readonly clock: Pick<Env, 'mono'>
  /** The parts of all requests. A simulated network adds and removes its own at any time. */
  parts: readonly RequestPart[]
  /** Performs the HTTP calls of all endpoints. */
  readonly transport: Transport | undefined
  readonly dataExpiryLength: number
  readonly errorExpiryLength: number
  /** Creates the layer of a mutation with an optimistic response. */
  layerOf(flight: Flight): Layer | undefined
  /** Marks all keys of an endpoint at a sequence number. */
  markAll(owner: KeyTest, severity: Mark['severity'], at: number): void
  /** Called when a request starts, is repeated, or settles. */
  onEvent(event: NetworkEvent): void
  /** Prints a warning for developers, each text once. */
  readonly warn: (message: string) => void
}

/** An event of a request: it starts, is repeated after a failed attempt, or settles. */
export type NetworkEvent =
  | { readonly type: 'fetch'; readonly flight: Flight; readonly error?: undefined }
  | { readonly type: 'retry'; readonly flight: Flight; readonly error: Error; readonly isPaused: boolean }
  | { readonly type: 'settle'; readonly flight: Flight; readonly error: Error | undefined }

/** The network that sends flights. */
export interface FlightOwner {
  readonly store: Store
  readonly options: NetworkOptions
  /** Returns the current parts of a flight: a simulated network may have been added or removed. */
  partsOf(flight: Flight): readonly RequestPart[]
  join(call: Call, subscriber: FlightSubscriber): Flight | undefined
}

/** The response of a flight, as its parts receive it. */
export interface FlightReceived extends Received {
  readonly response: ResponseInfo
  /** The change that the response makes; undefined if it was empty. */
  readonly change: Change | undefined
}

/** A result that a part supplies in place of a response body: a confirmed change, or a member of another response. */
export interface FlightAnswer {
  readonly change: Change
  /** The HTTP response that the part has replaced. */
  readonly of?: Response
  /** The facts of the response that contained this member. */
  readonly response?: ResponseInfo | undefined
}

/** The result of a flight. */
export interface FlightResult {
  /** The result of `process`. */
  readonly data: unknown
  /** The stored form of the result; undefined if it was empty and nothing was written. */
  readonly stored: unknown
  /** Returns the data as it was before the deletion; undefined if the schema deletes nothing. */
  readonly removed?: (() => unknown) | undefined
  /** True if `stored` was written. */
  readonly isWritten: boolean
  /** The members of the requested page, by the list that they joined; undefined if the whole list was requested. */
  readonly page?: Page | undefined
}

/**
 * Returns the key that distinguishes reads in flight: the place of their result, and for a page, which is stored in its
 * list, the page.
 *
 * @example requestKeyOf({ endpoint: getTodos.getPage, args: [{ page: 2 }] }, 'GET /todos') // 'GET /todos [{"page":2}]'
 */
export function requestKeyOf({ endpoint, args }: Pick<Call, 'endpoint' | 'args'>, id: string): string {
  return endpoint.requestKey === undefined ? id : `${id} ${endpoint.requestKey(...(args as never))}`
}

/** One request in flight. Its id is `start`, its sequence number. */
export class Flight implements Call, PartRequest {
  readonly owner: FlightOwner
  readonly start: number
  readonly cause: Cause
  readonly key: string
  readonly endpoint: EndpointInterface
  args: readonly unknown[]
  /** The entry of its key; undefined for a mutation, whose result is not stored. */
  readonly entry: Entry | undefined
  readonly isMutation: boolean
  readonly requestKey: string
  readonly abort: AbortController = new AbortController()
  readonly subscribers: Set<FlightSubscriber> = new Set()
  /** The optimistic layer, while it is pending. */
  layer: Layer | undefined
  /** The options of the HTTP request, if the endpoint reports them through `onSend`. */
  sent: RequestInit | undefined
  /** The result that a part supplies in place of the response body. */
  answer: FlightAnswer | undefined
  /** An error that the batch request of this read has already reported. */
  declare reportedError?: Error
  /** True once its HTTP request was sent, false while its parts wait before; undefined if its endpoint does not tell. */
  declare wasSent?: boolean | undefined
  /** The facts of the response of a read, once it is stored. */
  declare response?: ResponseInfo
  /** True if it may have been applied although it has failed: the server has not responded that it was not. */
  declare mayBeDone?: boolean
  /** Its parts, the outermost last. */
  parts: readonly RequestPart[]
  isOver = false
  /** True if it will fail because a mutation that it depends on has failed: its layer shows nothing any more. */
  isLost = false
  /** The latest change of its optimistic response. */
  expected: Change | undefined
  /**
   * For a request that had to wait, the newest sequence number when it was sent: requests that had ended by then do not
   * overlap with it. Infinity while it waits.
   */
  declare heldUntil?: number
  /** The common part of the temporary keys of rows that it creates: `start`, or an id that survives reloads. */
  label: number | string
  /** The `fetchedAt` of its optimistic snapshot, wall clock in ms; undefined for the current time. */
  declare fetchedAt?: number
  /** The real keys of the rows that it has created, by their temporary keys. */
  declare createdKeys?: ReadonlyMap<string, string | number>
  /** The sequence number at which a mutation ended; 0 before that, and for reads. */
  done = 0
  /** The number of failed attempts and the last one's error, which `retry` sets. */
  declare failureCount?: number
  declare failureReason?: Error
  /** Monotonic ms at which the last attempt was actually sent, after any waiting. */
  declare sentAt?: number
  /** The position of this request in a refresh of all pages of a list. */
  declare refresh?: PlaceInRefresh<PageRequest>
  /** For the page that follows all others by its position: the cursor of the last one. */
  declare after?: string

  constructor(
    owner: FlightOwner,
    { endpoint, args, key, startsAt }: Call,
    { entry, requestKey, cause }: Pick<Flight, 'entry' | 'requestKey' | 'cause'>,
  ) {
    this.owner = owner
    this.entry = entry
    this.cause = cause
    this.start = owner.store.sequence.begin(startsAt)
    this.label = this.start
    this.key = key
    this.endpoint = endpoint
    this.args = args
    this.isMutation = entry === undefined
    this.requestKey = requestKey
    this.parts = owner.partsOf(this)
  }

  get env(): Env {
    return this.owner.options.env
  }

  get signal(): AbortSignal {
    return this.abort.signal
  }

  /** Waits before it is sent: requests that end meanwhile do not overlap with it. */
  async waitFor(turn: Promise<unknown>): Promise<void> {
    this.heldUntil = Infinity
    await turn
    this.heldUntil = this.owner.store.sequence.now
  }

  repeats(error: Error, isPaused = false): void {
    this.owner.options.onEvent({ type: 'retry', flight: this, error, isPaused })
  }
}
