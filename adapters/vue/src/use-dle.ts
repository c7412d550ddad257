import {
  type EndpointData,
  type ErrorWithStatus,
  follower,
  type LiveQuery,
  type Observer,
  type QuerySnapshot,
  type ReadEndpoint,
} from '@roundtable/core'
import { computed, getCurrentInstance, inject, onServerPrefetch } from 'vue'
import { argsOf } from './args-of.js'
import { PREFETCH } from './controller-key.js'
import type { ReactiveOrNull, ReadonlyRef } from './reads.js'
import { useController } from './use-controller.js'
import { isServerRender, useObserver } from './use-observer.js'

/**
 * The result of `useDLE`: data, loading or error; data and error if a refetch failed; none of them if the arguments are
 * null.
 */
export interface DLE<Data> {
  readonly data: ReadonlyRef<Data | undefined>
  readonly loading: ReadonlyRef<boolean>
  readonly error: ReadonlyRef<ErrorWithStatus | undefined>
  /**
   * True while a request is in flight and data or an error is shown. Only components that read it render when it
   * changes, so a poll that returns the same data renders no others.
   */
  readonly refreshing: ReadonlyRef<boolean>
  /** The number of failed attempts while `retry` repeats the request in flight; otherwise 0. */
  readonly failureCount: ReadonlyRef<number>
  /** The error of the last failed attempt. */
  readonly failureReason: ReadonlyRef<ErrorWithStatus | undefined>
  /** Sends one request, or joins one that started after the last mutation settled. Never rejects. */
  readonly refetch: () => Promise<void>
}

/**
 * Returns the data of an endpoint, whether it is loading, its error, whether it is refreshing, and `refetch`. Fetches
 * missing or stale data, and updates when it changes.
 *
 * @remarks
 * Arguments are values, refs or getters. A value is read once: pass `() => ({ id: props.id })`, since `{ id: props.id }`
 * never changes. Never suspends and never throws: invalid calls, such as arguments that make no URL, are reported in
 * `error`. If a refetch fails, the previous data stays in `data`. With null instead of arguments nothing is fetched.
 *
 * @example
 * ```ts
 * const { data: todo, loading, error, refreshing, refetch } = useDLE(getTodo, () => ({ id: props.id }))
 * ```
 */
export function useDLE<E extends ReadEndpoint, First = never>(
  endpoint: E,
  ...args: ReactiveOrNull<Parameters<E>, First>
): DLE<EndpointData<E>>
export function useDLE(endpoint: ReadEndpoint, ...args: readonly unknown[]): DLE<unknown> {
  const controller = useController()
  const follow = follower()
  const query = () => follow(controller.watchOrError(endpoint, ...argsOf(args)))
  return dleOf(query, useObserver(query))
}

/** Returns the fields of a query as refs. */
export function dleOf(query: () => LiveQuery<unknown>, shown: ReadonlyRef<QuerySnapshot<unknown>>): DLE<unknown> {
  const request = useObserver(() => requestOf(query()))
  const ofRequest = <Name extends 'refreshing' | 'failureCount' | 'failureReason'>(name: Name) =>
    computed(() => {
      // This read makes it compute again when a request starts, fails or ends.
      void request.value
      return shown.value[name]
    })
  // A read in a store has no component that could wait.
  if (isServerRender() && getCurrentInstance() && inject(PREFETCH, false)) onServerPrefetch(() => query().load())
  return {
    data: computed(() => shown.value.data),
    loading: computed(() => shown.value.loading),
    error: computed(() => shown.value.error),
    refreshing: ofRequest('refreshing'),
    failureCount: ofRequest('failureCount'),
    failureReason: ofRequest('failureReason'),
    refetch: () => query().refetch(),
  }
}

/** Returns an observer with a new value for each notification, since a request may change while in flight. */
function requestOf({ fetching }: LiveQuery<unknown>): Observer<object> {
  return { getSnapshot: () => ({}), subscribe: (onChange) => fetching.subscribe(onChange) }
}
