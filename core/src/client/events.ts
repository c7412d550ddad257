import type { EndpointInterface } from '../endpoint/options.js'
import { CallbackError } from '../util/errors.js'

/** A request, as events tell of it. */
export interface RequestEvent {
  readonly endpoint: EndpointInterface
  readonly args: readonly unknown[]
  readonly key: string
  /** The request's own number: later requests have greater ones. */
  readonly id: number
}

/** The end of a request. */
export interface SettleEvent extends RequestEvent {
  /** What it failed with; undefined if it succeeded. */
  readonly error: Error | undefined
  /**
   * What it was sent with; undefined if it was not, or if its endpoint does not say (a `RestEndpoint` does). It may hold
   * credentials, so it is hidden from logs.
   */
  readonly sent?: RequestInit | undefined
}

/** What happens in a controller, by name: for managers, logs and developer tools. */
export interface ControllerEvents {
  /** Data, errors or marks changed; told after all readers were. Of a mark of whole endpoints `keys` are those that are observed. */
  readonly commit: { readonly keys: readonly string[] }
  /** A request starts. */
  readonly fetch: RequestEvent
  /** A request is over. */
  readonly settle: SettleEvent
  /** The store was emptied. */
  readonly reset: { readonly epoch: number }
  /** A request failed, or a user's function threw where no caller could hear of it. */
  readonly error: { readonly error: Error; readonly request: RequestEvent | undefined }
}

/** Calls listeners by the name of what happened; one that throws does not keep others from hearing. */
export class Events {
  readonly #listeners = new Map<string, Set<(event: never) => void>>()
  readonly #report: (error: Error) => void

  constructor(report: (error: Error) => void) {
    this.#report = report
  }

  on<Name extends keyof ControllerEvents>(name: Name, listener: (event: ControllerEvents[Name]) => void): () => void {
    const listeners = this.#listeners.get(name) ?? new Set()
    this.#listeners.set(name, listeners)
    const own = (event: ControllerEvents[Name]): void => listener(event)
    listeners.add(own)
    return () => {
      this.#listeners.get(name)?.delete(own)
    }
  }

  emit<Name extends keyof ControllerEvents>(name: Name, event: ControllerEvents[Name]): void {
    for (const listener of [...(this.#listeners.get(name) ?? [])]) {
      try {
        // A listener stands under the name of the events that it takes.
        listener(event as never)
      } catch (cause) {
        this.#report(new CallbackError('A listener', `the event '${name}'`, { cause }))
      }
    }
  }

  clear(): void {
    this.#listeners.clear()
  }
}
