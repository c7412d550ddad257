import type { Cause } from '../cause.js'
import type { EndpointInterface } from '../endpoint/options.js'
import type { ErrorWithStatus } from '../endpoint/result.js'
import type { CommitFacts } from '../engine/on-commit.js'
import { guarded } from '../util/thrown.js'

/**
 * A request, as events report it. `endpoint`, `args` and `key` may contain credentials (the body of a login, a token
 * in a URL), so they are not enumerable: a logger that serializes the event omits them.
 */
export interface RequestEvent {
  /** The endpoint's name, without credentials. */
  readonly name: string
  readonly endpoint: EndpointInterface
  readonly args: readonly unknown[]
  readonly key: string
  /** The request's sequence number; later requests have greater ones. */
  readonly id: number
  /** Why it was sent. */
  readonly cause: Cause
}

/** A failed attempt of a request that will be sent again. */
export interface RetryEvent extends RequestEvent {
  /** The error of the attempt. */
  readonly error: ErrorWithStatus
  /** True if it is sent again only after a sign-in: the outbox has received a 401 and waits for `resume()`. */
  readonly isPaused: boolean
  /** As in `SettleEvent`. */
  readonly sent?: RequestInit | undefined
}

/** A settled request. */
export interface SettleEvent extends RequestEvent {
  /** The error of the request; undefined if it succeeded. */
  readonly error: ErrorWithStatus | undefined
  /** For a mutation, the sequence number of its completion; otherwise 0. */
  readonly done: number
  /**
   * The options that the request was sent with; undefined if it was not sent, or if its endpoint does not report them (a
   * `RestEndpoint` does). They may contain credentials, so this field is not enumerable.
   */
  readonly sent?: RequestInit | undefined
}

/**
 * An action of the application or the page without a request. `key` may contain credentials (a token in a URL), so it
 * is not enumerable.
 */
export interface ActionEvent {
  /** Its sequence number; requests, completions of mutations and actions share one sequence. */
  readonly id: number
  /**
   * `set`: a value or a response was written. `setError`: an error was written, or the signal of a reader's endpoint
   * ended its request. `invalidate`, `expire`: one of the methods with this prefix. `focus`, `online`: `revalidate`
   * checked the mounted readers. `hydrate`: a state was written. `message`: a frame of live messages was written.
   * `connection`: a live source connected or disconnected.
   */
  readonly type:
    | 'set'
    | 'setError'
    | 'invalidate'
    | 'expire'
    | 'dropError'
    | 'focus'
    | 'online'
    | 'hydrate'
    | 'message'
    | 'connection'
  /** The affected data, if it has a name: a fetch key, an endpoint's key pattern, a schema, `Todo 5`, `Todo *` for all. */
  readonly key: string | undefined
}

/**
 * A commit, with more facts while `inspect` of `@roundtable/core/inspect` is attached to the controller. `keys` may
 * contain credentials (a token in a URL), so they are not enumerable.
 */
export interface CommitEvent extends Partial<CommitFacts> {
  /** The affected fetch keys; after `invalidateAll` or `expireAll` only those with observers. */
  readonly keys: readonly string[]
}

/** The events of a controller, by name: for managers, logs and developer tools. */
export interface ControllerEvents {
  /** The application or the page did something without a request. */
  readonly action: ActionEvent
  /** Data, errors or expiry have changed. Emitted after all readers were notified. */
  readonly commit: CommitEvent
  /** A request has started. */
  readonly fetch: RequestEvent
  /** An attempt of a request has failed, and the request will be sent again. */
  readonly retry: RetryEvent
  /** A request has settled. */
  readonly settle: SettleEvent
  /** The store was emptied. */
  readonly reset: { readonly epoch: number }
  /**
   * A request failed, or a callback of the application threw where no caller could receive the error. Requests that the
   * application ended itself, by a signal, a reset or a disposal, are not reported here; `settle` has their error.
   */
  readonly error: { readonly error: ErrorWithStatus; readonly request: RequestEvent | undefined }
}

/** Adds facts that may contain credentials to an event, as fields that are not enumerable. */
export function withHidden<Event extends object, Hidden extends object>(event: Event, hidden: Hidden): Event & Hidden {
  for (const name of Object.keys(hidden) as (keyof Hidden)[])
    Object.defineProperty(event, name, { value: hidden[name] })
  // The event now has the members of both.
  return event as Event & Hidden
}

/** Calls listeners by the name of the event. A listener that throws does not affect the others. */
export class Events {
  /** The listeners by event. Arrays are replaced, so that listeners may unsubscribe while they are called. */
  readonly #listeners = new Map<string, readonly ((event: never) => void)[]>()
  readonly #report: (error: Error) => void

  constructor(report: (error: Error) => void) {
    this.#report = report
  }

  on<Name extends keyof ControllerEvents>(name: Name, listener: (event: ControllerEvents[Name]) => void): () => void {
    const own = (event: ControllerEvents[Name]): void => listener(event)
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), own])
    return () => {
      const left = this.#listeners.get(name)?.filter((other) => other !== own) ?? []
      this.#listeners.set(name, left)
    }
  }

  /** True if there are listeners: without them no event is built. */
  hears(name: keyof ControllerEvents): boolean {
    return (this.#listeners.get(name)?.length ?? 0) > 0
  }

  emit<Name extends keyof ControllerEvents>(name: Name, event: ControllerEvents[Name]): void {
    for (const listener of this.#listeners.get(name) ?? []) {
      // Listeners are stored by the name of their event, so the types match.
      guarded(this.#report, 'A listener', `the event '${name}'`, () => listener(event as never))
    }
  }

  clear(): void {
    this.#listeners.clear()
  }
}
