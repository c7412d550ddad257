import { byArgs } from '../schema/by-args.js'
import type {
  Denormalize,
  DenormalizeNullable,
  Normalize,
  NormalizeNullable,
  SchemaArgs,
  SchemaTypes,
} from '../schema/infer.js'
import { checkLiterals } from '../schema/literal.js'
import { type MappedMembers, mapMembers } from '../schema/map-members.js'
import { type ArgsCode, type DenormalizeContext, INVALID, type Schema, type SchemaContract } from '../schema/schema.js'
import { Wrapper } from '../schema/wrapper.js'
import { needFunction } from '../util/need-function.js'
import { isPlain } from '../util/plain.js'

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

/** One member of a list: the parameter of `each`. */
export type QueryMember<S> = QueryValue<S> extends readonly (infer Member)[] ? Member : never

/** Makes a Query compute a value for each member of a list. */
export interface QueryEach<S, Args extends readonly unknown[], Mapped> {
  /** Returns the value of a member. It runs again only for members that changed. */
  each(member: QueryMember<S>, ...args: Args): Mapped
}

/** The type of `Query`: a value that a function computes from a schema's value. */
export interface Query<S, Args extends readonly unknown[], Out> extends QuerySchema<S, Args, Out> {}

interface QueryConstructor {
  new <const S, Args extends readonly unknown[], Out>(
    schema: S,
    process: (value: QueryValue<S>, ...args: Args) => Out,
  ): Query<S, Args, Out>
  // `Out` is never inferred, so it becomes its constraint. As the fourth parameter, it makes `extends Query<S, Args, Out>`
  // use the first signature.
  new <const S, Args extends readonly unknown[], Mapped, Out extends readonly Mapped[]>(
    schema: S,
    options: QueryEach<S, Args, Mapped>,
  ): Query<S, Args, Out>
}

/** The last value that a Query computed for a view. */
interface Memo {
  readonly value: unknown
  readonly out: unknown
}

/** The implementation of `Query`. */
export class QuerySchema<const S, Args extends readonly unknown[], Out> extends Wrapper {
  declare readonly '~types': QueryTypes<S, Args, Out>
  readonly kind = 'query'
  readonly passesOn = true
  readonly schema: S
  readonly process: (value: QueryValue<S>, ...args: Args) => Out
  readonly usesArgs: ArgsCode = byArgs
  /** The option `each`; undefined if the Query has a function. */
  readonly '~each': ((member: unknown, ...args: Args) => unknown) | undefined
  readonly '~memos': WeakMap<object, Memo> = new WeakMap()

  constructor(schema: S, mapping: ((value: QueryValue<S>, ...args: Args) => Out) | QueryEach<S, Args, unknown>) {
    super()
    if (process.env.NODE_ENV !== 'production') checkLiterals(schema, 'a Query')
    this.schema = schema
    if (typeof mapping === 'function') this.process = mapping
    else {
      if (process.env.NODE_ENV !== 'production')
        needFunction('process', isPlain(mapping) ? mapping.each : mapping, 'a Query')
      const each = mapping.each as (member: unknown, ...args: Args) => unknown
      this['~each'] = each
      // The constructor's type requires a list.
      this.process = (value, ...args) => (value as readonly unknown[]).map((member) => each(member, ...args)) as Out
    }
  }

  /** The schema with a type that does not check it, so that an entity's schema can refer to the entity. */
  override get '~schema'(): Schema {
    return this.schema as Schema
  }

  override denormalize(stored: unknown, context: DenormalizeContext): unknown {
    const value = context.visit(this['~schema'], stored)
    if (value === undefined || value === INVALID) return value
    const { view } = context
    // The value and the arguments have the types of this Query.
    const args = context.args as Args
    const memo = view && this['~memos'].get(view)
    if (memo?.value === value) return memo.out
    const each = this['~each']
    // With `each`, the memo is that of a mapped list.
    const out =
      each === undefined || !Array.isArray(value)
        ? this.process(value as QueryValue<S>, ...args)
        : mapMembers(value, memo as MappedMembers | undefined, (member) => each(member, ...args))
    if (view !== undefined) this['~memos'].set(view, { value, out })
    return each === undefined ? out : (context.stable?.(out) ?? out)
  }

  override map(f: (part: Schema) => Schema): SchemaContract {
    // All other members, including overrides of a subclass, are this Query's.
    return Object.create(this, { schema: { value: f(this['~schema']) } })
  }
}

/**
 * A value that a function computes from a schema's value: sorted, filtered, counted or joined. With `each`, a list of
 * values, one for each member of a list.
 *
 * @remarks
 * The function runs again only when a row on which it depends changes; `each` runs only for changed members. It does not run
 * while the schema's value is missing.
 *
 * @example
 * ```ts
 * const openTodos = new Query(new All(Todo), (todos, { userId }: { userId?: number } = {}) =>
 *   todos.filter((todo) => !todo.done && (userId === undefined || todo.userId === userId)),
 * )
 * controller.get(openTodos, { userId: 1 })
 *
 * const titles = new Query(new All(Todo), { each: (todo) => todo.title })
 * controller.get(titles)
 * ```
 */
export const Query: QueryConstructor = QuerySchema
