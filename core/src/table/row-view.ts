import { INVALID, type RowRecord } from '../schema/schema.js'
import { equal } from '../util/equal.js'
import { freezeInDevelopment } from '../util/plain.js'
import type { EntityInfo, Relation } from './entity-info.js'
import { Failure } from './failure.js'
import { reuse } from './reuse.js'
import type { EntityRow } from './row.js'
import { isThere, TOMBSTONE } from './value.js'

type Fields = Record<string, unknown>

/** Returns the view of a relation's stored value. */
export type ShowRelation = (relation: Relation, stored: unknown) => unknown

/** An instance, and the record from which it was built. */
interface Built {
  readonly before: Fields
  readonly built: RowRecord
}

/** The last instances of deleted rows: a row that returns unchanged, such as when its deletion fails, shows the same one. */
const gone = new WeakMap<EntityRow, Built>()

/** Returns a row's next instance: the previous one if nothing differs, undefined if missing, INVALID if deleted. */
export function nextView(row: EntityRow, show: ShowRelation): unknown {
  const { value, home, view, built } = row
  const { info } = home
  // Usually there is no previous instance.
  const shown: Built | undefined =
    view !== undefined && isInstance(view) && isThere(built) ? { before: view, built } : undefined
  if (value === TOMBSTONE) {
    if (shown !== undefined) gone.set(row, shown)
    return INVALID
  }
  if (info === undefined || value === undefined) return undefined
  const last = view === INVALID ? gone.get(row) : shown
  if (last !== undefined) return renewed(info, value, last, show)
  const instance = info.create(value)
  if (!isInstance(instance)) return instance
  return info.relations.length === 0 || fill(instance, info, value, show) ? freezeInDevelopment(instance) : INVALID
}

/** Sets the relations of an instance. Returns false if a required one is deleted. */
export function fill(instance: Fields, info: EntityInfo, record: RowRecord, show: ShowRelation): boolean {
  for (const relation of info.relations) {
    const { field } = relation
    if (!Object.hasOwn(record, field)) continue
    const value = show(relation, record[field])
    if (value === INVALID && isRequired(info, field)) return false
    instance[field] = value === INVALID ? undefined : value
  }
  return true
}

/** Returns the instance that follows a previous one: the same if nothing differs. */
function renewed(info: EntityInfo, record: RowRecord, { before, built }: Built, show: ShowRelation): unknown {
  const isEqual = equal(built, record)
  let isSame = isEqual
  const shown: Fields = {}
  for (const relation of info.relations) {
    const { field } = relation
    if (!Object.hasOwn(record, field)) continue
    let value: unknown = before[field]
    if (!relation.isLeaf || !equal(built[field], record[field])) {
      value = show(relation, record[field])
      if (value === INVALID && isRequired(info, field)) return INVALID
      value = reuse(before[field], value === INVALID ? undefined : value)
    }
    shown[field] = value
    isSame &&= value === before[field]
  }
  if (isSame) return before
  const instance = info.create(record)
  if (!isInstance(instance)) return instance
  Object.assign(instance, shown)
  // Readers see no difference if a new field is hidden, or equal to the class's default.
  const looksSame = !isEqual && info.isFields && equal({ ...instance }, { ...before })
  return looksSame ? before : freezeInDevelopment(instance)
}

/** A relation is required if an empty instance of the class has a value for it. */
function isRequired({ entity }: EntityInfo, field: string): boolean {
  return Boolean(entity.defaults[field])
}

/** True for the view of a record that its class has accepted. */
export function isInstance(view: unknown): view is Fields {
  return typeof view === 'object' && view !== null && !(view instanceof Failure)
}
