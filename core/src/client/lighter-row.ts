import { isEntity } from '../schema/schema.js'
import { originOf } from '../table/row.js'
import type { QueryEntry } from './query-entry.js'
import type { Runtime } from './runtime.js'

/**
 * For developers: warns if a read needs no request because another response contained its row, although the row lacks fields
 * that its class declares with a value. A field whose default is undefined may be missing.
 */
export function warnOfLighter({ endpoint, args, entry, view }: QueryEntry, { store, warn }: Runtime): void {
  const { schema, name } = endpoint
  if (entry.response !== undefined || !view.inferred || !isEntity(schema)) return
  const pk = store.views.lookupQuietly(schema, args)
  if (typeof pk !== 'string') return
  const row = originOf(store.rowOf(schema, pk))
  const record = row.value
  // Only reads count: rows written by mutations or by this client may lack fields for other reasons.
  if (row.read === undefined || typeof record !== 'object' || record === null) return
  const missing = Object.entries(schema.defaults)
    .filter(([field, value]) => value !== undefined && !Object.hasOwn(record, field))
    .map(([field]) => field)
  if (missing.length === 0) return
  const what = `${name ?? 'An endpoint'} sends no request for a row of ${schema.key} from another response, although that had no ${missing.join(', ')}`
  warn(
    `${what}. If only this endpoint returns them, require them in validate(); if the server omits them, make their default undefined. See Detail after list.`,
  )
}
