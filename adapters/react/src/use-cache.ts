import type { EndpointDataNullable, ReadEndpoint } from '@roundtable/core'
import { argsOf } from './args-of.js'
import type { OrNull } from './reads.js'
import { useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/**
 * The data of an endpoint as far as it is there: nothing is ever fetched.
 *
 * @remarks
 * Undefined where `useSuspense` would suspend or throw. With null in place of the arguments it is undefined.
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
