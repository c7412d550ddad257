import type { EndpointData, ReadEndpoint } from '@roundtable/core'
import type { ArgsOrNull } from './reads.js'
import { useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/** What `useDLE` returns: one of data, loading and error; none of them where nothing is asked for. */
export type DLE<Data> =
  | { readonly data: Data; readonly loading: false; readonly error: undefined }
  | { readonly data: undefined; readonly loading: true; readonly error: undefined }
  | { readonly data: undefined; readonly loading: false; readonly error: Error }

/**
 * The data of an endpoint, whether it is loading, and what it failed with: fetched if it must be, kept fresh while in use.
 *
 * @remarks
 * Never suspends and never throws. With null in place of the arguments nothing is asked for.
 *
 * @example
 * ```tsx
 * const { data: todo, loading, error } = useDLE(getTodo, { id: 5 })
 * if (loading) return <Spinner />
 * if (error) return <p>{error.message}</p>
 * return <p>{todo.title}</p>
 * ```
 */
export function useDLE<E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>): DLE<EndpointData<E>>
export function useDLE<E extends ReadEndpoint>(endpoint: E, ...args: ArgsOrNull<E>): DLE<EndpointData<E> | undefined>
export function useDLE<E extends ReadEndpoint>(endpoint: E, ...args: ArgsOrNull<E>): DLE<EndpointData<E> | undefined> {
  const { status, data, error } = useObserver(useController().query(endpoint, ...args))
  if (error !== undefined) return { data: undefined, loading: false, error }
  return status === 'pending' ? { data, loading: true, error } : { data, loading: false, error }
}
