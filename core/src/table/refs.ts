import {
  isArraySchema,
  isEntity,
  isRowSchema,
  isSchemaObject,
  type RowRecord,
  type RowSchema,
  type Schema,
  type SchemaContract,
} from '../schema/schema.js'
import { hasFields } from '../util/plain.js'
import type { EntityInfo, Relation } from './entity-info.js'
import { type EntityRow, type Kind, originOf, type Row, type TableRow } from './row.js'
import { isThere, type RecordValue } from './value.js'

/** Returns the row of a primary key, or the row that represents an embedded record, as the schema shows it. */
export type RowOf = (schema: RowSchema, pk: string | RowRecord) => TableRow

/** The functions that find rows by references. */
export interface Reach {
  readonly rowOf: RowOf
  /** Returns the keys of all rows of an entity. Omit it if schemas of all rows should not lead to each of them. */
  readonly keysOf?: (kind: string) => readonly string[]
  /** Returns the rows to use for a kind; by default its own. */
  readonly homeIn?: <Member extends Row>(home: Kind<Member>) => Kind<Member>
}

/** Calls `meet` for each row to which a stored value refers, also inside of plain objects, arrays and other schemas. */
export function eachRow(schema: Schema, value: unknown, reach: Reach, meet: (row: TableRow) => void): void {
  if (value === undefined || value === null || schema === null) return
  if (isArraySchema(schema)) {
    if (Array.isArray(value)) for (const item of value) eachRow(schema[0], item, reach, meet)
  } else if (isRowSchema(schema) && typeof value === 'string') meet(reach.rowOf(schema, value))
  else if (isEntity(schema)) {
    if (isEmbedded(value)) meet(reach.rowOf(schema, value))
  } else if (typeof schema !== 'object') return
  else if (isSchemaObject(schema)) eachRef(schema, value, reach, meet)
  else if (typeof value === 'object') {
    const record = value as Record<string, unknown>
    for (const field of Object.keys(schema)) eachRow(schema[field], record[field], reach, meet)
  }
}

/** Returns the row to which a stored value refers; undefined if there are several or none. */
export function soleRow(schema: Schema, value: unknown, reach: Reach): TableRow | undefined {
  const rows = new Set<TableRow>()
  eachRow(schema, value, reach, (row) => rows.add(originOf(row)))
  const [sole, other] = rows
  return other ? undefined : sole
}

/** A separate function, since a closure slows its caller down even if it is not used. */
function eachRef(schema: SchemaContract, value: unknown, reach: Reach, meet: (row: TableRow) => void): void {
  schema.refs?.(value, (inner, below) => eachRow(inner, below, reach, meet), reach.keysOf)
}

function eachKey(key: unknown, home: Kind<TableRow>, meet: (row: TableRow) => void): void {
  const row = rowAt(home, key)
  if (row !== undefined) meet(row)
}

/** Returns all rows that a stored value refers to, directly or through other rows, whether they exist or not. */
export function rowsBelow(
  schema: Schema,
  value: unknown,
  rowOf: RowOf,
  keysOf?: Reach['keysOf'],
): ReadonlySet<TableRow> {
  const rows = new Set<TableRow>()
  let hasAliases = false
  const meet = (row: TableRow): void => {
    rows.add(row)
  }
  const reach: Reach = keysOf ? { rowOf, keysOf } : { rowOf }
  eachRow(schema, value, reach, meet)
  // Iterating over a Set includes elements that are added meanwhile.
  for (const row of rows) {
    if (row.list === undefined) eachRelation(row, reach, meet)
    // Destructuring would create an iterator for each of thousands of members.
    else for (const member of row.list.membersIn(originOf(row.list).value)) meet(rowOf(member[0], member[1]))
    hasAliases ||= row.home.origin !== undefined
  }
  return hasAliases ? new Set([...rows].map(originOf)) : rows
}

/** Calls `meet` for each row to which an entity's relations refer, in its stored value or in another one. */
export function eachRelation(
  row: EntityRow,
  reach: Reach,
  meet: (row: TableRow) => void,
  value: RecordValue = originOf(row).value,
): void {
  const { info } = row.home
  if (info === undefined || !isThere(value)) return
  for (const relation of info.relations) {
    const stored = value[relation.field]
    if (relation.isLeaf || stored === undefined || stored === null) continue
    const shared = homeOf(relation)
    const home = shared && (reach.homeIn?.(shared) ?? shared)
    if (home === undefined) eachRow(relation.schema, stored, reach, meet)
    else if (!relation.isMany) eachKey(stored, home, meet)
    else if (Array.isArray(stored)) for (const key of stored) eachKey(key, home, meet)
  }
}

/** Returns the row of a relation's stored value, which is a primary key of any type or an embedded record. */
export function rowAt(home: Kind<TableRow>, stored: unknown): TableRow | undefined {
  if (typeof stored === 'string') return home.row(stored)
  if (stored === undefined || typeof stored === 'object') return isEmbedded(stored) ? home.embedded(stored) : undefined
  return home.row(`${stored}`)
}

/** True for an embedded record in place of a primary key. */
export function isEmbedded(stored: unknown): stored is RowRecord {
  return typeof stored === 'object' && stored !== null && !Array.isArray(stored) && hasFields(stored)
}

/** The information about a class: its rows, and the `schema` that shows them. */
export interface ClassInfo {
  readonly info: EntityInfo
  readonly schema: unknown
  /** True if the class's `schema` is a getter, which is called only once. */
  readonly isGetter: boolean
  readonly shown: Kind<EntityRow>
}

/** Returns the rows of a relation's target if they were looked up before and the class still has the same `schema`. */
export function homeOf({ home, target }: Relation): Kind<EntityRow> | undefined {
  // Only `EntityInfos` sets `home`, always to a `ClassInfo`.
  const cached = home as ClassInfo | undefined
  return cached !== undefined && (cached.isGetter || cached.schema === target?.schema) ? cached.shown : undefined
}
