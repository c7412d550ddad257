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

/** The snapshot of a query: one plain immutable object. */
export type QuerySnapshot<Data> =
  | { readonly status: 'idle' | 'pending'; readonly data: undefined; readonly error: undefined }
  | { readonly status: 'ready'; readonly data: Data; readonly error: undefined }
  | { readonly status: 'failed'; readonly data: Data | undefined; readonly error: Error }

/**
 * A read of an endpoint that fetches and stays up to date while it has subscribers.
 *
 * @example
 * ```ts
 * const todos = controller.query(getTodos, { userId: 1 })
 * const stop = todos.subscribe(() => console.log(todos.getSnapshot().data))
 * ```
 */
export interface LiveQuery<Data> extends Observer<QuerySnapshot<Data>> {
  /** Fetches missing data. The promise resolves when the query is no longer pending, and never rejects; each attempt has a new one. */
  load(): Promise<void>
}

/** A kind of observer that is imported separately, for `controller.observe`: `poll` is one. */
export interface ObserverKind<Shown> {
  /** The type of what its observers show, for the compiler alone. */
  readonly '~shown'?: Shown
}
