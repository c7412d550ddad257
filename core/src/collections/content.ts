import type { ArraySchema } from '../schema/array.js'
import {
  type EntityInterface,
  isEntity,
  isInline,
  isScalar,
  isSchemaObject,
  isUnion,
  type Member,
  type Ref,
  type Schema,
} from '../schema/schema.js'
import { isUnionRef } from '../schema/union.js'
import type { Values } from '../schema/values.js'
import { OptionError } from '../util/errors.js'
import type { CollectionContent } from './options.js'

/**
 * Returns the schema of one member, and whether members have keys.
 *
 * @throws OptionError for content that no list can contain
 */
export function contentOf(schema: CollectionContent): { readonly member: Schema; readonly isMap: boolean } {
  if (process.env.NODE_ENV !== 'production' && !Array.isArray(schema) && !isHolder(schema))
    throw new OptionError(
      'schema',
      'of a Collection must be an array or Values of entities: [Todo], or new Values(Todo).',
    )
  // JavaScript callers may pass anything; it is checked below.
  const member = isHolder(schema) ? schema.member : ((schema as readonly unknown[])[0] as Schema)
  const isMap = isHolder(schema) && schema.kind === 'map'
  if (isEntity(member) || isUnion(member) || isScalar(member)) return { member, isMap }
  const fault = member === undefined ? 'is undefined' : 'must hold entities or a Union'
  const hint = process.env.NODE_ENV === 'production' ? '' : hintFor(member)
  throw new OptionError('schema', `of a Collection ${fault}.${hint}`)
}

function isHolder(schema: unknown): schema is ArraySchema | Values {
  return isSchemaObject(schema) && (schema.kind === 'array' || schema.kind === 'map')
}

/** Returns a hint for developers about a member that no list can contain. */
function hintFor(member: Schema): string {
  return member === undefined
    ? ' Where two modules import each other, assign static schema after both classes.'
    : ' Make the member an Entity, or use the array without a Collection.'
}

/** Returns the names of the members' entities for the Collection's key. */
export function memberKeys(member: Schema): string {
  if (isUnion(member)) return member.parts().map(memberKeys).join(';')
  return isEntity(member) || isScalar(member) ? member.key : ''
}

/** Returns the reference that a list of these members stores for a row; undefined if such a row cannot be a member. */
export function refOfRow(member: Schema, kind: string, pk: string): Ref | undefined {
  if (!isUnion(member)) return memberKeys(member) === kind ? pk : undefined
  for (const schema of Object.keys(member.kinds)) if (member.entityOf(schema)?.key === kind) return { id: pk, schema }
  return undefined
}

/** Returns the entity of the row to which a member refers. */
export function entityOfRef(member: Schema, ref: Member): EntityInterface | undefined {
  if (isInline(ref)) return undefined
  if (isEntity(member)) return member
  if (isUnion(member)) return isUnionRef(ref) ? member.entityOf(ref.schema) : undefined
  return isScalar(member) ? member.entityOfRef() : undefined
}
