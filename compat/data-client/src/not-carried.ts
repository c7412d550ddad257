/**
 * A feature of data-client without a counterpart was used. The message tells what to write instead; `member` is its name.
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

/** A function or class of data-client that throws when it is called, usually while modules are loaded. */
export type NotCarried = (new (...args: never) => never) & ((...args: never) => never)

/**
 * Creates a function or class that throws a `NotCarriedError` when it is called.
 *
 * @example
 * ```ts
 * const createReducer = notCarried('createReducer', 'the controller is the store.')
 * ```
 */
export function notCarried(member: string, instead: string): NotCarried {
  // The type of a function does not tell that it can be called with `new`.
  return function refuse(): never {
    throw new NotCarriedError(member, instead)
  } as unknown as NotCarried
}

/** The text that tells what to write instead of a reducer, and of actions created by the application. */
export const STORE =
  'the controller is the store. Call its methods, such as controller.setResponse(endpoint, ...args, response), and listen with controller.on.'
