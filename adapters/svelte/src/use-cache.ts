import type { EndpointDataNullable, ReadEndpoint } from '@roundtable/core'
import { argsOf } from './args-of.js'
import type { Current, ReactiveOrNull } from './reads.js'
import { useController } from './use-controller.js'
import { currentOf, useObserver } from './use-observer.js'

/**
 * Returns the stored data of an endpoint. It never fetches.
 *
 * @remarks
 * Arguments are values, or a thunk of them. Undefined if `useSuspense` would wait or throw, and with null instead of
 * arguments.
 *
 * @example
 * ```ts
 * const user = useCache(getCurrentUser)
 * const name = $derived(user.current?.name)
 * ```
 */
export function useCache<E extends ReadEndpoint, First = never>(
  endpoint: E,
  ...args: ReactiveOrNull<Parameters<E>, First>
): Current<EndpointDataNullable<E> | undefined> {
  const controller = useController()
  return currentOf(useObserver(() => controller.peek(endpoint, ...argsOf(args))))
}
