import type { Row } from '../table/row.js'
import { guarded } from '../util/thrown.js'
import type { Entry } from './entry.js'

/** Additional facts of a commit event while the store is being inspected. */
export interface CommitFacts {
  /**
   * The `id`s of the requests and actions of this commit: several after `controller.notifyOnce`. A number below 1 is
   * a server-rendered response.
   */
  readonly causes: readonly number[]
  /** How many readers were notified. */
  readonly readers: number
  /** The number of rows whose visible value changed. */
  readonly rowCount: number
  /** Compares the first 20 changed rows. */
  readonly rows: () => readonly RowChange[]
  /** The observers of the readers that were notified, for `Inspection.describe`. */
  readonly notified: readonly object[]
}

/**
 * A row whose visible value a commit changed. Values are records as stored in the table, with primary keys for relations.
 */
export interface RowChange {
  /** The `key` of the entity or of the Collection. */
  readonly kind: string
  readonly pk: string
  /** The fields whose values differ. */
  readonly fields: readonly string[]
  /** The value that was visible before; undefined if there was no row. */
  readonly before: unknown
  /** The value that is visible now; undefined if the row was removed. */
  readonly after: unknown
}

/** The visible values of a row before and after a commit. */
export interface RowSeen {
  readonly before: unknown
  after: unknown
}

/** One notification, as commit listeners receive it; `notifyOnce` combines several commits into one. */
export interface Committed {
  /** The ids of the requests and actions that caused it. */
  readonly causes: ReadonlySet<number>
  /** Rows whose server state was replaced, not those that only optimistic layers wrote. */
  readonly written: ReadonlySet<Row>
  /** Rows whose visible value changed, also through optimistic layers; empty if no listener needs them. */
  readonly changed: ReadonlyMap<Row, RowSeen>
  /** Keys of which facts other than the data changed. */
  readonly entries: ReadonlyMap<Entry, boolean>
  /** Rows that became stale. */
  readonly stale: ReadonlySet<Row>
  /** The observers that were notified. */
  readonly notified: readonly object[]
  /** The controller's event. A listener may replace it by one with more facts. */
  event: Partial<CommitFacts> & { readonly keys: readonly string[] }
}

/** Called once with each notification, in order. */
export type CommitListener = (commit: Committed) => void

/**
 * Calls a listener with each commit of a store, after the readers, until the returned function is called. Reports errors of
 * the listener.
 *
 * @example
 * ```ts
 * const stop = onCommit(store, ({ written }) => save(written))
 * ```
 * @param seesChanges - false if the listener does not need `changed`, which costs as much as everything else together
 */
export function onCommit(
  store: { record: CommitRecord | undefined },
  listener: CommitListener,
  seesChanges = true,
): () => void {
  store.record ??= new CommitRecord(new Set(), new Set())
  const { listeners, seers } = store.record
  // The same function may listen twice.
  const own: CommitListener = (commit) => listener(commit)
  listeners.add(own)
  if (seesChanges) seers.add(own)
  return () => {
    listeners.delete(own)
    seers.delete(own)
    if (listeners.size === 0 && store.record?.listeners === listeners) store.record = undefined
  }
}

/** Collects the writes until the next notification. It exists only while there are listeners. */
export class CommitRecord {
  readonly listeners: Set<CommitListener>
  /** The listeners that need `changed`. */
  readonly seers: Set<CommitListener>
  readonly causes: Set<number> = new Set()
  readonly written: Set<Row> = new Set()
  readonly changed: Map<Row, RowSeen> = new Map()

  constructor(listeners: Set<CommitListener>, seers: Set<CommitListener>) {
    this.listeners = listeners
    this.seers = seers
  }

  /** Records the first of several changes of a row's visible value. */
  noteChange(row: Row, before: unknown): void {
    if (this.seers.size > 0 && !this.changed.has(row)) this.changed.set(row, { before, after: undefined })
  }

  /** Closes the record, since a listener may commit during its notification. Returns the record of the next commits. */
  close(): CommitRecord {
    for (const [row, seen] of this.changed) seen.after = row.value
    return new CommitRecord(this.listeners, this.seers)
  }

  /** Calls the listeners. Returns the facts of the event. */
  tell(
    notification: Pick<Committed, 'entries' | 'stale' | 'notified' | 'event'>,
    report: (error: Error) => void,
  ): Committed['event'] {
    const { causes, written, changed } = this
    const commit: Committed = { causes, written, changed, ...notification }
    for (const listener of [...this.listeners]) guarded(report, 'onCommit', 'a commit', () => listener(commit))
    return commit.event
  }
}
