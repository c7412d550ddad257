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

/** A refresh of all pages of a list, at one of its responses. */
export interface PageRefresh {
  /** Start of its first request. */
  readonly start: number
  /** True if each page was requested as the page before it says, so that the cursors have changed. */
  readonly isFollowed: boolean
  /** For the last page that it requests: returns the pages and members that stay, once that page has joined the list. */
  readonly finish: ((list: JoinedPages, context: RefreshedList) => JoinedPages) | undefined
}

/** A list's members with a page that came, and its pages. */
export interface JoinedPages {
  readonly members: ListMembers
  readonly pages: readonly ListPage[]
}

/** Facts of a list whose pages have all come again. */
export interface RefreshedList {
  /** True for a member that no page has brought. */
  isExtra(key: string | Inline): boolean
  /** True if a mutation has written a member that completed after this. */
  isLater(ref: Member, start: number): boolean
}

/** A list, or a page of one, that a response carried. */
export interface ListWrite {
  readonly row: ListNode
  /** The schema of the list in the response: pages join the existing list. */
  readonly list: ListSchema
  readonly args: ListArgs
  readonly members: ListMembers
  /** The page of the list that it is; undefined for the whole or the first. */
  readonly page: PageMark | undefined
  /** If it is a part of a refresh of all pages. */
  refresh?: PageRefresh
  /** The pages of a whole list that is known page by page. */
  readonly pages?: ListValue['pages']
  /** False if no member can occur twice. */
  readonly mayRepeat: boolean
}

/** A membership change of lists, with its place in the order. */
export interface MemberWrite {
  readonly change: MembershipChange
  readonly start: number
  /** The members' records when it was made, by their keys. */
  readonly records: ReadonlyMap<string | Inline, RowRecord>
  /** Fields of members that the call's body has and the response lacks, by their keys. */
  readonly bodies: ReadonlyMap<string | Inline, RowRecord>
}

/**
 * The writes of one response or optimistic response, made in one step: rows, lists, members that come and go, and the result. Rows are in
 * parallel arrays, since a response may have 300,000.
 */
export class Change {
  readonly rows: EntityRow[] = []
  /**
   * The value written to each row: a record, or TOMBSTONE. A record of a row that the table does not have yet is the table's to keep:
   * later changes to the response do not reach it. One that the table has already is the table's own.
   */
  readonly records: (RowRecord | typeof TOMBSTONE)[] = []
  /** Classes with a merge or an order of their own, by the indexes of the rows that they wrote. */
  readonly customs: Map<number, EntityInfo> = new Map()
  /** Deleted rows that this change restores optimistically, by adding them to a list. */
  readonly created: Set<EntityRow> = new Set()
  readonly lists: ListWrite[] = []
  readonly memberships: MembershipChange[] = []
  /** The new results of other endpoints (`update`), by key. */
  readonly results: Map<string, unknown> = new Map()
  /** The value that the table keeps in place of the response. */
  result: unknown = undefined
  /** False if its request can only have succeeded where its rows existed. */
  mayCreate = true

  /** Returns the value that this change writes to a row so far. */
  written(row: Row): RowRecord | typeof TOMBSTONE | undefined {
    return this.rows[row.writeIndex] === row ? this.records[row.writeIndex] : undefined
  }

  /** Writes a row, in the place of what was written to it before. */
  write(row: EntityRow, record: RowRecord | typeof TOMBSTONE, info: EntityInfo | undefined): void {
    if (this.rows[row.writeIndex] !== row) {
      this.add(row, record, info)
      return
    }
    const wasDeleted = this.records[row.writeIndex] === TOMBSTONE
    this.records[row.writeIndex] = record
    if (!wasDeleted && info?.inheritsWrite === false) this.customs.set(row.writeIndex, info)
  }

  /** As `write`, for a row that was not written before. */
  add(row: EntityRow, record: RowRecord | typeof TOMBSTONE, info: EntityInfo | undefined): void {
    row.writeIndex = this.rows.length
    this.rows.push(row)
    this.records.push(record)
    if (info?.inheritsWrite === false) this.customs.set(row.writeIndex, info)
  }
}
