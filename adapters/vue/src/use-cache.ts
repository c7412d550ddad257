import type { EndpointDataNullable, ReadEndpoint } from '@roundtable/core'
import { argsOf } from './args-of.js'
import type { ReactiveOrNull, ReadonlyRef } from './reads.js'
import { useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/**
 * The data of an endpoint as far as it is there: nothing is ever fetched.
 *
 * @remarks
 * Arguments are values, refs or getters. Undefined where `useSuspense` would suspend or throw. With null in place of the
 * arguments it is undefined.
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
