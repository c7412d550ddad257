import type { EndpointInterface, ReadEndpoint } from '../../endpoint/options.js'
import type { EndpointData } from '../../endpoint/result.js'
import { OptionError } from '../../util/errors.js'
import { checkEndpoint, checkRead } from '../arguments.js'
import type { LiveQuery } from '../observer.js'

/**
 * An endpoint whose data `controller.watch` and hooks that fetch show differently. All other functions require the endpoint
 * itself, and throw an error that says so.
 */
export interface Marked<E extends ReadEndpoint, Data> {
  (...args: Parameters<E>): Promise<Data>
  /** @throws OptionError: a marked endpoint has no key of its own */
  key(...args: Parameters<E>): string
  readonly schema?: undefined
  readonly sideEffect?: undefined
  /** The endpoint that it marks. */
  readonly '~of': E
}

/**
 * The type of an endpoint that is marked within a call. It is conditional, so that the compiler does not infer `E` from the
 * expected argument type.
 */
export type MarkedHere<E extends ReadEndpoint, Data = EndpointData<E>> = E extends infer Same extends ReadEndpoint
  ? Marked<Same, Data>
  : never

/** The members of a marked endpoint in place of a key. */
export interface Marker {
  /** The endpoint that it marks, which may be marked too. */
  readonly '~of': EndpointInterface
  /** Returns the query to use; `query` returns the unmarked query of an endpoint. */
  '~query'(query: (endpoint: EndpointInterface) => LiveQuery<unknown>): LiveQuery<unknown>
}

/**
 * Marks an endpoint: `derive` is called once for each of its queries, and returns the query that replaces it.
 *
 * @throws OptionError for a mutation and for a value that is not an endpoint
 */
export function mark<E extends ReadEndpoint, Data>(
  endpoint: E,
  derive: (query: LiveQuery<unknown>) => LiveQuery<unknown>,
): MarkedHere<E, Data> {
  const source = sourceOf(endpoint)
  checkEndpoint(source)
  checkRead(source)
  const derived = new WeakMap<LiveQuery<unknown>, LiveQuery<unknown>>()
  const marker: Marker = {
    '~of': endpoint,
    '~query'(queryOf) {
      const query = queryOf(endpoint)
      const shown = derived.get(query) ?? derive(query)
      derived.set(query, shown)
      return shown
    },
  }
  const marked = Object.assign((...args: never[]) => endpoint(...args), marker)
  Object.defineProperty(marked, 'key', {
    get(): never {
      throw new OptionError('endpoint', `is ${source.name} with a marker, which only queries accept. ${HINT}`)
    },
  })
  // Only queries use the function, and they show data of type `Data`.
  return marked as unknown as MarkedHere<E, Data>
}

const HINT = 'keepPrevious, select and initial are for hooks that read, and controller.watch: pass the endpoint itself.'

/** Returns the endpoint without any markers. */
export function sourceOf<E extends EndpointInterface>(endpoint: E): E {
  const { '~of': of } = (endpoint ?? {}) as Partial<Marker>
  // Markers do not change an endpoint's arguments.
  return of === undefined ? endpoint : sourceOf(of as E)
}

/** Returns the same marked endpoint for the same endpoint and value. */
export function onceFor<Made extends object>(
  made: WeakMap<object, WeakMap<object, Made>>,
  [endpoint, value]: readonly [endpoint: object, value: object],
  make: () => Made,
): Made {
  const ofEndpoint = made.get(endpoint) ?? new WeakMap<object, Made>()
  const existing = ofEndpoint.get(value)
  if (existing !== undefined) return existing
  const marked = make()
  made.set(endpoint, ofEndpoint.set(value, marked))
  return marked
}
