import { byArgs } from '../schema/by-args.js'
import type { Denormalize, EntityClass, SchemaTypes, Typed } from '../schema/infer.js'
import {
  type ArgsCode,
  type DenormalizeContext,
  type EntityInterface,
  INVALID,
  isEntity,
  isUnion,
  type LookupContext,
  type NormalizeContext,
  type Schema,
  type SchemaContract,
  type UnionSchema,
} from '../schema/schema.js'
import { type KindAttribute, type Kinds, memberSchema, type Union } from '../schema/union.js'
import { CallbackError, OptionError } from '../util/errors.js'
import { needFunction } from '../util/need-function.js'
import { hasFields, isPlain } from '../util/plain.js'
import type { SelectedSchema } from './rows-schema.js'
import { SelectionView } from './selection-view.js'
import { viewFor } from './view-for.js'

/** The stored value of `All`: its members are looked up on each read. */
type Everything = '*'

const everything: Everything = '*'

/** The filter, order and limit of an `All`. The functions receive views of rows, and the arguments of the read. */
export interface AllOptions<Row, Args extends readonly unknown[]> {
  /**
   * Returns true if a row is shown. It runs again only for changed rows.
   *
   * @default undefined: all rows
   */
  belongs?(row: Row, ...args: Args): boolean
  /**
   * Sorts the rows; a compare function as for `Array.prototype.sort`. A changed row is compared with only a few
   * others to find its place.
   *
   * @default undefined: the order of arrival
   */
  compare?(a: Row, b: Row, ...args: Args): number
  /**
   * The number of rows to show at most, or a function of the arguments that returns it.
   *
   * @default undefined: no limit
   */
  readonly limit?: number | ((...args: Args) => number | undefined) | undefined
}

type AllTypes<M, Args extends readonly unknown[]> = SchemaTypes<
  readonly Denormalize<M>[],
  readonly Denormalize<M>[] | undefined,
  Everything,
  Everything | undefined,
  Args
>

/** The type of `All`: the rows of an entity, or of the entities of a union. */
export interface All<M = unknown, Args extends readonly unknown[] = []>
  extends SchemaContract,
    Typed<AllTypes<M, Args>> {
  queryKey(args: readonly unknown[], context: LookupContext): Everything | undefined
}

interface AllConstructor {
  // This signature comes first, since the other one would widen the text that an attribute function returns to `string`.
  new <const K extends Kinds, Args extends readonly unknown[] = []>(
    kinds: K,
    attribute: KindAttribute<K>,
    options?: AllOptions<Denormalize<K[keyof K]>, Args>,
  ): All<Union<K>, Args>
  new <const S extends EntityClass<unknown> | EntityInterface | UnionSchema, Args extends readonly unknown[] = []>(
    entity: S,
    options?: AllOptions<Denormalize<S>, Args>,
  ): All<S, Args>
}

/** The implementation of `All`. */
export class AllSchema implements SchemaContract, SelectedSchema {
  // The constructor's signatures declare the types.
  declare readonly '~types': never
  readonly passesOn = true
  /** Set if the options may depend on the arguments. */
  readonly usesArgs: ArgsCode | undefined
  readonly #member: Schema
  readonly #options: AllOptions<unknown, readonly unknown[]>

  constructor(definition: unknown, ...rest: readonly unknown[]) {
    const [attribute, options = {}] = isPlain(rest[0]) ? [undefined, rest[0]] : rest
    this.#member = memberSchema(definition, attribute)
    if (!isEntity(this.#member) && !isUnion(this.#member)) {
      const hint = process.env.NODE_ENV === 'production' ? '' : ' Use an array for other data.'
      throw new OptionError('schema', `of All must be an entity or a Union.${hint}`)
    }
    // The constructor's types list the options; a wrong value is found when it is called.
    this.#options = options as AllOptions<unknown, readonly unknown[]>
    if (process.env.NODE_ENV !== 'production')
      for (const name of ['belongs', 'compare'] as const)
        if (this.#options[name] !== undefined) needFunction(name, this.#options[name], 'All')
    this.usesArgs = Object.keys(this.#options).length > 0 ? byArgs : undefined
    const { limit } = this.#options
    if (typeof limit !== 'function') limitFrom(limit)
  }

  normalize(input: unknown, context: NormalizeContext, parent: unknown): Everything {
    if (typeof input !== 'object' || input === null || !hasFields(input)) return context.fail('an array', input)
    context.visit([this.#member], Array.isArray(input) ? input : Object.values(input), parent, undefined)
    return everything
  }

  denormalize(_value: unknown, context: DenormalizeContext): unknown {
    const { args } = context
    const shown = viewFor(context, this, (views) => new SelectionView(views, this, args))
    if (shown !== undefined) return shown
    const members = this.membersIn(context)
    if (this.isSorted) members.sort((a, b) => this.order(a, b, args))
    return members.slice(0, this.limitOf(args))
  }

  queryKey(_args: readonly unknown[], context: LookupContext): Everything | undefined {
    return this.entities().some(({ key }) => context.hasKind(key)) ? everything : undefined
  }

  refs(
    _value: unknown,
    each: (schema: Schema, value: unknown) => void,
    keysOf?: (kind: string) => readonly string[],
  ): void {
    if (keysOf !== undefined) for (const entity of this.entities()) each([entity], keysOf(entity.key))
  }

  parts(): readonly Schema[] {
    return [this.#member]
  }

  entities(): readonly EntityInterface[] {
    // A class may have two names in a union. A schema other than a union is an entity.
    return isUnion(this.#member) ? [...new Set(this.#member.parts())] : [this.#member as EntityInterface]
  }

  /** Returns the rows that belong in order of arrival, read one by one. */
  membersIn(context: DenormalizeContext): unknown[] {
    const members: unknown[] = []
    for (const entity of this.entities()) {
      for (const pk of context.all(entity.key)) {
        const view = context.visit(entity, pk)
        if (view !== undefined && view !== INVALID && this.belongs(view, context.args)) members.push(view)
      }
    }
    return members
  }

  get isSorted(): boolean {
    return this.#options.compare !== undefined
  }

  belongs(row: unknown, args: readonly unknown[]): boolean {
    try {
      return !this.#options.belongs || this.#options.belongs(row, ...args)
    } catch (cause) {
      throw this.failure('belongs', cause)
    }
  }

  order(a: unknown, b: unknown, args: readonly unknown[]): number {
    try {
      // NaN counts as equal, as in a sort.
      return this.#options.compare?.(a, b, ...args) || 0
    } catch (cause) {
      throw this.failure('compare', cause)
    }
  }

  limitOf(args: readonly unknown[]): number {
    const { limit } = this.#options
    try {
      return limitFrom(typeof limit === 'function' ? limit(...args) : limit)
    } catch (cause) {
      throw this.failure('limit', cause)
    }
  }

  failure(callback: string, cause: unknown): CallbackError {
    return new CallbackError(callback, `new All(${this.entities().map(({ key }) => key)})`, { cause })
  }
}

function limitFrom(limit = Infinity): number {
  if (limit >= 0) return Math.floor(limit)
  throw new OptionError('limit', `of All must be 0 or more, found ${limit}.`)
}

/**
 * The stored rows of an entity, no matter which response contained them: all, or those that belong; in order of
 * arrival, or sorted. When a row changes, only this row is checked and placed again. The array stays the same until
 * something in it changes.
 *
 * @remarks
 * A response with this schema adds its rows; it does not remove others. While an `All` is shown, no row of its entities is
 * dropped from the store, even if the row does not belong.
 *
 * If one of the functions throws, the controller's `onError` receives a `CallbackError`, and nothing is shown until a row
 * changes.
 *
 * @example
 * ```ts
 * const allTodos = new All(Todo)
 * const todosOf = new All(Todo, {
 *   belongs: (todo, { userId }: { userId: number }) => todo.userId === userId,
 *   compare: (a, b) => a.title.localeCompare(b.title),
 *   limit: 50,
 * })
 * controller.get(allTodos)
 * controller.get(todosOf, { userId: 1 })
 * ```
 * @throws OptionError for anything but an entity or a Union, and for a limit below 0
 */
export const All: AllConstructor = AllSchema
