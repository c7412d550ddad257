import { isArraySchema, isEntity } from '../schema/schema.js'
import type { EntityInfos } from './entity-infos.js'
import type { Node } from './node.js'
import type { ResultView } from './result-view.js'

/** The rows to read again of a result that is a plain array of entities: those that changed, or all; undefined for other results. */
export function itemsToSee(
  result: ResultView,
  value: unknown,
  infos: EntityInfos,
): readonly (Node | null)[] | undefined {
  const entity = isArraySchema(result.schema) ? result.schema[0] : undefined
  if (!Array.isArray(value) || !isEntity(entity)) return undefined
  const { info, shown } = infos.of(entity)
  if (info.usesArgs) return undefined
  if (result.built !== value) {
    result.children = value.map((pk) => (typeof pk === 'string' ? shown.row(pk) : null))
    result.built = value
    result.list.renew()
  }
  return result.list.changed ?? result.children
}
