import { Commit } from '../commit/commit.js'
import { Layer } from '../commit/layer.js'
import { Write } from '../commit/write.js'
import { normalizeInput } from '../normalize/visit.js'
import { isMemberChanges, isRowSchema, isSchemaObject } from '../schema/schema.js'
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
  const optimistic = flight.layer?.make({ valueOf: store.base }) ?? changeByArgs(flight, store)
  if (optimistic === undefined) return { change: undefined, stale: openRows(flight, store) }
  const isReal = (pk: string): boolean => !pk.startsWith(placeholderOf(flight.label))
  const change = new Change()
  // Without a layer, the change follows from the arguments, and creates nothing.
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

/** Returns the change that a deletion, a `remove` or a `move` makes by its arguments; undefined if they are not enough. */
function changeByArgs({ endpoint, args }: Flight, { table, infos, views, base }: Store): Change | undefined {
  const { schema } = endpoint
  const isEnough = isSchemaObject(schema) && (schema.takesEmpty || (isMemberChanges(schema) && schema.movesByArgs))
  if (!isEnough) return undefined
  try {
    return normalizeInput(schema, null, { table, infos, views, args, valueOf: base })
  } catch {
    // An argument that cannot be read names nothing, and is no reason to fail now.
    return undefined
  }
}

/**
 * Returns the rows and lists that a mutation has changed if the server has applied it, of which nobody knows: those of its
 * optimistic response, or else those that follow from its arguments.
 */
export function rowsInDoubt(flight: Flight, store: Store): readonly Row[] {
  const change = flight.layer?.below.size ? undefined : changeByArgs(flight, store)
  const named = [...(flight.layer?.writes ?? []), ...(change ? namedRows : openRows)(flight, store)]
  if (change === undefined) return named
  // The layer that the change would be, which is never laid.
  const layer = new Layer(flight, () => change, store.report)
  const affected = store.lists?.affected(new Write(store, new Commit(false), layer, change)) ?? []
  return [...named, ...change.rows, ...affected]
}

/**
 * Returns what a mutation's arguments name. If its change does not follow from them, and no layer knows its lists, these are
 * all lists that an added row may have entered.
 */
function openRows(flight: Flight, store: Store): readonly Row[] {
  const { args, layer, endpoint } = flight
  const named = namedRows(flight, store)
  if (layer?.below.size || !isMemberChanges(endpoint.schema)) return named
  try {
    return [...named, ...(store.lists?.mayEnter(endpoint.schema.collection, args, store.table) ?? [])]
  } catch {
    // A user's function that throws is reported when lists are written.
    return named
  }
}

/** Returns the row or list that a mutation's arguments name. */
export function namedRows({ endpoint, args }: Flight, store: Store): Row[] {
  // Accessors such as `push` change the lists of their Collection.
  const schema = isMemberChanges(endpoint.schema) ? endpoint.schema.collection : endpoint.schema
  if (!isRowSchema(schema)) return []
  try {
    const pk = store.views.lookupQuietly(schema, args, { valueOf: store.base })
    return typeof pk === 'string' ? [originOf(store.rowOf(schema, pk))] : []
  } catch {
    // Arguments without a key, such as a form, name nothing.
    return []
  }
}
