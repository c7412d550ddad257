import { isEntity, isListSchema, isSchemaObject, type ListSchema, type Schema } from '../schema/schema.js'

/**
 * The list schemas that a schema leads to, by their keys.
 *
 * @example listsIn({ todos: new Collection([Todo]) }).has('[Todo]') // true
 */
export function listsIn(schema: Schema): ReadonlyMap<string, ListSchema> {
  const lists = new Map<string, ListSchema>()
  const seen = new Set<unknown>([schema])
  // A Set that grows while it is walked is walked to its end.
  for (const one of seen) {
    if (isListSchema(one as Schema) && !lists.has((one as ListSchema).key)) {
      lists.set((one as ListSchema).key, one as ListSchema)
    }
    for (const below of schemasBelow(one as Schema)) seen.add(below)
  }
  return lists
}

function schemasBelow(schema: Schema): readonly unknown[] {
  if (isEntity(schema)) return Object.values(schema.schema ?? {})
  if (typeof schema !== 'object' || schema === null) return []
  if (!isSchemaObject(schema)) return Object.values(schema)
  // `push` and its kin say whose lists they change, Lazy how it is read.
  const { collection, query } = schema as { readonly collection?: unknown; readonly query?: unknown }
  return [...(schema.parts?.() ?? []), collection, query]
}
