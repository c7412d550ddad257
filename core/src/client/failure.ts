import type { EndpointInterface } from '../endpoint/options.js'
import type { ErrorWithStatus } from '../endpoint/result.js'
import { checkRead, keyOf } from './arguments.js'
import type { Role } from './live-observer.js'
import { sourceOf } from './markers/marker.js'
import type { ObserverKind } from './observer.js'
import { responseOf } from './query-entry.js'
import type { ObserverMaker } from './registry.js'

const FAILURE: Role = {
  reads: 'key',
  show: ({ query }) => query && (query.view.error ?? responseOf(query).error),
}

const makeFailure: ObserverMaker<ErrorWithStatus | undefined> = (subject, args) => {
  // `keyOf` throws for a value that is no endpoint.
  const endpoint = sourceOf(subject as EndpointInterface)
  const key = keyOf(endpoint, args)
  checkRead(endpoint)
  return { role: FAILURE, key, schema: endpoint.schema, endpoint, args }
}

/**
 * The kind of observer for `controller.observe` that shows the last error of an endpoint, as `controller.getError` returns
 * it. It never fetches.
 *
 * @example
 * ```ts
 * const error = controller.observe(failure, getTodo, { id: 5 }).getSnapshot()
 * ```
 */
export const failure: ObserverKind<ErrorWithStatus | undefined> = makeFailure
