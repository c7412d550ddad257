import { schemasBelow } from '../schema/below.js'
import {
  isArraySchema,
  isEntity,
  isSchemaObject,
  type RowRecord,
  type Schema,
  type SchemaContract,
} from '../schema/schema.js'
import type { EntityInfo } from '../table/entity-info.js'
import type { EntityInfos } from '../table/entity-infos.js'
import type { RecordRow } from '../table/row.js'
import type { Kind } from '../table/table.js'

/** What a schema is, found once for each response and not for each value. */
export type SchemaInfo = EntitySchemaInfo | ArrayInfo | OtherInfo

export interface EntitySchemaInfo {
  readonly is: 'entity'
  readonly info: EntityInfo
  readonly kind: Kind<RecordRow>
  /** The schemas of its relations in their order, found when the first entity is met: they may lead back here. */
  relations: readonly SchemaInfo[] | undefined
  /** Of a class with relations: the value that each row was written by last, by the rows' slots. */
  readonly inputs: object[]
  /** What each value made of a row that several wrote, by the rows' slots. */
  readonly made: Map<object, RowRecord>[]
}

export interface ArrayInfo {
  readonly is: 'array'
  readonly schema: Schema
  /** The schema of its members, found when the first is met. */
  member: SchemaInfo | undefined
}

export type OtherInfo =
  | { readonly is: 'contract'; readonly schema: SchemaContract }
  | { readonly is: 'object'; readonly schema: { readonly [field: string]: Schema } }
  /** A deserializer has its turn when the value is shown; text and numbers only document a field. */
  | { readonly is: 'plain' }

/** What a schema is. */
export function schemaInfo(schema: Schema, entities: EntityInfos): SchemaInfo {
  if (isEntity(schema)) {
    const { info, kind } = entities.of(schema)
    return { is: 'entity', info, kind, relations: undefined, inputs: [], made: [] }
  }
  if (typeof schema !== 'object' || schema === null) return { is: 'plain' }
  // An empty array says nothing of what comes there.
  if (isArraySchema(schema)) return schema.length === 0 ? { is: 'plain' } : { is: 'array', schema, member: undefined }
  return isSchemaObject(schema) ? { is: 'contract', schema } : { is: 'object', schema }
}

/**
 * True if nothing of a user's comes between a response and the table: no class with a `process` of its own and no schema that may
 * hand on something else. Then the parts of a response that was handed over are nobody else's.
 */
export function passesOn(schema: Schema, entities: EntityInfos, seen: Set<unknown> = new Set()): boolean {
  if (seen.has(schema)) return true
  seen.add(schema)
  if (isEntity(schema) && !entities.of(schema).info.plainProcess) return false
  if (isSchemaObject(schema) && schema.passesOn !== true) return false
  for (const below of schemasBelow(schema)) if (!passesOn(below, entities, seen)) return false
  return true
}
