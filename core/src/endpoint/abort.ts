import { startTimer, stopTimer } from '../util/env.js'
import { TimeoutError } from '../util/errors.js'

/**
 * Returns the error of an aborted request: an `AbortError` with the reason as its cause, or the `TimeoutError` that was the reason.
 *
 * @example
 * ```ts
 * if (signal.aborted) throw abortError(signal.reason)
 * ```
 */
export function abortError(reason: unknown): Error {
  if (reason instanceof TimeoutError) return reason
  const error = new DOMException('The request was aborted.', 'AbortError')
  // Not every platform takes a cause in the constructor.
  return Object.defineProperty(error, 'cause', { value: reason, configurable: true, writable: true })
}

/**
 * Runs a request and aborts it after `timeout` milliseconds, or when `outer` is aborted.
 *
 * @remarks
 * The promise settles in time even if the request ignores its signal.
 *
 * @example
 * ```ts
 * await withTimeout(5_000, undefined, (signal) => fetch('/todos', { signal }), () => 'GET /todos')
 * ```
 * @throws TimeoutError after `timeout`, with the key.
 */
export async function withTimeout<T>(
  timeout: number,
  outer: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
  key: () => string,
): Promise<T> {
  const controller = new AbortController()
  const forward = (): void => controller.abort(outer?.reason)
  if (outer?.aborted) forward()
  outer?.addEventListener('abort', forward)
  let timer: unknown
  const expiry = new Promise<never>((_, reject) => {
    timer = startTimer(() => {
      const error = new TimeoutError(key(), timeout)
      reject(error)
      controller.abort(error)
    }, timeout)
  })
  try {
    return await Promise.race([run(controller.signal), expiry])
  } finally {
    stopTimer(timer)
    outer?.removeEventListener('abort', forward)
  }
}
