// The names that applications import from @data-client/core.
import { type NotCarried, notCarried, STORE } from './not-carried.js'

export { ExpiryStatus, ResetError } from '@roundtable/core'
export * as actionTypes from './action-types.js'
export type * from './actions.js'
export type { Controller as MiddlewareAPI } from './controller.js'
export * from './controller.js'
export type * from './endpoint.js'
export type { Dispatch as DataClientDispatch } from './managers.js'
export * from './managers.js'
export { type NotCarried, NotCarriedError } from './not-carried.js'
export { initialState, type State } from './state.js'

/** The primary key of a row. */
export type PK = string
/** A `dispatch` for any action that middleware handles. */
export type GenericDispatch = (value: never) => Promise<void>

/** Throws: the controller is the store. */
export const createReducer: NotCarried = notCarried('createReducer', STORE)
/** Throws: the controller runs its managers. */
export const applyManager: NotCarried = notCarried('applyManager', 'new Controller({ managers }) runs them.')
/** Throws: `connect` of the controller calls `init` of its managers. */
export const initManager: NotCarried = notCarried('initManager', 'new Controller({ managers }).connect() runs them.')
/** Throws: `controller.fetch` creates the action. */
export const createFetch: NotCarried = notCarried('createFetch', STORE)
/** Throws: `controller.setResponse` creates the action. */
export const createSet: NotCarried = notCarried('createSet', STORE)

const makers =
  'Fetch Set SetResponse Reset Optimistic Meta Invalidate InvalidateAll ExpireAll Subscription Unsubscription'
/** The action creators, which all throw: methods of the controller create actions. */
export const actions: Readonly<Record<string, NotCarried>> = Object.fromEntries(
  makers.split(' ').map((name) => [`create${name}`, notCarried(`create${name}`, STORE)]),
)
