import type { EndpointInterface, RequestPart, SourceCall } from '../endpoint/options.js'
import { partsOf } from '../endpoint/part.js'
import type { Flight } from '../engine/flight.js'
import type { Polling } from '../engine/polling.js'
import { checkRead, keyOf } from './arguments.js'
import type { LiveObserver, Role } from './live-observer.js'
import { sourceOf } from './markers/marker.js'
import type { ObserverKind } from './observer.js'
import type { ObserverMaker } from './registry.js'
import { type Source, Sources } from './sources.js'

const POLL: Role = {
  show: () => undefined,
  start(observer) {
    const { runtime } = observer.host
    const call = callOf(observer)
    const { endpoint, key } = call
    const { pollFrequency } = endpoint
    const isSource = (part: RequestPart): part is Source & RequestPart => part.subscribe !== undefined
    const source = partsOf(endpoint, runtime.parts).filter(isSource).at(-1)
    if (source === undefined && pollFrequency === undefined) {
      if (process.env.NODE_ENV !== 'production') {
        runtime.warn(`${key} is subscribed to but has no pollFrequency: it is never polled. Add one.`)
      }
      return () => {}
    }
    runtime.sources ??= new Sources(runtime)
    // No other code sets `sources`.
    const sources = runtime.sources as Sources
    return sources.start(call, source ?? { name: 'poll', subscribe: () => startPolling(observer, sources.polling) })
  },
}

function startPolling(observer: LiveObserver, polling: Polling): () => void {
  const { runtime } = observer.host
  const { endpoint, key } = callOf(observer)
  // Without a source, only an endpoint with a frequency is polled.
  const { pollFrequency = Infinity, schema } = endpoint
  let flight: Flight | undefined
  const run = (): Promise<boolean> =>
    new Promise((resolve) => {
      const settle = (): void => resolve(true)
      // A failed poll leaves the screen as it is.
      const fail = (): void => resolve(false)
      const call = callOf(observer)
      // A row that this client has deleted is not polled.
      if (observer.host.entryOf(call.endpoint, call.args).deletion() !== undefined) return settle()
      flight = runtime.network.join(call, {
        settle,
        fail,
        joinsAny: true,
        cause: { type: 'poll', every: pollFrequency },
      })
    })
  const lastStart = (): number | undefined => {
    const { requestedAt, response } = runtime.store.entry(key, schema)
    // Hydrated data and data that was set have no `requestedAt`.
    return flight?.sentAt ?? requestedAt ?? response?.at
  }
  return polling.add({ key, run, lastStart }, pollFrequency)
}

/** Returns the call that a poll makes, with the endpoint that was passed in last. */
function callOf({ subject: { endpoint, args } }: LiveObserver): SourceCall {
  // The subject of a poll has an endpoint.
  const read = endpoint as EndpointInterface
  return { endpoint: read, args, key: keyOf(read, args) }
}

const makePoll: ObserverMaker<undefined> = (subject, args) => {
  // `keyOf` throws for a value that is no endpoint.
  const endpoint = sourceOf(subject as EndpointInterface)
  const key = keyOf(endpoint, args)
  checkRead(endpoint)
  return { role: POLL, key: `poll ${endpoint.pollFrequency} ${key}`, endpoint, args }
}

/**
 * The kind of observer for `controller.observe` that polls an endpoint every `pollFrequency` ms while it has subscribers.
 *
 * @remarks
 * `useLive` and `useSubscription` use it. A bundle without these three contains no polling code.
 *
 * @example
 * ```ts
 * const stop = controller.observe(poll, getTicker, { product: 'BTC' }).subscribe(() => {})
 * ```
 */
export const poll: ObserverKind<undefined> = makePoll
