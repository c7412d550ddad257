import type { Denormalize, DenormalizeNullable, Normalize, ResponseInput, SchemaArgs } from '../schema/infer.js'
import type { Schema } from '../schema/schema.js'
import type { Env } from '../util/env.js'

/** The type of functions from which endpoints are created: any arguments, and a promise as the result. */
export type FetchFunction = (...args: never) => Promise<unknown>

/**
 * Whether stored data may be shown.
 *
 * @remarks
 * `Valid` may be shown; `InvalidIfStale` may be shown until `expiresAt`; `Invalid` may not be shown.
 *
 * @example
 * ```ts
 * controller.getResponse(getUser, { id: 5 }).expiryStatus === ExpiryStatus.Valid
 * ```
 */
export const ExpiryStatus = { Invalid: 1, InvalidIfStale: 2, Valid: 3 } as const

/** One of the values of `ExpiryStatus`. */
export type ExpiryStatus = (typeof ExpiryStatus)[keyof typeof ExpiryStatus]

/**
 * The error of a request, as readers and listeners receive it: any Error, with the HTTP status if the server has responded with one.
 *
 * @example
 * ```ts
 * const isGone = (error: ErrorWithStatus) => error.status === 404 || error.status === 410
 * ```
 */
export interface ErrorWithStatus extends Error {
  /** The HTTP status, such as that of a `NetworkError`; undefined if no response has arrived. */
  readonly status?: number | undefined
}

/**
 * The error that an `errorPolicy` receives.
 *
 * @example
 * ```ts
 * const softOnServerErrors = (error: RequestError) => (error.status >= 500 ? 'soft' : undefined)
 * ```
 */
export interface RequestError extends Error {
  /**
   * The HTTP status. Only a `NetworkError` has one. Without a response it is `undefined`, for which comparisons with numbers are
   * false, so a policy need not check it first.
   */
  readonly status: number
}

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

/**
 * Decides which failed attempts of a request are repeated, and when: what `retry()` returns.
 *
 * @example
 * ```ts
 * const patient: Retry = retry({ limit: 4 })
 * ```
 */
export type Retry = (
  request: RetriedRequest,
  /** Sends it once, with this version of its endpoint, until the signal is aborted. */
  attempt: (endpoint: EndpointInterface, signal: AbortSignal) => Promise<unknown>,
  /** The controller's; undefined for a direct call. */
  context?: RetryContext,
) => Promise<unknown>

/** A request whose attempts are repeated. */
export interface RetriedRequest {
  readonly endpoint: EndpointInterface
  /** Aborts the whole request. */
  readonly abort: { readonly signal?: AbortSignal | undefined }
  /** The fetch key; undefined for a direct call. */
  readonly key?: string
  /** How many attempts have failed. */
  failureCount?: number
  /** What the last of them failed with. */
  failureReason?: Error
  /** Monotonic ms at which the last attempt was sent: not while it was held back. */
  sentAt?: number
}

/** What a controller shares among its requests. */
export interface RetryContext {
  readonly env: Env
  /** Until when requests to an origin wait, in monotonic ms: the first `Retry` that needs it adds it. */
  holds?: Map<string, number>
  /** Hears that an attempt has failed and the request will be sent again. */
  onEvent(event: { readonly type: 'retry'; readonly flight: RetriedRequest; readonly error: Error }): void
}

/**
 * Sends a read together with others of the same tick: what `batch()` returns. `alone` sends it by itself. Undefined for a request that is
 * not sent together with others.
 */
export type Batch = (request: unknown, alone: () => Promise<unknown>) => Promise<unknown> | undefined

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
  readonly retry?: Retry | undefined
  /**
   * Sends reads of one tick as one request: `batch({ path: '/todos?id=:ids' })`. Only controllers use it.
   *
   * @default undefined: each is a request
   * @example getTodo.extend({ batch: batch({ path: '/todos?id=:ids' }) })
   */
  readonly batch?: Batch | undefined
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
   * Called in the commit that writes a response, before readers are notified: an extension point for `also` and
   * `@roundtable/core/http`, which know the types of what is handed over.
   *
   * @default undefined
   */
  onWrite?(flight: unknown, response: unknown, change: unknown, data: unknown): void
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
   * Which pages of a list with pages are requested again when the list is refreshed: all that are loaded, in order, or the first alone.
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
export interface FlightOptions {
  /** Aborts this request. */
  readonly signal: AbortSignal
  /** Called with the options that the request is sent with. */
  readonly onSend?: (init: RequestInit) => void
  /** The controller's transport, else the endpoint's own. */
  readonly transport?: Transport | undefined
  /** `undefined`: the sender handles both. */
  readonly timeout?: undefined
  readonly retry?: undefined
  /** What a controller knows of the request: for `@roundtable/core/http`. */
  readonly flight?: unknown
}

/** The default of `pageFields`, without the pagination field. */
export const PAGE_FIELDS: readonly string[] = Object.freeze(['nextPage', 'next', 'cursor', 'hasMore'])

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
 * `never[]` accepts any arguments, like `never`, but is a list, so that editors can complete the arguments of a hook.
 */
export type ReadEndpoint<
  Fetch extends FetchFunction = (...args: never[]) => Promise<unknown>,
  S extends Schema = Schema,
> = EndpointInterface<Fetch, S, false | undefined>

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
 * The type that a direct call of an endpoint resolves with.
 *
 * @example
 * ```ts
 * type Time = ResolveType<typeof getTime> // number
 * ```
 */
export type ResolveType<E extends FetchFunction> = Awaited<ReturnType<E>>

/**
 * The type of the first argument of an endpoint.
 *
 * @example
 * ```ts
 * type UserParams = EndpointParam<typeof getUser> // { id: string | number }
 * ```
 */
export type EndpointParam<E extends FetchFunction> = Parameters<E>[0]

/**
 * The type of an endpoint's data in hooks and `controller.fetch`: the data of its schema, or without a schema the result of a call.
 *
 * @remarks
 * The data of a mutation is null if the response has no body and there was no optimistic value. The data of a deletion is the
 * deleted entity, `undefined` if the store did not have it.
 *
 * @example
 * ```ts
 * type UserData = EndpointData<typeof getUser> // User
 * ```
 */
export type EndpointData<E extends FetchFunction> = [EndpointSchemaOf<E>] extends [undefined | null]
  ? ResolveType<E>
  : Denormalize<EndpointSchemaOf<E>> | EmptyOf<E>

/** The type of a mutation without data. */
type EmptyOf<E> = E extends { readonly sideEffect: true }
  ? E extends { readonly schema: { readonly deletes: true } }
    ? undefined
    : null
  : never

/** The type that `controller.setResponse` accepts: the result of the endpoint's `process`. */
export type ResponseOf<E extends FetchFunction> = [EndpointSchemaOf<E>] extends [undefined | null]
  ? ResolveType<E>
  : Schema extends EndpointSchemaOf<E>
    ? unknown
    : ResponseInput<EndpointSchemaOf<E>>

/**
 * Like `EndpointData`, for reads without a request: missing data is `undefined`.
 *
 * @example
 * ```ts
 * type CachedUser = EndpointDataNullable<typeof getUser> // User | undefined
 * ```
 */
export type EndpointDataNullable<E extends FetchFunction> = [EndpointSchemaOf<E>] extends [undefined | null]
  ? ResolveType<E> | undefined
  : DenormalizeNullable<EndpointSchemaOf<E>>

/** The schema of an endpoint; undefined if it has none. */
type EndpointSchemaOf<E> = E extends { readonly schema?: infer S } ? (S extends Schema ? S : undefined) : undefined

/** The stored response of an endpoint, from `controller.getResponse` or a snapshot. */
export interface EndpointResponse<Data> {
  /** The data that readers would show; undefined if there is none. */
  readonly data: Data
  /** The last error, unless newer data or a soft policy hides it. */
  readonly error?: ErrorWithStatus | undefined
  /** Whether the data may be shown. */
  readonly expiryStatus: ExpiryStatus
  /** Wall clock in ms after which the data is stale; 0 if there is none. */
  readonly expiresAt: number
}

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
