import type { RequestPart } from '../endpoint/options.js'
import type { Flight, FlightReceived } from '../engine/flight.js'
import { headerOf } from '../rest/response.js'
import { isUnreached } from './answers.js'
import type { Writer } from './writer.js'

/**
 * The request part that records which responses must not be stored, announces polls, and keeps shown data while the
 * server is unreachable.
 */
export function storing(
  tellPoll: (key: string) => void,
  writer: Pick<Writer, 'keepSecret' | 'noteMarks' | 'noteMutation'>,
): RequestPart {
  const secret = new WeakSet<object>()
  return {
    name: 'offline',
    prepare: (request) => {
      // Only flights are prepared.
      const { cause, key } = request as Flight
      if (cause.type === 'poll') tellPoll(key)
    },
    exchange: async ({ request, init }, next) => {
      const response = await next(init)
      // Without a body it tells nothing that is to be kept secret, such as that a row was deleted.
      if (response.body !== null && /\bno-store\b/i.test(headerOf(response, 'cache-control') ?? '')) secret.add(request)
      else secret.delete(request)
      return response
    },
    read(request, { response }) {
      if (secret.has(request)) response.noStore = true
    },
    // The endpoint's own policy decides.
    failed: (error, { endpoint }) => (endpoint.errorPolicy === undefined && isUnreached(error) ? 'soft' : undefined),
    // Its `expires` is no action, and needs neither a response nor a change.
    settled: (request) => {
      if ((request as Flight).isMutation) writer.noteMarks()
    },
    wrote: (request, received) => {
      // Only flights write.
      const { owner, expected } = request as Flight
      const { response, change = expected } = received as FlightReceived
      if (!change) return
      if (response.mutation) writer.noteMutation(response, change)
      if (!response.noStore) return
      const { store } = owner
      writer.keepSecret([
        ...change.rows,
        ...change.lists.map(({ row }) => row),
        ...[...change.results.keys()].map((key) => store.resultRow(key)),
      ])
    },
  }
}
