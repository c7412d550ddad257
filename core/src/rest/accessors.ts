import type { OptionRecord } from '../endpoint/define.js'
import type { EntityInput } from '../schema/infer.js'
import { isListSchema, isSchemaObject, type Schema, type SchemaContract } from '../schema/schema.js'
import { OptionError } from '../util/errors.js'
import type { FormBody, Merged, RestGenerics, SchemaOf } from './generics.js'

/** The endpoints that an endpoint with a Collection in its schema has, and their methods. */
const methods = { push: 'POST', unshift: 'POST', assign: 'POST', remove: 'PATCH', move: 'PATCH' } as const

/** The name of an accessor. */
export type AccessorName = keyof typeof methods

/** What of an endpoint its accessors are made from. */
export interface ListEndpoint {
  readonly name: string
  readonly path: string
  readonly schema: Schema
  readonly movePath?: string | undefined
  readonly mutationOptions?: object | undefined
}

/**
 * The options that make an accessor of its endpoint.
 *
 * @example
 * ```ts
 * getTodos.extend(accessorOptions(getTodos, 'push'))
 * ```
 * @throws OptionError if the schema has no Collection, or not one of that kind.
 */
export function accessorOptions(endpoint: ListEndpoint, accessor: AccessorName): OptionRecord {
  const { name, schema, path, movePath, mutationOptions } = endpoint
  const collection = collectionIn(schema)
  if (!collection) throw needsCollection(name, accessor, 'a Collection')
  const member = collection[accessor]
  if (!member) throw needsCollection(name, accessor, 'a Collection of Values')
  return {
    ...mutationOptions,
    name: `${name}.${accessor}`,
    path: (accessor === 'move' && movePath) || path,
    method: methods[accessor],
    sideEffect: true,
    body: {}, // there is one: its value is never sent
    schema: member,
  }
}

function needsCollection(name: string, accessor: string, what: string): OptionError {
  const hint = process.env.NODE_ENV === 'production' ? '' : ', as in schema: new Collection([Todo])'
  return new OptionError('schema', `of ${name} needs ${what} for ${accessor}${hint}.`)
}

/** A Collection, by what is needed of it here: the class itself would come into every bundle. */
export type ListOf = SchemaContract & {
  readonly [accessor in AccessorName]: Schema
} & { paginated(removeCursor: (...args: never) => readonly unknown[]): Schema }

/**
 * Finds the first Collection in a schema: the schema itself, or in an object, or in a Query.
 *
 * @example
 * ```ts
 * collectionIn({ todos: new Collection([Todo]), next: '' })
 * ```
 */
export function collectionIn(schema: Schema): ListOf | undefined {
  if (isList(schema)) return schema
  const parts = isSchemaObject(schema) ? (schema.parts?.() ?? []) : isRecord(schema) ? Object.values(schema) : []
  for (const part of parts) {
    const found = collectionIn(part)
    if (found) return found
  }
  return undefined
}

/**
 * Tells whether a schema is a Collection.
 *
 * @example
 * ```ts
 * isList(new Collection([Todo])) // true
 * ```
 */
export function isList(schema: Schema): schema is ListOf {
  return isListSchema(schema) && 'paginated' in schema
}

/**
 * Tells whether a schema is an object literal: fields and their schemas.
 *
 * @example
 * ```ts
 * isRecord({ todos: [Todo], next: '' }) // true
 * ```
 */
export function isRecord(schema: Schema): schema is { readonly [field: string]: Schema } {
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema) && !isSchemaObject(schema)
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

/** The path of `move` may carry more than the list's; then it says all the params. */
type MovePath<O extends RestGenerics> = O extends { readonly movePath: infer Path extends string }
  ? { readonly path: Path; readonly searchParams: undefined }
  : unknown

/** What an accessor is where the schema has no Collection for it: nothing that can be called. */
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
    : Member<O> | readonly Member<O>[] | FormBody
  : A extends 'assign'
    ? Readonly<Record<string, Member<O>>> | FormBody
    : Member<O> | FormBody

type Member<O extends RestGenerics> =
  MemberSchemaOf<O, 'push'> extends {
    readonly '~types': { readonly denormalized: infer Out }
  }
    ? InputOf<Out>
    : never

type InputOf<Out> = Out extends unknown ? EntityInput<Out> : never

/** The first Collection in a schema; `never` if there is none. */
export type CollectionOf<S> = S extends { readonly push: unknown; readonly isMap: boolean }
  ? S
  : S extends { readonly definition: infer Definition }
    ? CollectionOf<Definition>
    : S extends SchemaContract
      ? S extends { readonly schema: infer Inner; readonly process: unknown }
        ? CollectionOf<Inner>
        : never
      : S extends readonly unknown[] | ((...args: never) => unknown) | (abstract new (...args: never) => unknown)
        ? never
        : S extends object
          ? { [Field in keyof S]: CollectionOf<S[Field]> }[keyof S]
          : never
