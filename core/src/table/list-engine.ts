import type { ListCode } from '../schema/schema.js'
import type { Change } from './change.js'
import type { Level } from './level.js'
import type { RecordRow } from './row.js'
import type { ListMaker, Table } from './table.js'

/** How a response that carried a page stands to the result that is there. */
export interface PageStanding {
  /** True if it is the newer of the two. */
  readonly isNewer: boolean
  /** True if no page comes after the one that it carried. */
  readonly isLast: boolean
  /** Fields that are the last page's. */
  readonly fields: readonly string[]
}

/** What the store asks of lists. A Collection hands it over, so that who imports none has none of it. */
export interface ListEngine extends ListCode, ListMaker {
  /**
   * Calls users' functions that say who comes and goes, before anything is written.
   *
   * @throws what they throw
   */
  rehearse(level: Level, change: Change): void
  /**
   * Writes what a change says of lists: those that it carried, then who comes and goes, then predicate lists.
   *
   * @param changed - Rows that predicate lists are asked about.
   */
  write(level: Level, change: Change, changed: readonly RecordRow[]): void
  /** Layers above `start` that order lists run again: what a layer below them made of rows is gone. */
  invalidatePredicates(table: Table, start: number): void
  /** Whether a response, which is written already, carried the last page of a list with several; undefined if none of such a list. */
  isLastPage(change: Change): boolean | undefined
  /**
   * The result of a key whose list has pages: each field is the newest response's, but those that say how the list goes on are the last
   * page's, also if that lacks them.
   */
  joinResults(before: unknown, incoming: unknown, standing: PageStanding): unknown
  /** Notes who asked for a page, by its cursor. */
  notePages<Request>(change: Change, pages: Map<string, Request>, request: Request): void
  /** The requests that bring the further pages of lists whose first page a response carried, in their order. */
  furtherPages<Request>(change: Change, pages: ReadonlyMap<string, Request>): readonly Request[]
}

/** The engine of a table's lists; undefined as long as there are none. */
export function engineOf({ maker }: Table): ListEngine | undefined {
  // The table needs to know only how lists are made.
  return maker as ListEngine | undefined
}
