import type { EndpointInterface } from '../endpoint/options.js'
import { respond } from '../respond.js'
import { pkOfValue } from '../schema/pk.js'
import { isEntity, isListSchema, type Schema } from '../schema/schema.js'
import { type Answer, baseOf } from '../table/row.js'
import { SchemaError } from '../util/errors.js'
import { takeTransferred } from '../util/transfer.js'
import type { Desk } from './desk.js'
import { keyOf } from './key-of.js'

/** An answer that came without a request, from a live source or from the page itself: a read that starts now. */
export function answerNow(desk: Desk, lifetime: number): Answer {
  const date = desk.env.now()
  return {
    start: desk.store.sequence.next(),
    done: 0,
    mutation: false,
    date,
    expiresAt: date + lifetime,
    at: desk.env.mono(),
  }
}

/** Writes a response as if the endpoint had just brought it. */
export function writeResponse(
  desk: Desk,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  data: unknown,
  lifetime: number,
): void {
  const { store } = desk
  const key = keyOf(endpoint, args)
  const entry = endpoint.sideEffect === true ? undefined : store.entry(key, endpoint.schema)
  const change = read(desk, endpoint, args, data)
  if (change === undefined) throw new SchemaError('$', 'data', 'an empty response')
  const answer = answerNow(desk, endpoint.dataExpiryLength ?? lifetime)
  if (entry === undefined) {
    store.commit({ change, answer })
    return
  }
  store.keepRead(entry, change, answer, { endpoint, args })
}

/**
 * Writes what the arguments name, merged like an answer: into a row, fields that the value leaves out name its key.
 *
 * @throws SchemaError if the value does not fit, or has another primary key than the arguments
 */
export function writeValue(
  desk: Desk,
  schema: Schema,
  args: readonly unknown[],
  value: unknown,
  lifetime: number,
): void {
  const whole = isEntity(schema) ? namedValue(desk, schema, args, value) : value
  // Only the schema of an endpoint matters to what is written.
  const endpoint = { schema, key: () => `set(${nameOf(schema)})` } as unknown as EndpointInterface
  const change = read(desk, endpoint, args, whole)
  if (change !== undefined) desk.store.commit({ change, answer: answerNow(desk, lifetime) })
}

function read(
  desk: Desk,
  endpoint: EndpointInterface,
  args: readonly unknown[],
  data: unknown,
): ReturnType<typeof respond> {
  const { table, infos } = desk.store
  const resultOf = (key: string): unknown => baseOf(desk.store.resultRow(key))
  return respond(endpoint, data, {
    table,
    infos,
    args,
    valueOf: baseOf,
    resultOf,
    isTransferred: takeTransferred(data),
  })
}

/** The value with the fields that name it, as far as it leaves them out. */
function namedValue(
  desk: Desk,
  schema: Schema & { readonly key: string },
  args: readonly unknown[],
  value: unknown,
): unknown {
  if (!isEntity(schema) || typeof value !== 'object' || value === null) return value
  const [named] = args
  const known = desk.store.views.lookupQuietly(schema, args)
  const fields = typeof named === 'object' && named !== null ? named : { id: named }
  const base = typeof known === 'string' ? desk.store.infos.of(schema).kind.row(known).value : undefined
  const defaults = typeof base === 'object' && base !== null ? base : fields
  const wanted = typeof known === 'string' ? known : pkOfValue(schema, fields, undefined, undefined, args)
  const own = pkOfValue(schema, value, undefined, undefined, args)
  if (own !== undefined && own === wanted) return value
  const whole = { ...pick(defaults, schema, args, wanted), ...value }
  const pk = pkOfValue(schema, whole, undefined, undefined, args)
  if (pk === wanted || wanted === undefined) return whole
  const message = `set(${schema.key}) names ${wanted}, but the value's primary key is ${pk ?? 'missing'}. Make them agree.`
  throw new SchemaError('$', `the primary key ${wanted}`, String(pk), { message })
}

/** Of the defaults, those fields that the primary key needs; all of them where that cannot be told apart. */
function pick(defaults: object, schema: Schema, args: readonly unknown[], wanted: string | undefined): object {
  if (!isEntity(schema) || wanted === undefined) return defaults
  for (const [field, value] of Object.entries(defaults)) {
    if (pkOfValue(schema, { [field]: value }, undefined, undefined, args) === wanted) return { [field]: value }
  }
  return defaults
}

/** What a schema is called in messages. */
function nameOf(schema: Schema): string {
  return isEntity(schema) || isListSchema(schema) ? schema.key : 'a schema'
}
