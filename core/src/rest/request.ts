import { OptionError } from '../tools/errors.js'

/**
 * Puts the options of a request together: headers as a plain record, and the body as text if it is to be JSON.
 *
 * @example
 * ```ts
 * requestInit({ credentials: 'include' }, 'POST', undefined, { title: 'Milk' })
 * // { credentials: 'include', method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"title":"Milk"}' }
 * ```
 */
export function requestInit(
  base: RequestInit | undefined,
  method: string,
  signal: AbortSignal | undefined,
  body: unknown,
): RequestInit & { headers: Record<string, string> } {
  const headers = recordOf(base?.headers)
  const init: RequestInit & { headers: Record<string, string>; duplex?: 'half' } = { ...base, method, headers }
  if (signal) init.signal = signal
  if (body === undefined) return init
  const tag = Object.prototype.toString.call(body)
  if (typeof body !== 'string' && !ArrayBuffer.isView(body) && !sentAsItIs.test(tag)) {
    init.body = JSON.stringify(body)
    if (!Object.keys(headers).some(isContentType)) headers[contentType] = json
  } else {
    // Not JSON: one of the kinds that fetch knows. It takes a stream only if told that it need not be read to its end first.
    init.body = body as BodyInit
    if (tag === '[object ReadableStream]') init.duplex = 'half'
  }
  return init
}

/**
 * Removes the content-type that `requestInit` has added if there is one of the user's too, in whatever letter case.
 *
 * @example
 * ```ts
 * withoutDouble({ 'content-type': 'application/json', 'Content-Type': 'text/csv' }) // { 'Content-Type': 'text/csv' }
 * ```
 */
export function withoutDouble(headers: HeadersInit): HeadersInit {
  if (headers instanceof Headers || Symbol.iterator in headers) return headers
  const isDouble = headers[contentType] === json && Object.keys(headers).filter(isContentType).length > 1
  if (!isDouble) return headers
  const { [contentType]: _ours, ...users } = headers
  return users
}

/**
 * Says which header the platform refuses; undefined if they are all right. The value is left out: it may be a credential.
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
      return new OptionError('headers', `has a character in '${name}' that HTTP does not allow. Encode it.`)
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
    record[name] = name in record ? `${record[name]}, ${value}` : value
  }
  return record
}

function pairsOf(headers: HeadersInit = {}): Iterable<readonly [string, string]> {
  // An iterable of headers has pairs, whichever it is.
  return Symbol.iterator in headers ? (headers as Iterable<[string, string]>) : Object.entries(headers)
}

/** Bodies that fetch takes as they are, by their tags: they may be of any realm, or a polyfill's. */
const sentAsItIs = /^\[object (?:FormData|URLSearchParams|Blob|File|(?:Shared)?ArrayBuffer|ReadableStream)\]$/
