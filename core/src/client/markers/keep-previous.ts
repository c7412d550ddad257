import type { ReadEndpoint } from '../../endpoint/options.js'
import type { LiveQuery, QuerySnapshot } from '../observer.js'
import { DerivedQuery, rootOf, withData } from './derived-query.js'
import { type MarkedHere, mark, onceFor } from './marker.js'

/**
 * Marks an endpoint so that `useDLE` shows the data of the previous arguments, with `refreshing: true`, until that of the new ones
 * has arrived. Each reader has its own previous data.
 *
 * @remarks
 * Data that was invalidated or reset meanwhile is not shown. Readers that suspend ignore it: React has transitions, and
 * `useSuspense` of Vue and Svelte keeps the previous data anyway.
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

/** Shows the data of the query before while there is none. */
class KeepingQuery extends DerivedQuery {
  /** Read when it is shown: it may have been invalidated meanwhile. */
  #previous: LiveQuery<unknown> | undefined
  #shown: QuerySnapshot<unknown> | undefined = undefined

  constructor(from: LiveQuery<unknown>, previous: LiveQuery<unknown> | undefined) {
    super(from)
    this.#previous = previous
  }

  show(seen: QuerySnapshot<unknown>): QuerySnapshot<unknown> {
    if (seen.loading) return this.#showPrevious(seen)
    this.#previous = undefined
    return seen
  }

  /** The query of the same reader, after the one that it had before. */
  after(before: LiveQuery<unknown> | undefined): LiveQuery<unknown> {
    if (!(before instanceof KeepingQuery)) return new KeepingQuery(this.from, undefined)
    if (before.from === this.from) return before
    const from = this.from.after?.(before.from) ?? this.from
    const isSame = rootOf(before) === rootOf(this)
    return new KeepingQuery(from, isSame ? before.#previous : (before.#previous ?? before.from))
  }

  #showPrevious(seen: QuerySnapshot<unknown>): QuerySnapshot<unknown> {
    const data = this.#previous?.getSnapshot().data
    if (data === undefined) return seen
    if (this.#shown?.data !== data) this.#shown = withData(seen, data, undefined, true)
    return this.#shown as QuerySnapshot<unknown>
  }
}
