import { markDependentsDirty } from '../table/graph.js'
import type { ResultView } from '../table/result-view.js'
import { extrasOf, isThere, type Row, type RowExtras, type RowHome, type Writer } from '../table/row.js'
import type { Kind } from '../table/table.js'
import { equal } from '../util/equal.js'
import type { CommitRecord } from './on-commit.js'

/** Is called while retention marks what is in use: what is written or read meanwhile is marked too. */
export interface UsageListener {
  /** A row was written: it may lead to other rows now, or is younger. */
  onWrite(row: Row): void
  /** A view of a result was created. */
  onView(view: ResultView): void
}

/** One step of the store: which rows were written, and what was visible in them before. */
export class Commit {
  readonly #usage: UsageListener | undefined
  readonly #record: CommitRecord | undefined
  /** True if a row changed that no view depends on. */
  #hasChanged = false
  /** Rows without layers whose value was replaced, and that views may depend on. */
  readonly #replaced: Row[] = []
  /** Rows with layers that were written. */
  readonly #touched: Row[] = []
  /** Kinds in which a row came or went, or was deleted before it came. */
  readonly #homes = new Set<RowHome>()
  /** The kind that was added last: mostly the next row is of the same. */
  #lastHome: RowHome | undefined = undefined
  /** Rows whose results have become stale. */
  readonly stale: Set<Row> = new Set()

  constructor(usage?: UsageListener, record?: CommitRecord) {
    this.#usage = usage
    this.#record = record
  }

  /** Gives a row a value in server state or on a layer; the values of later layers stay above it. */
  put(row: Row, value: unknown, layer?: Writer): void {
    const { extras } = row
    const kind = kindOfRow(row)
    if (layer === undefined && (extras === undefined || (extras.stack.length === 0 && !extras.touched))) {
      if (row.value === value) return
      this.#replace(row, value, kind)
    } else if (!this.#putInStack(row, value, layer)) return
    if (layer === undefined) this.#record?.written.add(row)
    kind.changed(row)
    if (row.extras !== undefined || kind.watchingLayers.size > 0) this.invalidateLayers(row, layer?.start ?? 0)
  }

  /** False if the level has this value already. */
  #putInStack(row: Row, value: unknown, layer: Writer | undefined): boolean {
    const { stack } = this.#touch(row)
    if (stack.length === 0) {
      if (layer === undefined) {
        if (row.value === value) return false
        row.value = value
        return true
      }
      stack.push({ layer: undefined, value: row.value })
    }
    const start = layer?.start ?? 0
    let at = stack.length - 1
    while ((stack[at]?.layer?.start ?? 0) > start) at--
    const known = stack[at]
    if (known?.layer !== layer) stack.splice(at + 1, 0, { layer, value })
    else if (known === undefined || known.value === value) return false
    // What is equal to a layer's previous run keeps its reference.
    else if (layer !== undefined && equal(known.value, value)) return false
    else known.value = value
    return true
  }

  /** Takes a layer's value off a row; layers above run again. */
  drop(row: Row, layer: Writer): void {
    const extras = this.#touch(row)
    const at = extras.stack.findIndex((level) => level.layer === layer)
    if (at < 0) return
    const [dropped] = extras.stack.splice(at, 1)
    const [base] = extras.stack
    if (base !== undefined && extras.stack.length === 1) {
      row.value = base.value
      extras.stack.length = 0
    }
    if (dropped?.value !== undefined) this.invalidateLayers(row, layer.start)
  }

  /** Layers above `start` that read, wrote or skipped a row run again. */
  invalidateLayers(row: Row, start: number): void {
    const { extras } = row
    for (const layer of kindOfRow(row).watchingLayers) if (layer.start > start) layer.dirty = true
    if (extras === undefined) return
    for (const { layer } of extras.stack) if (layer !== undefined && layer.start > start) layer.dirty = true
    if (extras.readers !== undefined) for (const layer of extras.readers) if (layer.start > start) layer.dirty = true
  }

  /** Results that depend on the row and are older than `at` are to be fetched again; `contested`: because a mutation completed then. */
  markStale(row: Row, at: number, contested: number = at): void {
    if (at === 0) return
    const extras = extrasOf(row)
    if (extras.stale < at) {
      extras.stale = at
      extras.contested = contested
    }
    this.stale.add(row)
  }

  /** Results that depend on the row and are older than `at` may not be shown any more. */
  markInvalid(row: Row, at: number): void {
    extrasOf(row).invalid = at
    this.stale.add(row)
  }

  #replace(row: Row, value: unknown, kind: Kind): void {
    // Most rows are written to a kind that is noted already.
    if (kind !== this.#lastHome && !(isThere(row.value) && isThere(value))) {
      this.#homes.add(kind)
      this.#lastHome = kind
    }
    this.#record?.noteChange(row, row.value)
    row.value = value
    this.#usage?.onWrite(row)
    // No view was built from most rows of a first response, and none depends on them or finds them.
    if (row.dirty === true && row.dependents === undefined && kind.indexes === undefined) this.#hasChanged = true
    else this.#replaced.push(row)
  }

  #touch(row: Row): RowExtras {
    const extras = extrasOf(row)
    if (extras.touched) return extras
    extras.touched = true
    extras.before = row.value
    this.#usage?.onWrite(row)
    this.#touched.push(row)
    return extras
  }

  /** Settles what is visible, and marks all that depends on what changed; true if anything did. */
  finish(): boolean {
    for (const row of this.#touched) if (this.#settle(row)) this.#replaced.push(row)
    for (const row of this.#replaced) {
      markDependentsDirty(row)
      const indexes = kindOfRow(row).indexes
      if (indexes !== undefined) for (const slot of indexes.update(row)) markDependentsDirty(slot)
    }
    for (const home of this.#homes) markDependentsDirty((home as Kind).everyone)
    return this.#hasChanged || this.#replaced.length > 0
  }

  /** True if something else is visible now; what is equal to before keeps its reference. */
  #settle(row: Row): boolean {
    const extras = extrasOf(row)
    const { before } = extras
    extras.touched = false
    extras.before = undefined
    const top = extras.stack.at(-1)
    const visible = top === undefined ? row.value : top.value
    row.value = equal(before, visible) ? before : visible
    if (row.value === before) return false
    this.#record?.noteChange(row, before)
    if (!(isThere(before) && isThere(row.value))) this.#homes.add(row.home)
    return true
  }
}

function kindOfRow(row: Row): Kind {
  // Every row is made by a Kind; rows see only the part of it that they need.
  return row.home as Kind
}
