import type { Denormalize, DenormalizeNullable, ResponseInput } from '../schema/infer.js'
import type { Schema } from '../schema/schema.js'

/** The type of functions from which endpoints are created: they take any arguments and return a promise. */
export type FetchFunction = (...args: never) => Promise<unknown>

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
 * The type of an endpoint's data in hooks and `controller.fetch`: the data of its schema, or without a schema the result of
 * a call.
 *
 * @remarks
 * The data of a mutation is null if the response has no body and there was no optimistic value. The data of a deletion is
 * the deleted entity, `undefined` if the store did not have it.
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

/**
 * The error of a request, as readers and listeners receive it: any Error, with the HTTP status if the server has responded
 * with one.
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
   * The HTTP status. Only a `NetworkError` has one. Without a response it is `undefined`, for which comparisons with numbers
   * are false, so a policy need not check it first.
   */
  readonly status: number
}

/** The stored response of an endpoint, from `controller.getResponse` or a snapshot. */
export interface EndpointResponse<Data> {
  /** The data that readers would show; undefined if there is none. */
  readonly data: Data
  /** The last error, unless newer data or a soft policy hides it. */
  readonly error?: ErrorWithStatus | undefined
  /** True if the data may be shown. */
  readonly expiryStatus: ExpiryStatus
  /** Wall clock in ms after which the data is stale; 0 if there is none. */
  readonly expiresAt: number
}

/** The times of a response: wall clock in ms. */
export interface Times {
  /** The time at which it arrived. */
  readonly date: number
  /** The time until which it is fresh. */
  expiresAt: number
  /** The time until which stale data may be shown; undefined for as long as it is stored. */
  shownUntil?: number | undefined
  /** True if none of it may be stored on a disk. */
  noStore?: boolean | undefined
}

/** A response that was read. */
export interface Received {
  /** The result of `process`. */
  readonly data: unknown
  /** The times, which parts may change until readers are notified. */
  readonly response: Times
}

/**
 * The states of stored data: whether it may be shown.
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
