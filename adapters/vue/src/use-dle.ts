import type { EndpointData, ReadEndpoint } from '@roundtable/core'
import { computed } from 'vue'
import { argsOf } from './args-of.js'
import type { ReactiveOrNull, ReadonlyRef } from './reads.js'
import { useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/** The result of `useDLE`: data, loading or error; data and error if a refetch failed; none of them if the arguments are null. */
export interface DLE<Data> {
  readonly data: ReadonlyRef<Data | undefined>
  readonly loading: ReadonlyRef<boolean>
  readonly error: ReadonlyRef<Error | undefined>
}

/**
 * Returns the data of an endpoint, whether it is loading, and its error. Fetches missing or stale data, and updates when it
 * changes.
 *
 * @remarks
 * Arguments are values, refs or getters. Never suspends and never throws: invalid calls, such as arguments that make no URL, are
 * reported in `error`. If a refetch fails, the previous data stays in `data`. With null instead of arguments nothing is fetched.
 *
 * @example
 * ```ts
 * const { data: todo, loading, error } = useDLE(getTodo, () => ({ id: props.id }))
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
    data: computed(() => shown.value.data),
    loading: computed(() => shown.value.status === 'pending'),
    error: computed(() => shown.value.error),
  }
}
