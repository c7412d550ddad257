import type { EndpointInterface } from '../endpoint/options.js'
import { readAt } from '../engine/entry.js'
import { pkOfValue } from '../schema/pk.js'
import { type EntityInterface, isEntity, isRowSchema, type Schema } from '../schema/schema.js'
import type { ResponseInfo } from '../table/value.js'
import { SchemaError } from '../util/errors.js'
import { keyOf } from './arguments.js'
import type { Runtime } from './runtime.js'

/**
 * Returns the facts of a write without a request: those of a read that ends now. It also starts now, with an event that
 * `key` names, or at `start`, the number of a live source's frame.
 */
export function localResponse(
  runtime: Runtime,
  key: string,
  lifetime: number = runtime.dataExpiryLength,
  start: number = runtime.act('set', key),
): ResponseInfo {
  return readAt(runtime.env, start, lifetime)
}

/** Writes a response as if the endpoint had just received it for a request that started at `start`. */
export function writeResponse(
  runtime: Runtime,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  data: unknown,
  start?: number,
): void {
  const { store } = runtime
  const key = keyOf(endpoint, args)
  const entry = endpoint.sideEffect === true ? undefined : store.entry(key, endpoint.schema)
  const change = store.changeOf({ endpoint, args }, data)
  if (change === undefined) throw new SchemaError('$', 'data', 'an empty response')
  const response = localResponse(runtime, key, endpoint.dataExpiryLength, start)
  if (entry === undefined) {
    store.commit({ change, response, by: response.start })
    return
  }
  store.keepRead(entry, change, response, { endpoint, args })
}

/**
 * Writes a value to the row or list that the arguments refer to, merged like a response. If the value of a row lacks the
 * fields of the primary key, the arguments provide them. A function returns the value for the current one.
 *
 * @throws SchemaError if the value does not match the schema, or has another primary key than the arguments
 */
export function setValue(runtime: Runtime, schema: Schema, args: readonly unknown[], valueOrUpdater: unknown): void {
  const { store } = runtime
  const isUpdater = typeof valueOrUpdater === 'function'
  const value: unknown = isUpdater ? valueOrUpdater(store.views.show(schema, args)) : valueOrUpdater
  // An updater returns undefined to write nothing.
  if (isUpdater && value === undefined) return
  const whole = isEntity(schema) ? namedValue(runtime, schema, args, value) : value
  // A write uses only these members of an endpoint.
  const endpoint = { schema, key: () => `set(${nameOf(schema)})` } as unknown as EndpointInterface
  const change = store.changeOf({ endpoint, args }, whole)
  if (change === undefined) return
  const response = localResponse(runtime, nameOf(schema))
  store.commit({ change, response, by: response.start })
}

/** Returns the value, with the fields of its primary key if it lacks them. */
function namedValue(runtime: Runtime, schema: EntityInterface, args: readonly unknown[], value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const pkOf = (fields: object): string | undefined => pkOfValue(schema, fields, undefined, undefined, args)
  const [named] = args
  const found = runtime.store.views.lookupQuietly(schema, args)
  const fields = typeof named === 'object' && named !== null ? named : { id: named }
  const base = typeof found === 'string' ? runtime.store.infos.of(schema).kind.row(found).value : undefined
  const defaults = typeof base === 'object' && base !== null ? base : fields
  const wanted = typeof found === 'string' ? found : pkOf(fields)
  if (wanted === undefined) return { ...defaults, ...value }
  if (pkOf(value) === wanted) return value
  const whole = { ...keyField(wanted, defaults, pkOf), ...value }
  const pk = pkOf(whole)
  if (pk === wanted) return whole
  const message = `set(${schema.key}) names ${wanted}, but the value's primary key is ${pk ?? 'missing'}. Make them agree.`
  throw new SchemaError('$', `the primary key ${wanted}`, String(pk), { message })
}

/** Returns the field of `defaults` that alone makes this primary key, or else all of them. */
function keyField(pk: string, defaults: object, pkOf: (fields: object) => string | undefined): object {
  for (const [field, value] of Object.entries(defaults)) if (pkOf({ [field]: value }) === pk) return { [field]: value }
  return defaults
}

/** Returns the name of a schema for messages. */
function nameOf(schema: Schema): string {
  return isRowSchema(schema) ? schema.key : 'a schema'
}
