import {
  type EntityInterface,
  isEntity,
  isListSchema,
  isSchemaObject,
  type ListSchema,
  type RowRecord,
  type Schema,
} from '../schema/schema.js'
import { memberNodes } from './list-members.js'
import { ListRow } from './list-row.js'
import type { Plans } from './plans.js'
import { isArraySchema } from './reader.js'
import { isThere, type ListValue, Row } from './row.js'
import type { Table } from './table.js'

/** All rows that a kept value leads to, found or not, through as many others as it takes. */
export function rowsBelow(table: Table, plans: Plans, schema: Schema, value: unknown): ReadonlySet<Row> {
  const rows = new Set<Row>()
  const rowOf = (of: EntityInterface | ListSchema, pk: string): Row =>
    isListSchema(of) ? table.listKind(of).row(pk) : plans.of(of as EntityInterface).kind.row(pk)
  const meet = (of: Schema, inner: unknown): void => {
    if (inner === undefined || inner === null || of === null) return
    if (isEntity(of) || isListSchema(of)) {
      if (typeof inner === 'string') rows.add(rowOf(of, inner))
    } else if (typeof of !== 'object') return
    else if (isSchemaObject(of)) of.refs?.(inner, meet)
    else if (isArraySchema(of)) {
      if (Array.isArray(inner)) for (const item of inner) meet(of[0], item)
    } else if (typeof inner === 'object') {
      const record = inner as Record<string, unknown>
      for (const field of Object.keys(of)) meet(of[field], record[field])
    }
  }
  meet(schema, value)
  // A Set that grows while it is walked is walked to its end.
  for (const row of rows) {
    if (!isThere(row.value)) continue
    if (row instanceof ListRow) {
      const { list } = row.home
      if (list === undefined) continue
      for (const node of memberNodes(list, (row.value as ListValue).members, rowOf))
        if (node instanceof Row) rows.add(node)
    } else {
      const record = row.value as RowRecord
      for (const { field, schema: inner } of row.home.plan?.relations ?? []) meet(inner, record[field])
    }
  }
  return rows
}
