import type { EndpointInterface } from '../endpoint/options.js'
import type { Landing } from '../engine/flight.js'
import { SchemaError } from '../util/errors.js'
import { copyPlain } from '../util/plain.js'
import type { Runtime } from './runtime.js'

/**
 * Returns the result of `fetch`: the data that the store shows for the response, or the processed response if the store shows
 * nothing for it. For a mutation without a response body it is the optimistic value, else null; for a deletion the previous data.
 */
export function resultForCaller(
  runtime: Runtime,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  landing: Landing,
): unknown {
  const { schema } = endpoint
  if (schema === undefined || schema === null) return landing.data
  if (landing.gone !== undefined) return promisable(endpoint, landing.gone())
  // What came may be the store's own by now.
  const came = (): unknown => (landing.isWritten ? copyPlain(landing.data) : null)
  if (landing.result === undefined) return came()
  return promisable(endpoint, runtime.store.views.show(schema, args, landing.result, landing.page)) ?? came()
}

/**
 * Rejects data that a promise would treat as another promise: an instance with a method `then`.
 *
 * @throws SchemaError
 */
export function promisable(endpoint: EndpointInterface, data: unknown): unknown {
  if (typeof (data as { then?: unknown } | undefined)?.then !== 'function') return data
  const hint = process.env.NODE_ENV === 'production' ? '' : ' Give the method another name.'
  const message = `The data of ${endpoint.name} has a method 'then', so no promise can resolve with it.${hint}`
  throw new SchemaError('$', 'data', "a method 'then'", { message })
}
