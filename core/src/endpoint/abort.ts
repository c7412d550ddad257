import type { Env } from '../util/env.js'
import { TimeoutError } from '../util/errors.js'

/**
 * Returns the error of an aborted request: an `AbortError` with the reason as its cause, or the `TimeoutError` that was the
 * reason.
 *
 * @example
 * ```ts
 * if (signal.aborted) throw abortError(signal.reason)
 * ```
 */
export function abortError(reason: unknown): Error {
  if (reason instanceof TimeoutError) return reason
  const error = new DOMException('The request was aborted.', 'AbortError')
  // Not every platform accepts a cause in the constructor.
  return Object.defineProperty(error, 'cause', { value: reason, configurable: true, writable: true })
}

/** The limits of one attempt; see `withTimeout`. */
export interface AttemptLimits<Signal> {
  /** In ms; undefined for no limit. */
  readonly timeout: number | undefined
  readonly signal: Signal
  /** Returns the fetch key, for the error. */
  key(): string
  /** The environment whose timer ends the attempt. */
  readonly env: Pick<Env, 'setTimeout' | 'clearTimeout'>
}

/**
 * Runs a request and aborts it after `timeout` milliseconds, or when `signal` is aborted.
 *
 * @remarks
 * The promise settles in time even if the request ignores its signal.
 *
 * @example
 * ```ts
 * await withTimeout((signal) => fetch('/todos', { signal }), { timeout: 5_000, signal: undefined, key: () => 'GET /todos', env: browserEnv() })
 * ```
 * @throws TimeoutError after `timeout`, with the key; AbortError if `signal` is aborted.
 */
export async function withTimeout<T, Signal extends AbortSignal | undefined>(
  run: (signal: Signal) => Promise<T>,
  { timeout, signal, key, env }: AttemptLimits<Signal>,
): Promise<T> {
  if (timeout === undefined) return run(signal)
  const controller = new AbortController()
  let end = (_error: Error, _reason: unknown): void => {}
  const ended = new Promise<never>((_, reject) => {
    end = (error, reason) => {
      reject(error)
      controller.abort(reason)
    }
  })
  const forward = (): void => end(abortError(signal?.reason), signal?.reason)
  const timer = env.setTimeout(() => {
    const error = new TimeoutError(key(), timeout)
    end(error, error)
  }, timeout)
  if (signal?.aborted) forward()
  signal?.addEventListener('abort', forward)
  try {
    // Passing a signal to a function that declares none does no harm.
    return await Promise.race([run(controller.signal as Signal), ended])
  } finally {
    env.clearTimeout(timer)
    signal?.removeEventListener('abort', forward)
  }
}
