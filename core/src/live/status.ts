import { keyOf } from '../client/arguments.js'
import type { LiveObserver, Role } from '../client/live-observer.js'
import { sourceOf } from '../client/markers/marker.js'
import type { ObserverKind } from '../client/observer.js'
import type { ObserverMaker } from '../client/registry.js'
import type { EndpointInterface } from '../endpoint/options.js'
import { partsOf } from '../endpoint/part.js'
import { type ConnectionStatus, IDLE } from './connection-status.js'
import { LiveSource } from './live.js'

const CONNECTION: Role = {
  show(observer) {
    const { source, url } = streamOf(observer)
    return source?.statusOf(observer.host.runtime.network, url) ?? IDLE
  },
  start(observer) {
    const { source } = streamOf(observer)
    return source?.follow(observer.host.runtime.network, () => observer.update())
  },
}

/** Returns the source of an observed endpoint, if any, and the address of the stream. */
function streamOf({ subject: { endpoint, args }, host }: LiveObserver): {
  readonly source: LiveSource | undefined
  readonly url: string
} {
  // Subjects of this role have an endpoint.
  const parts = partsOf(endpoint as EndpointInterface, host.runtime.network.options.parts)
  const source = parts.filter((part) => part.subscribe !== undefined).at(-1)
  if (!(source instanceof LiveSource)) return { source: undefined, url: '' }
  return { source, url: source.urlOf(args) }
}

const makeConnection: ObserverMaker<ConnectionStatus> = (subject, args) => {
  // `keyOf` rejects a value that is not an endpoint.
  const endpoint = sourceOf(subject as EndpointInterface)
  return { role: CONNECTION, key: `connection ${keyOf(endpoint, args)}`, endpoint, args }
}

/**
 * The kind of observer for `controller.observe` that shows the connection status of an endpoint's live source. It
 * does not connect: `useLive`, `useSubscription` and `poll` do.
 *
 * @example
 * ```ts
 * const status = controller.observe(connection, getLiveTodos, { userId: 1 }).getSnapshot()?.status
 * ```
 */
export const connection: ObserverKind<ConnectionStatus> = makeConnection
