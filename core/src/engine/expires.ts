import type { RequestPart } from '../endpoint/options.js'
import { OptionError } from '../util/errors.js'
import { guarded } from '../util/thrown.js'
import type { Flight, FlightReceived } from './flight.js'
import type { KeyTest } from './staleness.js'

/**
 * Creates a part for a mutation after which results of other endpoints are to be fetched again, such as totals that the
 * server computes. When the mutation succeeds, they become stale in the commit of its response: mounted readers refetch
 * once, others when they mount.
 *
 * @remarks
 * Use it instead of `controller.expireAll` after `controller.fetch`, so that every call does it, also one that the
 * outbox sends at the next start. Rows and lists need neither: the response changes them.
 *
 * They become stale as well when nobody knows whether the server has applied the mutation, for instance after a lost
 * connection.
 *
 * @param endpoints returns the endpoints, all of whose keys expire; it receives the result of `process` (undefined if
 * the outcome is unknown) and the arguments of the call
 * @throws OptionError for anything but a function that returns endpoints
 * @example
 * ```ts
 * const getStats = new RestEndpoint({ path: '/stats' })
 * const createTodo = getTodos.push.extend({ parts: [expires(() => [getStats])] })
 * ```
 */
export function expires<Args extends readonly never[]>(
  endpoints: (response: never, ...args: Args) => readonly KeyTest[],
): RequestPart {
  // An endpoint is a function too: it would be called, and send a request.
  if (process.env.NODE_ENV !== 'production' && (typeof endpoints !== 'function' || 'testKey' in endpoints))
    throw new OptionError('expires', 'needs a function that returns endpoints: expires(() => [getStats]).')
  const expire = ({ owner, args, key, done }: Flight, data?: unknown): void => {
    for (const endpoint of (endpoints as Expired)(data, ...args)) {
      guarded(owner.store.report, 'expires', key, () => {
        if (typeof endpoint?.testKey !== 'function')
          throw new OptionError('expires', 'must return a list of endpoints.')
        owner.options.markAll(endpoint, 'stale', done)
      })
    }
  }
  return {
    name: 'expires',
    forMember: true,
    // Only flights write.
    wrote: (flight: Flight, { data }: FlightReceived) => expire(flight, data),
    settled(flight: Flight, error) {
      try {
        if (error && flight.mayBeDone) expire(flight)
      } catch {
        // A function that needs the response expires nothing.
      }
    },
  }
}

type Expired = (response: unknown, ...args: readonly unknown[]) => readonly KeyTest[]
