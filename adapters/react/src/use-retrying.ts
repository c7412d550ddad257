import { type ReadEndpoint, type RetryState, retrying } from '@roundtable/core'
import { argsOf } from './args-of.js'
import type { OrNull } from './reads.js'
import { useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/**
 * Returns how many attempts of a read have failed while `retry` repeats it, and with which error; 0 once the request has settled. It
 * never fetches.
 *
 * @remarks
 * With null instead of arguments nothing has failed.
 *
 * @example
 * ```tsx
 * const { failureCount, failureReason } = useRetrying(getTodo, { id: 5 })
 * return failureCount > 0 ? <p>Trying again: {failureReason?.message}</p> : null
 * ```
 */
export function useRetrying<E extends ReadEndpoint, First = never>(
  endpoint: E,
  ...args: OrNull<Parameters<E>, First>
): RetryState {
  const controller = useController()
  const state = useObserver(controller.observe(retrying, endpoint, ...argsOf(args)))
  return state ?? { failureCount: 0, failureReason: undefined }
}
