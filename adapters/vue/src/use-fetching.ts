import { type ReadEndpoint, reading } from '@roundtable/core'
import { argsOf } from './args-of.js'
import type { ReactiveOrNull, ReadonlyRef } from './reads.js'
import { useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/**
 * Returns whether a request with these arguments is in flight; without an endpoint, any read. It never fetches.
 *
 * @remarks
 * Arguments are values, refs or getters. With null instead of arguments it is false.
 *
 * @example
 * ```ts
 * const isBusy = useFetching() // for a bar at the top of the page
 * const isSearching = useFetching(getTodos, () => ({ userId: props.id }))
 * ```
 */
export function useFetching(): ReadonlyRef<boolean>
export function useFetching<E extends ReadEndpoint, First = never>(
  endpoint: E,
  ...args: ReactiveOrNull<Parameters<E>, First>
): ReadonlyRef<boolean>
export function useFetching(endpoint?: ReadEndpoint, ...args: readonly unknown[]): ReadonlyRef<boolean> {
  const controller = useController()
  return useObserver(() =>
    endpoint === undefined ? controller.observe(reading) : controller.fetching(endpoint, ...argsOf(args)),
  )
}
