import type { OptionRecord } from '../endpoint/define.js'
import { PAGE_FIELDS } from '../endpoint/options.js'
import { isSchemaObject, type Schema } from '../schema/schema.js'
import { OptionError } from '../util/errors.js'
import { stableKey } from '../util/stable-key.js'
import { isList, isRecord } from './accessors.js'
import type { Merged, RestGenerics, SearchParamsOf } from './generics.js'

/** Takes the arguments of a page and gives those of the list that it belongs to. */
export type RemoveCursor<Args extends readonly unknown[] = never> = (...args: Args) => readonly unknown[]

/** What of an endpoint its pages are made from. */
export interface PagedEndpoint {
  readonly name: string
  readonly schema: Schema
  readonly pageFields?: readonly string[] | undefined
  key(...args: readonly unknown[]): string
}

/**
 * The options that make an endpoint for pages of a list: its answers are appended to the list, under the list's key.
 *
 * @example
 * ```ts
 * getTodos.extend(pageOptions(getTodos, 'cursor'))
 * ```
 * @throws OptionError if the schema has no Collection.
 */
export function pageOptions(endpoint: PagedEndpoint, cursor: string | RemoveCursor): OptionRecord {
  const removeCursor = typeof cursor === 'string' ? withoutField(cursor) : cursor
  const schema = withPages(endpoint.schema, removeCursor)
  if (schema === undefined) {
    const hint =
      process.env.NODE_ENV === 'production'
        ? ''
        : ', as in new Collection([Todo]); a schema of your own also needs map()'
    throw new OptionError('schema', `of ${endpoint.name} needs a Collection for pages${hint}.`)
  }
  return {
    name: `${endpoint.name}.getPage`,
    schema,
    // The arguments are whatever `removeCursor` takes, by its type.
    key: (...args: never) => endpoint.key(...removeCursor(...args)),
    // Without it, two pages that are asked for at once would be one request.
    requestKey: (...args: readonly unknown[]) => stableKey(args),
    ...(typeof cursor === 'string' && { pageFields: endpoint.pageFields ?? [cursor, ...PAGE_FIELDS] }),
  }
}

/** Takes a member out of the params or the body, wherever it is. */
function withoutField(field: string): (...args: readonly unknown[]) => readonly unknown[] {
  return (...args) =>
    args.map((arg) => {
      if (typeof arg !== 'object' || arg === null || !Object.hasOwn(arg, field)) return arg
      return Object.fromEntries(Object.entries(arg).filter(([name]) => name !== field))
    })
}

/** The same schema with pages in the place of Collections; undefined if there are none. */
function withPages(schema: Schema, removeCursor: RemoveCursor): Schema {
  let isPaged = false
  const paged = (part: Schema): Schema => {
    if (isList(part)) {
      isPaged = true
      return part.paginated(removeCursor)
    }
    if (isRecord(part)) return Object.fromEntries(Object.entries(part).map(([field, inner]) => [field, paged(inner)]))
    return isSchemaObject(part) ? (part.map?.(paged) ?? part) : part
  }
  const next = paged(schema)
  return isPaged ? next : undefined
}

// --- types

/** What can stand for a page. */
export type PageValue = string | number | boolean

/** The generics of `paginated(field)`: the field goes into a required body that has it, else into the search params. */
export type PageGenerics<O extends RestGenerics, Field extends string> = O extends {
  readonly body: { readonly [K in Field]?: unknown }
}
  ? Merged<O, { readonly body: O['body'] & { readonly [K in Field]: PageValue } }>
  : Merged<O, { readonly searchParams: SearchParamsOf<O> & { readonly [K in Field]: PageValue } }>

/** The generics of `paginated(removeCursor)`: its arguments are those of the function. */
export type CursorGenerics<O extends RestGenerics, Args extends readonly unknown[]> = Merged<O, { readonly args: Args }>
