import type { AnswerMeta, ListArgs, ListMembers, PageMark, RowRecord } from '../schema/schema.js'
import type { Version } from './order.js'

/** The value of a row that was deleted. */
export const TOMBSTONE: unique symbol = Symbol('TOMBSTONE')

/** The facts of one response, shared by all rows that it wrote: order and expiry cost a row one pointer. */
export interface ResponseInfo extends Version, AnswerMeta {
  /** Monotonic ms at which it came, for retention. */
  readonly at: number
  /** Wall clock in ms after which it is stale. */
  expiresAt: number
  /** Wall clock in ms after which its stale data is not shown, if the server said so. */
  shownUntil?: number | undefined
}

/** The value of a list: the arguments that it was loaded with, and who is in it. */
export interface ListValue {
  readonly args: ListArgs
  readonly members: ListMembers
  /** Its pages, in their order; a list that was read whole is its own first page. */
  readonly pages?: readonly ListPage[] | undefined
}

/** A page of a list. */
export interface ListPage extends PageMark {
  /** Start of the first request for the page. */
  readonly first: number
  /** Start of the newest request for the page. */
  readonly start: number
  readonly members: ListMembers
  /** Its members as they came: those that mutations took out of the page since are among them. */
  readonly came: ListMembers
}

/**
 * Since when what depends on a row is out of date (`stale`), since when it may not be shown (`invalid`): sequence numbers, 0 is never.
 * Data that was requested before is meant.
 */
export interface MarkedSince {
  stale: number
  invalid: number
  /** Equal to `stale` if a mutation made it so. */
  contested?: number | undefined
}

/** The value of an entity's row: a record with primary keys instead of relations, or nothing. */
export type RecordValue = RowRecord | typeof TOMBSTONE | undefined

/** True if a row has a value to show. */
export function isThere<Value>(value: Value): value is Exclude<Value, typeof TOMBSTONE | undefined> {
  return value !== undefined && value !== TOMBSTONE
}
