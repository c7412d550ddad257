import { type ReadEndpoint, reading } from '@roundtable/core'
import { argsOf } from './args-of.js'
import type { Current, ReactiveOrNull } from './reads.js'
import { useController } from './use-controller.js'
import { currentOf, useObserver } from './use-observer.js'

/**
 * Returns whether a request with these arguments is in flight; without an endpoint, any read. It never fetches.
 *
 * @remarks
 * Arguments are values, or a thunk of them. With null instead of arguments it is false.
 *
 * @example
 * ```ts
 * const busy = useFetching() // for a bar at the top of the page
 * const searching = useFetching(getTodos, () => [{ userId: id }])
 * ```
 */
export function useFetching(): Current<boolean>
export function useFetching<E extends ReadEndpoint, First = never>(
  endpoint: E,
  ...args: ReactiveOrNull<Parameters<E>, First>
): Current<boolean>
export function useFetching(endpoint?: ReadEndpoint, ...args: readonly unknown[]): Current<boolean> {
  const controller = useController()
  return currentOf(
    useObserver(() =>
      endpoint === undefined ? controller.observe(reading) : controller.fetching(endpoint, ...argsOf(args)),
    ),
  )
}
