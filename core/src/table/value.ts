import type { AnswerMeta, RowRecord } from '../schema/schema.js'
import type { Version } from './order.js'

/** The value of a row that was deleted. */
export const TOMBSTONE: unique symbol = Symbol('TOMBSTONE')

/** The facts of one response. All rows that it wrote share them, so order and expiry cost each row one pointer. */
export interface ResponseInfo extends Version, AnswerMeta {
  /** Monotonic ms at which it arrived, for retention. */
  readonly at: number
  /** Wall clock in ms after which it is stale. */
  expiresAt: number
  /** Wall clock in ms after which its stale data is not shown, if the server said so. */
  shownUntil?: number | undefined
  /** True if none of it may be stored on a disk. */
  noStore?: boolean | undefined
  /** True if this device has already stored it, from this tab or another one. */
  readonly isStored?: boolean | undefined
}

/**
 * The sequence numbers of the marks of a row: results that depend on it and were requested earlier are out of date (`stale`)
 * or may not be shown (`invalid`). 0 means no mark.
 */
export interface MarkedSince {
  stale: number
  invalid: number
  /** Equal to `stale` if the row is stale because it is contested. */
  contested?: number | undefined
  /** Equal to `contested` until a later response contains all fields of the row. */
  open?: number | undefined
}

/** The value of an entity's row: a record with primary keys instead of relations, or nothing. */
export type RecordValue = RowRecord | typeof TOMBSTONE | undefined

/** True if a row has a value to show. */
export function isThere<Value>(value: Value): value is Exclude<Value, typeof TOMBSTONE | undefined> {
  return value !== undefined && value !== TOMBSTONE
}
