import type { Cause } from '../cause.js'
import type { Layer } from '../commit/layer.js'
import type { PlaceInRefresh } from '../commit/list-engine.js'
import type { EndpointInterface, PartRequest, RequestPart, Transport } from '../endpoint/options.js'
import type { Received } from '../endpoint/result.js'
import type { Change } from '../table/change.js'
import type { Page } from '../table/row.js'
import type { ResponseInfo } from '../table/value.js'
import type { Env } from '../util/env.js'
import type { PageRequest } from './entry.js'
import type { Store } from './store.js'

/** One call of an endpoint. */
export interface Call {
  readonly endpoint: EndpointInterface
  readonly args: readonly unknown[]
  readonly key: string
  /** Its place in the order of the store, if that is not the last one. */
  readonly startsAt?: number
}

/** A caller that waits for a flight. */
export interface FlightSubscriber {
  /** Gets the result, right after its commit; undefined if nobody reads data. */
  readonly settle?: (result: FlightResult) => void
  /** Gets the error of the flight, or why the subscriber had to leave. */
  readonly fail: (error: Error) => void
  readonly signal?: AbortSignal | undefined
  /** True if it also joins a read that started before the last mutation settled. */
  readonly joinsAny?: boolean
  /** The reason for the request. The cause of the subscriber that opens a flight is the flight's. */
  readonly cause: Cause
  /** Stops listening to the signal. */
  dispose?: () => void
}

/** The dependencies of the network. */
export interface NetworkOptions {
  readonly env: Env
  /** The clock that may be read while rendering. */
  readonly clock: Pick<Env, 'mono'>
  /** The parts of all requests; simulated networks come and go. */
  parts: readonly RequestPart[]
  /** Performs the HTTP calls of all endpoints in the end. */
  readonly transport: Transport | undefined
  readonly dataExpiryLength: number
  readonly errorExpiryLength: number
  /** Creates the layer of a mutation with an optimistic response. */
  layerOf(flight: Flight): Layer | undefined
  /** Hears of requests: started, settled, failed. */
  onEvent(event: NetworkEvent): void
  /** Tells a developer something, once. */
  readonly warn: (message: string) => void
}

/** An event of a request: it started, is sent again since an attempt failed, or settled. */
export type NetworkEvent =
  | { readonly type: 'fetch'; readonly flight: Flight; readonly error?: undefined }
  | { readonly type: 'retry'; readonly flight: Flight; readonly error: Error }
  | { readonly type: 'settle'; readonly flight: Flight; readonly error: Error | undefined }

/** The network that sends flights. */
export interface FlightOwner {
  readonly store: Store
  readonly options: NetworkOptions
  /** The parts of a flight at this moment: simulated networks come and go. */
  partsOf(flight: Flight): readonly RequestPart[]
  join(call: Call, subscriber: FlightSubscriber): Flight | undefined
}

/** The response of a flight as its parts see it. */
export interface FlightReceived extends Received {
  readonly response: ResponseInfo
  /** The change that it makes; undefined if it was empty. */
  readonly change: Change | undefined
}

/** A response that a part has found without reading it: a change that it confirms, or a member of another response. */
export interface FlightAnswer {
  readonly change: Change
  /** The HTTP response that means this. */
  readonly of?: Response
  /** The facts of the response that brought it together with others. */
  readonly response?: ResponseInfo | undefined
}

/** The result of a flight. */
export interface FlightResult {
  /** The result of `process`. */
  readonly data: unknown
  /** The stored form of the result; undefined if it was empty and nothing was written. */
  readonly stored: unknown
  /** Returns the deleted data as it was before; not there if the schema deletes nothing. */
  readonly removed?: (() => unknown) | undefined
  /** True if `stored` was written. */
  readonly isWritten: boolean
  /** The members of the page that it was, by the list that they joined; undefined for a list as a whole. */
  readonly page?: Page | undefined
}

/**
 * Tells reads in flight apart: by where their result is stored, and for a page, which is stored with its list, also by the page.
 *
 * @example requestKeyOf({ endpoint: getTodos.getPage, args: [{ page: 2 }] }, 'GET /todos') // 'GET /todos [{"page":2}]'
 */
export function requestKeyOf({ endpoint, args }: Pick<Call, 'endpoint' | 'args'>, id: string): string {
  return endpoint.requestKey === undefined ? id : `${id} ${endpoint.requestKey(...(args as never))}`
}

/** One request in flight. Its id is its start in the one order of the store. */
export class Flight implements Call, PartRequest {
  readonly owner: FlightOwner
  readonly start: number
  readonly cause: Cause
  readonly key: string
  readonly endpoint: EndpointInterface
  args: readonly unknown[]
  readonly isMutation: boolean
  readonly requestKey: string
  readonly abort: AbortController = new AbortController()
  readonly subscribers: Set<FlightSubscriber> = new Set()
  /** The optimistic layer, while it is pending. */
  layer: Layer | undefined = undefined
  /** The options of its request, if the endpoint reports them by `onSend`. */
  sent: RequestInit | undefined = undefined
  /** The response that a part has found, so that none is read. */
  answer: FlightAnswer | undefined = undefined
  /** An error that is told already, by the request that it was a part of. */
  declare toldError?: Error
  /** Its parts, the outermost last. */
  parts: readonly RequestPart[]
  isOver = false
  /** True if it will fail because a mutation that it builds on has: its layer shows nothing more. */
  isLost = false
  /** The change that its optimistic response has made last. */
  expected: Change | undefined = undefined
  /**
   * The newest number in the order when it was sent, if it had to wait: requests that were over by then did not overlap with it. Infinity while
   * it waits.
   */
  declare heldUntil?: number
  /** The common part of the temporary keys of the rows that it creates: its start, or a name that outlives this page. */
  label: number | string
  /** The wall clock at which its optimistic response was first made; undefined for now. */
  declare fetchedAt?: number
  /** The real keys of the rows that it has created, by their temporary ones. */
  declare createdKeys?: ReadonlyMap<string, string | number>
  /** The completion of a mutation; 0 until then, and for reads. */
  done = 0
  /** The number of failed attempts, and the error of the last one: `retry` sets it. */
  declare failureCount?: number
  declare failureReason?: Error
  /** The monotonic ms at which the last attempt was sent: not while it was held back. */
  declare sentAt?: number
  /** Its place among the requests that refresh all pages of a list. */
  declare refresh?: PlaceInRefresh<PageRequest>

  constructor(owner: FlightOwner, { endpoint, args, key, startsAt }: Call, requestKey: string, cause: Cause) {
    this.owner = owner
    this.cause = cause
    this.start = owner.store.sequence.begin(startsAt)
    this.label = this.start
    this.key = key
    this.endpoint = endpoint
    this.args = args
    this.isMutation = endpoint.sideEffect === true
    this.requestKey = requestKey
    this.parts = owner.partsOf(this)
  }

  get env(): Env {
    return this.owner.options.env
  }

  get signal(): AbortSignal {
    return this.abort.signal
  }

  repeats(error: Error): void {
    this.owner.options.onEvent({ type: 'retry', flight: this, error })
  }
}
