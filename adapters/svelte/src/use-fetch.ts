import type { EndpointData, ReadEndpoint } from '@roundtable/core'
import type { ReactiveOrNull, Waiting } from './reads.js'
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
export function useFetch<E extends ReadEndpoint, First = never>(
  endpoint: E,
  ...args: ReactiveOrNull<Parameters<E>, First>
): Promise<EndpointData<E> | Waiting<NoInfer<First>>>
export function useFetch(endpoint: ReadEndpoint, ...args: readonly unknown[]): Promise<unknown> {
  const promise = useSuspense(endpoint, ...(args as never[])).then(({ current }) => current)
  // Whoever awaits it hears of its error; that nobody does is no error.
  promise.catch(() => {})
  return promise
}
