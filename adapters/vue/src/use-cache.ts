import type { EndpointDataNullable, ReadEndpoint } from '@roundtable/core'
import { argsOf } from './args-of.js'
import type { ReactiveOrNull, ReadonlyRef } from './reads.js'
import { useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/**
 * Returns the stored data of an endpoint. It never fetches.
 *
 * @remarks
 * Arguments are values, refs or getters. Undefined if `useSuspense` would suspend or throw, and with null instead of
 * arguments.
 *
 * @example
 * ```ts
 * const user = useCache(getCurrentUser)
 * ```
 */
export function useCache<E extends ReadEndpoint, First = never>(
  endpoint: E,
  ...args: ReactiveOrNull<Parameters<E>, First>
): ReadonlyRef<EndpointDataNullable<E> | undefined> {
  const controller = useController()
  return useObserver(() => controller.peek(endpoint, ...argsOf(args)))
}
