import { type MutateEndpoint, mutating } from '@roundtable/core'
import type { Current } from './reads.js'
import { useController } from './use-controller.js'
import { currentOf, useObserver } from './use-observer.js'

/**
 * Whether a mutation is in flight: one of this endpoint with any arguments, or any.
 *
 * @example
 * ```ts
 * const saving = useMutating(updateTodo)
 * const label = $derived(saving.current ? 'Saving' : 'Save')
 * ```
 */
export function useMutating(endpoint?: MutateEndpoint): Current<boolean> {
  const controller = useController()
  return currentOf(useObserver(() => controller.observe(mutating, endpoint)))
}
