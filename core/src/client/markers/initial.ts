import type { ReadEndpoint } from '../../endpoint/options.js'
import type { EndpointData } from '../../endpoint/result.js'
import type { LiveQuery, QuerySnapshot } from '../observer.js'
import { DerivedQuery, withData } from './derived-query.js'
import { type MarkedHere, mark, onceFor } from './marker.js'

/**
 * Marks an endpoint so that its readers show a value until there is data, such as a default or a part of it that is known
 * from elsewhere. The value is not written to the table; `refreshing` is true while it is shown.
 *
 * @param value the value, or undefined to show none
 *
 * @throws OptionError for a mutation and for a value that is not an endpoint
 * @example
 * ```ts
 * const todos = controller.watch(initial(getTodos, []), { userId: 1 }).getSnapshot().data
 * ```
 */
export function initial<E extends ReadEndpoint>(
  endpoint: E,
  value: NoInfer<EndpointData<E>> | undefined,
): MarkedHere<E> {
  const make = (): MarkedHere<E> => mark(endpoint, (query) => new InitialQuery(query, value))
  if (typeof endpoint !== 'function' || typeof value !== 'object' || value === null) return make()
  return onceFor(begun, [endpoint, value], make) as MarkedHere<E>
}

const begun = new WeakMap<object, WeakMap<object, object>>()

/** Shows a value while a query has no data. */
class InitialQuery extends DerivedQuery {
  readonly #value: unknown
  #seen: QuerySnapshot<unknown> | undefined
  #shown: QuerySnapshot<unknown> | undefined

  constructor(from: LiveQuery<unknown>, value: unknown) {
    super(from)
    this.#value = value
  }

  over(from: LiveQuery<unknown>, before: InitialQuery | undefined): InitialQuery {
    if (from === this.from) return this
    return before?.from === from && before.#value === this.#value ? before : new InitialQuery(from, this.#value)
  }

  show(seen: QuerySnapshot<unknown>): QuerySnapshot<unknown> {
    if (this.#shown === undefined || seen !== this.#seen) {
      const isMissing = seen.data === undefined && this.#value !== undefined
      this.#shown = isMissing ? withData(seen, this.#value, seen.error, seen.loading) : seen
    }
    this.#seen = seen
    return this.#shown
  }
}
