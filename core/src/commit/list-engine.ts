import type { ListCode, ListMembers } from '../schema/schema.js'
import type { Change } from '../table/change.js'
import type { RecordRow, Row } from '../table/row.js'
import type { ListMaker, Table } from '../table/table.js'
import type { JoinResults, Write } from './write.js'

/** The request of a page, as lists know it. */
export interface PageCall {
  readonly endpoint: { readonly pageFields?: readonly string[] | undefined }
}

/** The interface of lists for the store. A Collection passes it to the table, so that bundles without a Collection do not contain it. */
export interface ListEngine extends ListCode, ListMaker {
  /**
   * Writes the lists of a change: whole lists, then membership changes, then predicate lists.
   *
   * @param changed - rows to check against predicate lists
   */
  write(write: Write, change: Change, changed: readonly RecordRow[]): void
  /**
   * Records the call that requested a page, by its cursor. Returns how the result of a key whose list has several pages joins the
   * existing one: fields come from the newest response, but those that describe how the list continues come from the last page, even
   * if it lacks them. The response is already written.
   */
  joinPage<Request extends PageCall>(
    change: Change,
    pages: Map<string, Request>,
    request: Request,
  ): JoinResults | undefined
  /** Returns the members of the pages that a response contained. */
  pageMembers(change: Change): ReadonlyMap<Row, ListMembers>
  /**
   * Adds the lists and membership changes of an optimistic response to the change that an empty response leaves, without members that
   * have no real key. Returns the rows that were moved.
   */
  settle(optimistic: Change, change: Change, isReal: (pk: string) => boolean, rowOf: Write['row']): readonly Row[]
  /** Returns the requests for the further pages of lists whose first page a response contained, in page order. */
  furtherPages<Request>(change: Change, pages: ReadonlyMap<string, Request>): readonly Request[]
}

/** The engine of a table's lists; undefined as long as there are none. */
export function engineOf({ maker }: Table): ListEngine | undefined {
  // The table only needs the function that creates lists.
  return maker as ListEngine | undefined
}
