import { schemasBelow } from '../schema/below.js'
import type { Lazy } from '../schema/lazy.js'
import { isListSchema, isMemberChanges, isSchemaObject, type ListSchema, type Schema } from '../schema/schema.js'

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
    for (const other of besides(one as Schema)) seen.add(other)
  }
  return lists
}

/** `push` and the like name the Collection that they change, Lazy the schema of its `query`. */
function besides(schema: Schema): readonly unknown[] {
  if (isMemberChanges(schema)) return [schema.collection]
  // Only Lazy is of this kind.
  return isSchemaObject(schema) && schema.kind === 'lazy' ? [(schema as Lazy<unknown>).query] : []
}
