import type { EndpointInterface } from '../endpoint/options.js'
import type { Call, FlightResult } from '../engine/flight.js'
import type { Store } from '../engine/store.js'
import { DisposedError, ResetError, SchemaError } from '../util/errors.js'
import { copyPlain } from '../util/plain.js'
import { thrownIn } from '../util/thrown.js'
import type { Registry } from './registry.js'

/** Returns the promise of `controller.fetch`. */
export function fetchForCaller(
  observers: Registry,
  endpoint: EndpointInterface,
  args: readonly unknown[],
): Promise<unknown> {
  const { network, store } = observers.runtime
  const promise = new Promise((resolve, reject) => {
    const call = observers.callOf(endpoint, args)
    const fail = (error: Error): void => {
      reject(thrownIn(error))
      // Callers that await a dropped request get its error; otherwise it causes no unhandled rejection.
      if (error instanceof ResetError || error instanceof DisposedError) queueMicrotask(() => promise.catch(() => {}))
    }
    const settle = (result: FlightResult): void => {
      try {
        resolve(resultForCaller(store, call, result))
      } catch (error) {
        reject(error)
      }
    }
    network.join(call, { settle, fail, signal: endpoint.signal, cause: { type: 'call' } })
  })
  return promise
}

/**
 * Returns the result of `fetch`: the data that the store shows for the response, or the processed response if the store
 * shows nothing for it. For a mutation without a response body it is the optimistic value, else null; for a deletion the
 * previous data.
 */
function resultForCaller({ views }: Pick<Store, 'views'>, { endpoint, args }: Call, result: FlightResult): unknown {
  const { schema } = endpoint
  if (schema === undefined || schema === null) return result.data
  if (result.removed !== undefined) return promisable(endpoint, result.removed())
  // The payload is copied, since the store may own it by now.
  const came = (): unknown => (result.isWritten ? copyPlain(result.data) : null)
  if (result.stored === undefined) return came()
  return promisable(endpoint, views.show(schema, args, result.stored, result.page)) ?? came()
}

/**
 * Rejects data that a promise would treat as another promise: an instance with a method `then`.
 *
 * @throws SchemaError
 */
export function promisable(endpoint: EndpointInterface, data: unknown): unknown {
  if (typeof (data as { then?: unknown } | undefined)?.then !== 'function') return data
  const message = `The data of ${endpoint.name} has a method 'then', so no promise can resolve with it.${process.env.NODE_ENV === 'production' ? '' : ' Give the method another name.'}`
  throw new SchemaError('$', 'data', "a method 'then'", { message })
}
