import type { EndpointData, ReadEndpoint } from '@roundtable/core'
import { argsOf } from './args-of.js'
import type { OrNull, Waiting } from './reads.js'
import { useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/** What `useDLE` returns: data, loading or error; data and error where asking again failed; none where nothing is asked for. */
export type DLE<Data> =
  | { readonly data: Data; readonly loading: false; readonly error: undefined }
  | { readonly data: undefined; readonly loading: true; readonly error: undefined }
  | { readonly data: Data | undefined; readonly loading: false; readonly error: Error }

/**
 * The data of an endpoint, whether it is loading, and what it failed with: fetched if it must be, kept fresh while in use.
 *
 * @remarks
 * Never suspends and never throws: what cannot be asked for, such as arguments that make no URL, is the error. Where asking again
 * failed, the data of before stays beside it. With null in place of the arguments nothing is asked for.
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
