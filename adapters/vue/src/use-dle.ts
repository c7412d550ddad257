import type { EndpointData, ReadEndpoint } from '@roundtable/core'
import { computed } from 'vue'
import { argsOf } from './args-of.js'
import type { ReactiveOrNull, ReadonlyRef } from './reads.js'
import { useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/** What `useDLE` returns: data, loading or error; data and error where asking again failed; none where nothing is asked for. */
export interface DLE<Data> {
  readonly data: ReadonlyRef<Data | undefined>
  readonly loading: ReadonlyRef<boolean>
  readonly error: ReadonlyRef<Error | undefined>
}

/**
 * The data of an endpoint, whether it is loading, and what it failed with: fetched if it must be, kept fresh while in use.
 *
 * @remarks
 * Arguments are values, refs or getters. Never suspends and never throws: what cannot be asked for, such as arguments that make no
 * URL, is the error. Where asking again failed, the data of before stays beside it. With null in place of the arguments nothing is
 * asked for.
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
