import type { EndpointData, ReadEndpoint } from '@roundtable/core'
import type { Loaded, Reactive, ReactiveOrNull } from './reads.js'
import { useSubscription } from './use-subscription.svelte.js'
import { useSuspense } from './use-suspense.svelte.js'

/**
 * As `useSuspense`, and asked again every `pollFrequency` ms: `useSuspense` and `useSubscription` in one.
 *
 * @throws what the endpoint failed with, to the nearest `<svelte:boundary>`
 * @example
 * ```ts
 * const ticker = await useLive(getTicker, { product: 'BTC' })
 * ```
 */
export function useLive<E extends ReadEndpoint>(
  endpoint: E,
  ...args: Reactive<Parameters<E>>
): Promise<Loaded<EndpointData<E>>>
export function useLive<E extends ReadEndpoint>(
  endpoint: E,
  ...args: ReactiveOrNull<Parameters<E>>
): Promise<Loaded<EndpointData<E> | undefined>>
export function useLive<E extends ReadEndpoint>(
  endpoint: E,
  ...args: ReactiveOrNull<Parameters<E>>
): Promise<Loaded<EndpointData<E> | undefined>> {
  useSubscription(endpoint, ...args)
  return useSuspense(endpoint, ...args)
}
