import { abortError } from '../endpoint/abort.js'
import type { EndpointInterface, FetchFunction } from '../endpoint/options.js'
import { TransportError } from '../util/errors.js'
import type { Flight } from './flight.js'

/** Sends a flight's request. Whatever the endpoint does, the promise settles the way a promise of data does. */
export async function send(flight: Flight, warn: (message: string) => void): Promise<unknown> {
  const run = withSignal(flight.endpoint, flight, warn)
  try {
    // The arguments were checked by the types of the verb that took them.
    return await (run as (...args: readonly unknown[]) => unknown)(...flight.args)
  } catch (error) {
    throw asError(error, flight)
  }
}

/** The endpoint with the flight's signal; its time is watched by the flight, so it has no `timeout` of its own. */
function withSignal(endpoint: EndpointInterface, flight: Flight, warn: (message: string) => void): FetchFunction {
  if (typeof endpoint.extend === 'function') {
    const onSend = (init: RequestInit): void => {
      flight.sent = init
      endpoint.onSend?.(init)
    }
    return endpoint.extend({ signal: flight.abort.signal, timeout: undefined, onSend })
  }
  if (process.env.NODE_ENV !== 'production' && (endpoint.timeout !== undefined || endpoint.abortOnUnused)) {
    warn(`${flight.key} cannot be aborted, since its endpoint has no extend(). Make it with new Endpoint(…).`)
  }
  return endpoint
}

/** Whatever was thrown, as an Error: a caller's `catch` can rely on it. */
export function asError(thrown: unknown, flight: { readonly key: string; readonly abort: AbortController }): Error {
  if (flight.abort.signal.aborted) return abortErrorOf(flight.abort.signal)
  if (thrown instanceof Error || isDomException(thrown)) return thrown
  return new TransportError(flight.key, methodOfKey(flight.key), { cause: thrown })
}

/** An abort is an AbortError whatever reason was given; the reason is its cause. */
export function abortErrorOf(signal: AbortSignal): Error {
  const { reason } = signal
  return isDomException(reason) && reason.name === 'AbortError' ? reason : abortError(reason)
}

/** In some realms a DOMException is not an instance of this realm's Error. */
function isDomException(thrown: unknown): thrown is DOMException {
  return typeof DOMException !== 'undefined' && thrown instanceof DOMException
}

function methodOfKey(key: string): string {
  const at = key.indexOf(' ')
  return at > 0 ? key.slice(0, at) : 'GET'
}
