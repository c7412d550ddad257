import type { RowRecord } from '../schema/schema.js'
import { markDependentsDirty } from '../table/graph.js'
import type { ResultView } from '../table/result-view.js'
import type { Kind, Row } from '../table/row.js'
import { isThere } from '../table/value.js'
import { equal } from '../util/equal.js'

/** Notified while a sweep marks rows in use, so that rows written or read meanwhile are marked, too. */
export interface UsageListener {
  /** Called after a row was written, which may refer to other rows now. */
  onWrite(row: Row): void
  /** Called after a view of a result was created. */
  onView(view: ResultView): void
}

/** Records the rows written until the next notification, for commit listeners. */
interface WriteRecord {
  /** Rows whose server state was replaced. */
  readonly written: Set<Row>
  /** Called with each row whose visible value changed. */
  noteChange(row: Row, before: unknown): void
}

/** One step of the store: the written rows, and their visible values before. */
export class Commit {
  /** The visible values before, by row. */
  readonly #before = new Map<Row, unknown>()
  /** True if rows were created that no view can depend on. */
  #hasCreated = false
  /** Kinds in which a row was added or removed. */
  #homes: Set<Kind> | undefined
  #lastHome: Kind | undefined
  /** The written rows and their kinds, on which layers may depend; undefined without layers. */
  readonly changed: Set<Row | Kind> | undefined
  /** True if every layer must run again, because new lists may contain members of any of them. */
  affectsAll = false
  /** Rows whose results became stale. */
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

  /** Sets the visible value of a row. `isServerState` is false for a layer's value. */
  put(row: Row, value: unknown, isServerState = false): void {
    if (row.value === value) return
    if (isServerState) this.#record?.written.add(row)
    this.note(row)
    row.value = value
    this.#usage?.onWrite(row)
    if (this.changed !== undefined) this.touch(row)
  }

  /** Sets the first value of a row in server state. Usually no view depends on the row, which saves work. */
  create(row: Row, value: unknown): void {
    const { home } = row
    const mayBeSeen = row.dirty !== true || row.dependents !== undefined || home.indexes !== undefined
    if (mayBeSeen || this.changed !== undefined || this.#record !== undefined) {
      this.put(row, value, true)
      return
    }
    // The row needs no comparison, and has no dependents to mark.
    this.#hasCreated = true
    this.#noteHome(home)
    row.value = value
    this.#usage?.onWrite(row)
  }

  #noteHome(home: Kind): void {
    // The next row is usually of the same kind.
    if (home === this.#lastHome) return
    this.#homes ??= new Set()
    this.#homes.add(home)
    this.#lastHome = home
  }

  /** Makes layers that read the row run again. */
  touch(row: Row): void {
    this.changed?.add(row).add(row.home)
  }

  /** Makes results older than `at` that depend on the row stale. `contested` is equal to `at` if the row is contested. */
  markStale(row: Row, at: number, contested: number = at): void {
    if (at === 0) return
    row.marks ??= { stale: 0, invalid: 0 }
    if (row.marks.stale < at) {
      row.marks.stale = at
      row.marks.contested = contested
      if (row.home.list === undefined && contested === at) row.marks.open = at
    }
    this.stale.add(row)
  }

  /** Makes results older than `at` that depend on the row invalid. */
  markInvalid(row: Row, at: number): void {
    row.marks ??= { stale: 0, invalid: 0 }
    row.marks.invalid = at
    this.stale.add(row)
  }

  /** Restores the values of all rows after a user's function threw. New rows among `written` become missing again. */
  rollback(written: readonly Row[] = []): void {
    for (const [row, before] of this.#before) row.value = before
    const created = written.filter(({ read, mutated }) => read === undefined && mutated === undefined)
    for (const row of created) row.value = undefined
    // A user's function may have read the rows in between.
    for (const row of [...this.#before.keys(), ...created])
      if (!row.dirty && row.built !== row.value) markDependentsDirty(row)
  }

  /** Marks the dependents of changed rows dirty. Equal values keep their references. Returns true if any row changed. */
  finish(): boolean {
    let hasChanged = this.#hasCreated
    for (const [row, before] of this.#before) {
      if (this.changed !== undefined && row.value !== before && looksSame(row, before)) row.value = before
      // A user's function may have read the row in between.
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

/** True if a row's value equals the previous one. An instance stored in place of a record is compared by its fields. */
function looksSame({ value, home }: Row, before: unknown): boolean {
  if (equal(before, value)) return true
  if (home.info?.isRecord !== true || !isThere(before) || !isThere(value)) return false
  // The values of an entity's row are records.
  return equal({ ...(before as RowRecord) }, { ...(value as RowRecord) })
}
