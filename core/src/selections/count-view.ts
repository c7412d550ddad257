import type { EntityRow } from '../table/row.js'
import type { Views } from '../table/views.js'
import { equal } from '../util/equal.js'
import { type ChangedRow, DerivedView } from './derived-view.js'
import type { CountedSchema } from './rows-schema.js'

/** The number of rows by the name of their group. */
export type Counts = Readonly<Record<string, number>>

/** Returns counts as they are shown: sorted by name, so that the same rows always result in the same object. */
export function countsOf(counts: ReadonlyMap<string, number>): Counts {
  // The object has no prototype, so that a group named `constructor` exists only if it was counted.
  const shown: Record<string, number> = Object.create(null)
  for (const group of [...counts.keys()].sort()) shown[group] = counts.get(group) ?? 0
  return Object.freeze(shown)
}

/** The number of rows in each group. When a row changes, only the counts of its groups are updated. */
export class CountView extends DerivedView {
  readonly #schema: CountedSchema
  readonly #args: readonly unknown[]
  readonly #groups = new Map<EntityRow, string>()
  readonly #counts = new Map<string, number>()
  #shown: Counts | undefined

  constructor(views: Views, schema: CountedSchema, args: readonly unknown[]) {
    super(views, schema.entities())
    this.#schema = schema
    this.#args = args
  }

  protected override readAll(): Counts {
    this.#groups.clear()
    this.#counts.clear()
    this.eachRow((row, view) => {
      this.#move(row, this.#schema.groupOf(view, this.#args))
    })
    return this.#show()
  }

  protected override readChanged(changed: readonly ChangedRow[]): Counts {
    let hasMoved = false
    for (const { row, view } of changed) {
      const group = view === undefined ? undefined : this.#schema.groupOf(view, this.#args)
      if (this.#move(row, group)) hasMoved = true
    }
    return hasMoved || this.#shown === undefined ? this.#show() : this.#shown
  }

  /** Counts a row in its group; undefined for none. Returns true if it was in another group. */
  #move(row: EntityRow, group: string | undefined): boolean {
    const before = this.#groups.get(row)
    if (before === group) return false
    if (before !== undefined) this.#add(before, -1)
    if (group === undefined) this.#groups.delete(row)
    else {
      this.#groups.set(row, group)
      this.#add(group, 1)
    }
    return true
  }

  #add(group: string, change: number): void {
    const count = (this.#counts.get(group) ?? 0) + change
    if (count === 0) this.#counts.delete(group)
    else this.#counts.set(group, count)
  }

  #show(): Counts {
    const counts = countsOf(this.#counts)
    if (!equal(this.#shown, counts)) this.#shown = counts
    return this.#shown ?? counts
  }
}
