import { isArraySchema, isSchemaObject, type Schema } from '../schema/schema.js'
import { freezeList, freezePlain, isPlain } from '../util/plain.js'

/** Freezes what a result shows: in development all of it, in production its lists. */
export function sealShown<View>(schema: Schema, view: View): View {
  if (process.env.NODE_ENV !== 'production') freezePlain(view)
  else freezeLists(schema, view)
  return view
}

function freezeLists(schema: Schema, view: unknown): void {
  if (Array.isArray(view)) {
    freezeList(view)
    if (isArraySchema(schema) && isArraySchema(schema[0])) for (const inner of view) freezeLists(schema[0], inner)
    return
  }
  if (!isPlain(view) || typeof schema !== 'object' || schema === null) return
  const literal: object = isSchemaObject(schema) ? definitionOf(schema) : schema
  // Only own fields of plain values are read.
  const [fields, values] = [literal, view] as Readonly<Record<string, never>>[]
  for (const field of Object.keys(fields ?? {})) freezeLists(fields?.[field], values?.[field])
}

/** What an `Object` schema is made of; others show what they like. */
function definitionOf(schema: object): object {
  return 'definition' in schema && isPlain(schema.definition) ? schema.definition : {}
}
