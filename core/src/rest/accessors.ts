import type { OptionRecord } from '../endpoint/option-table.js'
import type { EntityInput } from '../schema/infer.js'
import { isSchemaObject, type ListCode, type Schema, type SchemaContract } from '../schema/schema.js'
import { OptionError } from '../util/errors.js'
import { isRecord } from '../util/plain.js'
import { stableKey } from '../util/stable-key.js'
import type { FormBody, Merged, RestGenerics, SchemaOf, SearchParamsOf } from './generics.js'
import type { CollectionOf } from './options.js'

/** The members of an endpoint from which its accessors and pages are created. */
export interface ListEndpoint {
  readonly name: string
  readonly path: string
  readonly schema: Schema
  readonly movePath?: string | undefined
  readonly mutationOptions?: object | undefined
  readonly pageFields?: readonly string[] | undefined
  key(...args: readonly unknown[]): string
}

/** Converts the arguments of a page to those of its list. */
export type RemoveCursor<Args extends readonly unknown[] = never> = (...args: Args) => readonly unknown[]

/** The code that a Collection in an endpoint's schema passes on: bundles without Collection do not contain it. */
export interface EndpointListCode extends ListCode {
  /** Returns the options of an accessor of the endpoint. */
  accessorOptions(endpoint: ListEndpoint, accessor: AccessorName): OptionRecord
  /** Returns the options of an endpoint for pages. `cursor` is the param of a page, or removes it from arguments. */
  pageOptions(endpoint: ListEndpoint, cursor: string | RemoveCursor): OptionRecord
  /** Loads the code that responses with pages need; undefined if it is loaded. The promise never rejects. */
  loadPages(): Promise<void> | undefined
}

/** The part of a Collection that endpoints need. */
export interface EndpointList extends SchemaContract, Readonly<Partial<Record<AccessorName, Schema>>> {
  readonly engine: EndpointListCode
  /** Finds the page that a call requests; undefined if it requests the list. */
  readonly pageOf?: unknown
}

/**
 * Returns the first Collection in the schema of an endpoint, including objects and wrappers.
 *
 * @param wanted the member that needs a Collection, for the error
 *
 * @example
 * ```ts
 * listOf(getTodos, 'push').engine
 * ```
 * @throws OptionError if there is none.
 */
export function listOf({ name, schema }: ListEndpoint, wanted: string): EndpointList {
  const list = listIn(schema)
  if (list) return list
  throw new OptionError(
    'schema',
    `of ${name} needs a Collection for ${wanted}${process.env.NODE_ENV === 'production' ? '' : ', as in schema: new Collection([Todo])'}.`,
  )
}

/**
 * Returns the first Collection in a schema, including objects and wrappers; undefined if there is none.
 *
 * @example listIn({ data: todos, total: 0 }) // todos
 */
export function listIn(schema: Schema): EndpointList | undefined {
  if (isList(schema)) return schema
  const parts = isSchemaObject(schema) ? (schema.parts?.() ?? []) : isRecord(schema) ? Object.values(schema) : []
  for (const part of parts) {
    const list = listIn(part)
    if (list) return list
  }
  return undefined
}

function isList(schema: Schema): schema is EndpointList {
  // Only a Collection has the code of lists, and always all of it.
  return isSchemaObject(schema) && 'engine' in schema
}

// --- the code of Collections

/** The accessors of an endpoint with their methods. */
const methods = { push: 'POST', unshift: 'POST', assign: 'POST', remove: 'PATCH', move: 'PATCH' } as const

/** The name of an accessor. */
export type AccessorName = keyof typeof methods

/**
 * Returns the options of an accessor of an endpoint.
 *
 * @example
 * ```ts
 * getTodos.extend(accessorOptions(getTodos, 'push'))
 * ```
 * @throws OptionError if the Collection has no such schema: `assign` is for maps.
 */
export function accessorOptions(endpoint: ListEndpoint, accessor: AccessorName): OptionRecord {
  const { name, path, movePath, mutationOptions } = endpoint
  const schema = listOf(endpoint, accessor)[accessor]
  if (!schema) throw new OptionError('schema', `of ${name} needs a Collection of Values for ${accessor}.`)
  return {
    ...mutationOptions,
    name: `${name}.${accessor}`,
    path: (accessor === 'move' && movePath) || path,
    method: methods[accessor],
    sideEffect: true,
    body: {}, // any value declares a body
    schema,
  }
}

/** The default of `pageFields`, without the pagination field. */
export const PAGE_FIELDS: readonly string[] = Object.freeze(['nextPage', 'next', 'cursor', 'hasMore'])

/** The part of a Collection that `pageOptions` needs. */
type PagedList = EndpointList & { paginated(removeCursor: RemoveCursor): Schema }

/**
 * Returns the options of an endpoint for pages of a list. Its responses join the list, under the list's key.
 *
 * @example
 * ```ts
 * getTodos.extend(pageOptions(getTodos, 'cursor'))
 * ```
 * @throws OptionError if the Collection cannot be replaced by its pages.
 */
export function pageOptions(endpoint: ListEndpoint, cursor: string | RemoveCursor): OptionRecord {
  const removeCursor = typeof cursor === 'string' ? withoutField(cursor) : cursor
  let isPaged = false
  const paged = (part: Schema): Schema => {
    if (isList(part)) {
      isPaged = true
      return (part as PagedList).paginated(removeCursor)
    }
    if (isSchemaObject(part)) return part.map?.(paged) ?? part
    if (!isRecord(part)) return part
    return Object.fromEntries(Object.entries(part).map(([field, inner]) => [field, paged(inner)]))
  }
  const schema = paged(endpoint.schema)
  if (!isPaged) {
    throw new OptionError(
      'schema',
      `of ${endpoint.name} cannot have pages instead of its Collection${process.env.NODE_ENV === 'production' ? '' : ': a custom schema needs map()'}.`,
    )
  }
  return {
    name: `${endpoint.name}.getPage`,
    schema,
    // By type, the arguments are those of `removeCursor`.
    key: (...args: never) => endpoint.key(...removeCursor(...args)),
    // Otherwise two pages that are requested at once would share a request.
    requestKey: (...args: readonly unknown[]) => stableKey(args),
    ...(typeof cursor === 'string' && { pageFields: endpoint.pageFields ?? [cursor, ...PAGE_FIELDS] }),
  }
}

/** Removes a member from the params or the body. */
function withoutField(field: string): (...args: readonly unknown[]) => readonly unknown[] {
  return (...args) =>
    args.map((arg) => {
      if (typeof arg !== 'object' || arg === null || !Object.hasOwn(arg, field)) return arg
      return Object.fromEntries(Object.entries(arg).filter(([name]) => name !== field))
    })
}

// --- types

/** The generics of an accessor: those of its endpoint, with its method, body and schema. */
export type AccessorGenerics<O extends RestGenerics, A extends AccessorName> = Merged<
  O,
  {
    readonly method: (typeof methods)[A]
    readonly sideEffect: true
    readonly body: AccessorBody<O, A>
    readonly schema: MemberSchemaOf<O, A>
  } & (A extends 'move' ? MovePath<O> : unknown)
>

/** The path of `move` may have more params than the list's; it then has all of them. */
type MovePath<O extends RestGenerics> = O extends { readonly movePath: infer Path extends string }
  ? { readonly path: Path; readonly searchParams: undefined }
  : unknown

/** The type of an accessor whose schema has no Collection for it, which cannot be called. */
export interface NeedsCollection {
  readonly 'the schema needs a Collection': never
}

/** The schema of an accessor; `never` if the endpoint's has no Collection. */
export type MemberSchemaOf<O extends RestGenerics, A extends AccessorName> =
  CollectionOf<SchemaOf<O>> extends infer C
    ? C extends { readonly [member in A]: infer M extends SchemaContract }
      ? M
      : never
    : never

type AccessorBody<O extends RestGenerics, A extends AccessorName> = A extends 'push' | 'unshift'
  ? O extends { readonly memberBody: infer Body }
    ? Body
    : AccessorMember<O> | readonly AccessorMember<O>[] | FormBody
  : A extends 'assign'
    ? Readonly<Record<string, AccessorMember<O>>> | FormBody
    : AccessorMember<O> | FormBody

type AccessorMember<O extends RestGenerics> =
  MemberSchemaOf<O, 'push'> extends {
    readonly '~types': { readonly denormalized: infer Out }
  }
    ? InputOf<Out>
    : never

type InputOf<Out> = Out extends unknown ? EntityInput<Out> : never

/** The types of a page argument. */
export type PageValue = string | number | boolean

/** The generics of `paginated(field)`: the field joins a required body that has it, or else the search params. */
export type PageGenerics<O extends RestGenerics, Field extends string> = O extends {
  readonly body: { readonly [K in Field]?: unknown }
}
  ? Merged<O, { readonly body: O['body'] & { readonly [K in Field]: PageValue } }>
  : Merged<O, { readonly searchParams: SearchParamsOf<O> & { readonly [K in Field]: PageValue } }>

/** The generics of `paginated(removeCursor)`: its arguments are those of the function. */
export type CursorGenerics<O extends RestGenerics, Args extends readonly unknown[]> = Merged<O, { readonly args: Args }>
