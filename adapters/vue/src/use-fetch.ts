import type { EndpointData, ReadEndpoint } from '@roundtable/core'
import type { ReactiveOrNull, Waiting } from './reads.js'
import { useSuspense } from './use-suspense.js'

/**
 * Fetches missing or stale data without waiting, and returns a promise of the data.
 *
 * @remarks
 * Arguments are values, refs or getters; changed arguments are fetched too. With null instead of arguments nothing is
 * fetched.
 *
 * @example
 * ```ts
 * const todo = useFetch(getTodo, { id: 5 }) // starts now, in parallel with the next read
 * const user = await useSuspense(getUser, { id: 1 })
 * console.log((await todo).title)
 * ```
 */
export function useFetch<E extends ReadEndpoint, First = never>(
  endpoint: E,
  ...args: ReactiveOrNull<Parameters<E>, First>
): Promise<EndpointData<E> | Waiting<NoInfer<First>>>
export function useFetch(endpoint: ReadEndpoint, ...args: readonly unknown[]): Promise<unknown> {
  const promise = useSuspense(endpoint, ...(args as never[])).then(({ value }) => value)
  // A caller that awaits the promise gets its error; an unused promise must not be reported as unhandled.
  promise.catch(() => {})
  return promise
}
