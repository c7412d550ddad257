import { schemasIn } from '../schema/below.js'
import { isEntity, isSchemaObject, type Schema } from '../schema/schema.js'
import type { EntityInfos } from '../table/entity-infos.js'

/**
 * True if nothing of a user's comes between a response and the table: no class with a `process` of its own and no schema that may
 * hand on something else. Then the parts of a response that was handed over are nobody else's.
 */
export function passesOn(schema: Schema, entities: EntityInfos): boolean {
  for (const each of schemasIn(schema)) {
    if (isSchemaObject(each) && each.passesOn !== true) return false
    if (!isEntity(each)) continue
    const { info, splits } = entities.of(each)
    // Classes of the key's other relations are not among those of this schema.
    if (!info.inheritsProcess || splits !== info) return false
  }
  return true
}
