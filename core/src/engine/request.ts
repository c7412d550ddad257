import { abortError, withTimeout } from '../endpoint/abort.js'
import type { AroundExchange } from '../endpoint/options.js'
import { exchangeBy, sendBy } from '../endpoint/part.js'
import type { FetchFunction } from '../endpoint/result.js'
import { isError, toError } from '../util/thrown.js'
import type { Flight } from './flight.js'

/** Sends a flight's request. The promise settles as a promise of data does, also if the endpoint throws or returns no promise. */
export async function send(flight: Flight): Promise<unknown> {
  const { endpoint, key, parts, abort } = flight
  const { timeout } = endpoint
  const { env, clock } = flight.owner.options
  const attempt = async (signal = abort.signal): Promise<unknown> => {
    flight.sentAt = clock.mono()
    try {
      if (timeout === undefined) return await start(flight, signal)
      return await withTimeout((own) => start(flight, own), { timeout, signal, key: () => key, env })
    } catch (error) {
      // A part handles the response itself: it is no failure, whatever its status.
      if (flight.answer === undefined) throw error
      return flight.answer.change.result
    }
  }
  try {
    return await (parts.length > 0 ? sendBy(parts, flight, attempt) : attempt())
  } catch (error) {
    throw asError(error, flight)
  }
}

async function start(flight: Flight, signal: AbortSignal): Promise<unknown> {
  const { endpoint, owner } = flight
  const { transport, warn } = owner.options
  let run: FetchFunction = endpoint
  if (typeof endpoint.extend === 'function') {
    const onSend = (init: RequestInit): void => {
      flight.sent = init
      endpoint.onSend?.(init)
    }
    // The sender watches the time, and its parts go around the copy: they do nothing with the copy's own call.
    run = endpoint.extend({
      signal,
      timeout: undefined,
      transport: transport ?? endpoint.transport,
      onSend,
      aroundExchange: exchangeFor(flight),
    })
  } else if (process.env.NODE_ENV !== 'production' && (endpoint.timeout !== undefined || endpoint.abortOnUnused)) {
    warn(`${flight.key} cannot be aborted, since its endpoint has no extend(). Make it with new Endpoint(…).`)
  }
  // The arguments were checked by the types of the verb that took them.
  return (run as (...args: readonly unknown[]) => unknown)(...flight.args)
}

/** Wraps an attempt in the parts of this moment: a simulated network may have come or gone since the last one. */
function exchangeFor(flight: Flight): AroundExchange {
  const parts = flight.owner.partsOf(flight)
  if (!parts.some(({ exchange }) => exchange)) return sendUnlessOver
  const around = exchangeBy(parts, flight)
  return async (input, init, send) => {
    let response: Response | undefined
    try {
      response = await around(input, init, (by) => sendUnlessOver(input, by, send))
      return response
    } finally {
      // A part that goes around another one may have put something else in the place of its response.
      if (flight.answer?.of !== response) flight.answer = undefined
    }
  }
}

/** Refuses a request that ended while it waited for its headers or for a part. On platforms that cannot tell, `fetch` does. */
const sendUnlessOver: AroundExchange = async (_input, init, send) => {
  init.signal?.throwIfAborted?.()
  return send(init)
}

/** A thrown value as an Error, which readers and listeners rely on. */
export function asError(thrown: unknown, flight: { readonly key: string; readonly abort: AbortController }): Error {
  const { signal } = flight.abort
  return signal.aborted ? abortErrorOf(signal) : toError(thrown, flight.key)
}

/** An abort is an AbortError whatever reason was given; the reason is its cause. */
export function abortErrorOf(signal: AbortSignal): Error {
  const { reason } = signal
  return isError(reason) && reason.name === 'AbortError' ? reason : abortError(reason)
}
