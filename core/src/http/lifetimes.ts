import type { PartRequest, RequestPart } from '../endpoint/options.js'
import type { Times } from '../endpoint/result.js'
import { NetworkError } from '../rest/network-error.js'
import { TimeoutError, TransportError } from '../util/errors.js'
import { type HeaderOf, lifetimeOf } from './lifetime.js'

/** Has the headers of a response decide how long it is fresh, and how long it is shown although refreshing it fails. */
export function lifetimes(headersOf: WeakMap<PartRequest, HeaderOf>): Pick<RequestPart, 'read' | 'failed'> {
  /** Wall clock in ms until when a response may be shown although refreshing it fails. */
  const shownOnError = new WeakMap<Times, number>()
  return {
    /** Before anybody takes its times over, as the results that `also` writes do. */
    read(request, { response }) {
      const header = headersOf.get(request)
      if (header === undefined || request.endpoint.dataExpiryLength !== undefined) return
      const { date } = response
      const { freshFor, shownFor = Infinity, errorFor, mustRevalidate } = lifetimeOf(header, date)
      if (freshFor !== undefined) response.expiresAt = date + freshFor
      response.shownUntil = mustRevalidate ? response.expiresAt : date + shownFor
      if (errorFor !== undefined) shownOnError.set(response, date + errorFor)
    },

    /** Stale data outlives an error if the server has allowed that: then it is soft, and the data is shown until that time is over. */
    failed(error, { response }) {
      const shownUntil = isTheirs(error) && response && shownOnError.get(response)
      return shownUntil ? { shownUntil } : undefined
    },
  }
}

/** True for errors of the server or of the way to it. */
function isTheirs(error: Error): boolean {
  const status = error instanceof NetworkError ? error.status : 0
  return status >= 500 || error instanceof TransportError || error instanceof TimeoutError
}
