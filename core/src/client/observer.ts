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
