import { abortError, withTimeout } from '../endpoint/abort.js'
import type { EndpointInterface, FetchFunction, Retry, Transport } from '../endpoint/options.js'
import type { Env } from '../util/env.js'
import { isError, toError } from '../util/thrown.js'
import type { Flight } from './flight.js'

/** What all requests of a controller are sent with. */
export interface Sending {
  readonly env: Env
  /** Performs the HTTP calls of all endpoints; `inspect` puts another in its place. */
  transport: Transport | undefined
  /** Repeats the failed requests of endpoints without a `retry` of their own. */
  readonly retry: Retry | undefined
  /** Until when requests to an origin wait: for `retry` alone. */
  holds?: Map<string, number>
  /** Hears of attempts that failed and will be repeated. */
  onEvent(event: { readonly type: 'retry'; readonly flight: Flight; readonly error: Error }): void
  /** Tells a developer something, once. */
  readonly warn: (message: string) => void
}

/** Sends a flight's request. Whatever the endpoint does, the promise settles the way a promise of data does. */
export async function send(flight: Flight, sending: Sending): Promise<unknown> {
  const { endpoint, key, abort } = flight
  const { timeout, retry = sending.retry, batch } = endpoint
  const attempt = (by: EndpointInterface, signal: AbortSignal): Promise<unknown> =>
    withTimeout((own) => start(by, flight, own, sending), { timeout, signal, key: () => key, env: sending.env })
  const alone = (): Promise<unknown> => (retry ? retry(flight, attempt, sending) : attempt(endpoint, abort.signal))
  try {
    return await (batch?.(flight, alone) ?? alone())
  } catch (error) {
    throw asError(error, flight)
  }
}

async function start(
  by: EndpointInterface,
  flight: Flight,
  signal: AbortSignal,
  { transport, warn }: Sending,
): Promise<unknown> {
  let run: FetchFunction = by
  if (typeof by.extend === 'function') {
    const onSend = (init: RequestInit): void => {
      flight.sent = init
      by.onSend?.(init)
    }
    // The sender watches time and failures, so the copy has neither `timeout` nor `retry`.
    run = by.extend({
      signal,
      timeout: undefined,
      retry: undefined,
      transport: transport ?? by.transport,
      onSend,
      flight,
    })
  } else if (process.env.NODE_ENV !== 'production' && (by.timeout !== undefined || by.abortOnUnused)) {
    warn(`${flight.key} cannot be aborted, since its endpoint has no extend(). Make it with new Endpoint(…).`)
  }
  // The arguments were checked by the types of the verb that took them.
  return (run as (...args: readonly unknown[]) => unknown)(...flight.args)
}

/** Whatever was thrown, as an Error: readers and listeners rely on it. */
export function asError(thrown: unknown, flight: { readonly key: string; readonly abort: AbortController }): Error {
  const { signal } = flight.abort
  return signal.aborted ? abortErrorOf(signal) : toError(thrown, flight.key)
}

/** An abort is an AbortError whatever reason was given; the reason is its cause. */
export function abortErrorOf(signal: AbortSignal): Error {
  const { reason } = signal
  return isError(reason) && reason.name === 'AbortError' ? reason : abortError(reason)
}
