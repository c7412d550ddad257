import type { EndpointInterface } from '../endpoint/options.js'
import type { Flight } from '../engine/flight.js'
import { checkEndpoint } from './given.js'
import type { Role } from './live-observer.js'
import type { ObserverKind } from './observer.js'
import type { ObserverMaker } from './registry.js'

/** A role that is true while a flight of this kind is in the air. */
function flightRole(isMeant: (flight: Flight, endpoint: EndpointInterface | undefined) => boolean): Role {
  return {
    show({ host, subject }) {
      for (const flight of host.runtime.network.flights) if (isMeant(flight, subject.endpoint)) return true
      return false
    },
    start(observer) {
      const { events } = observer.host.runtime
      const look = (): void => {
        observer.reread()
        observer.notify()
      }
      // A component that reads may be rendering, and others that show its request must not be told to render within that.
      const stopBegun = events.on('fetch', () => queueMicrotask(look))
      const stopSettled = events.on('settle', look)
      // Something may have happened between subscribing and now.
      look()
      return () => {
        stopBegun()
        stopSettled()
      }
    },
  }
}

const READS = /* @__PURE__ */ flightRole(({ isMutation }) => !isMutation)

const MUTATIONS = /* @__PURE__ */ flightRole(
  ({ isMutation, key, endpoint }, meant) =>
    isMutation &&
    (meant === undefined || (meant.testKey?.(key) ?? (meant === endpoint || meant.name === endpoint.name))),
)

const makeReads: ObserverMaker<boolean> = () => ({ role: READS, key: 'requests', args: [] })

const makeMutations: ObserverMaker<boolean> = (endpoint) => {
  if (endpoint === undefined) return { role: MUTATIONS, key: 'requests', args: [] }
  checkEndpoint(endpoint)
  // One for all copies of an endpoint, as the same keys belong to them.
  const { keyPattern = endpoint.name } = endpoint as { readonly keyPattern?: string; readonly name?: string }
  return { role: MUTATIONS, key: `requests ${keyPattern}`, endpoint, args: [] }
}

/**
 * The kind of observer for `controller.observe` that is true while any read is in flight. For the reads of one key there is
 * `controller.fetching`.
 *
 * @example
 * ```ts
 * const stop = controller.observe(reading).subscribe(() => {})
 * ```
 */
export const reading: ObserverKind<boolean> = makeReads

/**
 * The kind of observer for `controller.observe` that is true while a mutation is in flight: one of this endpoint, or any.
 *
 * @example
 * ```ts
 * const saving = controller.observe(mutating, updateTodo)
 * ```
 */
export const mutating: ObserverKind<boolean> = makeMutations
