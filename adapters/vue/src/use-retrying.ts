import { type ReadEndpoint, type RetryState, retrying } from '@roundtable/core'
import { computed } from 'vue'
import { argsOf } from './args-of.js'
import type { ReactiveOrNull, ReadonlyRef } from './reads.js'
import { useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/**
 * Returns how many attempts of a read have failed while `retry` repeats it, and with which error; 0 once the request has settled. It
 * never fetches.
 *
 * @remarks
 * Arguments are values, refs or getters. With null instead of arguments nothing has failed.
 *
 * @example
 * ```ts
 * const attempts = useRetrying(getTodo, () => ({ id: props.id }))
 * const hint = computed(() => (attempts.value.failureCount > 0 ? 'Trying again' : ''))
 * ```
 */
export function useRetrying<E extends ReadEndpoint, First = never>(
  endpoint: E,
  ...args: ReactiveOrNull<Parameters<E>, First>
): ReadonlyRef<RetryState> {
  const controller = useController()
  const shown = useObserver(() => controller.observe(retrying, endpoint, ...argsOf(args)))
  return computed(() => shown.value ?? { failureCount: 0, failureReason: undefined })
}
