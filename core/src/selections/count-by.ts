import type { Denormalize, SchemaTypes, Typed } from '../schema/infer.js'
import type {
  ArgsCode,
  DenormalizeContext,
  EntityInterface,
  LookupContext,
  NormalizeContext,
  Schema,
  SchemaContract,
} from '../schema/schema.js'
import { OptionError } from '../util/errors.js'
import { needFunction } from '../util/need-function.js'
import { type All, AllSchema } from './all.js'
import { CountView, countsOf } from './count-view.js'
import type { CountedSchema } from './rows-schema.js'
import { viewFor } from './view-for.js'

/** The values by which rows can be grouped. */
export type GroupKey = string | number | boolean | null | undefined

/** The number of rows in each group that is not empty. */
export type GroupCounts<Group extends GroupKey> = {
  readonly [Name in Group as Name extends string | number ? Name : `${Name}`]?: number
}

type CountTypes<Args extends readonly unknown[], Group extends GroupKey> = SchemaTypes<
  GroupCounts<Group>,
  GroupCounts<Group> | undefined,
  unknown,
  unknown,
  Args
>

/** The type of `countBy`: the number of rows in each group. */
export interface CountBy<Args extends readonly unknown[], Group extends GroupKey>
  extends SchemaContract,
    Typed<CountTypes<Args, Group>> {
  queryKey(args: readonly unknown[], context: LookupContext): unknown
}

/**
 * The number of rows of an `All` in each group. When a row changes, only the numbers of its groups change.
 *
 * @remarks
 * All rows that belong are counted, even beyond a `limit`. Groups without rows have no number, so write `?? 0`. The
 * groups are sorted by name; as in every object, integer names come first.
 *
 * @param groupOf - returns the group of a row; it runs again only for changed rows
 *
 * @example
 * ```ts
 * const todosByUser = countBy(new All(Todo), (todo) => todo.userId)
 * controller.get(todosByUser)?.[1] ?? 0
 * ```
 * @throws OptionError for anything but an `All`
 */
export function countBy<M, Args extends readonly unknown[], Group extends GroupKey>(
  all: All<M, Args>,
  groupOf: (row: Denormalize<M>) => Group,
): CountBy<Args, Group> {
  if (!(all instanceof AllSchema)) {
    const hint = process.env.NODE_ENV === 'production' ? '' : ' Count the members of a list with a Query.'
    throw new OptionError('schema', `of countBy must be an All.${hint}`)
  }
  if (process.env.NODE_ENV !== 'production') needFunction('groupOf', groupOf, 'countBy')
  // The rows of an All have the type of its member.
  return new CountSchema(all, groupOf as (row: unknown) => GroupKey)
}

class CountSchema implements SchemaContract, CountedSchema {
  // The type of `countBy` has the names of its groups.
  declare readonly '~types': never
  readonly passesOn = true
  readonly usesArgs: ArgsCode | undefined
  readonly #all: AllSchema
  readonly #groupOf: (row: unknown) => GroupKey

  constructor(all: AllSchema, groupOf: (row: unknown) => GroupKey) {
    this.#all = all
    this.#groupOf = groupOf
    this.usesArgs = all.usesArgs
  }

  normalize(input: unknown, context: NormalizeContext, parent: unknown, field: string | undefined): unknown {
    return context.visit(this.#all, input, parent, field)
  }

  denormalize(_value: unknown, context: DenormalizeContext): unknown {
    const { args } = context
    const shown = viewFor(context, this, (views) => new CountView(views, this, args))
    if (shown !== undefined) return shown
    const counts = new Map<string, number>()
    for (const row of this.#all.membersIn(context)) {
      const group = this.#nameOf(row)
      counts.set(group, (counts.get(group) ?? 0) + 1)
    }
    return countsOf(counts)
  }

  queryKey(args: readonly unknown[], context: LookupContext): unknown {
    return this.#all.queryKey(args, context)
  }

  refs(
    value: unknown,
    each: (schema: Schema, value: unknown) => void,
    keysOf?: (kind: string) => readonly string[],
  ): void {
    this.#all.refs(value, each, keysOf)
  }

  parts(): readonly Schema[] {
    return [this.#all]
  }

  entities(): readonly EntityInterface[] {
    return this.#all.entities()
  }

  groupOf(row: unknown, args: readonly unknown[]): string | undefined {
    return this.#all.belongs(row, args) ? this.#nameOf(row) : undefined
  }

  #nameOf(row: unknown): string {
    try {
      return `${this.#groupOf(row)}`
    } catch (cause) {
      throw this.#all.failure('countBy', cause)
    }
  }
}
