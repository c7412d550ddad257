import type { Snapshot } from '../endpoint/options.js'
import { pkOfValue } from '../schema/pk.js'
import {
  type EntityInterface,
  isEntity,
  isMemberChanges,
  isUnion,
  type Schema,
  type SchemaContract,
} from '../schema/schema.js'

/**
 * Returns the expected response to an accessor of a list: the params and the body. A `move` waits for the rows that the table
 * lacks.
 *
 * @example
 * ```ts
 * expectMembers(Todo).call(getTodos.push, snapshot, { listId: 1 }, { title: 'Milk' }) // { listId: 1, title: 'Milk' }
 * ```
 */
export function expectMembers(schema: Schema) {
  const isHere = (snapshot: Snapshot, item: object): boolean => rowOf(snapshot, existing(schema), item) !== undefined
  return function (
    this: { readonly schema?: unknown } | undefined,
    snapshot: Snapshot,
    ...args: readonly unknown[]
  ): unknown {
    const params = args.length > 1 ? fieldsOf(args[0]) : {}
    const body = args.at(-1)
    const all = [body].flat().map((item) => ({ ...params, ...sentIn(item) }))
    const own = this?.schema
    const isMove = isMemberChanges(own) && own.movesByArgs
    const shown = isMove ? all.filter((item) => isHere(snapshot, item)) : all
    if (Array.isArray(body)) return shown
    if (shown.length === 0) throw snapshot.abort
    return shown[0]
  }
}

/**
 * Returns the expected response to a change of some fields: the params and the body. Throws `abort` if the table lacks the
 * row.
 *
 * @example
 * ```ts
 * expectChange(Todo)(snapshot, { id: 5 }, { done: true }) // { id: 5, done: true }
 * ```
 */
export function expectChange(schema: Schema): (snapshot: Snapshot, ...args: readonly unknown[]) => unknown {
  return (snapshot, params, body) => {
    if (rowOf(snapshot, existing(schema), params) === undefined) throw snapshot.abort
    return expectUpdate(schema)(snapshot, params, sentIn(body))
  }
}

/**
 * Returns the expected response to an update or a deletion: the params and the body, with the fields that identify the row
 * if they do not.
 *
 * @example
 * ```ts
 * expectUpdate(Todo)(snapshot, { slug: 'milk' }, { done: true }) // { id: 5, slug: 'milk', done: true }
 * ```
 */
export function expectUpdate(schema: Schema): (snapshot: Snapshot, ...args: readonly unknown[]) => unknown {
  return (snapshot, ...args) => {
    const change = { ...fieldsOf(args.length > 1 ? args[0] : {}), ...fieldsOf(args.at(-1)) }
    if (isEntity(schema) && pkOfValue(schema, change, undefined, undefined, args) !== undefined) return change
    const row = rowOf(snapshot, schema, args[0])
    if (!row) throw snapshot.abort
    return { ...namesIn(row, schema, args), ...change }
  }
}

/** Returns a schema that shows an object for any stored row, even one that `validate` rejects: another class may show it. */
function existing(schema: Schema): Schema {
  if (!isEntity(schema)) return schema
  return {
    normalize: (input) => input,
    denormalize: (pk) => ({ pk }),
    queryKey: (args, context) => schema.queryKey(args, context),
  } satisfies SchemaContract
}

function rowOf(snapshot: Snapshot, schema: Schema, params: unknown): object | undefined {
  // A resource's schema shows entities.
  return snapshot.get(schema, ...([params] as never)) as object | undefined
}

/** Returns the fields of a row that are read to compute its discriminator and its primary key. */
function namesIn(row: object, schema: Schema, args: readonly unknown[]): object {
  const names: Record<PropertyKey, unknown> = {}
  const seen = new Proxy(row, {
    get(target, field, receiver) {
      const value: unknown = Reflect.get(target, field, receiver)
      if (Object.hasOwn(target, field)) names[field] = value
      return value
    },
  })
  const kind = isUnion(schema) ? schema.kindOf(seen, undefined, undefined) : undefined
  const entity = isUnion(schema) ? schema.entityOf(`${kind}`) : schema
  if (isEntity(entity as Schema)) (entity as EntityInterface).pk(seen, undefined, undefined, args)
  return names
}

/** Returns the fields of a body that are sent: JSON omits undefined ones, so the server leaves them as they are. */
function sentIn(body: unknown): object {
  const fields: Record<string, unknown> = { ...fieldsOf(body) }
  for (const name in fields) if (fields[name] === undefined) delete fields[name]
  return fields
}

/** Returns the members of an object, or the fields of a form with repeated ones as arrays. */
function fieldsOf(value: unknown): object {
  if (!(value instanceof FormData)) return typeof value === 'object' && value !== null ? value : {}
  const fields = [...new Set(value.keys())].map((name) => {
    const all = value.getAll(name)
    return [name, all.length > 1 ? all : all[0]] as const
  })
  return Object.fromEntries(fields)
}
