import type { ListCode } from '../schema/schema.js'
import type { Change } from './change.js'
import type { Level } from './level.js'
import type { RecordRow } from './row.js'
import type { ListMaker, Table } from './table.js'

/** A response with a page, compared with the existing result. */
export interface PageStanding {
  /** True if it is the newer of the two. */
  readonly isNewer: boolean
  /** True if no page follows the one in the response. */
  readonly isLast: boolean
  /** Fields that come from the last page. */
  readonly fields: readonly string[]
}

/** The interface of lists for the store. A Collection passes it to the table, so that bundles without a Collection do not contain it. */
export interface ListEngine extends ListCode, ListMaker {
  /**
   * Calls users' functions that decide about membership, before anything is written.
   *
   * @throws the errors of these functions
   */
  rehearse(level: Level, change: Change): void
  /**
   * Writes the lists of a change: whole lists, then membership changes, then predicate lists.
   *
   * @param changed - rows to check against predicate lists
   */
  write(level: Level, change: Change, changed: readonly RecordRow[]): void
  /** Runs layers above `start` again that order lists, because a layer below them has been removed. */
  invalidatePredicates(table: Table, start: number): void
  /**
   * Whether a response that is already written contained the last page of a list with several pages; undefined if it contained no
   * such list.
   */
  isLastPage(change: Change): boolean | undefined
  /**
   * Returns the result of a key whose list has pages: fields come from the newest response, but those that describe how the list
   * continues come from the last page, even if it lacks them.
   */
  joinResults(before: unknown, incoming: unknown, standing: PageStanding): unknown
  /** Records the call that requested a page, by its cursor. */
  notePages<Request>(change: Change, pages: Map<string, Request>, request: Request): void
  /** Returns the requests for the further pages of lists whose first page a response contained, in page order. */
  furtherPages<Request>(change: Change, pages: ReadonlyMap<string, Request>): readonly Request[]
}

/** The engine of a table's lists; undefined as long as there are none. */
export function engineOf({ maker }: Table): ListEngine | undefined {
  // The table only needs the function that creates lists.
  return maker as ListEngine | undefined
}
