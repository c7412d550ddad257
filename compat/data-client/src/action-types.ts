// The names of actions, as data-client exports them: `actionTypes.FETCH`, and with the ending of earlier versions `actionTypes.FETCH_TYPE`.

export const FETCH = 'rdc/fetch'
export const SET = 'rdc/set'
export const SET_RESPONSE = 'rdc/setresponse'
export const OPTIMISTIC = 'rdc/optimistic'
export const RESET = 'rdc/reset'
export const SUBSCRIBE = 'rdc/subscribe'
export const UNSUBSCRIBE = 'rdc/unsubscribe'
export const INVALIDATE = 'rdc/invalidate'
export const INVALIDATEALL = 'rdc/invalidateall'
export const EXPIREALL = 'rdc/expireall'
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
