import { abortError, withTimeout } from '../endpoint/abort.js'
import type { AroundExchange } from '../endpoint/options.js'
import { exchangeBy, sendBy } from '../endpoint/part.js'
import type { FetchFunction } from '../endpoint/result.js'
import { isError, isNotDone, toError } from '../util/thrown.js'
import type { Flight } from './flight.js'

/** Sends a flight's request. An endpoint that throws rejects the promise; one that returns no promise resolves it. */
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
      if (flight.wasSent !== false && !isNotDone(error)) flight.mayBeDone = true
      // A part has supplied the result, so the status of the response is no failure.
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
      // Its own `fetchResponse` may send it in its own way.
      flight.wasSent = undefined
      endpoint.onSend?.(init)
    }
    // `withTimeout` above limits the time, and the flight's parts wrap the copy's HTTP calls; the copy's own call has no
    // parts.
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
  // The types of the calling method have checked the arguments.
  return (run as (...args: readonly unknown[]) => unknown)(...flight.args)
}

/** Wraps an attempt in the current parts: a simulated network may have been added or removed since the last attempt. */
function exchangeFor(flight: Flight): AroundExchange {
  const parts = flight.owner.partsOf(flight)
  /** Throws if the request ended while it waited for its headers or a part. Without `throwIfAborted`, `fetch` throws. */
  const sendUnlessOver: AroundExchange = async (_input, init, send) => {
    flight.wasSent = false
    init.signal?.throwIfAborted?.()
    flight.wasSent = true
    return send(init)
  }
  if (!parts.some(({ exchange }) => exchange)) return sendUnlessOver
  const around = exchangeBy(parts, flight)
  return async (input, init, send) => {
    let response: Response | undefined
    flight.wasSent = false
    try {
      response = await around(input, init, (by) => sendUnlessOver(input, by, send))
      return response
    } finally {
      // An outer part may have replaced the response to which the answer belongs.
      if (flight.answer?.of !== response) flight.answer = undefined
    }
  }
}

/** Returns a thrown value as an Error, which readers and listeners rely on. */
export function asError(thrown: unknown, flight: { readonly key: string; readonly abort: AbortController }): Error {
  const { signal } = flight.abort
  return signal.aborted ? abortErrorOf(signal) : toError(thrown, flight.key)
}

/** Returns the AbortError of a signal, whose cause is the reason if that is another value. */
export function abortErrorOf(signal: AbortSignal): Error {
  const { reason } = signal
  return isError(reason) && reason.name === 'AbortError' ? reason : abortError(reason)
}
