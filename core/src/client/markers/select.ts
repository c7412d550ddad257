import type { ReadEndpoint } from '../../endpoint/options.js'
import type { EndpointData } from '../../endpoint/result.js'
import { equal } from '../../util/equal.js'
import { CallbackError } from '../../util/errors.js'
import type { LiveQuery, QuerySnapshot } from '../observer.js'
import { DerivedQuery, withData } from './derived-query.js'
import { type MarkedHere, mark, onceFor } from './marker.js'

type Select = (data: unknown) => unknown

/**
 * Marks an endpoint so that its readers show what `select` returns for its data, and are notified only if that differs.
 *
 * @remarks `select` runs when the data changes, not on each render, if the function is declared outside of the component. A
 * result that is deeply equal to the last one is replaced by it. Errors of `select` are shown as a `CallbackError`.
 *
 * @throws OptionError for a mutation and for a value that is not an endpoint
 * @example
 * ```ts
 * const countTodos = select(getTodos, (todos) => todos.length)
 * const count = controller.watch(countTodos, { userId: 1 }).getSnapshot().data
 * ```
 */
export function select<E extends ReadEndpoint, Result>(
  endpoint: E,
  select: (data: EndpointData<E>) => Result,
): MarkedHere<E, Result> {
  const make = (): MarkedHere<E, Result> =>
    // The compiler cannot see that `select` takes the data of this endpoint's queries.
    mark(endpoint, (query) => new SelectedQuery(query, select as Select, endpoint.name))
  if (typeof endpoint !== 'function') return make()
  return onceFor(selected, [endpoint, select], make) as MarkedHere<E, Result>
}

const selected = new WeakMap<object, WeakMap<object, object>>()

/** Shows the result of a function for the data of a query. */
class SelectedQuery extends DerivedQuery {
  readonly #select: Select
  readonly #name: string | undefined
  #seen: QuerySnapshot<unknown> | undefined
  #shown: QuerySnapshot<unknown> | undefined
  /** True if the shown value is computed from data that stands in for a response. */
  #isExpected = false

  constructor(from: LiveQuery<unknown>, select: Select, name: string | undefined) {
    super(from)
    this.#select = select
    this.#name = name
  }

  show(seen: QuerySnapshot<unknown>): QuerySnapshot<unknown> {
    if (this.#shown === undefined || seen !== this.#seen) this.#shown = this.#showResult(seen)
    this.#seen = seen
    return this.#shown
  }

  /** Keeps the previous function's result if the new one's is equal: a function written in a render is new each time. */
  over(from: LiveQuery<unknown>, before: SelectedQuery | undefined): SelectedQuery {
    const isSame = before?.from === from
    if (isSame && before.#select === this.#select) return before
    const next = from === this.from ? this : new SelectedQuery(from, this.#select, this.#name)
    if (isSame && next.#shown === undefined) {
      next.#shown = before.#shown
      next.#isExpected = before.#isExpected
    }
    return next
  }

  #showResult(seen: QuerySnapshot<unknown>): QuerySnapshot<unknown> {
    const { data, error } = seen
    if (data === undefined) return seen
    const last = this.#shown
    const wasExpected = this.#isExpected
    this.#isExpected = this.root.getSnapshot().loading
    try {
      const selected = this.#select(data)
      const result = last !== undefined && equal(selected, last.data) ? last.data : selected
      const isSame =
        last !== undefined &&
        result === last.data &&
        error === last.error &&
        last.status === seen.status &&
        // While expected data is shown, `refreshing` is true.
        wasExpected === this.#isExpected
      return isSame ? last : withData(seen, result, error)
    } catch (cause) {
      return withData(seen, undefined, new CallbackError('select', this.#name ?? 'an endpoint', { cause }))
    }
  }
}
