import { Layer } from '../commit/layer.js'
import type { EndpointInterface, Snapshot } from '../endpoint/options.js'
import type { EndpointResponse } from '../endpoint/result.js'
import { ExpiryStatus } from '../endpoint/result.js'
import type { Flight } from '../engine/flight.js'
import { placeholderOf, type Store } from '../engine/store.js'
import { respond } from '../respond.js'
import type { Schema } from '../schema/schema.js'
import type { Change } from '../table/change.js'
import type { Row, RowSource } from '../table/row.js'
import { CallbackError } from '../util/errors.js'
import { checkSchema, keyOf } from './arguments.js'

/**
 * Thrown by `getOptimisticResponse` to show nothing before the response. It is created on access: for the stack of an error
 * that is created while modules are evaluated, V8 would parse the whole script a second time.
 */
class NoOptimisticResponse extends Error {
  override message = 'No optimistic response.'
}

/** The functions with which a snapshot reads. */
export interface Lookup {
  show(schema: Schema, args: readonly unknown[], result?: unknown): unknown
  resultOf(key: string, schema: Schema): unknown
  /** The facts of a key that do not depend on layers. */
  meta(endpoint: EndpointInterface, args: readonly unknown[]): Omit<EndpointResponse<unknown>, 'data'>
}

/** Creates the snapshot that `getOptimisticResponse` and `controller.snapshot` use. */
export function makeSnapshot(lookup: Lookup, fetchedAt: number): Snapshot {
  const getResponse = (endpoint: EndpointInterface, ...args: readonly unknown[]): EndpointResponse<unknown> => {
    const key = keyOf(endpoint, args)
    return {
      ...lookup.meta(endpoint, args),
      data: lookup.show(endpoint.schema, args, lookup.resultOf(key, endpoint.schema)),
    }
  }
  const snapshot = {
    get: (schema: Schema, ...args: readonly unknown[]) => {
      checkSchema(schema)
      return lookup.show(schema, args)
    },
    getResponse,
    getError: (endpoint: EndpointInterface, ...args: readonly unknown[]) => getResponse(endpoint, ...args).error,
    get abort() {
      return new NoOptimisticResponse()
    },
    fetchedAt,
  }
  // The types follow from the schemas, which are unknown here.
  return snapshot as Snapshot
}

/** Creates the layer of a mutation that has an optimistic response. If a replay fails later, the error is reported. */
export function optimisticLayer(store: Store, flight: Flight, fetchedAt: number): Layer | undefined {
  if (flight.endpoint.getOptimisticResponse === undefined) return undefined
  const layer: Layer = new Layer(
    flight,
    (source) => {
      if (flight.isLost) return undefined
      try {
        flight.expected = changeOf(store, flight, fetchedAt, source, layer.isNew)
        return flight.expected
      } catch (error) {
        if (!(error instanceof NoOptimisticResponse)) layer.failed(error as Error)
        return undefined
      }
    },
    store.report,
  )
  return layer
}

function changeOf(
  store: Store,
  { endpoint, args, label }: Flight,
  fetchedAt: number,
  source: RowSource,
  isFirst: boolean,
): Change | undefined {
  const shownValue = (row: Row): unknown => {
    source.onRead?.(row)
    return source.valueOf(row)
  }
  const meta = (): Omit<EndpointResponse<unknown>, 'data'> => ({
    expiryStatus: ExpiryStatus.Valid,
    expiresAt: Infinity,
  })
  const snapshot = makeSnapshot(
    {
      show: (schema, of, result) => store.views.show(schema, of, result, undefined, source),
      resultOf: (key, of) => shownValue(store.entry(key, of).row),
      meta,
    },
    fetchedAt,
  )
  const response = callOptimistic(endpoint, snapshot, args)
  const { table, infos, views } = store
  const placeholder = placeholderOf(label)
  return respond(endpoint, response, {
    table,
    infos,
    views,
    args,
    valueOf: (row) => source.valueOf(row),
    placeholder,
    isPlaced: !isFirst,
    resultOf: (key) => shownValue(store.resultRow(key)),
  })
}

function callOptimistic(endpoint: EndpointInterface, snapshot: Snapshot, args: readonly unknown[]): unknown {
  try {
    return endpoint.getOptimisticResponse?.(snapshot, ...(args as never))
  } catch (cause) {
    if (cause instanceof NoOptimisticResponse) throw cause
    throw new CallbackError('getOptimisticResponse', endpoint.key(...(args as never)), { cause })
  }
}
