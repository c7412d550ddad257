import { INVALID, type RowRecord } from '../schema/schema.js'
import { freezeInDevelopment } from '../util/plain.js'
import { fillShell, isInstance, nextView, type Visit } from './entity-view.js'
import type { Node } from './graph.js'
import { isShown } from './list-view.js'
import { Row } from './row.js'

/** Builds the views of a ring's rows. */
export interface RingViews {
  readonly visitHere: Visit
  /** Builds the view of a list from the views of its members. */
  build(list: Row): void
  /** Runs a function whose reads become dependencies of the row. */
  during<Result>(row: Row, run: () => Result): Result
}

/** Builds rows that depend on each other in a ring: they keep their views together, or get new ones together. */
export function buildRing(ring: readonly Node[], views: RingViews): void {
  // Only rows can be in a ring: no row depends on a result.
  const rows = ring.filter((node) => node instanceof Row)
  // All are asked for their views first: to show a row that broke before throws, although it may be mended now.
  const stay =
    rows.every(({ view }) => isShown(view)) && rows.every((row) => views.during(row, () => stays(row, views.visitHere)))
  if (!stay) replaceRing(rows, views)
  for (const row of rows) {
    row.built = row.value
    row.dirty = false
  }
}

/** True if a row's view would be the same again, given that the rest of its ring stays. */
function stays(row: Row, show: Visit): boolean {
  if (row.list !== undefined) return row.list.stays()
  const { built, home, view } = row
  const { info } = home
  return (
    info !== undefined &&
    isInstance(view) &&
    nextView(info, row.value as RowRecord, { record: built, view }, show) === view
  )
}

/** New views for a whole ring: first all are created, then lists are made of them, then relations are filled in. */
function replaceRing(rows: readonly Row[], views: RingViews): void {
  const entities = rows.filter((row) => row.list === undefined)
  for (const row of entities) row.view = row.home.info?.create(row.value as RowRecord)
  for (let isSettled = false; !isSettled; ) {
    isSettled = true
    for (const row of rows) {
      if (row.list === undefined) continue
      // Its members have new views now, although they were not marked one by one.
      row.list.renew()
      views.build(row)
    }
    for (const row of entities) {
      if (row.view === INVALID || views.during(row, () => fill(row, views))) continue
      // A row without its required relation counts as missing for the others too.
      row.view = INVALID
      isSettled = false
    }
  }
  for (const row of entities) freezeInDevelopment(row.view)
}

function fill(row: Row, views: RingViews): boolean {
  const { info } = row.home
  return info !== undefined && fillShell(row.view as object, info, row.value as RowRecord, views.visitHere)
}
