import { NetworkError } from '../rest/network-error.js'
import { headerOf } from '../rest/response.js'
import { ResponseParseError } from '../util/errors.js'
import { toError } from '../util/thrown.js'
import { LiveRefusedError } from './refused-error.js'
import type { LiveMessage, WireContext } from './wire.js'

/** The options of `sse`, `ndjson` and `longPoll`. */
export interface HttpWireOptions {
  /** More options of `fetch`, such as `credentials`. */
  readonly init?: RequestInit | undefined
  /**
   * The longest event or line, or response of `longPoll`, in characters: a longer one ends the connection.
   *
   * @default 1_048_576; of `longPoll` 16_777_216
   */
  readonly maxLength?: number | undefined
}

/** The default of `maxLength`. */
export const MAX_LENGTH = 1_048_576

/** Statuses with which a server refuses further connections. */
const REFUSALS: readonly number[] = [204, 401, 403, 404, 410]

/** Requests a stream of a content type. Returns it with the message that names the event after which it begins. */
export async function openStream(
  { url, headers, lastEventId, eventIdHeader, signal, send }: WireContext,
  type: string,
  init: RequestInit | undefined,
): Promise<{ readonly response: Response; readonly opened: LiveMessage }> {
  const all = new Headers(headers)
  if (!all.has('accept')) all.set('accept', type)
  if (lastEventId !== undefined) all.set('last-event-id', headerText(lastEventId))
  const response = await send(url, { cache: 'no-store', ...init, headers: all, signal })
  const { status, ok } = response
  if (REFUSALS.includes(status)) {
    drop(response)
    throw new LiveRefusedError(url, { status })
  }
  if (!ok) throw new NetworkError(response, { url, method: init?.method ?? 'GET' })
  const mime = headerOf(response, 'content-type')
  if (mime !== undefined && !mime?.startsWith(type)) {
    drop(response)
    throw new ResponseParseError(url, status, mime, '')
  }
  return { response, opened: { type: 'opened', id: headerOf(response, eventIdHeader) ?? undefined } }
}

/** Cancels the body of a response that is not needed. */
function drop({ body }: Response): void {
  void body?.cancel().catch(() => {})
}

/** Returns a text in the form that headers accept: its UTF-8 bytes as characters. */
function headerText(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')
}

/** Yields the text of a response as it arrives. */
export async function* textOf({ body }: Response, { awaitByte }: WireContext): AsyncGenerator<string, void> {
  if (body === null) return
  awaitByte()
  const stream = body.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { done, value } = await stream.read()
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    void stream.cancel().catch(() => {})
  }
}

/** Parses JSON text. Reports invalid text, and returns undefined for it. */
export function parsed(text: string, { url, report }: WireContext, type: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    report(new ResponseParseError(url, 200, type, text, { cause: toError(cause, url) }))
    return undefined
  }
}

/** Parses a message of a wire with JSON messages. Reports anything else, and returns undefined for it. */
export function messageOf(text: string, context: WireContext, type: string): LiveMessage | undefined {
  const value = parsed(text, context, type)
  if (value === undefined) return undefined
  if (isMessage(value)) return value
  context.report(new ResponseParseError(context.url, 200, type, text))
  return undefined
}

/** True for an object whose `type` and `id` are texts or undefined. */
export function isMessage(value: unknown): value is LiveMessage {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { type, id } = value as { readonly type?: unknown; readonly id?: unknown }
  return (type === undefined || typeof type === 'string') && (id === undefined || typeof id === 'string')
}
