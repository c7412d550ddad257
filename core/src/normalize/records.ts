import type { RowRecord } from '../schema/schema.js'
import type { Change } from '../table/change.js'
import type { EntityInfo } from '../table/entity-info.js'
import { TOMBSTONE } from '../table/value.js'
import { type Copies, copyPlain, freezeInDevelopment, joinFields, put } from '../util/plain.js'

/** A record with keys in the place of rows, and these rows. */
export interface Split {
  readonly record: RowRecord
  readonly change: Change
}

/** Makes the values that the table stores of a response. */
export interface Keeping {
  /** True if nobody else has the response, nor any part of it. */
  readonly isOwn: boolean
  readonly copies: Copies
  /** Joined records that nothing refers to but the change. */
  readonly joined: Set<RowRecord>
}

/** A record for the table to keep. One with relations is the visitor's already. */
export function kept(info: EntityInfo, record: RowRecord, how: Keeping): RowRecord {
  if (how.isOwn) return freezeInDevelopment(record)
  return info.relations.length > 0 ? record : copied(info, record, how)
}

/** The same row twice in one response: the later record joins the earlier. */
export function joined(
  info: EntityInfo,
  written: RowRecord | typeof TOMBSTONE,
  record: RowRecord,
  how: Keeping,
): RowRecord {
  if (written === TOMBSTONE) return kept(info, record, how)
  if (!info.inheritsMerge) return copied(info, info.entity.merge(written, record), how)
  const both = joinFields(written, record, how.joined.has(written))
  if (both !== written) how.joined.add(both)
  return both
}

/** A copy that later changes to the response do not reach. Relations stay as they are. */
export function copied(info: EntityInfo, record: RowRecord, how: Keeping): Record<string, unknown> {
  const copy = info.copy(record)
  // The result of a `process` may be changed and passed on again, so each record has its own copy.
  const copies = info.inheritsProcess ? how.copies : new Map()
  for (const field in copy) {
    const value = copy[field]
    if (typeof value === 'object' && value !== null && !info.isLink.has(field))
      put(copy, field, copyPlain(value, copies))
  }
  return copy
}
