import { schemasBelow } from '../schema/below.js'
import { isEntity, isSchemaObject, type Schema } from '../schema/schema.js'
import type { EntityInfos } from '../table/entity-infos.js'

/**
 * True if nothing of a user's comes between a response and the table: no class with a `process` of its own and no schema that may
 * hand on something else. Then the parts of a response that was handed over are nobody else's.
 */
export function passesOn(schema: Schema, entities: EntityInfos, seen: Set<unknown> = new Set()): boolean {
  if (seen.has(schema)) return true
  seen.add(schema)
  if (isEntity(schema)) {
    const { info, splits } = entities.of(schema)
    // Classes of the key's other relations are not among those of this schema.
    if (!info.inheritsProcess || splits !== info) return false
  }
  if (isSchemaObject(schema) && schema.passesOn !== true) return false
  for (const below of schemasBelow(schema)) if (!passesOn(below, entities, seen)) return false
  return true
}
