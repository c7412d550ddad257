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

/** A row whose visible value a commit changed. Values are records as stored in the table, with primary keys for relations. */
export interface RowChange {
  /** The `key` of the entity or of the Collection. */
  readonly kind: string
  readonly pk: string
  /** The fields whose values differ. */
  readonly fields: readonly string[]
  /** The value that was visible before; undefined for a row that was not there. */
  readonly before: unknown
  /** The value that is visible now; undefined for a row that is no longer there. */
  readonly after: unknown
}

/** The visible values of a row before and after a commit. */
export interface RowSeen {
  readonly before: unknown
  after: unknown
}

/** One notification as listeners of commits hear it: of several commits, if they were made in `notifyOnce`. */
export interface Committed {
  /** The requests and actions that it belongs to. */
  readonly causes: ReadonlySet<number>
  /** Rows whose server state was replaced: writes of optimistic layers are not among them. */
  readonly written: ReadonlySet<Row>
  /** Rows that show something else than before, with optimistic layers; none if no listener sees changes. */
  readonly changed: ReadonlyMap<Row, RowSeen>
  /** Keys of which other facts than the data changed. */
  readonly entries: ReadonlyMap<Entry, boolean>
  /** Rows that have become stale. */
  readonly stale: ReadonlySet<Row>
  /** The observers that were notified. */
  readonly notified: readonly object[]
  /** The controller's event: a listener may put one with more facts in its place. */
  event: Partial<CommitFacts> & { readonly keys: readonly string[] }
}

/** Called once with each notification, in order. */
export type CommitListener = (commit: Committed) => void

/**
 * Calls a listener with each commit of a store, after the readers, until the returned function is called. Errors of the listener are
 * reported.
 *
 * @example
 * ```ts
 * const stop = onCommit(store, ({ written }) => save(written))
 * ```
 * @param seesChanges - false if it needs no `changed`, which costs as much as all else that is collected
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

/** Collects the writes until the next notification. There is none while nobody listens. */
export class CommitRecord {
  readonly listeners: Set<CommitListener>
  /** Those among them that need `changed`. */
  readonly seers: Set<CommitListener>
  readonly causes: Set<number> = new Set()
  readonly written: Set<Row> = new Set()
  readonly changed: Map<Row, RowSeen> = new Map()

  constructor(listeners: Set<CommitListener>, seers: Set<CommitListener>) {
    this.listeners = listeners
    this.seers = seers
  }

  /** A row shows something else than before. */
  noteChange(row: Row, before: unknown): void {
    if (this.seers.size > 0 && !this.changed.has(row)) this.changed.set(row, { before, after: undefined })
  }

  /** Closes it, since a listener of its notification may commit, too. Returns the record of the next commits. */
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
