import { type ReadEndpoint, reading } from '@roundtable/core'
import { argsOf } from './args-of.js'
import type { OrNull } from './reads.js'
import { useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/**
 * Returns whether a request with these arguments is in flight; without an endpoint, any read. It never fetches.
 *
 * @remarks
 * With null instead of arguments it is false.
 *
 * @example
 * ```tsx
 * const isBusy = useFetching() // for a bar at the top of the page
 * return useFetching(getTodos, { userId: 1 }) ? <Spinner /> : null
 * ```
 */
export function useFetching(): boolean
export function useFetching<E extends ReadEndpoint, First = never>(
  endpoint: E,
  ...args: OrNull<Parameters<E>, First>
): boolean
export function useFetching(endpoint?: ReadEndpoint, ...args: readonly unknown[]): boolean {
  const controller = useController()
  return useObserver(
    endpoint === undefined ? controller.observe(reading) : controller.fetching(endpoint, ...argsOf(args)),
  )
}
