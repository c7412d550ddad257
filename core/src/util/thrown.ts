import { CallbackError } from './errors.js'

/**
 * True for an Error, including one from another realm (a frame, a test's sandbox), which `instanceof` does not
 * recognize.
 *
 * @example
 * ```ts
 * isError(new DOMException('', 'AbortError')) // true
 * isError({ status: 404 }) // false
 * ```
 */
export function isError(thrown: unknown): thrown is Error {
  return thrown instanceof Error || /^\[object (?:Error|DOMException)\]$/.test(Object.prototype.toString.call(thrown))
}

/**
 * Returns a thrown value as an Error: any other value becomes the `cause` of a `CallbackError`, which has its `status`.
 * Errors of another realm (a frame, a test's sandbox) are Errors too.
 *
 * @param key - the name of the called function, for the message
 * @example
 * ```ts
 * const message = toError({ status: 404 }, 'getTodo').message
 * ```
 */
export function toError(thrown: unknown, key: string): Error {
  if (isError(thrown)) return thrown
  const status = statusOf(thrown)
  return Object.assign(new CallbackError('fetch', key, { cause: thrown }), status !== undefined && { status })
}

/**
 * Returns the value that a request threw, from the Error that `toError` created: callers catch the original value.
 *
 * @example
 * ```ts
 * thrownIn(toError('no', 'GET /todos')) // 'no'
 * ```
 */
export function thrownIn(error: Error): unknown {
  return error instanceof CallbackError && error.callback === 'fetch' ? error.cause : error
}

/** Returns the HTTP status of a thrown value; undefined if it has none. */
export function statusOf(thrown: unknown): number | undefined {
  const { status } = (thrown ?? {}) as { readonly status?: unknown }
  return typeof status === 'number' ? status : undefined
}

/** True if a server has responded that there is no such thing, or no longer. */
export function isMissing(error: unknown): boolean {
  const status = statusOf(error)
  return status === 404 || status === 410
}

/** True if a server has responded that it has not done what was requested. */
export function isNotDone(error: unknown): boolean {
  const status = Number(statusOf(error))
  return (status >= 400 && status < 500 && status !== 408) || status === 503
}

/**
 * Calls a function of the application whose result no caller awaits. If it throws, the error is reported and the result
 * undefined.
 *
 * @param callback - the name of the function, for the message, like `of`, the key or subject of the call
 * @example
 * ```ts
 * guarded(console.error, 'A listener', 'a subscription', () => onChange())
 * ```
 */
export function guarded<Result>(
  report: (error: Error) => void,
  callback: string,
  of: string,
  work: () => Result,
): Result | undefined {
  try {
    return work()
  } catch (cause) {
    report(new CallbackError(callback, of, { cause }))
    return undefined
  }
}
