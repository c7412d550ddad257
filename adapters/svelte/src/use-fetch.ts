import type { EndpointData, ReadEndpoint } from '@roundtable/core'
import type { Reactive, ReactiveOrNull } from './reads.js'
import { useSuspense } from './use-suspense.svelte.js'

/**
 * Starts fetching what must be fetched, without waiting: a promise of the data.
 *
 * @remarks
 * Arguments are values, or a thunk of them. With null in place of the arguments nothing is asked for.
 *
 * @example
 * ```ts
 * const todo = useFetch(getTodo, { id: 5 }) // starts now, in parallel with what else is set up
 * const user = await useSuspense(getUser, { id: 1 })
 * console.log((await todo).title)
 * ```
 */
export function useFetch<E extends ReadEndpoint>(
  endpoint: E,
  ...args: Reactive<Parameters<E>>
): Promise<EndpointData<E>>
export function useFetch<E extends ReadEndpoint>(
  endpoint: E,
  ...args: ReactiveOrNull<Parameters<E>>
): Promise<EndpointData<E> | undefined>
export function useFetch<E extends ReadEndpoint>(
  endpoint: E,
  ...args: ReactiveOrNull<Parameters<E>>
): Promise<EndpointData<E> | undefined> {
  const promise = useSuspense(endpoint, ...args).then(({ current }) => current)
  // Whoever awaits it hears of its error; that nobody does is no error.
  promise.catch(() => {})
  return promise
}
