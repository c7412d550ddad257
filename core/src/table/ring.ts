import { INVALID } from '../schema/schema.js'
import { freezeInDevelopment } from '../util/plain.js'
import type { EntityInfo } from './entity-info.js'
import { type Failure, failureOf, isShown } from './failure.js'
import type { Viewed } from './result-view.js'
import { type EntityRow, Row, type TableRow } from './row.js'
import { isInstance } from './row-view.js'
import { isThere } from './value.js'

/** The functions with which the views of a ring are built. */
export interface RingViews {
  /** Returns the next view of a row. */
  next(row: TableRow): unknown
  /** Sets the relations of a row's instance; false if a required one is deleted. */
  fill(row: EntityRow, instance: Record<string, unknown>, info: EntityInfo): boolean
  /** Makes a row depend on its relations. */
  dependAgain(row: EntityRow): void
}

/** Builds the rows of a ring, which depend on each other: all keep their views, or all get new ones. */
export function buildRing(ring: readonly Viewed[], views: RingViews): void {
  // A ring contains only rows, since no row depends on a result.
  const rows = ring.filter((node) => node instanceof Row)
  let failure: Failure | undefined
  try {
    // All views are checked for failures first, since showing a row that failed before throws even if it is valid now.
    const stays = (row: TableRow): boolean => {
      const { view } = row
      return views.next(row) === view
    }
    if (!rows.every(({ view }) => isShown(view)) || !rows.every(stays)) replaceRing(rows, views)
  } catch (thrown) {
    // If one row cannot be shown, the whole ring fails.
    failure = failureOf(rows[0] as Row, thrown)
  }
  for (const row of rows) {
    if (failure !== undefined) {
      row.view = failure
      // Each row registers its dependencies, so that it is rebuilt when they change.
      if (row.list === undefined) views.dependAgain(row)
      else row.list.renew()
    }
    row.built = row.value
    row.dirty = false
  }
}

/** Creates new views for a whole ring: first the instances, then the lists, then the relations. */
function replaceRing(rows: readonly TableRow[], views: RingViews): void {
  const entities = rows.filter((row) => row.list === undefined)
  for (const row of entities) if (isThere(row.value)) row.view = row.home.info?.create(row.value)
  for (let isSettled = false; !isSettled; ) {
    isSettled = true
    for (const row of rows) {
      // The members have new views now, but the list was not notified of each.
      row.list?.renew()
      if (row.list !== undefined) row.view = views.next(row)
    }
    for (const row of entities) {
      const { view, home } = row
      if (home.info === undefined || !isInstance(view) || views.fill(row, view, home.info)) continue
      // A row without its required relation is missing for the others, too.
      row.view = INVALID
      isSettled = false
    }
  }
  for (const row of entities) freezeInDevelopment(row.view)
}
