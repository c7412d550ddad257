import type {
  Denormalize,
  DenormalizeNullable,
  Normalize,
  NormalizeNullable,
  SchemaArgs,
  SchemaTypes,
} from './infer.js'
import { checkLiterals } from './literal.js'
import {
  type DenormalizeContext,
  INVALID,
  type LookupContext,
  type NormalizeContext,
  type Schema,
  type SchemaContract,
} from './schema.js'

/** The parameter of a Query's function: the value of its schema; the members of an object may be missing. */
export type QueryValue<S> = S extends { readonly definition: infer D }
  ? DenormalizeNullable<D>
  : S extends SchemaContract | readonly unknown[] | { pk(...args: never): unknown }
    ? Denormalize<S>
    : DenormalizeNullable<S>

/** The arguments of a Query: those of its schema, combined with those of its function. */
export type QueryArgs<S, Args extends readonly unknown[]> = Args extends readonly []
  ? SchemaArgs<S>
  : [] extends SchemaArgs<S>
    ? Args
    : SchemaArgs<S> extends readonly [infer Wanted]
      ? Args extends readonly [(infer Arg)?, ...infer Rest]
        ? [fields: Wanted & Arg, ...rest: Rest]
        : never
      : Args

type QueryTypes<S, Args extends readonly unknown[], Out> = SchemaTypes<
  Out,
  Out | undefined,
  Normalize<S>,
  NormalizeNullable<S>,
  QueryArgs<S, Args>
>

/**
 * A value that a function computes from a schema's value: sorted, filtered, counted or joined.
 *
 * @remarks
 * The function runs again only when a row that it depends on changes. It does not run while the schema's value is missing.
 *
 * @example
 * ```ts
 * const openTodos = new Query(new All(Todo), (todos, { userId }: { userId?: number } = {}) =>
 *   todos.filter((todo) => !todo.done && (userId === undefined || todo.userId === userId)),
 * )
 * controller.get(openTodos, { userId: 1 })
 * ```
 */
export class Query<const S, Args extends readonly unknown[], Out> implements SchemaContract {
  declare readonly '~types': QueryTypes<S, Args, Out>
  readonly kind = 'query'
  readonly passesOn = true
  readonly schema: S
  readonly process: (value: QueryValue<S>, ...args: Args) => Out
  readonly usesArgs = true

  constructor(schema: S, process: (value: QueryValue<S>, ...args: Args) => Out) {
    checkLiterals(schema, 'a Query')
    this.schema = schema
    this.process = process
  }

  /** The schema, with a type that does not check it: otherwise an entity's schema could not refer to the entity. */
  get '~schema'(): Schema {
    return this.schema as Schema
  }

  normalize(input: unknown, context: NormalizeContext, parent: unknown, field: string | undefined): unknown {
    return context.visit(this['~schema'], input, parent, field)
  }

  denormalize(stored: unknown, context: DenormalizeContext): unknown {
    const value = context.visit(this['~schema'], stored)
    if (value === undefined || value === INVALID) return value
    // The value has the schema's type, and the arguments are those of a query of this type.
    return this.process(value as QueryValue<S>, ...(context.args as Args))
  }

  queryKey(args: readonly unknown[], context: LookupContext): unknown {
    return context.lookup(this['~schema'], args)
  }

  refs(value: unknown, each: (schema: Schema, value: unknown) => void): void {
    each(this['~schema'], value)
  }

  parts(): readonly Schema[] {
    return [this['~schema']]
  }

  map(f: (part: Schema) => Schema): SchemaContract {
    // Everything else, also overrides of a subclass, is this Query's.
    return Object.create(this, { schema: { value: f(this['~schema']) } })
  }
}
