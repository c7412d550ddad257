import type { EndpointData, ReadEndpoint } from '@roundtable/core'
import type { OrNull, Waiting } from './reads.js'
import { useSubscription } from './use-subscription.js'
import { useSuspense } from './use-suspense.js'

/**
 * Combines `useSuspense` and `useSubscription`: reads the data of an endpoint and refetches it every `pollFrequency` ms.
 *
 * @throws the endpoint's error, to the nearest `ErrorBoundary`
 * @example
 * ```tsx
 * const ticker = useLive(getTicker, { product: 'BTC' })
 * ```
 */
export function useLive<E extends ReadEndpoint, First = never>(
  endpoint: E,
  ...args: OrNull<Parameters<E>, First>
): EndpointData<E> | Waiting<NoInfer<First>>
export function useLive(endpoint: ReadEndpoint, ...args: readonly unknown[]): unknown {
  // The signature above has checked the arguments.
  useSubscription(endpoint, ...(args as never[]))
  return useSuspense(endpoint, ...(args as never[]))
}
