import type { ErrorWithStatus } from '../endpoint/result.js'

/** An observable snapshot; every adapter binds to this interface. */
export interface Observer<Snapshot> {
  /** Returns the current value: without side effects, and the same reference until a visible change. */
  getSnapshot(): Snapshot
  /** Returns the server-rendered value during hydration, which frameworks compare with the page. */
  getServerSnapshot?(): Snapshot
  /**
   * Keeps the snapshot up to date (fetches, polls, retains) and calls `onChange` after each change, until the returned
   * function is called.
   */
  subscribe(onChange: () => void): () => void
}

/**
 * The snapshot of a query: one immutable object. A new one is made when `data`, `error` or `status` changes.
 *
 * @remarks
 * `refreshing`, `failureCount` and `failureReason` are read from the query when they are accessed, and neither make a new
 * snapshot nor notify: a poll that returns the same data re-renders nothing. To follow them, subscribe to `query.fetching`.
 */
export type QuerySnapshot<Data> = QueryMembers &
  (
    | { readonly status: 'idle'; readonly data: undefined; readonly error: undefined; readonly loading: false }
    | { readonly status: 'pending'; readonly data: undefined; readonly error: undefined; readonly loading: true }
    | { readonly status: 'ready'; readonly data: Data; readonly error: undefined; readonly loading: false }
    | {
        readonly status: 'failed'
        readonly data: Data | undefined
        readonly error: ErrorWithStatus
        readonly loading: false
      }
  )

/** The failed attempts of a key's current request. */
export interface RetryState {
  /**
   * The number of failed attempts while `retry` repeats the request; 0 before the first failure and after the request
   * has settled. Like `refreshing`, it renders only components that read it.
   */
  readonly failureCount: number
  /** The error of the last failed attempt. */
  readonly failureReason: ErrorWithStatus | undefined
}

/** The members of every snapshot of a query, whatever its status. */
export interface QueryMembers extends RetryState {
  /** True while there is nothing to show and a request is expected. */
  readonly loading: boolean
  /**
   * True while a request is in flight and data or an error is shown. Only components that read it render when it
   * changes, so a poll that returns the same data renders no others.
   */
  readonly refreshing: boolean
  /** Sends one request, or joins one that started after the last mutation settled. Never rejects. */
  readonly refetch: () => Promise<void>
}

/**
 * A read of an endpoint that fetches and stays up to date while it has subscribers.
 *
 * @example
 * ```ts
 * const todos = controller.watch(getTodos, { userId: 1 })
 * const stop = todos.subscribe(() => console.log(todos.getSnapshot().data))
 * ```
 */
export interface LiveQuery<Data> extends Observer<QuerySnapshot<Data>> {
  /**
   * Fetches missing data. The promise resolves when the query is no longer pending, and never rejects; each attempt has a
   * new one.
   *
   * @param before - the query that the caller used before, with other arguments: events report the change of
   * arguments as the cause, and a pending refetch for this caller alone is dropped
   */
  load(before?: LiveQuery<unknown>): Promise<void>
  /**
   * Sends one request, or joins one that started after the last mutation settled. An error without data is replaced
   * by `loading`. The promise resolves when the request has settled, and never rejects. A bound function.
   */
  readonly refetch: () => Promise<void>
  /**
   * True while a request of the key is in flight. This is a separate observer, so only its own subscribers are
   * notified. It also notifies when `retry` repeats a failed attempt, and for each of several overlapping requests.
   */
  readonly fetching: Observer<boolean>
  /**
   * For hooks: the underlying query that fetches for this one, if any. A reader that subscribes to it can switch to
   * another query with the same root without resubscribing.
   */
  readonly root?: LiveQuery<unknown>
  /**
   * For hooks: returns the query to use instead of this one if the reader has used `before`. A `keepPrevious` query
   * then shows the previous data; most queries return themselves.
   */
  after(before: LiveQuery<unknown> | undefined): LiveQuery<Data>
}

/** A kind of observer that is imported separately, for `controller.observe`: `poll` is one. */
export interface ObserverKind<Shown> {
  /** The type of what its observers show, for the compiler alone. */
  readonly '~shown'?: Shown
}
