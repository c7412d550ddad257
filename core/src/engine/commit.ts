import { ListRow } from '../table/list-row.js'
import { soilDependents } from '../table/node.js'
import { isThere, type Row, type RowHome, sideOf, type Writer } from '../table/row.js'
import type { Kind } from '../table/table.js'
import { equal } from '../util/equal.js'
import type { Witness } from './witness.js'

/** One step of the store under way: which rows it touched, and what was visible in them before. */
export class Commit {
  readonly #witness: Witness | undefined
  /** True if a row was given a value that nobody looks at. */
  #hasChanged = false
  /** Rows without layers whose value was replaced, and that somebody may have looked at. */
  readonly #replaced: Row[] = []
  /** Rows with layers that something was done to. */
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

  /** Replaces what the server said of a row. */
  setBase(row: Row, next: unknown): void {
    const { side } = row
    if (side !== undefined && (side.stack.length > 0 || side.touched)) {
      if (side.stack.length > 0 ? side.base === next : row.value === next) return
      this.#touch(row)
      if (side.stack.length > 0) side.base = next
      else row.value = next
    } else {
      if (row.value === next) return
      this.#replace(row, next)
      if (side === undefined && kindOf(row).watchers.size === 0 && !(row instanceof ListRow)) return
    }
    if (row instanceof ListRow) kindOf(row).holders.changed(row)
    this.disturb(row, -1)
  }

  /** Puts a layer's value on a row, below those of layers that started later. */
  setLayer(row: Row, layer: Writer, value: unknown): void {
    this.#touch(row)
    const side = sideOf(row)
    if (side.stack.length === 0) side.base = row.value
    let at = side.stack.length
    while (at > 0 && (side.stack[at - 1]?.layer.start ?? 0) > layer.start) at--
    side.stack.splice(at, 0, { layer, value })
    if (row instanceof ListRow) kindOf(row).holders.changed(row)
  }

  /** Takes a layer's value off a row and returns it. */
  dropLayer(row: Row, layer: Writer): unknown {
    this.#touch(row)
    const side = sideOf(row)
    const at = side.stack.findIndex((entry) => entry.layer === layer)
    const [dropped] = at < 0 ? [] : side.stack.splice(at, 1)
    if (side.stack.length === 0) {
      if (dropped !== undefined) row.value = side.base
      side.base = undefined
    }
    return dropped?.value
  }

  /** Layers above that read, wrote or declined to write a row run again. */
  disturb(row: Row, start: number): void {
    const { side } = row
    for (const layer of kindOf(row).watchers) if (layer.start > start) layer.dirty = true
    if (side === undefined) return
    for (const { layer } of side.stack) if (layer.start > start) layer.dirty = true
    if (side.readers !== undefined) for (const layer of side.readers) if (layer.start > start) layer.dirty = true
  }

  /** Results that stand on the row and are older than `at` are to be fetched again. */
  markStale(row: Row, at: number): void {
    if (at === 0) return
    const side = sideOf(row)
    if (side.stale < at) side.stale = at
    this.stale.add(row)
  }

  /** Results that stand on the row and are older than `at` may not be shown any more. */
  markInvalid(row: Row, at: number): void {
    sideOf(row).invalid = at
    this.stale.add(row)
  }

  #replace(row: Row, next: unknown): void {
    if (isThere(row.value) !== isThere(next) && row.home !== this.#lastHome) {
      this.#homes.add(row.home)
      this.#lastHome = row.home
    }
    row.value = next
    this.#witness?.wrote(row)
    if (isUnseen(row)) this.#hasChanged = true
    else this.#replaced.push(row)
  }

  #touch(row: Row): void {
    const side = sideOf(row)
    if (side.touched) return
    side.touched = true
    side.before = row.value
    this.#witness?.wrote(row)
    this.#touched.push(row)
  }

  /** Settles what is visible, and marks all that stands on what changed; true if anything did. */
  finish(): boolean {
    for (const row of this.#touched) if (this.#settle(row)) this.#replaced.push(row)
    for (const row of this.#replaced) {
      soilDependents(row)
      const indexes = kindOf(row).indexes
      if (indexes !== undefined) for (const slot of indexes.update(row)) soilDependents(slot)
    }
    for (const home of this.#homes) soilDependents((home as Kind).everyone)
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

/** True if nothing was built from a row, stands on it or finds it: most rows of a first answer. */
function isUnseen(row: Row): boolean {
  return row.dirty === true && row.dependents === undefined && kindOf(row).indexes === undefined
}

function kindOf(row: Row): Kind {
  // Every row is made by a Kind; rows see only the part of it that they need.
  return row.home as Kind
}
