import type { RowRecord } from '../schema/schema.js'
import type { EntityInfo, Relation } from '../table/entity-info.js'
import { type Copies, copyPlain, put } from '../util/plain.js'

/** A record for the table to keep: later changes to the answer that it came from do not reach it. Relations stay as they are. */
export function copyOf(info: EntityInfo, record: RowRecord, copies: Copies): Record<string, unknown> {
  const copy = info.copy(record)
  for (const field in copy) {
    const value = copy[field]
    if (typeof value === 'object' && value !== null && !info.isLink.has(field))
      put(copy, field, copyPlain(value, copies))
  }
  return copy
}

/** A copy of a value in which the first `count` relations of the class are those of another record. */
export function copyLike(info: EntityInfo, value: RowRecord, like: RowRecord, count: number): Record<string, unknown> {
  const copy = info.copy(value)
  for (let i = 0; i < count; i++) {
    const { field } = info.relations[i] as Relation
    if (Object.hasOwn(copy, field)) put(copy, field, like[field])
  }
  return copy
}
