import type { Write } from '../commit/write.js'
import { normalizeInput } from '../normalize/visit.js'
import { isMemberChanges, isRowSchema } from '../schema/schema.js'
import { Change } from '../table/change.js'
import { originOf, type Row } from '../table/row.js'
import { TOMBSTONE } from '../table/value.js'
import type { Flight } from './flight.js'
import { placeholderOf, type Store } from './store.js'

/** The outcome of an empty response: values to write, and rows whose results become stale. */
export interface EmptyOutcome {
  readonly change: Change | undefined
  readonly stale: readonly Row[]
  /** The result of the optimistic response, if it has a real key. */
  readonly result?: unknown
}

/**
 * Returns the outcome of a mutation without a response body: the optimistic values of rows with real keys become server
 * state, and placeholders are dropped. Results become stale if they depend on rows that the mutation touched or that its
 * arguments name.
 */
export function storeOptimistic(flight: Flight, store: Store): EmptyOutcome {
  const optimistic = flight.layer?.make({ valueOf: store.base }) ?? movedByArgs(flight, store)
  if (optimistic === undefined) return { change: undefined, stale: namedRows(flight, store) }
  const isReal = (pk: string): boolean => !pk.startsWith(placeholderOf(flight.label))
  const change = new Change()
  // Without a layer, the change is that of a `move`, which creates nothing.
  change.mayCreate = flight.layer !== undefined && optimistic.mayCreate
  optimistic.rows.forEach((row, i) => {
    if (isReal(row.pk)) change.write(row, optimistic.records[i] ?? TOMBSTONE, optimistic.customs[i])
  })
  const rowOf: Write['row'] = (entity, pk) => store.infos.of(entity).kind.row(pk)
  const moved = store.lists?.settle(optimistic, change, isReal, rowOf) ?? []
  // The layer's writes include the lists that it changed.
  const touched = [...(flight.layer?.writes ?? [])].filter((row) => isReal(row.pk))
  return {
    change,
    stale: [...change.rows, ...moved, ...touched, ...namedRows(flight, store)],
    result: flight.layer !== undefined && optimistic.rows.some(({ pk }) => isReal(pk)) ? optimistic.result : undefined,
  }
}

/** Returns the change that a `move` without a response body makes by its arguments; undefined if they name no row. */
function movedByArgs({ endpoint, args }: Flight, { table, infos, views, base }: Store): Change | undefined {
  const { schema } = endpoint
  if (!isMemberChanges(schema) || schema.movesByArgs !== true) return undefined
  try {
    return normalizeInput(schema, null, { table, infos, views, args, valueOf: base })
  } catch {
    // The server has done the move, so its response is no error.
    return undefined
  }
}

/** Returns the row or list that a mutation's arguments name. */
export function namedRows({ endpoint, args }: Flight, store: Store): Row[] {
  // Accessors such as `push` change the lists of their Collection.
  const schema = isMemberChanges(endpoint.schema) ? endpoint.schema.collection : endpoint.schema
  if (!isRowSchema(schema)) return []
  const pk = store.views.lookupQuietly(schema, args, { valueOf: store.base })
  return typeof pk === 'string' ? [originOf(store.rowOf(schema, pk))] : []
}
