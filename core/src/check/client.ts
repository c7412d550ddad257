import { rowPlaces } from '../backend/row-place.js'
import type { Transport } from '../endpoint/options.js'
import { isJson } from '../rest/response.js'
import { safeUrl } from '../util/safe-url.js'
import type { CheckedEndpoint, CheckOptions } from './options.js'

/** A request and its response. */
export interface Exchange {
  /** `GET https://api.test/todos`, for details. */
  readonly place: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly isJson: boolean
  /** The URL that the request was redirected to. */
  readonly redirectedTo: string | undefined
  /** The result of the call, as it would be stored; undefined if it failed. */
  readonly value: unknown
  /** Why the call failed. */
  readonly error: unknown
}

/** Sends a request of an endpoint as its own code does, and looks at the response. */
export type Send = (
  endpoint: CheckedEndpoint,
  params: object,
  body?: object,
  headers?: Readonly<Record<string, string>>,
) => Promise<Exchange>

/**
 * Makes the function that sends the requests of a check.
 *
 * @throws what a call throws that got no response: TransportError, TimeoutError
 */
export function clientOf(options: CheckOptions): Send {
  const { transport, urlPrefix, timeout = 10_000, headers: common } = options
  return async (endpoint, params, body, own) => {
    let seen: Omit<Exchange, 'value' | 'error'> | undefined
    const watched: Transport = async (input, init, sender) => {
      const headers = new Headers(init.headers)
      for (const [name, value] of Object.entries({ ...common, ...own })) headers.set(name, value)
      const send = transport ?? (endpoint as { readonly transport?: Transport }).transport ?? fetch
      const response = await send(input, { ...init, headers }, sender)
      const url = typeof input === 'string' || input instanceof URL ? `${input}` : input.url
      const place = `${init.method} ${safeUrl(url)}`
      const text = await response.clone().text()
      seen = {
        place,
        status: response.status,
        headers: response.headers,
        text,
        isJson: isJson(response.headers.get('content-type')),
        redirectedTo: response.redirected ? safeUrl(response.url) : undefined,
      }
      return response
    }
    // A `RestEndpoint`, by the type of the resource; it is called with params and, if there is one, a body.
    const copy = (endpoint as unknown as Extensible).extend({
      transport: watched,
      timeout,
      ...(urlPrefix !== undefined && { urlPrefix }),
    })
    try {
      const value = await (body === undefined ? copy(params) : copy(params, body))
      if (seen) return { ...seen, value, error: undefined }
    } catch (error) {
      if (seen) return { ...seen, value: undefined, error }
      throw error
    }
    throw new Error(`${endpoint.name} has sent nothing.`)
  }
}

interface Extensible {
  extend(options: object): (...args: readonly unknown[]) => Promise<unknown>
}

/** The rows in the result of a call, where the endpoint's schema says; undefined if they are not there. */
export function rowsIn({ schema }: CheckedEndpoint, value: unknown): readonly unknown[] | undefined {
  const [place] = rowPlaces(schema)
  let inner = value
  for (const field of place?.path ?? []) inner = isObject(inner) ? inner[field] : undefined
  if (Array.isArray(inner)) return inner
  return isObject(inner)
    ? place?.shape === 'map'
      ? Object.values(inner)
      : place?.shape === 'one'
        ? [inner]
        : undefined
    : undefined
}

/** True for anything with fields. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
