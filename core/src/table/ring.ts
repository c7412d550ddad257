import { INVALID } from '../schema/schema.js'
import { freezeInDevelopment } from '../util/plain.js'
import type { EntityInfo } from './entity-info.js'
import { type Failure, failureOf, isShown } from './failure.js'
import type { Viewed } from './result-view.js'
import { type EntityRow, Row, type TableRow } from './row.js'
import { isInstance } from './row-view.js'
import { isThere } from './value.js'

/** The functions that build the views of rows in a ring. */
export interface RingViews {
  /** Returns the next view of a row. */
  next(row: TableRow): unknown
  /** Sets the relations of a row's instance; false if a required one is deleted. */
  fill(row: EntityRow, instance: Record<string, unknown>, info: EntityInfo): boolean
  /** Makes a row depend on its relations. */
  dependAgain(row: EntityRow): void
}

/** Builds rows that depend on each other in a ring: they keep their views together, or get new ones together. */
export function buildRing(ring: readonly Viewed[], views: RingViews): void {
  // Only rows can be in a ring: no row depends on a result.
  const rows = ring.filter((node) => node instanceof Row)
  let failure: Failure | undefined
  try {
    // The views of all are checked first: showing a row that broke before throws, although it may be mended now.
    const stays = (row: TableRow): boolean => {
      const { view } = row
      return views.next(row) === view
    }
    if (!rows.every(({ view }) => isShown(view)) || !rows.every(stays)) replaceRing(rows, views)
  } catch (thrown) {
    // A row that cannot be shown affects its whole ring.
    failure = failureOf(rows[0] as Row, thrown)
  }
  for (const row of rows) {
    if (failure !== undefined) {
      row.view = failure
      // Each registers its dependencies, so that it is built again when they change.
      if (row.list === undefined) views.dependAgain(row)
      else row.list.renew()
    }
    row.built = row.value
    row.dirty = false
  }
}

/** New views for a whole ring: first all are created, then lists are made of them, then relations are filled in. */
function replaceRing(rows: readonly TableRow[], views: RingViews): void {
  const entities = rows.filter((row) => row.list === undefined)
  for (const row of entities) if (isThere(row.value)) row.view = row.home.info?.create(row.value)
  for (let isSettled = false; !isSettled; ) {
    isSettled = true
    for (const row of rows) {
      // Its members have new views now, although they were not marked one by one.
      row.list?.renew()
      if (row.list !== undefined) row.view = views.next(row)
    }
    for (const row of entities) {
      const { view, home } = row
      if (home.info === undefined || !isInstance(view) || views.fill(row, view, home.info)) continue
      // A row without its required relation counts as missing for the others too.
      row.view = INVALID
      isSettled = false
    }
  }
  for (const row of entities) freezeInDevelopment(row.view)
}
