import { abortError } from '../endpoint/abort.js'
import { describe, describeType } from '../util/describe.js'
import { OptionError, ResponseParseError, TransportError } from '../util/errors.js'
import { safeUrl } from '../util/safe-url.js'
import type { Content } from './generics.js'

/** The request of a response, for errors. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly signal?: AbortSignal | null | undefined
}

/**
 * Reads the body of a response by `content`, or else by its content type.
 *
 * @remarks
 * The result is null for 204, 205 and responses to HEAD, and for an empty body where JSON is expected. Without a content
 * type, text is parsed as JSON only if `hasSchema`. If the headers cannot be read (a framework's own `fetch`), a schema
 * means JSON, and without one, text is parsed as JSON if possible.
 *
 * @example
 * ```ts
 * await readBody(new Response('{"id":5}', { headers: { 'content-type': 'application/json' } }), undefined, false, sent)
 * ```
 * @throws ResponseParseError for JSON that is none, and for a page where a schema needs data; TransportError if the connection breaks, AbortError, TimeoutError
 */
export async function readBody(
  response: Response,
  content: Content | undefined,
  hasSchema: boolean,
  sent: SentRequest,
): Promise<unknown> {
  if (response.status === 204 || response.status === 205 || sent.method === 'HEAD') return null
  const type = headerOf(response, 'content-type')
  if (content === 'stream') return response.body
  if (content === 'blob' || content === 'arrayBuffer' || content === 'text') {
    return received<unknown>(sent, response[content]())
  }
  const isExpected = content === 'json' || isJson(type) || (type === undefined && hasSchema)
  if (!isExpected && type && !isText(type)) return received(sent, response.blob())
  const text = await received(sent, response.text())
  const isPage = htmlPage.test(text)
  const mustParse = isExpected || (isPage && hasSchema)
  if (process.env.NODE_ENV !== 'production' && isPage && !mustParse && content === undefined) {
    console.warn(
      `Got HTML from ${safeUrl(response.url || sent.url)}: is urlPrefix missing? If you want HTML, set content: 'text'.`,
    )
  }
  if (!mustParse && type !== undefined && (type || !hasSchema)) return text
  if (text.trim() === '') return null
  try {
    return JSON.parse(text)
  } catch (cause) {
    if (!mustParse) return text
    throw new ResponseParseError(response.url || sent.url, response.status, type ?? null, text, { cause, isPage })
  }
}

/** Matches the beginning of an HTML document, with which development servers respond to unknown paths. */
const htmlPage = /^\s*<(?:!doctype html|html)\b/i

/**
 * Awaits a response or its body, and converts the platform's errors.
 *
 * @throws TransportError, AbortError, TimeoutError
 *
 * @example
 * ```ts
 * const response = await received({ method: 'GET', url: '/todos' }, fetch('/todos'))
 * ```
 */
export async function received<T>(sent: SentRequest, response: Promise<T>): Promise<T> {
  try {
    return await response
  } catch (cause) {
    if (sent.signal?.aborted) throw abortError(sent.signal.reason)
    throw new TransportError(sent.url, sent.method, { cause })
  }
}

/**
 * Throws if a transport or an override of `fetchResponse` did not return a response.
 *
 * @example
 * ```ts
 * checkResponse({ id: 5 }, 'transport') // throws
 * ```
 * @throws OptionError if it is none.
 */
export function checkResponse(response: unknown, option: string): void {
  if (typeof (response as Partial<Response> | undefined | null)?.ok === 'boolean') return
  throw new OptionError(
    option,
    `must resolve with a Response, found ${describeType(response)}.${process.env.NODE_ENV === 'production' ? '' : ' Return fetch(…).'}`,
  )
}

/**
 * For developers: warns if `process` returned undefined for a response with a value, since nothing is stored then. Usually a
 * `return` is missing, or `getList.push` has inherited a `process` that unwraps the list.
 *
 * @example
 * ```ts
 * warnOfLost('getTodos.push', { id: 5 }, undefined)
 * ```
 */
export function warnOfLost(name: string, value: unknown, processed: unknown): void {
  if (processed !== undefined || value === undefined || value === null || value === '') return
  console.warn(
    `process() of ${name} returned undefined for ${describe(value)}, so nothing is stored. Return the data to store. If a push or a page inherits process() from getList, it receives their own response: value.data ?? value.`,
  )
}

// --- content types

/**
 * Returns true if a content-type header means JSON: `application/json`, or anything that ends in `+json`.
 *
 * @example
 * ```ts
 * isJson('Application/Problem+JSON; charset=utf-8') // true
 * ```
 */
export function isJson(header: string | null | undefined): boolean {
  return /^application\/json$|\+json$/.test(mediaType(header))
}

/**
 * Returns true if a content-type header means text: `text/*`, XML, scripts, forms, NDJSON, event streams, YAML, CSV, but not
 * images, not even SVG.
 *
 * @example
 * ```ts
 * isText('application/x-ndjson') // true
 * ```
 */
function isText(header: string | null): boolean {
  const type = mediaType(header)
  return (
    type.startsWith('text/') ||
    (!type.startsWith('image/') && /[/+.-](?:xml|javascript|urlencoded|ndjson|event-stream|yaml|csv)$/.test(type))
  )
}

function mediaType(header: string | null | undefined): string {
  return (header ?? '').split(';', 1).join('').trim().toLowerCase()
}

/**
 * Returns a header of a response: null if there is none, undefined if headers cannot be read, as with SvelteKit's `fetch` in
 * a universal `load`.
 *
 * @example
 * ```ts
 * headerOf(Response.json({}), 'content-type') // 'application/json'
 * ```
 */
export function headerOf({ headers }: { readonly headers: Headers }, name: string): string | null | undefined {
  try {
    return headers.get(name)
  } catch {
    return undefined
  }
}
