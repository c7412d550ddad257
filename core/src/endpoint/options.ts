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

/** A request, as its parts receive it. */
export interface PartRequest {
  readonly endpoint: EndpointInterface
  /** A part may replace them until it calls `next`, for example with the real key of a new row. */
  args: readonly unknown[]
  /** The fetch key; for a call without a controller, the endpoint's name. */
  readonly key: string
  /** Aborts the whole request. */
  readonly signal: AbortSignal | undefined
  readonly env: Env
  /** One object for all requests of a controller; undefined for a call without one. */
  readonly owner: object | undefined
  /** The number of failed attempts, counted by the part that repeats them. */
  failureCount?: number
  /** The error of the last failed attempt. */
  failureReason?: Error
  /**
   * Reports that an attempt has failed and will be repeated; with `isPaused`, only after a sign-in, as by the outbox
   * after a 401.
   */
  repeats(error: Error, isPaused?: boolean): void
}

/** One HTTP call of a request: an attempt may have several, such as one for a new token. */
export interface Exchange {
  readonly request: PartRequest
  readonly input: string | URL | Request
  readonly init: RequestInit
}

/** A subscribed call, which a source keeps up to date. */
export interface SourceCall {
  readonly endpoint: EndpointInterface
  readonly args: readonly unknown[]
  readonly key: string
}

/** The controller, as a source receives it: see `RequestPart.subscribe`. */
export interface SourceHost {
  /** The same object as the `owner` of the controller's requests. */
  readonly owner: object
  readonly env: Env
  /** The controller's `transport`, which also makes the HTTP calls of sources. */
  readonly transport: Transport | undefined
  /** Aborted by the next reset of the store, and when the controller is disposed. */
  readonly signal: AbortSignal
  /** The newest number in the order of requests and writes. */
  readonly now: number
  /** Takes the next number: writes that carry it are older than any request that starts later. */
  begin(): number
  /** Ends a number: nothing more is written with it. */
  end(start: number): void
  /** Describes a write, or the next event, to developer tools. Returns its number. */
  tell(type: 'message' | 'connection', text: string, start?: number): number
  /** Runs several writes and notifies readers once, at the end. */
  notifyOnce(work: () => void): void
  /**
   * Writes data as if an endpoint had received it as its response.
   *
   * @throws SchemaError if the data does not match the schema
   */
  write(call: Omit<SourceCall, 'key'>, data: unknown, start: number): void
  /** Makes a key stale; it is refetched if it has readers. `by` is the number of the cause, as returned by `tell`. */
  expire(key: string, by?: number): void
  /** Reports an error that no caller receives to the controller's `onError`. */
  report(error: Error): void
}

/** Shows stale data instead of the error of a failed read: without limit, or until a time. */
export type Softness = 'soft' | { readonly shownUntil: number }

/**
 * Something that happens with each request of an endpoint, of a class of endpoints (`static parts`) or of a controller:
 * `retry`, `batch`, `scope`, `also` and `http` return one.
 *
 * @remarks
 * All parts form one list: those of the controller, of the classes (base class first), of the endpoint, and its
 * options `retry`, `batch` and `scope`. `request`, `repeat` and `exchange` wrap `next`, with the last part outermost;
 * the other functions are called in list order. The same object counts once. Store per-request state in a `WeakMap`
 * of the part.
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
  /** The part's name in error messages. */
  readonly name: string
  /** True if only the last part of this name applies: an endpoint's `retry` replaces the controller's. */
  readonly isOnly?: boolean
  /** True if it handles the response of a single member: requests that `batch` combines are sent without it. */
  readonly forMember?: boolean
  /** Called synchronously at the start of a request, before its optimistic layer exists. An error fails the request. */
  prepare?(request: PartRequest): void
  /** Wraps the whole request with all its attempts: `next` sends it. */
  request?(request: PartRequest, next: () => Promise<unknown>): Promise<unknown>
  /** Wraps the attempts: `next` makes one, which ends when the signal is aborted. */
  repeat?(request: PartRequest, next: (signal?: AbortSignal) => Promise<unknown>): Promise<unknown>
  /** Wraps each HTTP call of a `RestEndpoint`. `next` resolves with the response, whatever its status. */
  exchange?(exchange: Exchange, next: (init: RequestInit) => Promise<Response>): Promise<Response>
  /** Called with the read response, before anything of it is written. An error fails the request. */
  read?(request: PartRequest, received: Received): void
  /** Called in the commit of a response, before readers are notified. An error is reported; other parts continue. */
  wrote?(request: PartRequest, received: Received): void
  /**
   * Keeps a call up to date while `useLive`, `useSubscription` or `poll` subscribe to it, instead of polling; returns
   * a function that stops it. Only the last part with this function is used. A reset stops and restarts it.
   */
  subscribe?(host: SourceHost, call: SourceCall): () => void
  /** Called when a request ends, before its response is written or its layer removed. An error is reported. */
  settled?(request: PartRequest, error: Error | undefined): void
  /** Called when a read fails. The first part that returns a value decides; otherwise the endpoint's `errorPolicy` does. */
  failed?(
    error: Error,
    of: { readonly endpoint: EndpointInterface; readonly response: Times | undefined },
  ): Softness | undefined
}

/** Wraps the HTTP calls of one attempt: the `aroundExchange` option of the endpoint's copy for that attempt. */
export type AroundExchange = (
  input: string | URL | Request,
  init: RequestInit,
  send: (init: RequestInit) => Promise<Response>,
) => Promise<Response>

/** An updater of another endpoint's result: takes the current normalized result and returns the next one. */
// biome-ignore lint/suspicious/noExplicitAny: a key names the other endpoint at run time, so its result has no type here; unknown would refuse `(ids = []) => …`.
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
   * @default the name of the function; for a `RestEndpoint`, its `urlPrefix` and `path`. Minifiers rename functions, so
   * set the name of an `Endpoint`.
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
   * How long one request may take, in milliseconds, above 0. After that it is aborted and rejects with a
   * `TimeoutError`. With `retry`, each attempt may take this long.
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
   * Combines reads in the same tick into one request: `batch({ path: '/todos?id=:ids' })`. Only controllers use it.
   *
   * @default undefined: one request each
   * @example getTodo.extend({ batch: batch({ path: '/todos?id=:ids' }) })
   */
  readonly batch?: RequestPart | undefined
  /**
   * Sends mutations one at a time, in the order of their calls: `scope('row')` those of the same row. Only
   * controllers use it.
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
   * Aborts requests of this endpoint, including all later ones. To abort a single call, use `endpoint.extend({ signal })`;
   * the signal is not part of the key.
   *
   * @default undefined
   * @example await getTodo.extend({ signal: AbortSignal.timeout(5_000) })({ id: 5 })
   */
  readonly signal?: AbortSignal | undefined
  /**
   * Performs the HTTP calls instead of the global `fetch`, unless the controller has a `transport`, which wins. Only
   * `RestEndpoint` uses it.
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
   * The parts of each request: `also(…)`, `http(…)`, and your own. `extend` appends parts; all of them come after the
   * controller's and the class's.
   *
   * @default undefined: no parts
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
   * @default the name, a space and the arguments as JSON with sorted keys; for a `RestEndpoint`, the method, a space
   * and the URL
   * @example new Endpoint(async (of: { id: number }) => of.id, { name: 'getTodo', key: ({ id }) => `todo ${id}` })
   */
  key?(...args: Parameters<Fetch>): string
  /**
   * Distinguishes requests whose responses are stored under the same key, such as those for the pages of a list: a call
   * joins a pending request only if this string is the same for both.
   *
   * @default undefined: the key alone
   * @example getTodos.extend({ requestKey: () => 'whole' })
   */
  requestKey?(...args: Parameters<Fetch>): string
  /**
   * Names of fields beside a paginated list that come from its last page, such as the next cursor: if that page lacks
   * such a field, so does the result. All other fields come from the newest response. The names must match exactly,
   * and also apply in nested objects.
   *
   * @default the pagination field, `nextPage`, `next`, `cursor` and `hasMore`
   * @example getTodos.extend({ pageFields: ['nextToken'] })
   */
  readonly pageFields?: readonly string[] | undefined
  /**
   * The pages that a refresh of the list requests: all loaded pages, in order, or only the first.
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
   * Returns the expected response, which is shown until the actual response or an error arrives. Throw `snapshot.abort`
   * to show nothing.
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
  /** Wraps its HTTP calls in the parts of the flight or direct call. */
  readonly aroundExchange?: AroundExchange
  /** Always undefined: the sender of the request limits the time. */
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
  /** True if no other code holds the resolved value: the controller stores it without copying, as with `transfer`. */
  readonly transfers?: boolean
  /** Creates a copy whose requests use a signal. Requests of an endpoint without `extend` cannot be aborted. */
  extend?(options: FlightOptions): FetchFunction
}

/**
 * An endpoint without side effects, which hooks accept.
 *
 * @remarks
 * `never[]` accepts any arguments, like `never`, but is a list, so that editors can complete the arguments of a hook.
 * No endpoint has the second `false`: it adds the remedy to the type error of a mutation.
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
