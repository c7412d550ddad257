import type { Controller, Manager } from './controller.js'

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
   * @default its `status` is 401
   */
  readonly shouldLogout?: (error: Error) => boolean
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
  readonly #shouldLogout: (error: Error) => boolean

  constructor(options: LogoutOptions = {}) {
    this.#handleLogout = options.handleLogout ?? ((controller) => controller.resetEntireStore())
    this.#shouldLogout = options.shouldLogout ?? isUnauthorized
  }

  start(controller: Controller): () => void {
    let hasActed = false
    return controller.on('settle', ({ error }) => {
      if (error === undefined) {
        hasActed = false
      } else if (!hasActed && this.#shouldLogout(error)) {
        hasActed = true
        this.#handleLogout(controller)
      }
    })
  }
}

function isUnauthorized(error: Error): boolean {
  return 'status' in error && error.status === 401
}
