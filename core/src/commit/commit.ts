import type { RowRecord } from '../schema/schema.js'
import { markDependentsDirty } from '../table/graph.js'
import type { ResultView } from '../table/result-view.js'
import type { Kind, Row } from '../table/row.js'
import { isThere } from '../table/value.js'
import { equal } from '../util/equal.js'

/** Called while retention marks rows in use: rows that are written or read meanwhile are marked too. */
export interface UsageListener {
  /** A row was written: it may lead to other rows now, or is younger. */
  onWrite(row: Row): void
  /** A view of a result was created. */
  onView(view: ResultView): void
}

/** The rows that were written until the next notification, while somebody listens. */
interface WriteRecord {
  /** Rows whose server state was replaced. */
  readonly written: Set<Row>
  /** Called with each row that shows something else than before. */
  noteChange(row: Row, before: unknown): void
}

/** One step of the store: the rows that were written, and their visible values before. */
export class Commit {
  /** The visible values before, by row. */
  readonly #before = new Map<Row, unknown>()
  /** True if rows were created that nobody can have seen. */
  #hasCreated = false
  /** Kinds in which a row came or went. */
  #homes: Set<Kind> | undefined = undefined
  #lastHome: Kind | undefined = undefined
  /** Rows that were written, and their kinds, on which layers may depend; undefined while there are no layers. */
  readonly changed: Set<Row | Kind> | undefined
  /** True if every layer is to be run again: there are lists now that may have members of any of them. */
  affectsAll = false
  /** Rows whose results have become stale. */
  readonly stale: Set<Row> = new Set()
  readonly #usage: UsageListener | undefined
  readonly #record: WriteRecord | undefined

  constructor(hasLayers: boolean, usage?: UsageListener, record?: WriteRecord) {
    this.changed = hasLayers ? new Set() : undefined
    this.#usage = usage
    this.#record = record
  }

  /** Remembers the visible value of a row before its first write. */
  note(row: Row): void {
    if (!this.#before.has(row)) this.#before.set(row, row.value)
  }

  /** Gives a row another value: in server state, or one that a layer puts over it. */
  put(row: Row, value: unknown, isServerState = false): void {
    if (row.value === value) return
    if (isServerState) this.#record?.written.add(row)
    this.note(row)
    row.value = value
    this.#usage?.onWrite(row)
    if (this.changed !== undefined) this.touch(row)
  }

  /** Gives a row its first value in server state. Most rows of a first response need no more: nobody can have seen them. */
  create(row: Row, value: unknown): void {
    const { home } = row
    const mayBeSeen = row.dirty !== true || row.dependents !== undefined || home.indexes !== undefined
    if (mayBeSeen || this.changed !== undefined || this.#record !== undefined) {
      this.put(row, value, true)
      return
    }
    // Nothing is to be compared or marked.
    this.#hasCreated = true
    this.#noteHome(home)
    row.value = value
    this.#usage?.onWrite(row)
  }

  #noteHome(home: Kind): void {
    // Mostly the next row is of the same kind.
    if (home === this.#lastHome) return
    this.#homes ??= new Set()
    this.#homes.add(home)
    this.#lastHome = home
  }

  /** Layers that read the row run again. */
  touch(row: Row): void {
    this.changed?.add(row).add(row.home)
  }

  /** Results that depend on the row and are older than `at` are to be fetched again; `contested`: because a mutation completed then. */
  markStale(row: Row, at: number, contested: number = at): void {
    if (at === 0) return
    row.marks ??= { stale: 0, invalid: 0 }
    if (row.marks.stale < at) {
      row.marks.stale = at
      row.marks.contested = contested
    }
    this.stale.add(row)
  }

  /** Results that depend on the row and are older than `at` may not be shown any more. */
  markInvalid(row: Row, at: number): void {
    row.marks ??= { stale: 0, invalid: 0 }
    row.marks.invalid = at
    this.stale.add(row)
  }

  /** Gives all rows their values back, since a user's function threw. `written` are those of the change: the new ones have no response yet. */
  rollback(written: readonly Row[] = []): void {
    for (const [row, before] of this.#before) row.value = before
    const created = written.filter(({ read, mutated }) => read === undefined && mutated === undefined)
    for (const row of created) row.value = undefined
    // A user's function may have read them in between.
    for (const row of [...this.#before.keys(), ...created])
      if (!row.dirty && row.built !== row.value) markDependentsDirty(row)
  }

  /** Marks the dependents of changed rows dirty; true if any row changed. A value that equals the one before keeps its reference. */
  finish(): boolean {
    let hasChanged = this.#hasCreated
    for (const [row, before] of this.#before) {
      if (this.changed !== undefined && row.value !== before && looksSame(row, before)) row.value = before
      // A user's function may have read it in between.
      if (row.value === before && (row.dirty || row.built === before)) continue
      hasChanged = true
      this.#record?.noteChange(row, before)
      const { home } = row
      if (!(isThere(before) && isThere(row.value))) this.#noteHome(home)
      const { indexes } = home
      if (indexes !== undefined) for (const slot of indexes.update(row)) markDependentsDirty(slot)
      if (!row.dirty || row.dependents !== undefined) markDependentsDirty(row)
    }
    if (this.#homes !== undefined) for (const { everyone } of this.#homes) markDependentsDirty(everyone)
    return hasChanged
  }
}

/** True if a row has the same value as before. An instance that is stored in the place of its record has the record's fields. */
function looksSame({ value, home }: Row, before: unknown): boolean {
  if (equal(before, value)) return true
  if (home.info?.isRecord !== true || !isThere(before) || !isThere(value)) return false
  // The values of an entity's row are records.
  return equal({ ...(before as RowRecord) }, { ...(value as RowRecord) })
}
