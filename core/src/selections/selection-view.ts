import type { EntityRow } from '../table/row.js'
import type { Views } from '../table/views.js'
import { edited } from '../util/edits.js'
import { sameItems } from '../util/equal.js'
import { firstOf, placeAmong } from '../util/ordered.js'
import { type ChangedRow, DerivedView } from './derived-view.js'
import type { SelectedSchema } from './rows-schema.js'

/** A row that changed, belongs, and comes to a place among the rows as they were. */
interface EnteringRow extends ChangedRow {
  readonly at: number
}

/** Rows beyond twice the limit that are known too: so many can leave before all rows are read again. */
const SPARE = 8

/**
 * The rows that belong, in order. When one changes, its place is found by binary search, and the array is patched. With a limit only
 * the first rows are in order: to find them among many costs about one comparison for each, and a sort many more.
 */
export class SelectionView extends DerivedView {
  readonly #schema: SelectedSchema
  readonly #args: readonly unknown[]
  #limit = 0
  /** Those that belong: all, or with a limit the first of them and some more. */
  #rows: EntityRow[] = []
  /** True if others belong, which come after all of these. */
  #hasMore = false
  /** The views of sorted rows when they were placed. */
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
      // Past the limit nothing is shown: a row without a view is one that was deleted there.
      const isSame = view !== undefined && view === (isSorted ? this.#placed.get(row) : this.#shown[at])
      if (at >= 0 && isSame) continue
      const belongs = view !== undefined && this.#schema.belongs(view, this.#args)
      if (at >= 0) {
        removed.push(at)
        leaving.push(row)
      }
      const place = belongs ? this.#placeOf(row, view) : 0
      // Past the end it is one of those that are not in order.
      if (belongs && !(this.#hasMore && place === this.#rows.length)) entering.push({ row, view, at: place })
    }
    removed.sort((a, b) => a - b)
    // Of several that come to one place, the order decides.
    entering.sort((a, b) => a.at - b.at || this.#order(a.row, a.view, b.row, b.view))
    this.#place(leaving, entering)
    const rows = entering.map(({ row, at }) => ({ item: row, at }))
    this.#rows = edited(this.#rows, { removed, added: rows })
    if (this.#hasMore && this.#rows.length < this.#limit) return this.readAll()
    this.#forgetLast()
    // Nothing that is shown has changed.
    if (Math.min(removed[0] ?? Infinity, rows[0]?.at ?? Infinity) >= this.#limit) return this.#shown
    if (this.#limit < Infinity) return this.#show(this.#first())
    const views = entering.map(({ view, at }) => ({ item: view, at }))
    // To slice a frozen array costs fifty times as much.
    return this.#show(edited([...this.#shown], { removed, added: views }))
  }

  #place(leaving: readonly EntityRow[], entering: readonly EnteringRow[]): void {
    if (!this.#schema.isSorted) return
    for (const row of leaving) this.#placed.delete(row)
    for (const { row, view } of entering) this.#placed.set(row, view)
  }

  /** Keeps no more rows in order than a few times the limit. */
  #forgetLast(): void {
    const most = 4 * this.#limit + 2 * SPARE
    if (this.#rows.length <= most) return
    for (const row of this.#rows.splice(most / 2)) this.#placed.delete(row)
    this.#hasMore = true
  }

  /** The views of the first rows. All that changed have been read, so they are current. */
  #first(): unknown[] {
    return this.#rows.slice(0, this.#limit).map(({ view }) => view)
  }

  #show(shown: unknown[]): readonly unknown[] {
    this.#shown = Object.freeze(shown)
    return this.#shown
  }

  /** The position of a row by what it showed when it was placed; -1 if it did not belong. */
  #indexOf(row: EntityRow): number {
    const { isSorted } = this.#schema
    if (isSorted && !this.#placed.has(row)) return -1
    const at = this.#placeOf(row, this.#placed.get(row))
    if (this.#rows[at] === row) return at
    // An order that contradicts itself leads elsewhere.
    return isSorted ? this.#rows.indexOf(row) : -1
  }

  #placeOf(row: EntityRow, view: unknown): number {
    return placeAmong(this.#rows.length, (at) => {
      const other = this.#rows[at] as EntityRow
      return this.#order(other, this.#placed.get(other), row, view) < 0
    })
  }

  /** Rows that compare as equal are in the order in which they came, as a stable sort leaves them. */
  #order(a: EntityRow, aView: unknown, b: EntityRow, bView: unknown): number {
    const order = this.#schema.isSorted ? this.#schema.order(aView, bView, this.#args) : 0
    return order || this.rankOf(a) - this.rankOf(b)
  }
}
