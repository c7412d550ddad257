export type { Cause } from './cause.js'
export { Controller, type ControllerOptions, type Manager } from './client/controller.js'
export type {
  ActionEvent,
  CommitEvent,
  ControllerEvents,
  RequestEvent,
  RetryEvent,
  SettleEvent,
} from './client/events.js'
export { failure } from './client/failure.js'
export { follower } from './client/follower.js'
export { LogoutManager, type LogoutOptions, type RefusedRequest } from './client/logout-manager.js'
export { initial } from './client/markers/initial.js'
export { keepPrevious } from './client/markers/keep-previous.js'
export type { Marked, MarkedHere } from './client/markers/marker.js'
export { select } from './client/markers/select.js'
export {
  denormalize,
  normalize,
  type PlainEntities,
  type PlainIndexes,
  type PlainMetas,
  type PlainResult,
  type PlainState,
} from './client/normalize.js'
export type {
  LiveQuery,
  Observer,
  ObserverKind,
  QueryMembers,
  QuerySnapshot,
  RetryState,
} from './client/observer.js'
export { type PagesEndpoint, type PagesQuery, pagesOf } from './client/pages.js'
export type { PagesMembers, PagesSnapshot } from './client/pages-snapshot.js'
export { poll } from './client/poll.js'
export type { EndpointOf, IfNull, Noted, ReadArgs, SpreadOf } from './client/reads.js'
export { recovery } from './client/recovery.js'
export { mutating, reading } from './client/requests.js'
export { type RevalidateOptions, revalidate } from './client/revalidate.js'
export { type Resource, type ResourceOptions, resource } from './collections/resource.js'
export { Endpoint, type EndpointMembers } from './endpoint/endpoint.js'
export type {
  AroundExchange,
  EndpointInterface,
  EndpointOptions,
  Exchange,
  MutateEndpoint,
  PartRequest,
  ReadEndpoint,
  RequestPart,
  Snapshot,
  Softness,
  SourceCall,
  SourceHost,
  Transport,
} from './endpoint/options.js'
export type { Received, Times } from './endpoint/result.js'
export {
  type EndpointData,
  type EndpointDataNullable,
  type EndpointParam,
  type EndpointResponse,
  type ErrorWithStatus,
  ExpiryStatus,
  type FetchFunction,
  type RequestError,
  type ResolveType,
  type ResponseOf,
} from './endpoint/result.js'
export { type RetryOptions, retry } from './endpoint/retry.js'
export { type AlsoResult, also } from './engine/also.js'
export { type BatchOptions, batch } from './engine/batch.js'
export { expires } from './engine/expires.js'
export type { CommitFacts, RowChange } from './engine/on-commit.js'
export { scope } from './engine/scope.js'
export type { KeyTest } from './engine/staleness.js'
export { unshift } from './lists/members.js'
export type { PathArgs, PathKeys, PathParam, SearchValue } from './path/params.js'
export type { ShortenPath } from './path/shorten.js'
export type { Content, Defaults, FormBody, RestArgs, RestGenerics } from './rest/generics.js'
export { type HookResource, hookifyResource } from './rest/hookify.js'
export { NetworkError } from './rest/network-error.js'
export type { LastPage, RestOptions } from './rest/options.js'
export { RestEndpoint } from './rest/rest-endpoint.js'
export { byArgs } from './schema/by-args.js'
export type {
  Denormalize,
  DenormalizeNullable,
  EntityFields,
  Normalize,
  NormalizeNullable,
  PlainData,
  Queryable,
  ResponseInput,
  SchemaArgs,
  SetValue,
} from './schema/infer.js'
export type {
  AnswerMeta,
  ArgsCode,
  DenormalizeContext,
  EntityInterface,
  Judgement,
  LookupContext,
  NormalizeContext,
  Schema,
  SchemaContract,
} from './schema/schema.js'
export { INVALID } from './schema/schema.js'
export { validateRequired } from './schema/validate-required.js'
export * from './schema-kinds.js'
export * as schema from './schemas.js'
export type { AllOptions } from './selections/all.js'
export { type CountBy, countBy, type GroupCounts, type GroupKey } from './selections/count-by.js'
export { browserEnv, type Env } from './util/env.js'
export {
  CallbackError,
  CreationError,
  DeletedError,
  DepthError,
  DisposedError,
  HydrationError,
  KeyArgError,
  MissingPkError,
  OptionError,
  ResetError,
  ResponseParseError,
  RoundtableError,
  SchemaError,
  TimeoutError,
  TransportError,
  UrlOriginError,
  UrlParamError,
} from './util/errors.js'
export { toError } from './util/thrown.js'
export { transfer } from './util/transfer.js'
