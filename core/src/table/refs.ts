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
import { homeOf, isEmbedded, type Kind, originOf, type Row, rowAt } from './row.js'
import { isThere } from './value.js'

/** The row of a schema and a primary key, or the row that represents an embedded record. */
export type RowOf = (schema: RowSchema, pk: string | RowRecord) => Row

/** The operations to find rows from references. */
export interface Reach {
  readonly rowOf: RowOf
  /** Returns the keys of all rows of an entity; omitted if a schema that shows all rows should not lead to each of them. */
  readonly keysOf?: (kind: string) => readonly string[]
  /** The rows of a kind for this purpose. */
  readonly homeIn?: (home: Kind) => Kind
}

/** Calls `meet` for each row that a stored value refers to, in plain values and schemas around it too. */
export function eachRow(schema: Schema, value: unknown, reach: Reach, meet: (row: Row) => void): void {
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

/** Returns the row that a stored value refers to, if it is the only one. */
export function soleRow(schema: Schema, value: unknown, reach: Reach): Row | undefined {
  const rows = new Set<Row>()
  eachRow(schema, value, reach, (row) => rows.add(originOf(row)))
  const [sole, other] = rows
  return other ? undefined : sole
}

/** A separate function, since a closure costs its caller even if it is not used. */
function eachRef(schema: SchemaContract, value: unknown, reach: Reach, meet: (row: Row) => void): void {
  schema.refs?.(value, (inner, below) => eachRow(inner, below, reach, meet), reach.keysOf)
}

function eachKey(key: unknown, home: Kind, meet: (row: Row) => void): void {
  const row = typeof key === 'string' || isEmbedded(key) ? rowAt(home, key) : undefined
  if (row !== undefined) meet(row)
}

/** Returns all rows that a stored value leads to, directly or through other rows, whether they exist or not. */
export function rowsBelow(schema: Schema, value: unknown, rowOf: RowOf, keysOf?: Reach['keysOf']): ReadonlySet<Row> {
  const rows = new Set<Row>()
  let hasAliases = false
  const meet = (row: Row): void => {
    rows.add(row)
  }
  const reach: Reach = keysOf ? { rowOf, keysOf } : { rowOf }
  eachRow(schema, value, reach, meet)
  // A Set that grows while it is walked is walked to its end.
  for (const row of rows) {
    if (row.list === undefined) eachRelation(row, reach, meet)
    // A pattern would run an iterator for each of thousands.
    else for (const member of row.list.membersIn(originOf(row.list).value)) meet(rowOf(member[0], member[1]))
    hasAliases ||= row.home.origin !== undefined
  }
  return hasAliases ? new Set([...rows].map(originOf)) : rows
}

/** Calls `meet` for each row that an entity's relations lead to, by what it shows or by another value of it. */
export function eachRelation(
  row: Row,
  reach: Reach,
  meet: (row: Row) => void,
  value: unknown = originOf(row).value,
): void {
  const { info } = row.home
  if (info === undefined || !isThere(value)) return
  const record = value as RowRecord
  for (const relation of info.relations) {
    const stored = record[relation.field]
    if (relation.isLeaf || stored === undefined || stored === null) continue
    const shared = homeOf(relation)
    const home = shared && (reach.homeIn?.(shared) ?? shared)
    if (home === undefined) eachRow(relation.schema, stored, reach, meet)
    else if (!relation.isMany) eachKey(stored, home, meet)
    else if (Array.isArray(stored)) for (const key of stored) eachKey(key, home, meet)
  }
}
