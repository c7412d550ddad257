import type { ErrorWithStatus } from '../endpoint/result.js'
import type { Controller, Manager } from './controller.js'
import type { RequestEvent, RetryEvent, SettleEvent } from './events.js'
import { hostOf } from './registry.js'

/** The failed request that `shouldLogout` receives. */
export interface RefusedRequest extends Omit<RequestEvent, 'cause'> {
  /** The headers that were sent; undefined if the endpoint does not report them (a `RestEndpoint` does). */
  readonly headers: Headers | undefined
  /** The `credentials` option of the request, which decides whether cookies were sent. */
  readonly credentials: RequestCredentials | undefined
  /** True if any request has succeeded since the start or the last logout. */
  readonly hasSucceeded: boolean
}

/** The options of `LogoutManager`. */
export interface LogoutOptions {
  /**
   * Called when the session has ended.
   *
   * @default calls `controller.resetEntireStore()`
   */
  readonly handleLogout?: (controller: Controller) => void
  /**
   * Returns true if an error means that the session has ended.
   *
   * @default true if its `status` is 401 and the request may have been sent with a session: with a header such as
   * `Authorization` or `Access-Token`, or with cookies. A mutation without such a header (such as a login) counts only if
   * its `credentials` were set and a request has succeeded since the start or the last logout.
   */
  readonly shouldLogout?: (error: ErrorWithStatus, request: RefusedRequest) => boolean
}

/**
 * A manager that logs out when the server ends the session. It acts once, and again only after a request has succeeded.
 * Readers that fetch again after a logout and get another 401 do not log out again, even if public data of the page loads
 * successfully meanwhile.
 *
 * @remarks
 * A reader that is refused while the store is empty does not log out, unless it may have sent a token: a guest's
 * `GET /me` shows its error.
 *
 * @example
 * ```ts
 * const controller = new Controller({ managers: [new LogoutManager({ handleLogout: () => location.assign('/login') })] })
 * ```
 */
export class LogoutManager implements Manager {
  readonly #handleLogout: (controller: Controller) => void
  readonly #shouldLogout: (error: ErrorWithStatus, request: RefusedRequest) => boolean

  constructor(options: LogoutOptions = {}) {
    this.#handleLogout = options.handleLogout ?? ((controller) => controller.resetEntireStore())
    this.#shouldLogout = options.shouldLogout ?? isRefused
  }

  start(controller: Controller): () => void {
    let hasActed = false
    let hasSucceeded = false
    /** The keys of refused reads. The success of one of them shows that there is a session, and clears the set. */
    const refusedKeys = new Set<string>()
    const succeeded = (key: string): void => {
      hasActed = false
      hasSucceeded = true
      if (refusedKeys.has(key)) refusedKeys.clear()
    }
    const failed = (event: RetryEvent | SettleEvent, error: ErrorWithStatus): void => {
      const { key, cause } = event
      const request = refused(event, hasSucceeded)
      const isEmpty = cause.type !== 'call' && !maySendToken(request) && hasNothing(controller)
      if (!isEmpty && this.#shouldLogout(error, request)) {
        // A read that was refused before is a retry after the logout; the application's own calls are not retried.
        const isKnown = hasActed || (cause.type !== 'call' && refusedKeys.has(key))
        refusedKeys.add(key)
        if (isKnown) return
        hasActed = true
        hasSucceeded = false
        this.#handleLogout(controller)
      }
    }
    const stops = [
      controller.on('settle', (event) => (event.error ? failed(event, event.error) : succeeded(event.key))),
      // A mutation of the outbox that is refused does not settle: it waits for a sign-in.
      controller.on('retry', (event) => event.isPaused && failed(event, event.error)),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }
}

/** True if the store is empty, so that a logout would remove nothing. */
function hasNothing(controller: Controller): boolean {
  const { store } = hostOf(controller).runtime
  if ([...store.entries.values()].some(({ response }) => response)) return false
  return ![...store.table.kinds.values()].some(({ wasThere }) => wasThere)
}

function refused(
  { name, key, endpoint, args, id, sent }: RetryEvent | SettleEvent,
  hasSucceeded: boolean,
): RefusedRequest {
  return { name, key, endpoint, args, id, headers: headersOf(sent), credentials: sent?.credentials, hasSucceeded }
}

/** Returns the headers; undefined if the platform refuses them, since such a request was not sent. */
function headersOf(sent: RequestInit | undefined): Headers | undefined {
  try {
    return sent && new Headers(sent.headers)
  } catch {
    return undefined
  }
}

/** Matches names of headers that identify a session, in any case, which some test environments keep. CSRF tokens do not. */
const session = /^(?:.*auth.*|cookie|.*session.*|(?:x-)?access-token|(?:x-)?api-key)$/i

/** True if the request has a session header, or if its endpoint does not report its headers. */
function maySendToken({ headers }: RefusedRequest): boolean {
  return headers === undefined || [...headers.keys()].some((name) => session.test(name))
}

function isRefused(error: ErrorWithStatus, request: RefusedRequest): boolean {
  const { endpoint, credentials, hasSucceeded } = request
  if (error.status !== 401) return false
  if (maySendToken(request)) return true
  if (credentials === 'omit') return false
  // Requests have cookies by default. A read is refused only if it needs a session, but a login may be refused without one.
  return endpoint.sideEffect !== true || (credentials !== undefined && hasSucceeded)
}
