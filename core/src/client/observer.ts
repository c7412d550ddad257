/** Something that has a snapshot and notifies of its changes; every adapter binds to it. */
export interface Observer<Snapshot> {
  /** The current value: pure, and the same reference until something visible changed. */
  getSnapshot(): Snapshot
  /** Keeps the snapshot true (fetches, polls, retains) and calls `onChange` after each change, until the returned function is called. */
  subscribe(onChange: () => void): () => void
}

/** The snapshot of a query: one plain immutable object. */
export type QuerySnapshot<Data> =
  | { readonly status: 'idle' | 'pending'; readonly data: undefined; readonly error: undefined }
  | { readonly status: 'ready'; readonly data: Data; readonly error: undefined }
  | { readonly status: 'failed'; readonly data: Data | undefined; readonly error: Error }

/**
 * A read that stays true while somebody subscribes.
 *
 * @example
 * ```ts
 * const todos = controller.query(getTodos, { userId: 1 })
 * const stop = todos.subscribe(() => console.log(todos.getSnapshot().data))
 * ```
 */
export interface LiveQuery<Data> extends Observer<QuerySnapshot<Data>> {
  /** Fetches what is missing; settles when no longer pending and never rejects. A new promise for each attempt. */
  load(): Promise<void>
}
