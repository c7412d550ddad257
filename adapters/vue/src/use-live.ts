import type { EndpointData, ReadEndpoint } from '@roundtable/core'
import type { Reactive, ReactiveOrNull, ReadonlyRef } from './reads.js'
import { useSubscription } from './use-subscription.js'
import { useSuspense } from './use-suspense.js'

/**
 * As `useSuspense`, and asked again every `pollFrequency` ms: `useSuspense` and `useSubscription` in one.
 *
 * @throws what the endpoint failed with, to the nearest `onErrorCaptured`
 * @example
 * ```ts
 * const ticker = await useLive(getTicker, { product: 'BTC' })
 * ```
 */
export function useLive<E extends ReadEndpoint>(
  endpoint: E,
  ...args: Reactive<Parameters<E>>
): Promise<ReadonlyRef<EndpointData<E>>>
export function useLive<E extends ReadEndpoint>(
  endpoint: E,
  ...args: ReactiveOrNull<Parameters<E>>
): Promise<ReadonlyRef<EndpointData<E> | undefined>>
export function useLive<E extends ReadEndpoint>(
  endpoint: E,
  ...args: ReactiveOrNull<Parameters<E>>
): Promise<ReadonlyRef<EndpointData<E> | undefined>> {
  useSubscription(endpoint, ...args)
  return useSuspense(endpoint, ...args)
}
