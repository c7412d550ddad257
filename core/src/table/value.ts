import type { AnswerMeta, RowRecord } from '../schema/schema.js'
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
  /** True if nothing of it may be stored on a disk. */
  noStore?: boolean | undefined
  /** True if this device has stored it already, here or in another tab. */
  readonly isStored?: boolean | undefined
}

/**
 * The sequence numbers since which results that depend on a row are out of date (`stale`) or may not be shown (`invalid`); 0 is never.
 * Results that were requested later are not affected.
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
