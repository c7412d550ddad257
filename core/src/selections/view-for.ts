import type { DenormalizeContext } from '../schema/schema.js'
import { Row } from '../table/row.js'
import { Views } from '../table/views.js'
import { stableKey } from '../util/stable-key.js'
import { allRowsOf } from './all-rows.js'
import type { DerivedView } from './derived-view.js'
import type { RowsSchema } from './rows-schema.js'

/**
 * Returns the value of the view that results with the same schema and arguments share. Undefined if there is none: for
 * optimistic layers, in an entity's relation, for entities whose views depend on the arguments, and for a single read
 * without observers.
 */
export function viewFor(context: DenormalizeContext, schema: RowsSchema, make: (views: Views) => DerivedView): unknown {
  if (!(context instanceof Views) || context.view instanceof Row || context.isElsewhere) return undefined
  const { infos, args } = context
  const entities = schema.entities()
  const [first] = entities
  if (first === undefined || entities.some((entity) => infos.of(entity).info.usesArgs !== undefined)) return undefined
  const key = schema.usesArgs !== undefined ? stableKey(args) : ''
  const { kind } = infos.of(first)
  const existing = kind.allRows === undefined ? undefined : allRowsOf(kind).find(schema, key)
  if (existing === undefined && context.view === undefined) return undefined
  const view = existing ?? make(context)
  if (existing === undefined) allRowsOf(kind).keep(schema, key, view)
  context.dependOn(view)
  return context.stable(view.read())
}
