import { isArraySchema, isEntity } from '../schema/schema.js'
import type { EntityInfos } from './entity-infos.js'
import { memberNodes } from './list-members.js'
import type { ListRow } from './list-row.js'
import type { Node } from './node.js'
import type { ResultView } from './result-view.js'
import { isThere, type ListValue } from './row.js'

/** A list's members to look at again: those that changed, or all where the list itself is another. */
export function membersToSee(list: ListRow, infos: EntityInfos): readonly (Node | null)[] {
  const { value } = list
  if (!isThere(value) || list.home.list === undefined) return []
  if (list.built === value) return list.list.changed ?? list.children
  list.children = memberNodes(list.home.list, (value as ListValue).members, infos.shown)
  return list.children
}

/** The same for a result that is a plain array of entities; undefined for other results. */
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
