import type { EndpointData, ReadEndpoint } from '@roundtable/core'
import { argsOf } from './args-of.js'
import type { OrNull, Waiting } from './reads.js'
import { useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/** The result of `useDLE`: data, loading or error; data and error if a refetch failed; none of them if the arguments are null. */
export type DLE<Data> =
  | { readonly data: Data; readonly loading: false; readonly error: undefined }
  | { readonly data: undefined; readonly loading: true; readonly error: undefined }
  | { readonly data: Data | undefined; readonly loading: false; readonly error: Error }

/**
 * Returns the data of an endpoint, whether it is loading, and its error. Fetches missing or stale data, and updates when it
 * changes.
 *
 * @remarks
 * Never suspends and never throws: invalid calls, such as arguments that make no URL, are reported in `error`. If a refetch fails,
 * the previous data stays in `data`. With null instead of arguments nothing is fetched.
 *
 * @example
 * ```tsx
 * const { data: todo, loading, error } = useDLE(getTodo, { id: 5 })
 * if (loading) return <Spinner />
 * if (error) return <p>{error.message}</p>
 * return <p>{todo.title}</p>
 * ```
 */
export function useDLE<E extends ReadEndpoint, First = never>(
  endpoint: E,
  ...args: OrNull<Parameters<E>, First>
): DLE<EndpointData<E> | Waiting<NoInfer<First>>>
export function useDLE(endpoint: ReadEndpoint, ...args: readonly unknown[]): DLE<unknown> {
  const { status, data, error } = useObserver(useController().queryOrError(endpoint, ...argsOf(args)))
  // One of the three shapes, which the compiler does not see in the status.
  return { data, loading: status === 'pending', error } as DLE<unknown>
}
