import type { Snapshot } from '../endpoint/options.js'
import { isEntity, type Schema } from '../schema/schema.js'

/**
 * The answer that is expected of a mutation whose body is all of the data: the params and the body.
 *
 * @example
 * ```ts
 * expectBody(snapshot, { listId: 1 }, { title: 'Milk' }) // { listId: 1, title: 'Milk' }
 * ```
 */
export function expectBody(_snapshot: Snapshot, ...args: readonly unknown[]): unknown {
  const params = args.length > 1 ? plain(args[0]) : {}
  const body = args.at(-1)
  return Array.isArray(body) ? body.map((item) => ({ ...params, ...plain(item) })) : { ...params, ...plain(body) }
}

/**
 * The answer that is expected of a change of some fields: the params and the body; none if the row is not in the table.
 *
 * @example
 * ```ts
 * expectChange(Todo)(snapshot, { id: 5 }, { done: true }) // { id: 5, done: true }
 * ```
 */
export function expectChange(schema: Schema): (snapshot: Snapshot, ...args: readonly unknown[]) => unknown {
  return (snapshot, params, body) => {
    const row: unknown = snapshot.get(schema, ...([params] as never))
    if (!row) throw snapshot.abort
    const change = { ...plain(params), ...plain(body) }
    const hasPk = isEntity(schema) && schema.pk(change, undefined, undefined, [params, body])
    // Params need not name the fields of the primary key: then the row itself tells it.
    return hasPk ? change : { ...row, ...change }
  }
}

/**
 * The answer that is expected of a deletion: its params.
 *
 * @example
 * ```ts
 * expectParams(snapshot, { id: 5 }) // { id: 5 }
 * ```
 */
export function expectParams(_snapshot: Snapshot, params: unknown): unknown {
  return params
}

/** An object's members; a form's fields, those that are repeated as arrays. */
function plain(value: unknown): object {
  if (!(value instanceof FormData)) return typeof value === 'object' && value !== null ? value : {}
  const fields = [...new Set(value.keys())].map((name) => {
    const all = value.getAll(name)
    return [name, all.length > 1 ? all : all[0]] as const
  })
  return Object.fromEntries(fields)
}
