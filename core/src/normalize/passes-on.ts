import { schemasIn } from '../schema/below.js'
import { isEntity, isSchemaObject, type Schema } from '../schema/schema.js'
import type { EntityInfos } from '../table/entity-infos.js'

/**
 * True if no user code lies between a response and the table: no class with its own `process` and no schema that may pass on
 * other data. Then no other code has parts of a transferred response.
 */
export function passesOn(schema: Schema, entities: EntityInfos): boolean {
  for (const each of schemasIn(schema)) {
    if (isSchemaObject(each) && each.passesOn !== true) return false
    if (!isEntity(each)) continue
    const { info, splits } = entities.of(each)
    // Relations of the key's other classes are not visited here, so they count as user code.
    if (!info.inheritsProcess || splits !== info) return false
  }
  return true
}
