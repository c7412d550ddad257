import type { EndpointData, ReadEndpoint } from '@roundtable/core'
import type { OrNull } from './reads.js'
import { useSubscription } from './use-subscription.js'
import { useSuspense } from './use-suspense.js'

/**
 * As `useSuspense`, and asked again every `pollFrequency` ms: `useSuspense` and `useSubscription` in one.
 *
 * @throws what the endpoint failed with, to the nearest `ErrorBoundary`
 * @example
 * ```tsx
 * const ticker = useLive(getTicker, { product: 'BTC' })
 * ```
 */
export function useLive<E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>): EndpointData<E>
export function useLive<E extends ReadEndpoint>(
  endpoint: E,
  ...args: OrNull<Parameters<E>>
): EndpointData<E> | undefined
export function useLive<E extends ReadEndpoint>(
  endpoint: E,
  ...args: OrNull<Parameters<E>>
): EndpointData<E> | undefined {
  useSubscription(endpoint, ...args)
  return useSuspense(endpoint, ...args)
}
