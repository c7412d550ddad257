import type { Denormalize, DenormalizeNullable, Normalize, ResponseInput, SchemaArgs } from '../schema/infer.js'
import type { Schema } from '../schema/schema.js'

/** Any function that an endpoint can be made of: it takes arguments and returns a promise. */
export type FetchFunction = (...args: never) => Promise<unknown>

/**
 * What the store knows of an answer: may it be shown, and is it in date?
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
 * What an `errorPolicy` is asked about.
 *
 * @example
 * ```ts
 * const softOnServerErrors = (error: RequestError) => (error.status >= 500 ? 'soft' : undefined)
 * ```
 */
export interface RequestError extends Error {
  /**
   * The HTTP status. Only a `NetworkError` has one: where no answer came it is `undefined`, and comparing that with a
   * number is false, so a policy need not ask first.
   */
  readonly status: number
}

/** An updater of another endpoint's result: takes its present normalized result, returns the next one. */
// biome-ignore lint/suspicious/noExplicitAny: the result of another endpoint, named by a key at run time; unknown would refuse `(ids = []) => …`.
export type ResultUpdater = (current: any) => unknown

/**
 * The options that every endpoint takes, in its constructor, in `extend` and as members of a subclass.
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
   * What the endpoint is called in keys, messages and devtools.
   *
   * @default the name of the function; a `RestEndpoint` takes its `urlPrefix` and `path`. Minifiers rename functions,
   * so give an `Endpoint` a name of its own.
   */
  readonly name?: string | undefined
  /**
   * Describes the data, so that entities in it live once in the table.
   *
   * @default undefined: the answer is kept as it is
   */
  readonly schema?: S
  /**
   * True if a call changes something on the server. Such an endpoint is fetched, never read through a hook.
   *
   * @default undefined, which is false; a `RestEndpoint` derives it from its method
   */
  readonly sideEffect?: SideEffect
  /**
   * How long an answer counts as fresh, in milliseconds. 0 is always stale, `Infinity` never.
   *
   * @default the controller's, 60 000
   */
  readonly dataExpiryLength?: number | undefined
  /**
   * How long an error is kept before a reader tries again, in milliseconds.
   *
   * @default the controller's, 1 000
   */
  readonly errorExpiryLength?: number | undefined
  /**
   * True if data that is out of date must not be shown: readers then wait for the new answer.
   *
   * @default false
   */
  readonly invalidIfStale?: boolean | undefined
  /**
   * How often live readers ask again, in milliseconds, above 0. Only `useLive`, `useSubscription` and `poll`
   * look at it.
   *
   * @default undefined: never
   */
  readonly pollFrequency?: number | undefined
  /**
   * How long one request may take, in milliseconds, above 0; then it is aborted and fails with a `TimeoutError`.
   *
   * @default undefined: as long as it takes
   */
  readonly timeout?: number | undefined
  /**
   * True if a request that nobody waits for any more shall be aborted.
   *
   * @default false: it finishes and its answer is kept
   */
  readonly abortOnUnused?: boolean | undefined
  /**
   * Aborts the request. It is fixed with the endpoint: one that is aborted stays so. For one call use
   * `endpoint.extend({ signal })`; the signal is no part of the key.
   *
   * @default undefined
   */
  readonly signal?: AbortSignal | undefined
  /**
   * Hears what a request is sent with, right before: its headers and credentials. Of our endpoints a `RestEndpoint` tells it.
   *
   * @default undefined
   */
  onSend?(init: RequestInit): void
  /**
   * Says whether stale data may stay on screen when a request fails: `'soft'` if so.
   *
   * @default undefined: every error surfaces
   */
  errorPolicy?(error: RequestError): 'soft' | undefined
  /**
   * The text under which the answer to these arguments is kept: two calls with the same key are the same request.
   *
   * @default the name, a space and the arguments as stable text; a `RestEndpoint` takes its method, a space and the URL
   */
  key?(...args: Parameters<Fetch>): string
  /**
   * Tells requests apart whose answers are kept under one key, as those for the pages of a list are: a call joins a request that
   * is under way only if this text is the same for both.
   *
   * @default nothing more than the key
   */
  requestKey?(...args: Parameters<Fetch>): string
  /**
   * Names of fields beside a list with pages that are those of its last page, such as the next cursor: if that page lacks one, so
   * does the list's result. All other fields are the newest answer's. The names are exact, in nested objects too.
   *
   * @default the pagination field, `nextPage`, `next`, `cursor` and `hasMore`
   */
  readonly pageFields?: readonly string[] | undefined
  /**
   * Tells whether a key is one of this endpoint's. Mocks, `expireAll` and `invalidateAll` ask it.
   *
   * @default compares what `key` puts first
   */
  testKey?(key: string): boolean
  /**
   * The answer that is expected, shown until the real one or an error comes. Throw `snapshot.abort` to show nothing.
   *
   * @default undefined: nothing is shown before the answer
   */
  getOptimisticResponse?(snapshot: Snapshot, ...args: Parameters<Fetch>): unknown
  /**
   * Names, by their keys, other endpoints whose results this answer changes, and how. Collections do this by themselves.
   *
   * @default undefined
   */
  update?(normalizedResponse: Normalize<S>, ...args: Parameters<Fetch>): Readonly<Record<string, ResultUpdater>>
}

/** What a single request adds to the endpoint that it runs; see `EndpointInterface.extend`. */
export interface FlightOptions {
  /** Aborts this request. */
  readonly signal: AbortSignal
  /** Hears what it is sent with. */
  readonly onSend?: (init: RequestInit) => void
  /** `undefined` where whoever sends the request watches its time. */
  readonly timeout?: undefined
}

/** Fields beside a list with pages that tell how it goes on, where an endpoint does not name its own. */
export const PAGE_FIELDS: readonly string[] = Object.freeze(['nextPage', 'next', 'cursor', 'hasMore'])

/**
 * All that hooks and controllers ask of an endpoint: any function with a `key` will do, the rest is optional.
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
  /** The text under which the answer to these arguments is kept. */
  key(...args: Parameters<Fetch>): string
  /** True if nobody else has what it resolves with: then a controller keeps that as if it were handed over by `transfer`. */
  readonly transfers?: boolean
  /** A copy whose requests carry a signal. An endpoint without it runs as it is and cannot be aborted. */
  extend?(options: FlightOptions): FetchFunction
}

/**
 * An endpoint that only reads: what hooks accept.
 *
 * @remarks
 * `never[]` takes any arguments as `never` does, and is a list: so an editor knows what a hook wants while it is being written.
 */
export type ReadEndpoint<
  Fetch extends FetchFunction = (...args: never[]) => Promise<unknown>,
  S extends Schema = Schema,
> = EndpointInterface<Fetch, S, false | undefined>

/**
 * An endpoint that changes something on the server: `controller.fetch` runs it.
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
 * What a direct call of an endpoint resolves with.
 *
 * @example
 * ```ts
 * type Time = ResolveType<typeof getTime> // number
 * ```
 */
export type ResolveType<E extends FetchFunction> = Awaited<ReturnType<E>>

/**
 * The first argument of an endpoint.
 *
 * @example
 * ```ts
 * type UserParams = EndpointParam<typeof getUser> // { id: string | number }
 * ```
 */
export type EndpointParam<E extends FetchFunction> = Parameters<E>[0]

/**
 * What hooks and `controller.fetch` give for an endpoint: its schema's data, or without a schema what a call resolves with.
 *
 * @remarks
 * A mutation may be answered without a body: then it is null, unless something was shown optimistically. A deletion gives what was
 * there, `undefined` if that was not known.
 *
 * @example
 * ```ts
 * type UserData = EndpointData<typeof getUser> // User
 * ```
 */
export type EndpointData<E extends FetchFunction> = [SchemaOf<E>] extends [undefined | null]
  ? ResolveType<E>
  : Denormalize<SchemaOf<E>> | EmptyOf<E>

/** What stands for the data of a mutation where there is none. */
type EmptyOf<E> = E extends { readonly sideEffect: true }
  ? E extends { readonly schema: { readonly deletes: true } }
    ? undefined
    : null
  : never

/** What `controller.setResponse` takes: what the endpoint's `process` would return. */
export type ResponseOf<E extends FetchFunction> = [SchemaOf<E>] extends [undefined | null]
  ? ResolveType<E>
  : Schema extends SchemaOf<E>
    ? unknown
    : ResponseInput<SchemaOf<E>>

/**
 * As `EndpointData`, where what is not in the table is `undefined`: what a cache gives without a request.
 *
 * @example
 * ```ts
 * type CachedUser = EndpointDataNullable<typeof getUser> // User | undefined
 * ```
 */
export type EndpointDataNullable<E extends FetchFunction> = [SchemaOf<E>] extends [undefined | null]
  ? ResolveType<E> | undefined
  : DenormalizeNullable<SchemaOf<E>>

/** The schema of an endpoint; undefined if it has none. */
type SchemaOf<E> = E extends { readonly schema?: infer S } ? (S extends Schema ? S : undefined) : undefined

/** What a snapshot or controller knows of an endpoint's answer. */
export interface EndpointResponse<Data> {
  /** The data as it would be shown; undefined if there is none. */
  readonly data: Data
  /** The last error, unless newer data or a soft policy hides it. */
  readonly error?: Error | undefined
  /** Whether the data may be shown. */
  readonly expiryStatus: ExpiryStatus
  /** Wall clock in ms after which the data is out of date. */
  readonly expiresAt: number
}

/**
 * What `getOptimisticResponse` receives: the table as it stands, with all earlier optimistic answers.
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
  /** The data that the arguments name in the table; undefined if it is not there. */
  get<S extends Schema>(schema: S, ...args: SchemaArgs<S>): DenormalizeNullable<S> | undefined
  /** What is known of an endpoint's answer. */
  getResponse<E extends EndpointInterface>(
    endpoint: E,
    ...args: Parameters<E>
  ): EndpointResponse<EndpointDataNullable<E>>
  /** The last error of an endpoint; undefined if there is none, or if its policy hides it. */
  getError<E extends EndpointInterface>(endpoint: E, ...args: Parameters<E>): Error | undefined
  /** Throw it when no optimistic answer can be given: then nothing is shown before the real one. */
  readonly abort: Error
  /** Wall clock in ms at which the request started. */
  readonly fetchedAt?: number
}
