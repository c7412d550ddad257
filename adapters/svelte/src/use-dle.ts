import type { EndpointData, ReadEndpoint } from '@roundtable/core'
import { argsOf } from './args-of.js'
import type { ReactiveOrNull } from './reads.js'
import { useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/** The result of `useDLE`: data, loading or error; data and error if a refetch failed; none of them if the arguments are null. */
export interface DLE<Data> {
  readonly data: Data | undefined
  readonly loading: boolean
  readonly error: Error | undefined
}

/**
 * Returns the data of an endpoint, whether it is loading, and its error. Fetches missing or stale data, and updates when it
 * changes.
 *
 * @remarks
 * Arguments are values, or a thunk of them. Never throws: invalid calls, such as arguments that make no URL, are reported in
 * `error`. If a refetch fails, the previous data stays in `data`. With null instead of arguments nothing is fetched. Do not
 * destructure the result: `const { data } = …` never updates.
 *
 * @example
 * ```ts
 * const todo = useDLE(getTodo, () => [{ id }])
 * const title = $derived(todo.data?.title)
 * ```
 */
export function useDLE<E extends ReadEndpoint, First = never>(
  endpoint: E,
  ...args: ReactiveOrNull<Parameters<E>, First>
): DLE<EndpointData<E>>
export function useDLE(endpoint: ReadEndpoint, ...args: readonly unknown[]): DLE<unknown> {
  const controller = useController()
  const shown = useObserver(() => controller.queryOrError(endpoint, ...argsOf(args)))
  return {
    get data() {
      return shown().data
    },
    get loading() {
      return shown().status === 'pending'
    },
    get error() {
      return shown().error
    },
  }
}
