import { isEntity, isSchemaObject, type Schema } from './schema.js'

/**
 * The schemas directly below one: an entity's relations, the `parts` of a schema object, the members of a literal.
 *
 * @example schemasBelow({ todos: [Todo] }) // [[Todo]]
 */
export function schemasBelow(schema: Schema): readonly Schema[] {
  if (isEntity(schema)) return Object.values(schema.schema ?? {})
  if (typeof schema !== 'object' || schema === null) return []
  return isSchemaObject(schema) ? (schema.parts?.() ?? []) : Object.values(schema)
}
