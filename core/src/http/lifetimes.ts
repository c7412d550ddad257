import type { PartRequest, RequestPart } from '../endpoint/options.js'
import type { Times } from '../endpoint/result.js'
import { NetworkError } from '../rest/network-error.js'
import { TimeoutError, TransportError } from '../util/errors.js'
import { type HeaderOf, lifetimeOf } from './lifetime.js'

/** Lets the headers of a response determine how long it is fresh, and how long it is shown although refreshing it fails. */
export function lifetimes(headersOf: WeakMap<PartRequest, HeaderOf>): Pick<RequestPart, 'read' | 'failed'> {
  /** Wall clock in ms until which a response may be shown although refreshing it fails. */
  const shownOnError = new WeakMap<Times, number>()
  return {
    /** Sets the times before other parts copy them, such as `also` for its results. */
    read(request, { response }) {
      const header = headersOf.get(request)
      if (header === undefined || request.endpoint.dataExpiryLength !== undefined) return
      const { date } = response
      const { freshFor, shownFor = Infinity, errorFor, mustRevalidate } = lifetimeOf(header, date)
      if (freshFor !== undefined) response.expiresAt = date + freshFor
      response.shownUntil = mustRevalidate ? response.expiresAt : date + shownFor
      if (errorFor !== undefined) shownOnError.set(response, date + errorFor)
    },

    /** Returns how long stale data is shown instead of an error, if the server has allowed it. */
    failed(error, { response }) {
      const shownUntil = isTheirs(error) && response && shownOnError.get(response)
      return shownUntil ? { shownUntil } : undefined
    },
  }
}

/** True for errors of the server or of the connection. */
function isTheirs(error: Error): boolean {
  const status = error instanceof NetworkError ? error.status : 0
  return status >= 500 || error instanceof TransportError || error instanceof TimeoutError
}
