import { isEntity, isSchemaObject, type Schema } from '../schema/schema.js'
import type { Plans } from '../table/plans.js'

/**
 * True if nothing of a user's comes between an answer and the table: no class with a `process` of its own and no schema that may
 * hand on something else. Then the parts of an answer that was handed over are nobody else's.
 */
export function passesOn(schema: Schema, plans: Plans, seen: Set<unknown> = new Set()): boolean {
  if (schema === null || (typeof schema !== 'object' && typeof schema !== 'function') || seen.has(schema)) return true
  seen.add(schema)
  const all = (schemas: readonly Schema[]): boolean => schemas.every((inner) => passesOn(inner, plans, seen))
  if (isEntity(schema)) return plans.of(schema).plan.plainProcess && all(Object.values(schema.schema ?? {}))
  // A deserializer gets what is shown, later.
  if (typeof schema === 'function') return true
  if (isSchemaObject(schema)) return schema.passesOn === true && all(schema.parts?.() ?? [])
  return all(Object.values(schema))
}
