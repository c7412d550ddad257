import { errorPage } from '../util/error-page.js'
import { RoundtableError } from '../util/errors.js'
import { safeUrl } from '../util/safe-url.js'

/**
 * A server refused a live source, which does not reconnect until the store is reset. `status` is that of the HTTP
 * response, `closeCode` that of a WebSocket.
 *
 * @example
 * ```ts
 * const error = new LiveRefusedError('https://api.test/events', { status: 401 })
 * ```
 */
export class LiveRefusedError extends RoundtableError {
  override readonly name: string = 'LiveRefusedError'
  override readonly code: string = 'LIVE_REFUSED'
  declare readonly url: string
  declare readonly status: number | undefined
  declare readonly closeCode: number | undefined

  constructor(
    url: string,
    { status, closeCode, ...options }: ErrorOptions & { readonly status?: number; readonly closeCode?: number },
  ) {
    const said = status === undefined ? `close code ${closeCode}` : `status ${status}`
    const hint =
      process.env.NODE_ENV === 'production'
        ? ''
        : ` It is asked again after a reset of the store, such as that of a login.${errorPage('LIVE_REFUSED')}`
    super(`The live source ${safeUrl(url)} was refused with ${said}.${hint}`, options)
    this.url = safeUrl(url)
    this.status = status
    this.closeCode = closeCode
  }
}
