import type { RowRecord } from '../schema/schema.js'
import type { EntityInfo } from '../table/entity-info.js'
import { carried, judge, overtook, UNKNOWN } from '../table/order.js'
import { type Answer, orderOf, PRESENCE, type Row, sideOf } from '../table/row.js'
import { equal } from '../util/equal.js'
import { type Copies, copyPlain, put } from '../util/plain.js'

/** What a row becomes: its record, and since when results on it are stale (0: they are not). */
export interface Merged {
  readonly record: RowRecord
  readonly stale: number
}

/** True if an answer is newer than all that is known of a row, so that fields need not be asked one by one. */
export function isNewest(row: Row, answer: Answer): boolean {
  const { read, mutated, side } = row
  return (
    side?.fields === undefined &&
    (read === undefined || answer.start > read.start) &&
    (mutated === undefined || answer.start > mutated.done)
  )
}

/** The record with these fields on top. Fields that are equal keep their values, and a record whose fields all did keeps itself. */
export function mergeFields(existing: RowRecord, incoming: RowRecord): RowRecord {
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
 * A copy that is built field by field. What is spread from a spread has a form of its own for engines, so rows that change again and
 * again would never share one with others, and whatever copies or compares them later would go its slow way.
 */
function rebuild(record: RowRecord): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const field in record) put(copy, field, record[field])
  return copy
}

/** What a record becomes by an answer, field by field in the store's order, or as the class decides. */
export function mergeAnswer(
  row: Row,
  existing: RowRecord,
  incoming: RowRecord,
  info: EntityInfo | undefined,
  answer: Answer,
): Merged {
  if (info !== undefined && !info.plainOrder)
    return { record: mergeByClass(row, existing, incoming, info, answer), stale: 0 }
  if (isNewest(row, answer)) return { record: join(existing, incoming, info), stale: 0 }
  const winning: Record<string, unknown> = {}
  let stale = 0
  for (const field of Object.keys(incoming)) {
    const known = orderOf(row, field)
    const verdict = judge(answer, known)
    const isMissing = !Object.hasOwn(existing, field)
    if (verdict === 'newer' || verdict === 'contested' || isMissing) put(winning, field, incoming[field])
    if (verdict === 'newer' || verdict === 'older' || isMissing || equal(existing[field], incoming[field])) continue
    stale = Math.max(stale, overtook(answer, known))
  }
  return { record: join(existing, winning, info), stale }
}

function join(existing: RowRecord, incoming: RowRecord, info: EntityInfo | undefined): RowRecord {
  if (info === undefined || info.plainMerge) return mergeFields(existing, incoming)
  return keepSame(existing, info.entity.merge(existing, incoming))
}

/** A class that overrides `shouldUpdate` and its kin decides for the whole row. */
function mergeByClass(row: Row, existing: RowRecord, incoming: RowRecord, info: EntityInfo, answer: Answer): RowRecord {
  const before = newestOf(row) ?? answer
  return keepSame(existing, info.entity.mergeWithStore(before, answer, existing, incoming))
}

function keepSame(existing: RowRecord, merged: RowRecord): RowRecord {
  return equal(existing, merged) ? existing : mergeFieldsExactly(existing, merged)
}

/** The merged record, with the old values where they are equal. */
function mergeFieldsExactly(existing: RowRecord, merged: RowRecord): RowRecord {
  const record: Record<string, unknown> = {}
  const copies: Copies = new Map()
  for (const field of Object.keys(merged)) {
    const value = merged[field]
    put(record, field, equal(existing[field], value) ? existing[field] : copyPlain(value, copies))
  }
  return record
}

/** The newer of a row's answers, by when they came: what its expiry goes by. */
export function newestOf(row: Row): Answer | undefined {
  const { read, mutated } = row
  if (read === undefined || mutated === undefined) return read ?? mutated
  return mutated.at > read.at ? mutated : read
}

/**
 * Notes that an answer carried these fields of a row. Numbers of single fields are kept only where answers overlap: `overlaps` says
 * that one is under way that might tell the difference. Returns true if such numbers were kept.
 */
export function stamp(row: Row, existing: unknown, incoming: RowRecord, answer: Answer, overlaps: boolean): boolean {
  const isPlain = isNewest(row, answer)
  const isKnown = row.read !== undefined || row.mutated !== undefined
  const isMore = overlaps && row.mutated !== undefined && lacksSome(existing, incoming)
  const keeps = isKnown && (!isPlain || isMore || (overlaps && !carriesAll(existing, incoming)))
  if (keeps) keepFields(row, existing, incoming, answer)
  stampRow(row, answer)
  return keeps
}

/**
 * Notes an answer on the row itself. Mutations are written in the order in which they complete, so of two the one that is written
 * now completed last, whichever started first.
 */
export function stampRow(row: Row, answer: Answer): void {
  if (answer.mutation) {
    const { mutated } = row
    row.mutated = mutated !== undefined && mutated.start > answer.start ? { ...mutated, done: answer.done } : answer
  } else if (row.read === undefined || answer.start > row.read.start) row.read = answer
}

function carriesAll(existing: unknown, incoming: RowRecord): boolean {
  if (typeof existing !== 'object' || existing === null) return true
  for (const field in existing) if (!Object.hasOwn(incoming, field)) return false
  return true
}

/** True if a record does not have all of these fields. */
function lacksSome(existing: unknown, incoming: RowRecord): boolean {
  return typeof existing === 'object' && existing !== null && !carriesAll(incoming, existing as RowRecord)
}

function keepFields(row: Row, existing: unknown, incoming: RowRecord, answer: Answer): void {
  const side = sideOf(row)
  const before = side.fields
  const fields = new Map(before)
  const isRecord = typeof existing === 'object' && existing !== null
  for (const field of isRecord ? Object.keys(existing) : []) {
    if (!fields.has(field)) fields.set(field, orderOf(row, field))
  }
  for (const field of Object.keys(incoming)) {
    // No answer carried a field that the record does not have, whatever the row's own numbers say.
    const isNew = isRecord && !Object.hasOwn(existing, field) && !fields.has(field)
    fields.set(field, carried(answer, isNew ? UNKNOWN : orderOf(row, field)))
  }
  fields.set(PRESENCE, carried(answer, orderOf(row, PRESENCE)))
  side.fields = fields
}
