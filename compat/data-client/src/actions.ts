import type { EndpointInterface, KeyTest, Queryable } from '@roundtable/core'
import type * as types from './action-types.js'

/** The times of an action: wall clock in ms. */
export interface ActionMeta {
  readonly fetchedAt: number
  readonly date: number
  readonly expiresAt: number
}

/** The members of actions for a call of an endpoint. */
interface OfCall {
  readonly endpoint: EndpointInterface
  readonly args: readonly unknown[]
  readonly key: string
}

/** A request. Middleware may hold it back, pass it on, or end it with `meta.resolve` or `meta.reject`. */
export interface FetchAction extends OfCall {
  readonly type: typeof types.FETCH
  readonly meta: {
    readonly fetchedAt: number
    readonly resolve: (response?: unknown) => void
    readonly reject: (reason?: unknown) => void
    readonly promise: Promise<unknown>
  }
}

/** A response or an error of a request, or one that `setResponse`, `setError` or `resolve` writes. */
export interface SetResponseAction extends OfCall {
  readonly type: typeof types.SET_RESPONSE
  readonly meta: ActionMeta
  /** The response, or the error if `error` is true. */
  readonly response: unknown
  readonly error?: boolean
}

/** A value that `controller.set` writes. */
export interface SetAction {
  readonly type: typeof types.SET
  readonly schema: Queryable
  readonly args: readonly unknown[]
  readonly meta: ActionMeta
  readonly value: unknown
}

/** A mutation shows its optimistic response. */
export interface OptimisticAction extends OfCall {
  readonly type: typeof types.OPTIMISTIC
  readonly meta: ActionMeta
}

/** A subscriber starts to keep a call up to date. */
export interface SubscribeAction extends OfCall {
  readonly type: typeof types.SUBSCRIBE
}

/** A subscriber stops keeping a call up to date. */
export interface UnsubscribeAction extends OfCall {
  readonly type: typeof types.UNSUBSCRIBE
}

/** The data of one key becomes invalid. */
export interface InvalidateAction {
  readonly type: typeof types.INVALIDATE
  readonly key: string
}

/** The data of all keys that pass the test becomes invalid. */
export interface InvalidateAllAction extends KeyTest {
  readonly type: typeof types.INVALIDATEALL
}

/** The data of all keys that pass the test becomes stale. */
export interface ExpireAllAction extends KeyTest {
  readonly type: typeof types.EXPIREALL
}

/** The store is emptied. */
export interface ResetAction {
  readonly type: typeof types.RESET
  readonly date: number
}

/** Unused data is removed. Only data-client sends this action. */
export interface GCAction {
  readonly type: typeof types.GC
  readonly entities: readonly unknown[]
  readonly endpoints: readonly string[]
}

/** The actions that middleware receives and `controller.dispatch` accepts. */
export type ActionTypes =
  | FetchAction
  | SetResponseAction
  | SetAction
  | OptimisticAction
  | SubscribeAction
  | UnsubscribeAction
  | InvalidateAction
  | InvalidateAllAction
  | ExpireAllAction
  | ResetAction
  | GCAction
