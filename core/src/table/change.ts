import type {
  Inline,
  ListArgs,
  ListMembers,
  ListSchema,
  Member,
  MembershipChange,
  PageMark,
  RowRecord,
} from '../schema/schema.js'
import type { EntityInfo } from './entity-info.js'
import type { EntityRow, ListNode, ListPage, ListValue, Row } from './row.js'
import { TOMBSTONE } from './value.js'

/** The refresh of all pages of a list to which a response belongs. */
export interface PageRefresh {
  /** True if each page was requested by the cursor in the previous page's response, so that cursors may have changed. */
  readonly isFollowed: boolean
  /** The cursor of the page that this one follows; undefined for the first page. */
  readonly after: string | undefined
  /** For the last page: returns the pages and members that stay after that page has joined the list. */
  readonly finish: ((list: JoinedPages, context: RefreshedList) => JoinedPages) | undefined
}

/** A list's members and pages after a page has joined it. */
export interface JoinedPages {
  readonly members: ListMembers
  readonly pages: readonly ListPage[]
}

/** The facts of a list whose pages have all been refreshed. */
export interface RefreshedList {
  /** True for a member that no page contains. */
  isExtra(key: string | Inline): boolean
  /** True if a mutation that completed after `start` has written the member. */
  isLater(ref: Member, start: number): boolean
  /** True if the fields of the member's row say that it is in another list. */
  isForeign(ref: Member): boolean
}

/** A list, or a page of a list, in a response. */
export interface ListWrite {
  readonly row: ListNode
  /** The schema of the list. For a page, its result joins the existing list. */
  readonly list: ListSchema
  readonly args: ListArgs
  readonly members: ListMembers
  /** The page of the list; undefined for the whole list or its first page. */
  readonly page: PageMark | undefined
  /** The refresh of all pages to which it belongs, if any. */
  refresh?: PageRefresh
  /** The cursor of the last page when this one was requested as the next page, by its position. */
  after?: string
  /** The pages of a whole list that was loaded page by page. */
  readonly pages?: ListValue['pages']
  /** False if no member can occur twice. */
  readonly mayRepeat: boolean
}

/** A membership change of lists, with its position in the order. */
export interface MemberWrite {
  readonly change: MembershipChange
  readonly start: number
  /** When it was sent, which may be later than its start. */
  readonly sent: number
  /** The completion of a mutation, or the start of a read. */
  readonly at: number
  /** The members' records at the time of the change, by member key. */
  readonly records: ReadonlyMap<string | Inline, RowRecord>
  /** Fields of members that the call's body has and the response lacks, by member key. */
  readonly bodies: ReadonlyMap<string | Inline, RowRecord>
}

/**
 * The writes of one response or optimistic response, which happen in one step: rows, lists, membership changes and the
 * result. Rows are in parallel arrays, since a response may have 300,000.
 */
export class Change {
  readonly rows: EntityRow[] = []
  /**
   * The value written to each row: a record, or TOMBSTONE. The table may keep the record of a new row, since no later change
   * of the response affects it. An unchanged record is the one that the table already has.
   */
  readonly records: (RowRecord | typeof TOMBSTONE)[] = []
  /** Classes with their own merge or order, at the indexes of the rows that they wrote. */
  readonly customs: EntityInfo[] = []
  /** Deleted rows that this change restores optimistically, by adding them to a list; undefined if it adds none. */
  created: Set<EntityRow> | undefined
  readonly lists: ListWrite[] = []
  readonly memberships: MembershipChange[] = []
  /** The new results of other endpoints (`update`), by key. */
  readonly results: Map<string, unknown> = new Map()
  /** The value that the table keeps in place of the response. */
  result: unknown
  /** False if the request can have succeeded only for rows that existed. */
  mayCreate = true

  /** Lets an optimistic response restore a row that was deleted. */
  restore(row: EntityRow): void {
    this.created ??= new Set()
    this.created.add(row)
  }

  /** Returns the value that this change writes to a row so far. */
  written(row: Row): RowRecord | typeof TOMBSTONE | undefined {
    return this.rows[row.writeIndex] === row ? this.records[row.writeIndex] : undefined
  }

  /** Writes a row, and replaces an earlier write of it. */
  write(row: EntityRow, record: RowRecord | typeof TOMBSTONE, info: EntityInfo | undefined): void {
    if (this.rows[row.writeIndex] !== row) {
      this.add(row, record, info)
      return
    }
    const wasDeleted = this.records[row.writeIndex] === TOMBSTONE
    this.records[row.writeIndex] = record
    if (!wasDeleted && info?.inheritsWrite === false) this.customs[row.writeIndex] = info
  }

  /** Writes a row for the first time in this change. */
  add(row: EntityRow, record: RowRecord | typeof TOMBSTONE, info: EntityInfo | undefined): void {
    row.writeIndex = this.rows.length
    this.rows.push(row)
    this.records.push(record)
    if (info?.inheritsWrite === false) this.customs[row.writeIndex] = info
  }
}
