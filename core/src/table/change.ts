import type { ListArgs, ListMembers, ListSchema, MembershipChange, PageMark, RowRecord } from '../schema/schema.js'
import type { EntityInfo } from './entity-info.js'
import { type ListNode, type RecordRow, type Row, TOMBSTONE } from './row.js'

/** A list that an answer carried whole. */
export interface ListWrite {
  readonly row: ListNode
  /** The very schema that carried it: pages of a list join what is there. */
  readonly list: ListSchema
  readonly args: ListArgs
  readonly members: ListMembers
  /** Which page of the list it is; undefined for the whole or the first. */
  readonly page: PageMark | undefined
  /** False if no member can be there twice. */
  readonly mayRepeat: boolean
}

/**
 * What one answer says, ready to be applied in one step: rows, lists, who comes and goes, and the result. Rows stand in parallel
 * arrays, since an answer may have 300,000.
 */
export class Change {
  readonly rows: RecordRow[] = []
  /**
   * What was said of each row: a record, or TOMBSTONE. A record of a row that the table does not have yet is the table's to keep:
   * later changes to the answer do not reach it. One that the table has already is the table's own.
   */
  readonly records: (RowRecord | typeof TOMBSTONE)[] = []
  /** What is known of classes with a merge or an order of their own, by the places of the rows that they wrote. */
  readonly customs: Map<number, EntityInfo> = new Map()
  /** Rows that were deleted and that this brings back, optimistically: those that it adds to a list. */
  readonly created: Set<RecordRow> = new Set()
  readonly lists: ListWrite[] = []
  readonly memberships: MembershipChange[] = []
  /** What other endpoints' results become (`update`), by key. */
  readonly results: Map<string, unknown> = new Map()
  /** What the table keeps in the answer's place. */
  result: unknown = undefined

  /** What this change says of a row so far. */
  said(row: Row): RowRecord | typeof TOMBSTONE | undefined {
    return this.rows[row.slot] === row ? this.records[row.slot] : undefined
  }

  /** Says something of a row; what was said of it before is replaced. */
  say(row: RecordRow, record: RowRecord | typeof TOMBSTONE, info: EntityInfo | undefined): void {
    if (this.rows[row.slot] !== row) this.add(row, record, info)
    else {
      const isNew = this.records[row.slot] === TOMBSTONE
      this.records[row.slot] = record
      if (!isNew) this.#note(row, info)
    }
  }

  /** Says something of a row of which nothing was said yet. */
  add(row: RecordRow, record: RowRecord | typeof TOMBSTONE, info: EntityInfo | undefined): void {
    row.slot = this.rows.length
    this.rows.push(row)
    this.records.push(record)
    this.#note(row, info)
  }

  #note({ slot }: Row, info: EntityInfo | undefined): void {
    if (info !== undefined && !(info.plainMerge && info.plainOrder)) this.customs.set(slot, info)
  }
}
