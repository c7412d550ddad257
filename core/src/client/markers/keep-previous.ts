import type { ReadEndpoint } from '../../endpoint/options.js'
import type { LiveObserver } from '../live-observer.js'
import type { LiveQuery, QuerySnapshot } from '../observer.js'
import { DerivedQuery, rootOf, withData } from './derived-query.js'
import { type MarkedHere, mark, onceFor } from './marker.js'

/**
 * Marks an endpoint so that `useDLE`, `usePages`, `useSuspense` and `useLive` show the data of the previous arguments until
 * the data of the new ones has arrived. `refreshing` is true meanwhile. Each reader has its own previous data.
 *
 * @remarks
 * Data that was invalidated or reset meanwhile is not shown. Previous data is read at each render, but its changes render
 * nothing: an edit of it appears with the next render. `useSuspense` and `useLive` of Vue and Svelte keep the previous data
 * without this marker.
 *
 * @throws OptionError for a mutation and for a value that is not an endpoint
 * @example
 * ```ts
 * const todosOf = keepPrevious(getTodos) // useDLE(todosOf, { userId })
 * ```
 */
export function keepPrevious<E extends ReadEndpoint>(endpoint: E): MarkedHere<E> {
  const make = (): MarkedHere<E> => mark(endpoint, (query) => new KeepingQuery(query, undefined))
  if (typeof endpoint !== 'function') return make()
  return onceFor(keeping, [endpoint, keepPrevious], make) as MarkedHere<E>
}

const keeping = new WeakMap<object, WeakMap<object, object>>()

/** Shows the data of the previous query while its own is pending. */
class KeepingQuery extends DerivedQuery {
  /** The previous query. Its data is read when it is shown, since it may have been invalidated meanwhile. */
  #previous: LiveQuery<unknown> | undefined
  #shown: QuerySnapshot<unknown> | undefined

  constructor(from: LiveQuery<unknown>, previous: LiveQuery<unknown> | undefined) {
    super(from)
    this.#previous = previous
  }

  show(seen: QuerySnapshot<unknown>): QuerySnapshot<unknown> {
    if (seen.loading) return this.#showPrevious(seen)
    this.#previous = undefined
    return seen
  }

  /** Returns a query for one reader, which shows the data of the reader's previous query. */
  over(from: LiveQuery<unknown>, before: KeepingQuery | undefined): KeepingQuery {
    if (before === undefined) return new KeepingQuery(from, undefined)
    if (before.from === from) return before
    const isSame = rootOf(before) === rootOf(this)
    const previous = isSame ? before.#previous : (before.#previous ?? before.from)
    // The data of another controller may belong to another session.
    return new KeepingQuery(from, hostBehind(previous) === hostBehind(from) ? previous : undefined)
  }

  #showPrevious(seen: QuerySnapshot<unknown>): QuerySnapshot<unknown> {
    const data = this.#previous?.getSnapshot().data
    if (data === undefined) return seen
    if (this.#shown?.data !== data) this.#shown = withData(seen, data, undefined, true)
    return this.#shown as QuerySnapshot<unknown>
  }
}

/** Returns the host that all queries of a controller share; undefined for a query that reads nothing. */
function hostBehind(query: LiveQuery<unknown> | undefined): unknown {
  return query && (rootOf(query) as Partial<LiveObserver>).host
}
