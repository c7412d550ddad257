import { type MutateEndpoint, mutating } from '@roundtable/core'
import type { ReadonlyRef } from './reads.js'
import { useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/**
 * Whether a mutation is in flight: one of this endpoint with any arguments, or any.
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
