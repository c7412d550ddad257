import { isEntity, isSchemaObject, type Schema } from './schema.js'

/**
 * Returns a schema and all schemas in it, at any depth: an entity's relations, the `parts` of a schema object, the members
 * of a literal. The set contains each schema once, even if it contains itself.
 *
 * @example [...schemasIn({ todos: [Todo] })] // [{ todos: [Todo] }, [Todo], Todo, …]
 */
export function schemasIn(schema: Schema): ReadonlySet<Schema> {
  const all = new Set([schema])
  // Iterating over a Set includes elements that are added meanwhile.
  for (const each of all) for (const below of schemasBelow(each)) all.add(below)
  return all
}

/** Returns the schemas directly below a schema. */
export function schemasBelow(schema: Schema): readonly Schema[] {
  if (isEntity(schema)) return Object.values(schema.schema ?? {})
  if (typeof schema !== 'object' || schema === null) return []
  return isSchemaObject(schema) ? (schema.parts?.() ?? []) : Object.values(schema)
}
