import type { EndpointInterface } from '../endpoint/options.js'
import type { Flight } from '../engine/flight.js'
import { checkEndpoint } from './arguments.js'
import type { Role } from './live-observer.js'
import type { ObserverKind } from './observer.js'
import type { ObserverMaker } from './registry.js'

/** Creates a role that is true while `isMeant` is true for any flight. */
function flightRole(isMeant: (flight: Flight, endpoint: EndpointInterface | undefined) => boolean): Role {
  return {
    show({ host, subject }) {
      for (const flight of host.runtime.network.flights) if (isMeant(flight, subject.endpoint)) return true
      return false
    },
    start(observer) {
      const { events } = observer.host.runtime
      const look = (): void => observer.update()
      // A request may start while a component renders, when others must not be notified.
      const stopBegun = events.on('fetch', () => queueMicrotask(look))
      const stopSettled = events.on('settle', look)
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
  // All copies of an endpoint share an observer, since they have the same keys.
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
