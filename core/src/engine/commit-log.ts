import type { Row } from '../table/row.js'

/** What the event of a commit tells in addition while somebody inspects the store. */
export interface CommitFacts {
  /**
   * The `id`s of the requests and actions that it belongs to: several after `controller.batch`. A number below 1 is a response that a
   * server has rendered.
   */
  readonly causes: readonly number[]
  /** How many readers were notified. */
  readonly readers: number
  /** How many rows show something else now. */
  readonly rowCount: number
  /** Compares the first 20 of them. */
  readonly rows: () => readonly RowChange[]
  /** The observers of the readers that were notified, for `Inspection.describe`. */
  readonly notified: readonly object[]
}

/** A row that shows something else after a commit. Values are records as the table holds them, with primary keys for relations. */
export interface RowChange {
  /** The `key` of the entity or of the Collection. */
  readonly kind: string
  readonly pk: string
  /** The fields whose values differ. */
  readonly fields: readonly string[]
  /** What was visible before; undefined for a row that was not there. */
  readonly before: unknown
  /** What is visible now; undefined for a row that is no longer there. */
  readonly after: unknown
}

/** Who inspects a store hears what its commits are made of. */
export interface CommitLog {
  /** A part of what is notified of next belongs to a request or an action. */
  step(by: number): void
  /** A row shows something else than before. */
  row(row: Row, before: unknown): void
  /** The parts are notified of: what follows belongs to the next notification. */
  take(): CommitRecord
}

/** What is known of the parts of one notification. */
export interface CommitRecord {
  /** Returns the event, given the keys and the observers that were notified. */
  of(keys: readonly string[], notified: readonly object[]): CommitFacts & { readonly keys: readonly string[] }
}
