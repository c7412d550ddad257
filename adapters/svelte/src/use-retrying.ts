import { type ReadEndpoint, type RetryState, retrying } from '@roundtable/core'
import { argsOf } from './args-of.js'
import type { Current, ReactiveOrNull } from './reads.js'
import { useController } from './use-controller.js'
import { currentOf, useObserver } from './use-observer.js'

/**
 * Returns how many attempts of a read have failed while `retry` repeats it, and with which error; 0 once the request has settled. It
 * never fetches.
 *
 * @remarks
 * Arguments are values, or a thunk of them. With null instead of arguments nothing has failed.
 *
 * @example
 * ```ts
 * const attempts = useRetrying(getTodo, () => [{ id }])
 * const hint = $derived(attempts.current.failureCount > 0 ? 'Trying again' : '')
 * ```
 */
export function useRetrying<E extends ReadEndpoint, First = never>(
  endpoint: E,
  ...args: ReactiveOrNull<Parameters<E>, First>
): Current<RetryState> {
  const controller = useController()
  const shown = useObserver(() => controller.observe(retrying, endpoint, ...argsOf(args)))
  return currentOf(() => shown() ?? { failureCount: 0, failureReason: undefined })
}
