import type { AnyCollection } from '../collections/collection.js'
import { listIn } from '../rest/accessors.js'
import { schemasBelow } from '../schema/below.js'
import {
  type EntityInterface,
  isArraySchema,
  isEntity,
  isMemberChanges,
  isSchemaObject,
  isUnion,
  type MemberChanges,
  type Schema,
  type UnionSchema,
} from '../schema/schema.js'

/** The schema of one row: an entity, or a Union of several. */
export type RowSchema = EntityInterface | UnionSchema

/** The place of the rows in a response, according to its schema. */
export interface RowPlace {
  readonly member: RowSchema
  /** The fields that lead to them; none where the rows are the response. */
  readonly path: readonly string[]
  readonly shape: 'one' | 'array' | 'map'
  /** The Collection that they are the members of. */
  readonly list: AnyCollection | undefined
  /** The change of a Collection that the response makes, such as `push`. */
  readonly change: MemberChanges | undefined
}

/**
 * Finds all places of rows in a schema.
 *
 * @example
 * ```ts
 * rowPlaces({ data: new Collection([Todo]), total: 0 }) // [{ member: Todo, path: ['data'], shape: 'array', … }]
 * ```
 */
export function rowPlaces(schema: Schema): readonly RowPlace[] {
  return placesIn(schema, { path: [], shape: 'one', list: undefined, change: undefined })
}

function placesIn(schema: Schema, around: Omit<RowPlace, 'member'>): readonly RowPlace[] {
  if (isEntity(schema) || isUnion(schema)) return [{ ...around, member: schema }]
  if (schema !== undefined && listIn(schema) === schema) {
    // Nothing but a Collection is a list.
    const list = schema as AnyCollection
    return withRows(list, { ...around, list })
  }
  if (isMemberChanges(schema)) {
    const list = schema.collection as AnyCollection
    return placesIn(list.member, { ...around, list, change: schema })
  }
  if (isArraySchema(schema)) return placesIn(schema[0], { ...around, shape: 'array' })
  if (isSchemaObject(schema)) {
    if (schema.kind === 'array' || schema.kind === 'map') return withRows(schema as never, around)
    const [inner, ...others] = schema.parts?.() ?? []
    return others.length > 0 ? [] : placesIn(inner, around)
  }
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([field, part]) => placesIn(part, { ...around, path: [...around.path, field] }))
}

function withRows(
  schema: { readonly member: Schema; readonly isMap?: boolean; readonly kind?: string },
  around: Omit<RowPlace, 'member'>,
): readonly RowPlace[] {
  return placesIn(schema.member, { ...around, shape: schema.isMap || schema.kind === 'map' ? 'map' : 'array' })
}

/** The entities that rows of a schema may be of. */
export function entitiesOf(member: RowSchema): readonly EntityInterface[] {
  return isUnion(member) ? member.parts() : [member]
}

/** The entity of one row as a server sends it. */
export function entityOf(member: RowSchema, row: object): EntityInterface | undefined {
  if (!isUnion(member)) return member
  const kind = member.kindOf(row, undefined, undefined)
  return kind === undefined ? undefined : member.entityOf(kind)
}

/** An entity, and the schemas of the fields of all classes that have its key. */
export interface KnownEntity {
  readonly entity: EntityInterface
  readonly schema: EntityInterface['schema']
}

/** All entities that schemas lead to, by their keys; of several with one key the first. */
export function entitiesBelow(schemas: Iterable<Schema>): ReadonlyMap<string, KnownEntity> {
  const met = new Set(schemas)
  const found = new Map<string, KnownEntity>()
  // A Set that grows while it is walked is walked to its end.
  for (const schema of met) {
    if (isEntity(schema)) {
      const { entity = schema, schema: fields } = found.get(schema.key) ?? {}
      found.set(schema.key, { entity, schema: { ...schema.schema, ...fields } })
    }
    for (const below of schemasBelow(schema)) met.add(below)
  }
  return found
}
