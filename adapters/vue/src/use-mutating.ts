import { type MutateEndpoint, mutating } from '@roundtable/core'
import type { ReadonlyRef } from './reads.js'
import { useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/**
 * Returns whether a mutation is in flight: of this endpoint, with any arguments; without an endpoint, any mutation.
 *
 * @example
 * ```ts
 * const isSaving = useMutating(updateTodo)
 * ```
 */
export function useMutating(endpoint?: MutateEndpoint): ReadonlyRef<boolean> {
  const controller = useController()
  return useObserver(() => controller.observe(mutating, endpoint))
}
