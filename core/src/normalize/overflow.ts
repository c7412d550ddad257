/**
 * True for what an engine throws when its call stack is full: a RangeError, in Firefox an InternalError.
 *
 * @example isOverflow(new TypeError('no')) // false
 */
export function isOverflow(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.name === 'InternalError' || (error instanceof RangeError && error.message.includes('call stack'))
}
