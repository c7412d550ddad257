import { type ArgsCode, INVALID, type RowRecord } from '../schema/schema.js'
import { equal, sameItems } from '../util/equal.js'
import { freezeInDevelopment, isPlain } from '../util/plain.js'
import type { EntityInfo, Relation } from './entity-info.js'
import { type Row, type RowHome, rowAt } from './row.js'

/** The values from which an instance was built, to reuse it if nothing differs. */
export interface Built {
  readonly record: unknown
  readonly view: Record<string, unknown>
}

/** Returns the value of a relation. */
export type Visit = (relation: Relation, value: unknown) => unknown

/** Returns the instances of a relation's primary keys. */
export function showKeys({ isMany }: Relation, stored: unknown, home: RowHome, see: See): unknown {
  const code = home.info?.usesArgs
  if (stored === undefined || stored === null) return stored
  if (!isMany) return typeof stored === 'string' ? see(home.row(stored), code) : seeAt(home, stored, see)
  if (!Array.isArray(stored)) return stored
  const items: unknown[] = []
  for (const key of stored) {
    const view =
      typeof key === 'string'
        ? see(home.row(key), code)
        : key === undefined || key === null
          ? key
          : seeAt(home, key, see)
    if (view !== undefined && view !== INVALID) items.push(view)
  }
  return items
}

/** Returns the instance of a relation's primary key; `code` if it depends on the call's arguments. */
export type See = (row: Row, code: ArgsCode | undefined) => unknown

function seeAt(home: RowHome, key: unknown, see: See): unknown {
  const row = rowAt(home, key)
  return row === undefined ? undefined : see(row, home.info?.usesArgs)
}

/**
 * Returns the next instance of a record: the previous one if nothing differs, else a new one; INVALID if the class rejects the record
 * or a required relation is deleted.
 */
export function nextView(info: EntityInfo, record: RowRecord, before: Built, visit: Visit): unknown {
  const oldView = before.view
  const sameRecord = before.record === record || equal(before.record, record)
  const shown = showRelations(info, record, { oldView, sameRecord, record: before.record as RowRecord }, visit)
  if (shown === undefined) return INVALID
  if (sameRecord && showsSame(info, record, oldView, shown)) return oldView
  const instance = info.create(record)
  if (!isInstance(instance)) return instance
  fillRelations(instance, info, record, shown)
  // A new field may be hidden, or equal to the class's default: then readers see no difference.
  return !sameRecord && info.isFields && isSameView(instance, oldView) ? oldView : freezeInDevelopment(instance)
}

/** True if two instances of a class have the same fields. */
function isSameView(instance: Record<string, unknown>, oldView: Record<string, unknown>): boolean {
  const fields = Object.keys(instance)
  return (
    fields.length === Object.keys(oldView).length &&
    fields.every((field) => Object.hasOwn(oldView, field) && equal(oldView[field], instance[field]))
  )
}

/** True if an instance already has these relations; a relation that the record lacks has the class's default. */
function showsSame(
  info: EntityInfo,
  record: RowRecord,
  oldView: Record<string, unknown>,
  shown: readonly unknown[],
): boolean {
  return info.relations.every(({ field }, i) => !Object.hasOwn(record, field) || oldView[field] === shown[i])
}

/** Sets the relations of an instance without them; false if a required one is deleted. */
export function fillShell(instance: object, info: EntityInfo, record: RowRecord, visit: Visit): boolean {
  const shown = showRelations(info, record, undefined, visit)
  if (shown === undefined) return false
  fillRelations(instance as Record<string, unknown>, info, record, shown)
  return true
}

interface Before {
  readonly oldView: Record<string, unknown>
  readonly record: RowRecord
  readonly sameRecord: boolean
}

/** The relations' values, by their position in the class; undefined if a required one is deleted. */
function showRelations(
  info: EntityInfo,
  record: RowRecord,
  before: Before | undefined,
  visit: Visit,
): unknown[] | undefined {
  const shown: unknown[] = []
  for (const relation of info.relations) {
    const { field } = relation
    const raw = record[field]
    if (relation.isLeaf && before !== undefined && (before.sameRecord || equal(before.record[field], raw))) {
      shown.push(before.oldView[field])
      continue
    }
    const value = Object.hasOwn(record, field) ? visit(relation, raw) : undefined
    if (value === INVALID && isRequired(info, relation)) return undefined
    shown.push(reuse(before?.oldView[field], value === INVALID ? undefined : value))
  }
  return shown
}

function fillRelations(
  instance: Record<string, unknown>,
  info: EntityInfo,
  record: RowRecord,
  shown: readonly unknown[],
): void {
  info.relations.forEach(({ field }, i) => {
    if (Object.hasOwn(record, field)) instance[field] = shown[i]
  })
}

/** A relation is required if an empty instance of the class has a value for it. */
export function isRequired(info: EntityInfo, relation: Relation): boolean {
  return Boolean(info.entity.defaults[relation.field])
}

/** Reuses previous containers with the same contents: `{ author: User }` inside an entity is not a row. */
export function reuse(before: unknown, now: unknown): unknown {
  const progress: Reuse = { known: undefined, isShared: false }
  const reused = reuseIn(before, now, progress, 0)
  // A container that contains itself can be compared only as a whole.
  return progress.isShared && reused !== before && equal(before, reused) ? before : reused
}

/** The same for the members of a list, whose order is what a user sees, in a map too. */
export function reuseInOrder(before: unknown, now: unknown): unknown {
  const reused = reuse(before, now)
  return reused === now || sameItems(Object.keys(reused as object), Object.keys(now as object)) ? reused : now
}

interface Reuse {
  /** What containers with others inside became, themselves while that is not known. */
  known: Map<object, unknown> | undefined
  /** True if one of them was met again. */
  isShared: boolean
}

/** Deeper containers are reused only as a whole. */
const MAX_REUSE_DEPTH = 200

function reuseIn(before: unknown, now: unknown, progress: Reuse, depth: number): unknown {
  if (before === now || !isPlain(before) || !isPlain(now) || Array.isArray(before) !== Array.isArray(now)) return now
  const known = progress.known?.get(now)
  if (known !== undefined) {
    progress.isShared = true
    return known
  }
  if (depth === MAX_REUSE_DEPTH) return equal(before, now) ? before : now
  const old = before as Record<string, unknown>
  const fresh = now as Record<string, unknown>
  const fields = Object.keys(fresh)
  let same = fields.length === Object.keys(old).length
  let isOuter = false
  for (const field of fields) {
    if (!isOuter && isPlain(fresh[field])) {
      isOuter = true
      progress.known ??= new Map()
      progress.known.set(now, now)
    }
    const reused = reuseIn(old[field], fresh[field], progress, depth + 1)
    if (reused === old[field] && Object.hasOwn(old, field)) {
      if (field !== '__proto__' && !Object.isFrozen(fresh)) fresh[field] = reused
    } else same = false
  }
  if (same && isOuter) progress.known?.set(now, before)
  return same ? before : now
}

export function isInstance(view: unknown): view is Record<string, unknown> {
  return typeof view === 'object' && view !== null
}
