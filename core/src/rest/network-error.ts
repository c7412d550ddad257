import { startTimer, stopTimer } from '../util/env.js'
import { errorPage } from '../util/error-page.js'
import { RoundtableError } from '../util/errors.js'
import { safeUrl } from '../util/safe-url.js'
import { headerOf, isJson } from './response.js'

/**
 * The server responded with an error status: `response.ok` is false.
 *
 * @remarks
 * The error reads the beginning of the response's body (at most 64 KiB and 5 seconds) when it is created, so that the
 * connection is released; `body()` parses it. Logs of the error contain neither body nor headers.
 *
 * @example
 * ```ts
 * try {
 *   await createTodo({ title: '' })
 * } catch (error) {
 *   if (error instanceof NetworkError && error.status === 422) showProblems(await error.body())
 * }
 * ```
 */
export class NetworkError extends RoundtableError {
  override readonly name: string = 'NetworkError'
  override readonly code: string = 'NETWORK'
  declare readonly status: number
  declare readonly statusText: string
  declare readonly url: string
  declare readonly method: string
  readonly #headers: Headers
  readonly #text: Promise<string>
  #body: Promise<unknown> | undefined

  /** `sent` contains the method, which a response does not have, and the URL in case the response has none. */
  constructor(response: Response, sent?: ErrorOptions & { readonly method?: string; readonly url?: string }) {
    const { status, statusText, headers } = response
    const url = safeUrl(response.url || sent?.url || '')
    const method = sent?.method ?? 'GET'
    super(
      `${`${method} ${url}`.trim()} responded with ${`${status} ${statusText}`.trim()}.${process.env.NODE_ENV === 'production' ? '' : ` What the server says is in body().${errorPage('NETWORK')}`}`,
      sent,
    )
    this.status = status
    this.statusText = statusText
    this.url = url
    this.method = method
    this.#headers = headers
    this.#text = beginningOf(response)
  }

  /** The headers of the response. */
  get headers(): Headers {
    return this.#headers
  }

  /** Returns the body of the response, parsed once: data if it is JSON, else its text. It never rejects. */
  body(): Promise<unknown> {
    const type = headerOf(this, 'content-type')
    this.#body ??= this.#text.then((text) => (type === undefined || isJson(type) ? dataOr(text) : text))
    return this.#body
  }
}

function dataOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const mostBytes = 65_536
const mostTime = 5_000

async function beginningOf({ body }: Response): Promise<string> {
  if (!body || body.locked) return ''
  const stream = body.getReader()
  // If the response breaks off, its beginning is used.
  const stop = (): Promise<void> => stream.cancel().catch(() => {})
  const timer = startTimer(stop, mostTime)
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (let bytes = 0; bytes < mostBytes; ) {
      const { done, value } = await stream.read()
      if (done) break
      bytes += value.byteLength
      text += decoder.decode(value, { stream: true })
    }
  } catch {}
  stopTimer(timer)
  await stop()
  return text
}
