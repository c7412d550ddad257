import { type MutateEndpoint, mutating } from '@roundtable/core'
import { useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/**
 * Returns whether a mutation is in flight: of this endpoint, with any arguments; without an endpoint, any mutation.
 *
 * @example
 * ```tsx
 * return <button disabled={useMutating(updateTodo)}>Save</button>
 * ```
 */
export function useMutating(endpoint?: MutateEndpoint): boolean {
  const controller = useController()
  return useObserver(controller.observe(mutating, endpoint))
}
