import type { RowRecord } from '../schema/schema.js'
import type { Change } from '../table/change.js'
import type { EntityInfo } from '../table/entity-info.js'
import { TOMBSTONE } from '../table/value.js'
import { type Copies, copyPlain, freezeInDevelopment, joinFields, put } from '../util/plain.js'

/** A record with keys in place of rows, and a change with these rows. */
export interface Split {
  readonly record: RowRecord
  readonly change: Change
}

/** The state for creating the values that the table stores of a response. */
export interface Keeping {
  /** True if no other code has the response or parts of it. */
  readonly isOwn: boolean
  readonly copies: Copies
  /** Joined records to which only the change refers. */
  readonly joined: Set<RowRecord>
}

/** Returns a record for the table to store. One with relations is already the visitor's copy. */
export function kept(info: EntityInfo, record: RowRecord, how: Keeping): RowRecord {
  if (how.isOwn) return freezeInDevelopment(record)
  return info.relations.length > 0 ? record : copied(info, record, how)
}

/** Joins the record of a row with an earlier one in the same response. */
export function joined(
  info: EntityInfo,
  written: RowRecord | typeof TOMBSTONE,
  record: RowRecord,
  how: Keeping,
): RowRecord {
  if (written === TOMBSTONE) return kept(info, record, how)
  if (!info.inheritsMerge) return copied(info, info.entity.merge(written, record), how)
  return joinFields(written, record, how.joined)
}

/** Returns a copy that later changes of the response do not affect. Relations stay unchanged. */
export function copied(info: EntityInfo, record: RowRecord, how: Keeping): Record<string, unknown> {
  const copy = info.copy(record)
  // A `process` may change its result and return it again, so each record is copied separately.
  const copies = info.inheritsProcess ? how.copies : new Map()
  for (const field in copy) {
    const value = copy[field]
    if (typeof value === 'object' && value !== null && !info.isLink.has(field))
      put(copy, field, copyPlain(value, copies))
  }
  return copy
}
