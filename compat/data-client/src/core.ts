// The names that applications import from @data-client/core.
import { notCarried, STORE } from './not-carried.js'

export { ExpiryStatus, ResetError } from '@roundtable/core'
export * as actionTypes from './action-types.js'
export type * from './actions.js'
export type { Controller as MiddlewareAPI } from './controller.js'
export { Controller, type ControllerMembers, type ControllerOptions } from './controller.js'
export type {
  AbstractInstanceType,
  Denormalize,
  DenormalizeNullable,
  EndpointExtraOptions,
  EndpointInterface,
  EntityInterface,
  ErrorTypes,
  FetchFunction,
  NetworkError,
  Normalize,
  NormalizeNullable,
  Queryable,
  ResolveType,
  Schema,
  SchemaArgs,
  SchemaClass,
  SnapshotInterface,
  UnknownError,
} from './endpoint.js'
export {
  DefaultConnectionListener,
  DevToolsManager,
  type Dispatch,
  type Dispatch as DataClientDispatch,
  GCPolicy,
  getDefaultManagers,
  ImmortalGCPolicy,
  LogoutManager,
  type Manager,
  type Middleware,
  NetworkManager,
  PollingSubscription,
  type Subscription,
  type SubscriptionConstructable,
  SubscriptionManager,
} from './managers.js'
export { type NotCarried, NotCarriedError } from './not-carried.js'
export { initialState, type State } from './state.js'

/** The primary key of a row. */
export type PK = string
/** A `dispatch` for any action that middleware handles. */
export type GenericDispatch = (value: never) => Promise<void>

/** Throws: the controller is the store. */
export const createReducer: ReturnType<typeof notCarried> = notCarried('createReducer', STORE)
/** Throws: the controller runs its managers. */
export const applyManager: ReturnType<typeof notCarried> = notCarried(
  'applyManager',
  'new Controller({ managers }) runs them.',
)
/** Throws: `connect` of the controller calls `init` of its managers. */
export const initManager: ReturnType<typeof notCarried> = notCarried(
  'initManager',
  'new Controller({ managers }).connect() runs them.',
)
/** Throws: `controller.fetch` creates the action. */
export const createFetch: ReturnType<typeof notCarried> = notCarried('createFetch', STORE)
/** Throws: `controller.setResponse` creates the action. */
export const createSet: ReturnType<typeof notCarried> = notCarried('createSet', STORE)
/** The action creators, which all throw: methods of the controller create actions. */
export const actions: Readonly<Record<string, ReturnType<typeof notCarried>>> = Object.fromEntries(
  [
    'Fetch',
    'Set',
    'SetResponse',
    'Reset',
    'Optimistic',
    'Meta',
    'Invalidate',
    'InvalidateAll',
    'ExpireAll',
    'Subscription',
    'Unsubscription',
  ].map((name) => [`create${name}`, notCarried(`create${name}`, STORE)]),
)
