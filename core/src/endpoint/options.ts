import type { DenormalizeNullable, Normalize, SchemaArgs } from '../schema/infer.js'
import type { Schema } from '../schema/schema.js'
import type { Env } from '../util/env.js'
import type {
  EndpointDataNullable,
  EndpointResponse,
  ErrorWithStatus,
  FetchFunction,
  Received,
  RequestError,
  Times,
} from './result.js'

/**
 * Performs HTTP calls in place of the global `fetch`; `endpoint` is the endpoint that calls it.
 *
 * @example
 * ```ts
 * const transport: Transport = (input, init) => fetch(new URL(String(input), 'https://api.test'), init)
 * ```
 */
export type Transport = (
  input: string | URL | Request,
  init: RequestInit,
  endpoint: EndpointInterface,
) => Promise<Response>

/** A request as its parts see it. */
export interface PartRequest {
  readonly endpoint: EndpointInterface
  /** A part may replace them until it calls `next`: by the key that the server has given a new row meanwhile, for example. */
  args: readonly unknown[]
  /** The fetch key; of a call without a controller the endpoint's name. */
  readonly key: string
  /** Aborts the whole request. */
  readonly signal: AbortSignal | undefined
  readonly env: Env
  /** One object for all requests of a controller; undefined for a call without one. */
  readonly owner: object | undefined
  /** How many attempts have failed, as the part that repeats them counts. */
  failureCount?: number
  /** The error of the last of them. */
  failureReason?: Error
  /** Tells that an attempt has failed and is sent again. */
  repeats(error: Error): void
}

/** One HTTP call of a request: an attempt may have several, such as one for a new token. */
export interface Exchange {
  readonly request: PartRequest
  readonly input: string | URL | Request
  readonly init: RequestInit
}

/** A call that somebody subscribes to, and that a source keeps up to date. */
export interface SourceCall {
  readonly endpoint: EndpointInterface
  readonly args: readonly unknown[]
  readonly key: string
}

/** The controller as a source sees it: see `RequestPart.subscribe`. */
export interface SourceHost {
  /** The controller's: that of its requests. */
  readonly owner: object
  readonly env: Env
  /** The controller's option: it makes the HTTP calls of sources too. */
  readonly transport: Transport | undefined
  /** Aborted by the next reset of the store, and when the controller is disposed. */
  readonly signal: AbortSignal
  /** The newest number in the order of requests and writes. */
  readonly now: number
  /** Takes the next number: writes that carry it are older than any request that starts later. */
  begin(): number
  /** Nothing more is written by this number. */
  end(start: number): void
  /** Tells developer tools, in words, what was written by a number, or what happens at the next one. Returns the number. */
  tell(type: 'message' | 'connection', text: string, start?: number): number
  /** Runs several writes and notifies readers once, at the end. */
  notifyOnce(work: () => void): void
  /**
   * Writes data as if an endpoint had received it as its response.
   *
   * @throws SchemaError if the data does not match the schema
   */
  write(call: Omit<SourceCall, 'key'>, data: unknown, start: number): void
  /** Makes a key stale, which is fetched again where it has readers. `by` is the number of what has led to it, if that was told. */
  expire(key: string, by?: number): void
  /** Takes an error that nobody else does: it goes to the controller's `onError`. */
  report(error: Error): void
}

/** Shows stale data in place of the error of a failed read, as long as ever or until a time. */
export type Softness = 'soft' | { readonly shownUntil: number }

/**
 * Something that happens with each request of an endpoint, of a class of endpoints (`static parts`) or of a controller: `retry`, `batch`,
 * `scope`, `also` and `http` return one.
 *
 * @remarks
 * They are one list: those of the controller, of the classes from the base on, of the endpoint, and its options `retry`, `batch` and
 * `scope`. `request`, `repeat` and `exchange` go around what they are given, the last part outermost; all others are called in the order
 * of the list. The same object counts once. Keep what belongs to a request in a `WeakMap` of the part's own.
 *
 * @example
 * ```ts
 * const traced: RequestPart = {
 *   name: 'traced',
 *   exchange({ init }, next) {
 *     const headers = new Headers(init.headers)
 *     headers.set('x-trace', crypto.randomUUID())
 *     return next({ ...init, headers })
 *   },
 * }
 * const controller = new Controller({ parts: [traced] })
 * ```
 */
export interface RequestPart {
  /** Its name in error messages. */
  readonly name: string
  /** True if of several parts of this name the last one counts: the `retry` of an endpoint replaces the controller's. */
  readonly isOnly?: boolean
  /** True if it concerns the response of one member: the request that `batch` makes of several reads goes without it. */
  readonly forMember?: boolean
  /** The request was announced, and has no optimistic layer yet; at once, also if it will wait. An error fails the request. */
  prepare?(request: PartRequest): void
  /** Goes around the whole request, with all of its attempts: `next` sends it. */
  request?(request: PartRequest, next: () => Promise<unknown>): Promise<unknown>
  /** Goes around the attempts: `next` makes one, which ends when the signal is aborted. */
  repeat?(request: PartRequest, next: (signal?: AbortSignal) => Promise<unknown>): Promise<unknown>
  /** Goes around each HTTP call of a `RestEndpoint`. `next` resolves with the response, whatever its status. */
  exchange?(exchange: Exchange, next: (init: RequestInit) => Promise<Response>): Promise<Response>
  /** A response was read, and nothing of it is in the table yet. An error fails the request. */
  read?(request: PartRequest, received: Received): void
  /** Is called in the commit that writes a response, before readers are notified. An error is reported, and the other parts go on. */
  wrote?(request: PartRequest, received: Received): void
  /**
   * Keeps a call up to date while `useLive`, `useSubscription` or `poll` subscribe to it, in place of `pollFrequency`; returns a function
   * that stops it. The last part that has it counts. After a reset it is stopped and started again.
   */
  subscribe?(host: SourceHost, call: SourceCall): () => void
  /** The request is over, whatever its end: a response is written next, or its optimistic change goes. An error is reported. */
  settled?(request: PartRequest, error: Error | undefined): void
  /** A read failed. The first part that answers decides, and after all parts the endpoint's `errorPolicy`. */
  failed?(
    error: Error,
    of: { readonly endpoint: EndpointInterface; readonly response: Times | undefined },
  ): Softness | undefined
}

/** Wraps the HTTP calls of one attempt: the option `aroundExchange` of the copy of an endpoint that is made for it. */
export type AroundExchange = (
  input: string | URL | Request,
  init: RequestInit,
  send: (init: RequestInit) => Promise<Response>,
) => Promise<Response>

/** An updater of another endpoint's result: takes the current normalized result and returns the next one. */
// biome-ignore lint/suspicious/noExplicitAny: the result of another endpoint, named by a key at run time; unknown would refuse `(ids = []) => …`.
export type ResultUpdater = (current: any) => unknown

/**
 * The options of every endpoint, for its constructor, for `extend` and as members of a subclass.
 *
 * @example
 * ```ts
 * const lifetimes: EndpointOptions = { dataExpiryLength: 60_000, errorExpiryLength: 1_000, pollFrequency: 5_000 }
 * ```
 */
export interface EndpointOptions<
  Fetch extends FetchFunction = FetchFunction,
  S extends Schema = Schema,
  SideEffect extends boolean | undefined = boolean | undefined,
> {
  /**
   * The endpoint's name in keys, messages and devtools.
   *
   * @default the name of the function; for a `RestEndpoint`, its `urlPrefix` and `path`. Minifiers rename functions, so set the
   * name of an `Endpoint`.
   * @example new Endpoint(async ({ id }: { id: number }) => ({ id }), { name: 'getTodo' })
   */
  readonly name?: string | undefined
  /**
   * Describes the data, so that its entities become rows of the table.
   *
   * @default undefined: the response is stored unchanged
   * @example new Endpoint(async () => [{ id: 5 }], { name: 'getTodos', schema: [Todo] })
   */
  readonly schema?: S
  /**
   * True if a call changes something on the server. Call such an endpoint with `controller.fetch`; hooks reject it.
   *
   * @default undefined, which is false; a `RestEndpoint` derives it from its method
   * @example new Endpoint(async () => ({ ok: true }), { name: 'sendMail', sideEffect: true })
   */
  readonly sideEffect?: SideEffect
  /**
   * How long a response is fresh, in milliseconds. With 0 it is always stale, with `Infinity` never.
   *
   * @default the controller's, 60 000
   * @example getTodos.extend({ dataExpiryLength: 10_000 })
   */
  readonly dataExpiryLength?: number | undefined
  /**
   * How long an error is recent, in milliseconds: readers that mount during this time do not fetch again.
   *
   * @default the controller's, 1 000
   * @example getTodos.extend({ errorExpiryLength: 60_000 })
   */
  readonly errorExpiryLength?: number | undefined
  /**
   * True if stale data must not be shown: readers are pending until the new response arrives.
   *
   * @default false
   * @example getTicker.extend({ invalidIfStale: true })
   */
  readonly invalidIfStale?: boolean | undefined
  /**
   * The polling interval in milliseconds, above 0. Only `useLive`, `useSubscription` and `poll` use it.
   *
   * @default undefined: no polling
   * @example getTodos.extend({ pollFrequency: 5_000 })
   */
  readonly pollFrequency?: number | undefined
  /**
   * How long one request may take, in milliseconds, above 0. After that it is aborted and rejects with a `TimeoutError`. With `retry`,
   * each attempt may take this long.
   *
   * @default undefined: no limit
   * @example search.extend({ timeout: 10_000 })
   */
  readonly timeout?: number | undefined
  /**
   * Repeats failed requests: `retry(2)`, `retry({ limit: 2, statuses: [503] })`. `retry(0)` turns the controller's off.
   *
   * @default the controller's, none
   * @example getTodos.extend({ retry: retry({ limit: 2, statuses: [503] }) })
   */
  readonly retry?: RequestPart | undefined
  /**
   * Sends reads of one tick as one request: `batch({ path: '/todos?id=:ids' })`. Only controllers use it.
   *
   * @default undefined: each is a request
   * @example getTodo.extend({ batch: batch({ path: '/todos?id=:ids' }) })
   */
  readonly batch?: RequestPart | undefined
  /**
   * Sends mutations one after the other, in the order of their calls: `scope('row')` those of one row. Only controllers use it.
   *
   * @default undefined: each is sent at once
   * @example updateTodo.extend({ scope: scope('row') })
   */
  readonly scope?: RequestPart | undefined
  /**
   * True to abort a request when no reader waits for it any more.
   *
   * @default false: the request finishes and its response is stored
   * @example search.extend({ abortOnUnused: true })
   */
  readonly abortOnUnused?: boolean | undefined
  /**
   * Aborts requests of this endpoint, including all later ones. To abort a single call, use `endpoint.extend({ signal })`; the
   * signal is not part of the key.
   *
   * @default undefined
   * @example await getTodo.extend({ signal: AbortSignal.timeout(5_000) })({ id: 5 })
   */
  readonly signal?: AbortSignal | undefined
  /**
   * Performs the HTTP calls instead of the global `fetch`, unless the controller has a `transport`, which wins. Only `RestEndpoint`
   * uses it.
   *
   * @default undefined: the global `fetch`, looked up at each call
   * @example getTodo.extend({ transport: (url, init) => fetch(url, { ...init, cache: 'no-store' }) })
   */
  readonly transport?: Transport | undefined
  /**
   * Called right before a request is sent, with its options, such as headers and credentials. Only `RestEndpoint` calls it.
   *
   * @default undefined
   * @example getTodo.extend({ onSend: ({ headers }) => console.log(headers) })
   */
  onSend?(init: RequestInit): void
  /**
   * The parts of each request: `also(…)`, `http(…)`, and parts of your own. Those of `extend` come after those of before, and all of
   * them after the controller's and the class's.
   *
   * @default undefined: nothing more
   * @example getTodos.extend({ parts: [{ name: 'log', wrote: ({ key }) => console.log(key) }] })
   */
  readonly parts?: readonly RequestPart[] | undefined
  /**
   * Called when a request fails. Return `'soft'` to keep showing existing data instead of the error.
   *
   * @default undefined: every error is shown
   * @example getTodos.extend({ errorPolicy: (error) => (error.status === 404 ? undefined : 'soft') })
   */
  errorPolicy?(error: RequestError): 'soft' | undefined
  /**
   * Returns the fetch key of a call, under which its response is stored: two calls with the same key are the same request.
   *
   * @default the name, a space and the arguments as JSON with sorted keys; for a `RestEndpoint`, the method, a space and the URL
   * @example new Endpoint(async (of: { id: number }) => of.id, { name: 'getTodo', key: ({ id }) => `todo ${id}` })
   */
  key?(...args: Parameters<Fetch>): string
  /**
   * Distinguishes requests whose responses are stored under the same key, such as those for the pages of a list: a call joins a
   * pending request only if this string is the same for both.
   *
   * @default undefined: the key alone
   * @example getTodos.extend({ requestKey: () => 'whole' })
   */
  requestKey?(...args: Parameters<Fetch>): string
  /**
   * Names of the fields next to a paginated list that come from its last page, such as the next cursor: if that page has no such
   * field, neither has the result. All other fields come from the newest response. The names are exact, and apply to nested objects
   * too.
   *
   * @default the pagination field, `nextPage`, `next`, `cursor` and `hasMore`
   * @example getTodos.extend({ pageFields: ['nextToken'] })
   */
  readonly pageFields?: readonly string[] | undefined
  /**
   * The pages of a list that are requested again when it is refreshed: all that are loaded, in order, or the first alone.
   *
   * @default 'all'
   * @example getTodos.extend({ refreshPages: 'first' })
   */
  readonly refreshPages?: 'all' | 'first' | undefined
  /**
   * Returns true if a key belongs to this endpoint. Mocks, `expireAll` and `invalidateAll` use it.
   *
   * @default compares the part of the key before the arguments
   * @example getTodos.extend({ testKey: (key) => key.startsWith('GET https://api.test/todos') })
   */
  testKey?(key: string): boolean
  /**
   * Returns the expected response, which is shown until the actual response or an error arrives. Throw `snapshot.abort` to show
   * nothing.
   *
   * @default undefined: nothing is shown before the response
   * @example updateTodo.extend({ getOptimisticResponse: (snapshot, { id }, body) => ({ id, ...body }) })
   */
  getOptimisticResponse?(snapshot: Snapshot, ...args: Parameters<Fetch>): unknown
  /**
   * Returns updaters of other endpoints' results, by fetch key. Collections need none.
   *
   * @default undefined
   * @example createTodo.extend({ update: () => ({ 'GET https://api.test/todos/count': (count) => Number(count) + 1 }) })
   */
  update?(normalizedResponse: Normalize<S>, ...args: Parameters<Fetch>): Readonly<Record<string, ResultUpdater>>
}

/** The options that a single request adds to its endpoint; see `EndpointInterface.extend`. */
export interface FlightOptions extends Pick<EndpointOptions, 'onSend' | 'transport'> {
  /** Aborts this request. */
  readonly signal: AbortSignal
  /** Wraps its HTTP calls in the sender's parts. */
  readonly aroundExchange?: AroundExchange
  /** `undefined`: the sender watches the time. */
  readonly timeout?: undefined
}

/**
 * The interface that hooks and controllers need: any function with a `key`; everything else is optional.
 *
 * @example
 * ```ts
 * const getTime: EndpointInterface<() => Promise<number>> = Object.assign(async () => Date.now(), { key: () => 'time' })
 * ```
 */
export interface EndpointInterface<
  Fetch extends FetchFunction = FetchFunction,
  S extends Schema = Schema,
  SideEffect extends boolean | undefined = boolean | undefined,
> extends EndpointOptions<Fetch, S, SideEffect> {
  (...args: Parameters<Fetch>): ReturnType<Fetch>
  /** Returns the fetch key of a call, under which its response is stored. */
  key(...args: Parameters<Fetch>): string
  /** True if no other code has the resolved value: the controller then stores it like a value of `transfer`, without copying it. */
  readonly transfers?: boolean
  /** Creates a copy whose requests use a signal. Requests of an endpoint without `extend` cannot be aborted. */
  extend?(options: FlightOptions): FetchFunction
}

/**
 * An endpoint without side effects, which hooks accept.
 *
 * @remarks
 * `never[]` accepts any arguments, like `never`, but is a list, so that editors can complete the arguments of a hook. No endpoint has
 * the second `false`: it is there for the error of a mutation, which names the remedy.
 */
export type ReadEndpoint<
  Fetch extends FetchFunction = (...args: never[]) => Promise<unknown>,
  S extends Schema = Schema,
> = EndpointInterface<
  Fetch,
  S,
  false | (false & { readonly 'a mutation is not read: send it with controller.fetch': true }) | undefined
>

/**
 * An endpoint that changes something on the server. Call it with `controller.fetch`.
 *
 * @example
 * ```ts
 * function save(endpoint: MutateEndpoint) {}
 * ```
 */
export type MutateEndpoint<Fetch extends FetchFunction = FetchFunction, S extends Schema = Schema> = EndpointInterface<
  Fetch,
  S,
  true
>

/**
 * The current state of the store, with all earlier optimistic changes, as `getOptimisticResponse` receives it.
 *
 * @example
 * ```ts
 * const toggleTodo = updateTodo.extend({
 *   getOptimisticResponse(snapshot, { id }) {
 *     const todo = snapshot.get(Todo, { id })
 *     if (!todo) throw snapshot.abort
 *     return { id, done: !todo.done }
 *   },
 * })
 * ```
 */
export interface Snapshot {
  /** The value of a schema for these arguments, read from the table; undefined if it is missing. */
  get<S extends Schema>(schema: S, ...args: SchemaArgs<S>): DenormalizeNullable<S> | undefined
  /** The stored response of an endpoint. */
  getResponse<E extends EndpointInterface>(
    endpoint: E,
    ...args: Parameters<E>
  ): EndpointResponse<EndpointDataNullable<E>>
  /** The last error of an endpoint; undefined if there is none, or if newer data or a soft policy hides it. */
  getError<E extends EndpointInterface>(endpoint: E, ...args: Parameters<E>): ErrorWithStatus | undefined
  /** Throw this error to show nothing before the response. */
  readonly abort: Error
  /** Wall clock in ms at which the request started. */
  readonly fetchedAt: number
}
