import { markDependentsDirty } from '../table/graph.js'
import { isThere, type Row, type RowHome, type Side, sideOf, type Writer } from '../table/row.js'
import type { Kind } from '../table/table.js'
import { equal } from '../util/equal.js'
import type { Witness } from './witness.js'

/** One step of the store: which rows were written, and what was visible in them before. */
export class Commit {
  readonly #witness: Witness | undefined
  /** True if a row changed that no view depends on. */
  #hasChanged = false
  /** Rows without layers whose value was replaced, and that views may depend on. */
  readonly #replaced: Row[] = []
  /** Rows with layers that were written. */
  readonly #touched: Row[] = []
  /** Kinds in which a row came or went. */
  readonly #homes = new Set<RowHome>()
  /** The kind that was added last: mostly the next row is of the same. */
  #lastHome: RowHome | undefined = undefined
  /** Rows whose results have become stale. */
  readonly stale: Set<Row> = new Set()

  constructor(witness?: Witness) {
    this.#witness = witness
  }

  /** Gives a row a value in server state or on a layer; the values of later layers stay above it. */
  put(row: Row, value: unknown, layer?: Writer): void {
    const { side } = row
    if (layer === undefined && (side === undefined || (side.stack.length === 0 && !side.touched))) {
      if (row.value === value) return
      this.#replace(row, value)
    } else if (!this.#putInStack(row, value, layer)) return
    const kind = kindOfRow(row)
    kind.changed(row)
    if (row.side !== undefined || kind.watchers.size > 0) this.invalidateLayers(row, layer?.start ?? 0)
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
    const side = this.#touch(row)
    const at = side.stack.findIndex((level) => level.layer === layer)
    if (at < 0) return
    const [dropped] = side.stack.splice(at, 1)
    const [base] = side.stack
    if (base !== undefined && side.stack.length === 1) {
      row.value = base.value
      side.stack.length = 0
    }
    if (dropped?.value !== undefined) this.invalidateLayers(row, layer.start)
  }

  /** Layers above `start` that read, wrote or skipped a row run again. */
  invalidateLayers(row: Row, start: number): void {
    const { side } = row
    for (const layer of kindOfRow(row).watchers) if (layer.start > start) layer.dirty = true
    if (side === undefined) return
    for (const { layer } of side.stack) if (layer !== undefined && layer.start > start) layer.dirty = true
    if (side.readers !== undefined) for (const layer of side.readers) if (layer.start > start) layer.dirty = true
  }

  /** Results that depend on the row and are older than `at` are to be fetched again. */
  markStale(row: Row, at: number): void {
    if (at === 0) return
    const side = sideOf(row)
    if (side.stale < at) side.stale = at
    this.stale.add(row)
  }

  /** Results that depend on the row and are older than `at` may not be shown any more. */
  markInvalid(row: Row, at: number): void {
    sideOf(row).invalid = at
    this.stale.add(row)
  }

  #replace(row: Row, value: unknown): void {
    if (isThere(row.value) !== isThere(value) && row.home !== this.#lastHome) {
      this.#homes.add(row.home)
      this.#lastHome = row.home
    }
    row.value = value
    this.#witness?.wrote(row)
    if (isUnseen(row)) this.#hasChanged = true
    else this.#replaced.push(row)
  }

  #touch(row: Row): Side {
    const side = sideOf(row)
    if (side.touched) return side
    side.touched = true
    side.before = row.value
    this.#witness?.wrote(row)
    this.#touched.push(row)
    return side
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
    const side = sideOf(row)
    const { before } = side
    side.touched = false
    side.before = undefined
    const top = side.stack.at(-1)
    const visible = top === undefined ? row.value : top.value
    row.value = equal(before, visible) ? before : visible
    if (isThere(before) !== isThere(row.value)) this.#homes.add(row.home)
    return row.value !== before
  }
}

/** True if no view was built from a row, depends on it or finds it: most rows of a first response. */
function isUnseen(row: Row): boolean {
  return row.dirty === true && row.dependents === undefined && kindOfRow(row).indexes === undefined
}

function kindOfRow(row: Row): Kind {
  // Every row is made by a Kind; rows see only the part of it that they need.
  return row.home as Kind
}
