import type { EntityRow } from '../table/row.js'
import type { Views } from '../table/views.js'
import { edited } from '../util/edits.js'
import { sameItems } from '../util/equal.js'
import { firstOf, placeAmong } from '../util/ordered.js'
import { type ChangedRow, DerivedView } from './derived-view.js'
import type { SelectedSchema } from './rows-schema.js'

/** A changed row that belongs, with its position among the previous rows. */
interface EnteringRow extends ChangedRow {
  readonly at: number
}

/** The number of rows kept beyond twice the limit, so that many can leave before all rows are read again. */
const SPARE = 8

/**
 * The rows that belong, in order. When a row changes, binary search finds its position, and the array is patched. With a
 * limit, only the first rows are sorted: finding them takes about one comparison per row, and sorting all rows many more.
 */
export class SelectionView extends DerivedView {
  readonly #schema: SelectedSchema
  readonly #args: readonly unknown[]
  #limit = 0
  /** All rows that belong; with a limit, only the first ones and some more. */
  #rows: EntityRow[] = []
  /** True if more rows belong, which follow all of these. */
  #hasMore = false
  /** The views by which sorted rows were placed. */
  readonly #placed = new Map<EntityRow, unknown>()
  #shown: readonly unknown[] = Object.freeze([])

  constructor(views: Views, schema: SelectedSchema, args: readonly unknown[]) {
    super(views, schema.entities())
    this.#schema = schema
    this.#args = args
  }

  protected override readAll(): readonly unknown[] {
    const rows: EntityRow[] = []
    this.#limit = this.#schema.limitOf(this.#args)
    this.eachRow((row, view) => {
      if (this.#schema.belongs(view, this.#args)) rows.push(row)
    })
    this.#placed.clear()
    const { isSorted } = this.#schema
    const most = 2 * this.#limit + SPARE
    this.#rows = isSorted
      ? firstOf(rows, most, (a, b) => this.#schema.order(a.view, b.view, this.#args))
      : rows.slice(0, most)
    this.#hasMore = rows.length > most
    if (isSorted) for (const row of this.#rows) this.#placed.set(row, row.view)
    const shown = this.#first()
    return sameItems(this.#shown, shown) ? this.#shown : this.#show(shown)
  }

  protected override readChanged(changed: readonly ChangedRow[]): readonly unknown[] {
    const { isSorted } = this.#schema
    const removed: number[] = []
    const leaving: EntityRow[] = []
    const entering: EnteringRow[] = []
    for (const { row, view } of changed) {
      const at = this.#indexOf(row)
      // Rows past the limit are not shown, so a row without a view there was deleted.
      const isSame = view !== undefined && view === (isSorted ? this.#placed.get(row) : this.#shown[at])
      if (at >= 0 && isSame) continue
      const belongs = view !== undefined && this.#schema.belongs(view, this.#args)
      if (at >= 0) {
        removed.push(at)
        leaving.push(row)
      }
      const place = belongs ? this.#placeOf(row, view) : 0
      // A row past the end joins those that are not sorted.
      if (belongs && !(this.#hasMore && place === this.#rows.length)) entering.push({ row, view, at: place })
    }
    removed.sort((a, b) => a - b)
    // Rows that enter at the same position are sorted.
    entering.sort((a, b) => a.at - b.at || this.#order(a.row, a.view, b.row, b.view))
    this.#place(leaving, entering)
    const rows = entering.map(({ row, at }) => ({ item: row, at }))
    this.#rows = edited(this.#rows, { removed, added: rows })
    if (this.#hasMore && this.#rows.length < this.#limit) return this.readAll()
    this.#forgetLast()
    // No shown row has changed.
    if (Math.min(removed[0] ?? Infinity, rows[0]?.at ?? Infinity) >= this.#limit) return this.#shown
    if (this.#limit < Infinity) return this.#show(this.#first())
    const views = entering.map(({ view, at }) => ({ item: view, at }))
    // Slicing a frozen array takes fifty times as long.
    return this.#show(edited([...this.#shown], { removed, added: views }))
  }

  #place(leaving: readonly EntityRow[], entering: readonly EnteringRow[]): void {
    if (!this.#schema.isSorted) return
    for (const row of leaving) this.#placed.delete(row)
    for (const { row, view } of entering) this.#placed.set(row, view)
  }

  /** Limits the sorted rows to a few times the limit. */
  #forgetLast(): void {
    const most = 4 * this.#limit + 2 * SPARE
    if (this.#rows.length <= most) return
    for (const row of this.#rows.splice(most / 2)) this.#placed.delete(row)
    this.#hasMore = true
  }

  /** Returns the views of the first rows. They are current, since all changed rows have been read. */
  #first(): unknown[] {
    return this.#rows.slice(0, this.#limit).map(({ view }) => view)
  }

  #show(shown: unknown[]): readonly unknown[] {
    this.#shown = Object.freeze(shown)
    return this.#shown
  }

  /** Returns the position of a row by the view by which it was placed; -1 if it did not belong. */
  #indexOf(row: EntityRow): number {
    const { isSorted } = this.#schema
    if (isSorted && !this.#placed.has(row)) return -1
    const at = this.#placeOf(row, this.#placed.get(row))
    if (this.#rows[at] === row) return at
    // Binary search misses rows if `compare` is inconsistent.
    return isSorted ? this.#rows.indexOf(row) : -1
  }

  #placeOf(row: EntityRow, view: unknown): number {
    return placeAmong(this.#rows.length, (at) => {
      const other = this.#rows[at] as EntityRow
      return this.#order(other, this.#placed.get(other), row, view) < 0
    })
  }

  /** Compares two rows. Equal ones are in order of arrival, as after a stable sort. */
  #order(a: EntityRow, aView: unknown, b: EntityRow, bView: unknown): number {
    const order = this.#schema.isSorted ? this.#schema.order(aView, bView, this.#args) : 0
    return order || this.rankOf(a) - this.rankOf(b)
  }
}
