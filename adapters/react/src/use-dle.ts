import {
  type EndpointData,
  type ErrorWithStatus,
  follower,
  type LiveQuery,
  type Observer,
  type QueryMembers,
  type QuerySnapshot,
  type ReadEndpoint,
} from '@roundtable/core'
import * as React from 'react'
import { argsOf } from './args-of.js'
import type { OrNull, Waiting } from './reads.js'
import { useController } from './use-controller.js'

/**
 * The result of `useDLE`: data, loading or error; data and error if a refetch failed; none of them if the arguments are
 * null.
 */
export type DLE<Data> = QueryMembers &
  (
    | { readonly data: Data; readonly loading: false; readonly error: undefined }
    | { readonly data: undefined; readonly loading: true; readonly error: undefined }
    | { readonly data: Data | undefined; readonly loading: false; readonly error: ErrorWithStatus }
  )

/**
 * Returns the data of an endpoint, whether it is loading, its error, whether it is refreshing, and `refetch`. Fetches
 * missing or stale data, and renders again when what the component reads changes.
 *
 * @remarks
 * Never suspends and never throws: invalid calls, such as arguments that make no URL, are reported in `error`. If a
 * refetch fails, the previous data stays in `data`. With null instead of arguments nothing is fetched.
 *
 * @example
 * ```tsx
 * const { data: todo, loading, error, refreshing, refetch } = useDLE(getTodo, { id: 5 })
 * if (loading) return <Spinner />
 * if (error) return <button onClick={refetch} disabled={refreshing}>Try again</button>
 * return <p>{todo.title}</p>
 * ```
 */
export function useDLE<E extends ReadEndpoint, First = never>(
  endpoint: E,
  ...args: OrNull<Parameters<E>, First>
): DLE<EndpointData<E> | Waiting<NoInfer<First>>>
export function useDLE(endpoint: ReadEndpoint, ...args: readonly unknown[]): DLE<unknown> {
  return useReader(useController().watchOrError(endpoint, ...argsOf(args)))
}

/** Shows a query to a component. `more` returns the additional fields of a query with pages. */
export function useReader<Snapshot extends QuerySnapshot<unknown>, More extends object = object>(
  requested: LiveQuery<unknown> & Observer<Snapshot>,
  more?: (snapshot: Snapshot) => More,
): DLE<unknown> & More {
  const [reads] = React.useState(() => new ComponentReads())
  const [follow] = React.useState(follower)
  const query = follow(requested)
  const root = query.root ?? query
  const subscribe = React.useCallback((onChange: () => void) => reads.subscribe(root, onChange), [reads, root])
  // `more` receives snapshots of its own query.
  const shown = (snapshot: QuerySnapshot<unknown>) =>
    reads.show(snapshot, more as ((snapshot: QuerySnapshot<unknown>) => object) | undefined)
  const getSnapshot = () => shown(query.getSnapshot())
  // During hydration, this is the server-rendered snapshot. If there is a newer one, React renders again.
  const getServerSnapshot = () => shown((query.getServerSnapshot ?? query.getSnapshot).call(query))
  return React.useSyncExternalStore(subscribe, getSnapshot, getServerSnapshot) as DLE<unknown> & More
}

/** The fields that describe the request in flight. */
type Requested = 'refreshing' | 'failureCount' | 'failureReason'

/** The reads of one component. Fields of the request in flight cause renders after the component has first read them. */
class ComponentReads {
  #snapshot: QuerySnapshot<unknown> | undefined = undefined
  readonly #read = new Map<Requested, unknown>()
  #shown: DLE<unknown> | undefined = undefined

  subscribe(root: LiveQuery<unknown>, onChange: () => void): () => void {
    const stop = root.subscribe(onChange)
    const stopFetching = root.fetching.subscribe(() => this.#read.size > 0 && onChange())
    return () => {
      stop()
      stopFetching()
    }
  }

  /** Returns the same object until a field changes that the component reads. */
  show(snapshot: QuerySnapshot<unknown>, more?: (snapshot: QuerySnapshot<unknown>) => object): DLE<unknown> {
    let isSame = snapshot === this.#snapshot
    for (const [name, before] of this.#read) {
      if (snapshot[name] === before) continue
      isSame = false
      this.#read.set(name, snapshot[name])
    }
    if (this.#shown && isSame) return this.#shown
    this.#snapshot = snapshot
    const { data, loading, error, refetch } = snapshot
    const read = (name: Requested): unknown => {
      if (!this.#read.has(name)) this.#read.set(name, snapshot[name])
      return this.#read.get(name)
    }
    const dle = {
      ...more?.(snapshot),
      data,
      loading,
      error,
      get refreshing() {
        return read('refreshing')
      },
      get failureCount() {
        return read('failureCount')
      },
      get failureReason() {
        return read('failureReason')
      },
      refetch,
    }
    // The object has one of the three shapes, which the compiler cannot see in a snapshot.
    this.#shown = dle as DLE<unknown>
    return this.#shown
  }
}
