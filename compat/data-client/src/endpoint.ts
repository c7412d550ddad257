// The names that applications import from @data-client/endpoint.
import {
  Endpoint as Core,
  type Denormalize,
  type EndpointOptions,
  type ErrorWithStatus,
  type FetchFunction,
  type NetworkError as HttpError,
  type Schema,
  type SchemaContract,
} from '@roundtable/core'
import { type NotCarried, notCarried } from './not-carried.js'

export {
  All,
  type Denormalize,
  type DenormalizeNullable,
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

/** The options of an `Endpoint`. data-client has no `retry` and `batch`, so members of these names belong to the author. */
type Options<Fetch extends FetchFunction, S extends Schema, SideEffect extends boolean | undefined> = Omit<
  EndpointOptions<Fetch, S, SideEffect>,
  'retry' | 'batch'
> &
  Omit<ThisParameterType<Fetch>, keyof Core> & { readonly retry?: unknown; readonly batch?: unknown }

/** Roundtable's `Endpoint`, which also accepts any members named `retry` and `batch`. */
export const Endpoint: typeof Core &
  (new <Fetch extends FetchFunction, S extends Schema = undefined, SideEffect extends boolean | undefined = undefined>(
    fetch: Fetch,
    options?: Options<Fetch, S, SideEffect>,
  ) => Core<Fetch, S, SideEffect>) = Core as never
/** An async function with a key, which hooks and controllers fetch and read. */
export type Endpoint<
  Fetch extends FetchFunction = FetchFunction,
  S extends Schema = Schema,
  SideEffect extends boolean | undefined = boolean | undefined,
> = Core<Fetch, S, SideEffect>
export { Endpoint as ExtendableEndpoint }

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
export const Index: NotCarried = notCarried(
  'Index',
  "name the field in static indexes, and read with useQuery(User, { username: 'ada' }).",
)
/** Before data-client 0.14: `throw snapshot.abort` shows nothing before the response. */
export const AbortOptimistic: NotCarried = notCarried('AbortOptimistic', 'throw snapshot.abort.')
