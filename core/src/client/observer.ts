import type { ErrorWithStatus } from '../endpoint/result.js'

/** Something that has a snapshot and notifies of its changes; every adapter binds to it. */
export interface Observer<Snapshot> {
  /** Returns the current value: without side effects, and the same reference until a visible change. */
  getSnapshot(): Snapshot
  /** Returns what a server rendered, while a page takes that over: frameworks compare it with the page. */
  getServerSnapshot?(): Snapshot
  /**
   * Keeps the snapshot up to date (fetches, polls, retains) and calls `onChange` after each change, until the returned function is
   * called.
   */
  subscribe(onChange: () => void): () => void
}

/**
 * The snapshot of a query: one immutable object. A new one is made when `data`, `error` or `status` changes.
 *
 * @remarks
 * `refreshing`, `failureCount` and `failureReason` are read from the query when they are accessed, and neither make a new snapshot nor
 * notify: a poll that returns the same data re-renders nothing. To follow them, subscribe to `query.fetching`.
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

/** The attempts of the request of a key that have failed so far. */
export interface RetryState {
  /**
   * How many have failed while `retry` repeats the request; 0 while none has, and as soon as it has settled. Rendered for like
   * `refreshing`.
   */
  readonly failureCount: number
  /** The error of the last of them. */
  readonly failureReason: ErrorWithStatus | undefined
}

/** The members of every snapshot of a query, whatever its status. */
export interface QueryMembers extends RetryState {
  /** True while there is nothing to show and a request is expected. */
  readonly loading: boolean
  /**
   * True while a request is in flight and something is shown: data, an error, or both. Components render for a change of it only if they
   * read it: a poll that returns the same data re-renders nothing else.
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
   * Fetches missing data. The promise resolves when the query is no longer pending, and never rejects; each attempt has a new one.
   *
   * @param before - what the caller has read with other arguments before: that is the cause that events tell, and what was about to be
   * fetched again for the caller alone is not
   */
  load(before?: LiveQuery<unknown>): Promise<void>
  /**
   * Sends one request, or joins one that started after the last mutation settled. An error without data beside it makes way for
   * `loading`. The promise resolves when the request has settled, and never rejects. A bound function.
   */
  readonly refetch: () => Promise<void>
  /**
   * True while a request of the key is in flight: an observer of its own, so that only its subscribers are notified of it. It also notifies
   * when an attempt has failed that `retry` repeats, and of each request if several overlap.
   */
  readonly fetching: Observer<boolean>
  /**
   * For hooks: the query that fetches for this one, if another does. A reader that subscribes to it may exchange this one for another
   * of the same root without subscribing anew.
   */
  readonly root?: LiveQuery<unknown>
  /**
   * For hooks: the query to use in place of this one by a reader that has used `before` until now. The query of `keepPrevious` shows the
   * previous data; for most queries it is the query itself.
   */
  after(before: LiveQuery<unknown> | undefined): LiveQuery<Data>
}

/** A kind of observer that is imported separately, for `controller.observe`: `poll` is one. */
export interface ObserverKind<Shown> {
  /** The type of what its observers show, for the compiler alone. */
  readonly '~shown'?: Shown
}
