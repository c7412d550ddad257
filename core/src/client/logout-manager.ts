import type { Controller, Manager } from './controller.js'
import type { RequestEvent, SettleEvent } from './events.js'

/** A request that failed, as `shouldLogout` is asked about it. */
export interface RefusedRequest extends RequestEvent {
  /** The headers that it was sent with; undefined where its endpoint does not say (a `RestEndpoint` does). */
  readonly headers: Headers | undefined
  /** The `credentials` that it was sent with: whether cookies went along. */
  readonly credentials: RequestCredentials | undefined
  /** True if any request has succeeded since the last logout, or since the start. */
  readonly hasSucceeded: boolean
}

/** What a `LogoutManager` does, and when. */
export interface LogoutOptions {
  /**
   * Called when a request shows that the session is over.
   *
   * @default empties the store
   */
  readonly handleLogout?: (controller: Controller) => void
  /**
   * Whether an error means that the session is over.
   *
   * @default its `status` is 401, and the request may have been sent with a session: with a header such as `Authorization` or
   * `Access-Token`, or with cookies. A mutation without such a header (a login, say) counts only if its `credentials` were set, and any
   * request has succeeded since the last logout.
   */
  readonly shouldLogout?: (error: Error, request: RefusedRequest) => boolean
}

/**
 * Ends the session when the server says that it is over. It acts once, and again only after a request has succeeded since: readers
 * that fetch anew after a logout and are refused again do not log out again.
 *
 * @example
 * ```ts
 * const controller = new Controller({ managers: [new LogoutManager({ handleLogout: () => location.assign('/login') })] })
 * ```
 */
export class LogoutManager implements Manager {
  readonly #handleLogout: (controller: Controller) => void
  readonly #shouldLogout: (error: Error, request: RefusedRequest) => boolean

  constructor(options: LogoutOptions = {}) {
    this.#handleLogout = options.handleLogout ?? ((controller) => controller.resetEntireStore())
    this.#shouldLogout = options.shouldLogout ?? isRefused
  }

  start(controller: Controller): () => void {
    let hasActed = false
    let hasSucceeded = false
    return controller.on('settle', (event) => {
      const { error } = event
      if (error === undefined) {
        hasActed = false
        hasSucceeded = true
      } else if (!hasActed && this.#shouldLogout(error, refused(event, hasSucceeded))) {
        hasActed = true
        hasSucceeded = false
        this.#handleLogout(controller)
      }
    })
  }
}

function refused({ key, endpoint, args, id, sent }: SettleEvent, hasSucceeded: boolean): RefusedRequest {
  return { key, endpoint, args, id, headers: headersOf(sent), credentials: sent?.credentials, hasSucceeded }
}

/** Headers that no request can have are those of one that was not sent. */
function headersOf(sent: RequestInit | undefined): Headers | undefined {
  try {
    return sent && new Headers(sent.headers)
  } catch {
    return undefined
  }
}

/** Names of headers that carry a session; tokens against forged requests do not. */
const session = /^(?:.*auth.*|cookie|.*session.*|(?:x-)?access-token|(?:x-)?api-key)$/

function isRefused(error: Error, { endpoint, headers, credentials, hasSucceeded }: RefusedRequest): boolean {
  if (!('status' in error) || error.status !== 401) return false
  // Of some endpoints nobody knows what they send.
  if (headers === undefined || [...headers.keys()].some((name) => session.test(name))) return true
  if (credentials === 'omit') return false
  // Cookies go along by default: a read that needs none is not refused, but a login is.
  return endpoint.sideEffect !== true || (credentials !== undefined && hasSucceeded)
}
