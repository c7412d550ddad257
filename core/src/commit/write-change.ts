import type { Change } from '../table/change.js'
import { engineOf } from './list-engine.js'
import type { Write } from './write.js'

/** Writes a change: rows, then lists, then the results of other keys. */
export function writeChange(write: Write, change: Change): void {
  const { table } = write
  const changed = write.rows(change)
  // Also where no list is loaded yet.
  for (const { list } of change.memberships) table.listKind(list)
  const concernsLists = change.lists.length + change.memberships.length + table.predicateKinds.size > 0
  if (concernsLists || write.contested(change).length > 0) engineOf(table)?.write(write, change, changed)
  for (const [key, value] of change.results) write.writeResult(write.store.resultRow(key), value)
  write.askForContested(change)
  write.stampAll(change.rows)
}
