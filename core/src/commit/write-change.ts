import type { Row } from '../table/row.js'
import { engineOf, type PageCall, type PagedEntry } from './list-engine.js'
import type { Write } from './write.js'

/** The key that a read writes: the row of its result, and the requests for the pages of its list. */
export interface ReadKey<Request extends PageCall> extends Pick<PagedEntry<Request>, 'pages'> {
  readonly row: Row
}

/** Writes a change: rows, then lists, then the results of other keys, and for a read that of its own key. */
export function writeChange<Request extends PageCall>(write: Write, own?: ReadKey<Request>, request?: Request): void {
  const { change } = write
  const lists = engineOf(write.table)
  const changed = write.rows(lists?.asksAbout(write) === true)
  lists?.write(write, changed)
  for (const [key, value] of change.results) write.writeResult(write.store.resultRow(key), value)
  if (write.rivals.length > 0) write.askForContested()
  if (!write.isStamped) for (const row of change.rows) write.stamp(row)
  if (own !== undefined) write.writeResult(own.row, change.result, request && lists?.joinPage(change, own, request))
}
