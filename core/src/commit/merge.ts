import type { RowRecord } from '../schema/schema.js'
import type { EntityInfo } from '../table/entity-info.js'
import type { Row } from '../table/row.js'
import type { ResponseInfo } from '../table/value.js'
import { equal } from '../util/equal.js'
import { type Copies, copyPlain, put } from '../util/plain.js'

/** Returns the record with these fields on top. Equal fields keep their values; if all are equal, it is the same record. */
function mergeFields(existing: RowRecord, incoming: RowRecord): RowRecord {
  if (existing === incoming) return existing
  let merged: Record<string, unknown> | undefined
  let copies: Copies | undefined
  for (const field in incoming) {
    const value = incoming[field]
    const before = existing[field]
    if (before === value) {
      if (value !== undefined || Object.hasOwn(existing, field)) continue
    } else if (typeof value === 'object' && value !== null && equal(before, value)) continue
    // A payload's own `__proto__` is not a field.
    if (field === '__proto__') continue
    merged ??= rebuild(existing)
    if (typeof value === 'object') copies ??= new Map()
    merged[field] = copyPlain(value, copies)
  }
  return merged ?? existing
}

/**
 * Copies a record field by field. A spread of a spread gets its own hidden class, so rows that change repeatedly would never
 * share one with others, and every later copy or comparison would take the engine's slow path.
 */
function rebuild(record: RowRecord): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const field in record) put(copy, field, record[field])
  return copy
}

/** Merges records as the class does. */
export function join(before: RowRecord, incoming: RowRecord, info: EntityInfo | undefined): RowRecord {
  if (info === undefined || info.inheritsMerge) return mergeFields(before, incoming)
  return keepSame(before, info.entity.merge(before, incoming))
}

/** Returns the merged record with the old values of equal fields, or the old record if all are equal. */
export function keepSame(before: RowRecord, merged: RowRecord): RowRecord {
  if (equal(before, merged)) return before
  const record: Record<string, unknown> = {}
  const copies: Copies = new Map()
  for (const field of Object.keys(merged)) {
    const value = merged[field]
    put(record, field, equal(before[field], value) ? before[field] : copyPlain(value, copies))
  }
  return record
}

/** Returns the last response that wrote a row, by time of arrival. Its expiry is that of the row. */
export function newestOf(row: Row): ResponseInfo | undefined {
  const { read, mutated } = row
  if (read === undefined || mutated === undefined) return read ?? mutated
  const isLater = mutated.at === read.at ? mutated.start > read.start : mutated.at > read.at
  return isLater ? mutated : read
}
