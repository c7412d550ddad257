import type { ReadableAtom } from 'nanostores'

/** Something that can be looked at and that tells when it changes; what every adapter binds to. */
export interface Observer<Snapshot> {
  /** What is there now: pure, and the same reference until something visible changed. */
  getSnapshot(): Snapshot
  /** Keeps it true (fetches, polls, retains) and calls `onChange` after each change, until the returned function is called. */
  subscribe(onChange: () => void): () => void
}

/** What a query shows: one plain immutable object. */
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
export interface Query<Data> extends Observer<QuerySnapshot<Data>> {
  /** Fetches what is missing; settles when no longer pending and never rejects. A new promise for each attempt. */
  load(): Promise<void>
  /** The same snapshot as a nanostores atom, hence as a Svelte store. */
  readonly $snapshot: ReadableAtom<QuerySnapshot<Data>>
}
