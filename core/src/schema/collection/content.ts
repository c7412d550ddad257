import { OptionError } from '../../tools/errors.js'
import { ArraySchema } from '../array.js'
import { isEntity, isSchemaObject, type Schema } from '../schema.js'
import { Union } from '../union.js'
import { Values } from '../values.js'
import type { CollectionContent } from './options.js'

/**
 * The schema of one member, and whether members have keys.
 *
 * @throws OptionError for content that no list can hold
 */
export function contentOf(schema: CollectionContent): { readonly member: Schema; readonly isMap: boolean } {
  const isMap = schema instanceof Values
  if (!isMap && !(schema instanceof ArraySchema) && !Array.isArray(schema)) {
    throw new OptionError(
      'schema',
      'of a Collection must be an array or Values of entities: [Todo], or new Values(Todo).',
    )
  }
  // Who writes JavaScript may give anything; what it is, is asked right below.
  const member = (Array.isArray(schema) ? schema[0] : (schema as { readonly member: Schema }).member) as Schema
  if (isEntity(member) || isSchemaObject(member)) return { member, isMap }
  throw new OptionError('schema', `of a Collection ${faultOf(member)}`)
}

function faultOf(member: Schema): string {
  if (member !== undefined)
    return 'must hold entities or a Union. Make the member an Entity, or use the array without a Collection.'
  return 'is undefined. Two modules that import each other: assign static schema after both classes.'
}

/** The names of the kinds that a member may be of, as they stand in the Collection's key. */
export function kindsOf(member: Schema): string {
  if (member instanceof Union) return member.parts().map(kindsOf).join(';')
  if (isEntity(member)) return member.key
  return typeof member === 'object' && member !== null && 'key' in member ? `${member.key}` : ''
}
