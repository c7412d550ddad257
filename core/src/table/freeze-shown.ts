import { isArraySchema, isSchemaObject, type Schema } from '../schema/schema.js'
import { freezePlain, isPlain } from '../util/plain.js'

/** Freezes the value of a result: all of it in development, its lists in production. */
export function freezeShown<View>(schema: Schema, view: View): View {
  if (process.env.NODE_ENV !== 'production') freezePlain(view)
  else freezeLists(schema, view)
  return view
}

/**
 * Sorting a shared list in place would change it for all readers. Freezing it costs little (0.7 µs for 10,000 members
 * that take 700 µs to build), whereas freezing an instance takes ten times as long as creating it.
 */
function freezeLists(schema: Schema, view: unknown): void {
  if (Array.isArray(view)) {
    Object.freeze(view)
    if (isArraySchema(schema) && isArraySchema(schema[0])) for (const inner of view) freezeLists(schema[0], inner)
    return
  }
  if (!isPlain(view) || typeof schema !== 'object' || schema === null) return
  if (isSchemaObject(schema)) {
    // Only an `Object` shows its parts unchanged; other schemas may return anything.
    if (schema.kind === 'object') for (const literal of schema.parts?.() ?? []) freezeLists(literal, view)
    return
  }
  // Only own fields of plain values are read.
  const [fields, values] = [schema, view] as Readonly<Record<string, never>>[]
  for (const field of Object.keys(schema)) freezeLists(fields?.[field], values?.[field])
}
