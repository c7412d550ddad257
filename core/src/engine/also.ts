import type { EndpointInterface, RequestPart } from '../endpoint/options.js'
import type { ResponseInfo } from '../table/value.js'
import { OptionError } from '../util/errors.js'
import { guarded } from '../util/thrown.js'
import type { Flight, FlightReceived } from './flight.js'
import type { Store } from './store.js'

/**
 * A result for another endpoint that a response contains: a read, the arguments of its call, and the data that the
 * call would have returned.
 */
export type AlsoResult = readonly [endpoint: EndpointInterface, args: readonly unknown[], response: unknown]

/**
 * Creates a part for an endpoint whose responses also contain results of other endpoints. All are written in the same
 * commit, so one round trip is enough and readers never see one without the others.
 *
 * @remarks
 * The results are ordered like a read that was sent with the request and includes its change: they never overwrite
 * newer data. An error in one of them goes to the controller's `onError`; the response itself and the others are
 * stored. Direct calls without a controller store nothing.
 *
 * @param results returns the results; it receives the result of `process` and the arguments of the call
 * @example
 * ```ts
 * const getStats = new RestEndpoint({ path: '/stats' })
 * const createTodo = getTodos.push.extend({
 *   parts: [also((response: { stats: object }) => [[getStats, [], response.stats]])],
 * })
 * ```
 */
export function also<Args extends readonly never[]>(
  results: (response: never, ...args: Args) => readonly AlsoResult[],
): RequestPart {
  return {
    name: 'also',
    forMember: true,
    // Only flights write.
    wrote(flight: Flight, { response, data }: FlightReceived) {
      writeAlso(results as Results, flight, response, data)
    },
  }
}

type Results = (response: unknown, ...args: readonly unknown[]) => readonly AlsoResult[]

function writeAlso(results: Results, { owner, args, key }: Flight, response: ResponseInfo, data: unknown): void {
  const { store } = owner
  const guard = (write: () => void): void => guarded(store.report, 'also', key, write)
  guard(() => {
    for (const result of results(data, ...args)) guard(() => storeResult(store, result, response))
  })
}

function storeResult(store: Store, [endpoint, args, data]: AlsoResult, response: ResponseInfo): void {
  if (typeof endpoint?.key !== 'function' || endpoint.sideEffect === true || !Array.isArray(args)) {
    throw new OptionError('also', 'must return a list of [endpoint that reads, arguments, response].')
  }
  const { start, done, date, at, expiresAt, noStore } = response
  const change = store.changeOf({ endpoint, args }, data, false)
  if (change === undefined) throw new OptionError('also', 'must return a response for each endpoint with a schema.')
  const lifetime = endpoint.dataExpiryLength ?? expiresAt - date
  const read: ResponseInfo = { start, done, mutation: false, date, at, expiresAt: date + lifetime, noStore }
  // The author of the function is responsible for the arguments; `key` throws if they make no URL.
  store.keepRead(store.entry(endpoint.key(...(args as never)), endpoint.schema), change, read, { endpoint, args })
}
