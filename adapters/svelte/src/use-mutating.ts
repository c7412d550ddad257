import { type MutateEndpoint, mutating } from '@roundtable/core'
import type { Current } from './reads.js'
import { useController } from './use-controller.js'
import { currentOf, useObserver } from './use-observer.js'

/**
 * Returns whether a mutation is in flight: of this endpoint, with any arguments; without an endpoint, any mutation.
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
