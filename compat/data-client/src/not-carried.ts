/**
 * Something of data-client that has no counterpart here was used. The message says what to write in its place; `member` is its name.
 *
 * @example
 * ```ts
 * new NotCarriedError('createReducer', 'the controller is the store.').member // 'createReducer'
 * ```
 */
export class NotCarriedError extends Error {
  override readonly name = 'NotCarriedError'
  declare readonly member: string

  constructor(member: string, instead: string) {
    super(`${member} of data-client has no counterpart in Roundtable: ${instead}`)
    this.member = member
  }
}

/** A function or class of data-client that throws as soon as it is called, which applications do when their modules are loaded. */
export type NotCarried = (new (...args: never) => never) & ((...args: never) => never)

/**
 * Makes a function or class that throws a `NotCarriedError` when it is called.
 *
 * @example
 * ```ts
 * const createReducer = notCarried('createReducer', 'the controller is the store.')
 * ```
 */
export function notCarried(member: string, instead: string): NotCarried {
  // A function can be called with `new`, too, which its type does not tell.
  return function refuse(): never {
    throw new NotCarriedError(member, instead)
  } as unknown as NotCarried
}

/** What to write in place of a reducer and of actions that the application makes. */
export const STORE =
  'the controller is the store. Call its methods, such as controller.setResponse(endpoint, ...args, response), and listen with controller.on.'
