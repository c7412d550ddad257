// The names that applications import from @data-client/endpoint.
import type {
  Denormalize,
  ErrorWithStatus,
  FetchFunction,
  NetworkError as HttpError,
  SchemaContract,
} from '@roundtable/core'
import { notCarried } from './not-carried.js'

export {
  All,
  type Denormalize,
  type DenormalizeNullable,
  Endpoint,
  Endpoint as ExtendableEndpoint,
  type EndpointInterface,
  type EndpointMembers as EndpointInstance,
  type EndpointMembers as EndpointInstanceInterface,
  type EndpointOptions,
  type EndpointOptions as EndpointExtraOptions,
  type EndpointParam,
  Entity,
  type EntityFields,
  type EntityInterface,
  EntityMixin,
  type FetchFunction,
  INVALID,
  Invalidate,
  Lazy,
  type MutateEndpoint,
  type Normalize,
  type NormalizeNullable,
  Query,
  type Queryable,
  type ReadEndpoint,
  type ResolveType,
  Scalar,
  type Schema,
  type SchemaArgs,
  type SchemaArgs as SchemaToArgs,
  type SchemaContract as SchemaClass,
  type SchemaContract as SchemaSimple,
  type Snapshot as SnapshotInterface,
  Union,
  unshift,
  Values,
  validateRequired,
} from '@roundtable/core'
export { Collection } from './collection.js'
export { type NotCarried, NotCarriedError } from './not-carried.js'
export * as schema from './schemas.js'

/** The type of the instances of a class: `AbstractInstanceType<typeof Todo>` is `Todo`. */
export type AbstractInstanceType<Class> = Class extends { readonly prototype: infer Instance } ? Instance : never
/** The type of an endpoint as a function. */
export type EndpointToFunction<E extends FetchFunction> = (...args: Parameters<E>) => ReturnType<E>
/** The error of a request, as readers receive it. */
export type ErrorTypes = ErrorWithStatus
/** Any error of a request. */
export type UnknownError = ErrorWithStatus
/** The error of a response with an error status. */
export type NetworkError = HttpError
/** A schema of one value, such as a union. */
export type PolymorphicInterface = SchemaContract
/** The data of a schema that is an object of schemas. */
export type DenormalizeObject<S extends object> = { readonly [Field in keyof S]: Denormalize<S[Field] & {}> }
/** 1: invalid, 2: invalid if stale, 3: valid. */
export type ExpiryStatusInterface = 1 | 2 | 3

/** Before data-client 0.14: an index is a field of `static indexes`. */
export const Index: ReturnType<typeof notCarried> = notCarried(
  'Index',
  "name the field in static indexes, and read with useQuery(User, { username: 'ada' }).",
)
/** Before data-client 0.14: `throw snapshot.abort` shows nothing before the response. */
export const AbortOptimistic: ReturnType<typeof notCarried> = notCarried('AbortOptimistic', 'throw snapshot.abort.')
