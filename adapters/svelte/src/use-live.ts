import type { EndpointData, ReadEndpoint } from '@roundtable/core'
import type { Loaded, ReactiveOrNull, Waiting } from './reads.js'
import { useSubscription } from './use-subscription.svelte.js'
import { useSuspense } from './use-suspense.svelte.js'

/**
 * Combines `useSuspense` and `useSubscription`: reads the data of an endpoint and refetches it every `pollFrequency` ms.
 *
 * @throws the endpoint's error, to the nearest `<svelte:boundary>`
 * @example
 * ```ts
 * const ticker = await useLive(getTicker, { product: 'BTC' })
 * ```
 */
export function useLive<E extends ReadEndpoint, First = never>(
  endpoint: E,
  ...args: ReactiveOrNull<Parameters<E>, First>
): Promise<Loaded<EndpointData<E> | Waiting<NoInfer<First>>>>
export function useLive(endpoint: ReadEndpoint, ...args: readonly unknown[]): Promise<unknown> {
  // The signature above has checked the arguments.
  useSubscription(endpoint, ...(args as never[]))
  return useSuspense(endpoint, ...(args as never[]))
}
