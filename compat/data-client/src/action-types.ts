// The names of actions, as data-client exports them: `actionTypes.FETCH`, or with the suffix of earlier versions,
// `actionTypes.FETCH_TYPE`.

/** A request is about to be sent. */
export const FETCH = 'rdc/fetch'
/** `controller.set` writes a value. */
export const SET = 'rdc/set'
/** A response or an error was stored, or will be. */
export const SET_RESPONSE = 'rdc/setresponse'
/** A mutation shows its optimistic response. */
export const OPTIMISTIC = 'rdc/optimistic'
/** The store is emptied. */
export const RESET = 'rdc/reset'
/** A subscriber starts to keep a call up to date. */
export const SUBSCRIBE = 'rdc/subscribe'
/** A subscriber stops keeping a call up to date. */
export const UNSUBSCRIBE = 'rdc/unsubscribe'
/** The data of one key becomes invalid. */
export const INVALIDATE = 'rdc/invalidate'
/** The data of all keys that pass a test becomes invalid. */
export const INVALIDATEALL = 'rdc/invalidateall'
/** The data of all keys that pass a test becomes stale. */
export const EXPIREALL = 'rdc/expireall'
/** Unused data is removed. Only data-client sends this action. */
export const GC = 'rdc/gc'
export {
  EXPIREALL as EXPIREALL_TYPE,
  FETCH as FETCH_TYPE,
  GC as GC_TYPE,
  INVALIDATE as INVALIDATE_TYPE,
  INVALIDATEALL as INVALIDATEALL_TYPE,
  OPTIMISTIC as OPTIMISTIC_TYPE,
  RESET as RESET_TYPE,
  SET as SET_TYPE,
  SET_RESPONSE as SET_RESPONSE_TYPE,
  SUBSCRIBE as SUBSCRIBE_TYPE,
  UNSUBSCRIBE as UNSUBSCRIBE_TYPE,
}
