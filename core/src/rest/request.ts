import { describeType } from '../util/describe.js'
import { OptionError } from '../util/errors.js'
import { methodOf } from './endpoint-info.js'

/** The members of an endpoint that are used to build its requests. */
export interface Requester {
  readonly method: string
  readonly requestInit?: RequestInit | undefined
  readonly signal?: AbortSignal | undefined
  getHeaders(headers: Record<string, string>): HeadersInit | Promise<HeadersInit>
}

/**
 * Builds the options of a request: headers as a plain record, and a JSON body as text.
 *
 * @example
 * ```ts
 * await preparedInit(createTodo, { title: 'Milk' })
 * // { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"title":"Milk"}' }
 * ```
 */
export async function preparedInit(endpoint: Requester, body: unknown): Promise<RequestInit> {
  const { requestInit, signal } = endpoint
  const init: RequestInit & { duplex?: 'half' } = { ...requestInit, method: methodOf(endpoint) }
  const headers = recordOf(requestInit?.headers)
  if (signal) init.signal = signal
  if (body !== undefined) {
    const tag = Object.prototype.toString.call(body)
    const isJson = typeof body !== 'string' && !ArrayBuffer.isView(body) && !sentAsItIs.test(tag)
    // A body other than JSON has one of the types that fetch accepts.
    init.body = isJson ? jsonOf(body) : (body as BodyInit)
    // fetch accepts a stream only with `duplex`, since the stream may end after the response begins.
    if (tag === '[object ReadableStream]') init.duplex = 'half'
    if (isJson && !Object.keys(headers).some(isContentType)) headers[contentType] = json
  }
  // An override may change the record that it receives, and return nothing.
  return { ...init, headers: withoutDouble((await endpoint.getHeaders(headers)) ?? headers) }
}

/** Returns a body as JSON text. Throws if it has none. */
function jsonOf(body: unknown): string {
  try {
    return JSON.stringify(body)
  } catch (cause) {
    const [reason] = String(cause).split('\n')
    throw new OptionError(
      'body',
      `cannot be JSON (${reason}).${process.env.NODE_ENV === 'production' ? '' : ' Pass plain data without cycles and BigInts.'}`,
      { cause },
    )
  }
}

/**
 * Throws if `getRequestInit` did not return the options of `fetch`.
 *
 * @example
 * ```ts
 * checkInit(undefined) // throws
 * ```
 * @throws OptionError if it did not.
 */
export function checkInit(init: unknown): void {
  if (typeof init === 'object' && init !== null) return
  throw new OptionError('getRequestInit', `must return the options of fetch, found ${describeType(init)}.`)
}

/** Removes our content-type if the user has set one, in any letter case. */
function withoutDouble(headers: HeadersInit): HeadersInit {
  if (Symbol.iterator in headers || headers[contentType] !== json) return headers
  const { [contentType]: _ours, ...others } = headers
  return Object.keys(others).some(isContentType) ? others : headers
}

/**
 * Returns an error that names the header that the platform refuses; undefined if there is none. It omits the value, which
 * may be a credential.
 *
 * @example
 * ```ts
 * badHeader({ 'Access-Token': 'a\nb' })?.message
 * ```
 */
export function badHeader(headers: HeadersInit | undefined): OptionError | undefined {
  for (const [name, value] of headers instanceof Headers ? [] : pairsOf(headers)) {
    try {
      new Headers([[name, value]])
    } catch {
      return new OptionError(
        'headers',
        `has a character in '${name}' that HTTP does not allow.${process.env.NODE_ENV === 'production' ? '' : ' Encode it.'}`,
      )
    }
  }
  return undefined
}

const contentType = 'content-type'
const json = 'application/json'

function isContentType(name: string): boolean {
  return name.toLowerCase() === contentType
}

function recordOf(headers: HeadersInit | undefined): Record<string, string> {
  const record: Record<string, string> = {}
  for (const [name, value] of pairsOf(headers)) {
    record[name] = Object.hasOwn(record, name) ? `${record[name]}, ${value}` : value
  }
  return record
}

function pairsOf(headers: HeadersInit = {}): Iterable<readonly [string, string]> {
  // Any iterable of headers contains pairs.
  return Symbol.iterator in headers ? (headers as Iterable<[string, string]>) : Object.entries(headers)
}

/** Matches the tags of bodies that fetch accepts unchanged, including those of other realms and polyfills. */
const sentAsItIs = /^\[object (?:FormData|URLSearchParams|Blob|File|(?:Shared)?ArrayBuffer|ReadableStream)\]$/
