import { isEntity, isSchemaObject, type Schema } from './schema.js'

/**
 * A schema and all that it is made of: an entity's relations, the `parts` of a schema object, the members of a literal, and what is below
 * these. Each schema is there once, also if it contains itself.
 *
 * @example [...schemasIn({ todos: [Todo] })] // [{ todos: [Todo] }, [Todo], Todo, …]
 */
export function schemasIn(schema: Schema): ReadonlySet<Schema> {
  const all = new Set([schema])
  // A Set that grows while it is walked is walked to its end.
  for (const each of all) for (const below of schemasBelow(each)) all.add(below)
  return all
}

/** The schemas directly below one. */
export function schemasBelow(schema: Schema): readonly Schema[] {
  if (isEntity(schema)) return Object.values(schema.schema ?? {})
  if (typeof schema !== 'object' || schema === null) return []
  return isSchemaObject(schema) ? (schema.parts?.() ?? []) : Object.values(schema)
}
