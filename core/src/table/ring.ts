import { INVALID, type RowRecord } from '../schema/schema.js'
import { seal } from '../tools/plain.js'
import { fillShell, holds, type Visit } from './entity-view.js'
import { ListRow } from './list-row.js'
import { addDependent, type Node } from './node.js'
import { Row } from './row.js'

/** What building a ring asks of the views. */
export interface RingBuilder {
  readonly visitHere: Visit
  build(node: Node): void
  /** Runs something whose reads are noted as what the node stands on. */
  during<Result>(node: Node, run: () => Result): Result
}

/** Builds rows that stand on each other in a ring: they keep their views together, or get new ones together. */
export function buildRing(ring: readonly Node[], builder: RingBuilder): void {
  // Only rows can be in a ring: nothing stands on a result.
  const rows = ring.filter((node) => node instanceof Row)
  if (!rows.every((row) => builder.during(row, () => stays(row, builder.visitHere)))) replace(rows, builder)
  for (const row of rows) {
    row.built = row.value
    row.dirty = false
  }
}

/** True if a row's view would be the same again, given that the rest of its ring stays. */
function stays(row: Row, show: Visit): boolean {
  if (row.view === undefined || row.view === INVALID) return false
  if (row instanceof ListRow) {
    if (row.built !== row.value) return false
    for (const child of row.children) if (child !== null) addDependent(child, row)
    return row.list.holds(row.children)
  }
  const { plan } = row.home
  return plan !== undefined && holds(plan, row.value as RowRecord, { record: row.built, view: row.view }, show)
}

/** New views for a whole ring: first all are created, then lists are made of them, then relations are filled in. */
function replace(rows: readonly Row[], builder: RingBuilder): void {
  const entities = rows.filter((row) => !(row instanceof ListRow))
  for (const row of entities) row.view = row.home.plan?.create(row.value as RowRecord)
  for (let isSettled = false; !isSettled; ) {
    isSettled = true
    for (const row of rows) {
      if (!(row instanceof ListRow)) continue
      // Its members' views are others now, though nobody marked them one by one.
      row.list.renew()
      builder.build(row)
    }
    for (const row of entities) {
      if (row.view === INVALID || builder.during(row, () => fill(row, builder.visitHere))) continue
      // One that lacks what it requires is not there for the others either.
      row.view = INVALID
      isSettled = false
    }
  }
  for (const row of entities) seal(row.view)
}

function fill(row: Row, show: Visit): boolean {
  const { plan } = row.home
  return plan !== undefined && fillShell(row.view as object, plan, row.value as RowRecord, show)
}
