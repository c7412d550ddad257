import type { EndpointDataNullable, ReadEndpoint } from '@roundtable/core'
import { argsOf } from './args-of.js'
import type { OrNull } from './reads.js'
import { useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/**
 * Returns the stored data of an endpoint. It never fetches.
 *
 * @remarks
 * Undefined if `useSuspense` would suspend or throw, and with null instead of arguments.
 *
 * @example
 * ```tsx
 * const user = useCache(getCurrentUser)
 * return user ? <Avatar user={user} /> : <SignIn />
 * ```
 */
export function useCache<E extends ReadEndpoint, First = never>(
  endpoint: E,
  ...args: OrNull<Parameters<E>, First>
): EndpointDataNullable<E> | undefined {
  return useObserver(useController().peek(endpoint, ...argsOf(args)))
}
