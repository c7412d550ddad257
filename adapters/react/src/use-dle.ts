import type { EndpointData, LiveQuery, Observer, QuerySnapshot, ReadEndpoint } from '@roundtable/core'
import * as React from 'react'
import { argsOf } from './args-of.js'
import type { OrNull, Waiting } from './reads.js'
import { useController } from './use-controller.js'

/** The result of `useDLE`: data, loading or error; data and error if a refetch failed; none of them if the arguments are null. */
export type DLE<Data> = {
  /**
   * True while a request is in flight and something is shown. A component renders for a change of it only if it reads it: a poll
   * that returns the same data re-renders nothing else.
   */
  readonly refreshing: boolean
  /** Sends one request, or joins one that started after the last mutation settled. Never rejects. */
  readonly refetch: () => Promise<void>
} & (
  | { readonly data: Data; readonly loading: false; readonly error: undefined }
  | { readonly data: undefined; readonly loading: true; readonly error: undefined }
  | { readonly data: Data | undefined; readonly loading: false; readonly error: Error }
)

/**
 * Returns the data of an endpoint, whether it is loading, its error, whether it is refreshing, and `refetch`. Fetches missing or
 * stale data, and renders again when what the component reads changes.
 *
 * @remarks
 * Never suspends and never throws: invalid calls, such as arguments that make no URL, are reported in `error`. If a refetch fails,
 * the previous data stays in `data`. With null instead of arguments nothing is fetched.
 *
 * @example
 * ```tsx
 * const { data: todo, loading, error, refreshing, refetch } = useDLE(getTodo, { id: 5 })
 * if (loading) return <Spinner />
 * if (error) return <button onClick={refetch} disabled={refreshing}>{error.message}</button>
 * return <p>{todo.title}</p>
 * ```
 */
export function useDLE<E extends ReadEndpoint, First = never>(
  endpoint: E,
  ...args: OrNull<Parameters<E>, First>
): DLE<EndpointData<E> | Waiting<NoInfer<First>>>
export function useDLE(endpoint: ReadEndpoint, ...args: readonly unknown[]): DLE<unknown> {
  return useReader(useController().queryOrError(endpoint, ...argsOf(args)))
}

/** What a component reads of a query, and of one with pages: `more` returns what is known of these. */
export function useReader<Snapshot extends QuerySnapshot<unknown>, More extends object = object>(
  given: LiveQuery<unknown> & Observer<Snapshot>,
  more?: (snapshot: Snapshot) => More,
): DLE<unknown> & More {
  const [reader] = React.useState(newReader)
  const query = reader.follow(given)
  const root = query.root ?? query
  const subscribe = React.useCallback((onChange: () => void) => reader.subscribe(root, onChange), [reader, root])
  // It is given the snapshots of its query.
  const shown = (snapshot: QuerySnapshot<unknown>) =>
    reader.show(snapshot, more as ((snapshot: QuerySnapshot<unknown>) => object) | undefined)
  const getSnapshot = () => shown(query.getSnapshot())
  // While React hydrates, what the server has rendered; if there is something newer, React renders again.
  const getServerSnapshot = () => shown((query.getServerSnapshot ?? query.getSnapshot).call(query))
  return React.useSyncExternalStore(subscribe, getSnapshot, getServerSnapshot) as DLE<unknown> & More
}

function newReader(): Reader {
  return new Reader()
}

/** What one component reads: `refreshing` counts as a part of it from the first time that it is read. */
class Reader {
  #query: LiveQuery<unknown> | undefined = undefined
  #snapshot: QuerySnapshot<unknown> | undefined = undefined
  /** Undefined until it is read. */
  #refreshing: boolean | undefined = undefined
  #shown: DLE<unknown> | undefined = undefined

  /** A query that shows what was there before takes over from the one that the component has used until now. */
  follow(given: LiveQuery<unknown>): LiveQuery<unknown> {
    this.#query = given.after?.(this.#query) ?? given
    return this.#query
  }

  subscribe(root: LiveQuery<unknown>, onChange: () => void): () => void {
    const stop = root.subscribe(onChange)
    const stopFetching = root.fetching.subscribe(() => {
      if (this.#refreshing !== undefined) onChange()
    })
    return () => {
      stop()
      stopFetching()
    }
  }

  /** The same object until something changes that the component reads. */
  show(snapshot: QuerySnapshot<unknown>, more?: (snapshot: QuerySnapshot<unknown>) => object): DLE<unknown> {
    const refreshing = this.#refreshing === undefined ? undefined : snapshot.refreshing
    if (this.#shown !== undefined && snapshot === this.#snapshot && refreshing === this.#refreshing) return this.#shown
    this.#snapshot = snapshot
    this.#refreshing = refreshing
    const { data, loading, error, refetch } = snapshot
    const read = (): boolean => {
      this.#refreshing ??= snapshot.refreshing
      return this.#refreshing
    }
    const dle = {
      ...more?.(snapshot),
      data,
      loading,
      error,
      get refreshing() {
        return read()
      },
      refetch,
    }
    // One of the three shapes, which the compiler does not see in a snapshot.
    this.#shown = dle as DLE<unknown>
    return this.#shown
  }
}
