import type { ListTest } from '../lists/filter.js'
import type { DataField, Denormalize, EntityClass, Normalize } from '../schema/infer.js'
import type { ListArgs, Schema, SchemaContract } from '../schema/schema.js'
import type { MemberSchema } from './change.js'

/**
 * The content of a Collection: `[S]`, `schema.Array` or `Values` of entities. The type requires only the members that make a
 * class an entity, so that an entity's schema may have a Collection of the entity.
 */
export type CollectionContent =
  | readonly [EntityClass<unknown> | SchemaContract]
  | (SchemaContract & { readonly member: Schema })
  | NeedsArray

/** A type without values, whose name is the remedy in the error for a class. */
interface NeedsArray {
  new (...args: never): unknown
  readonly 'a Collection is of an array, such as [Todo], or of new Values(Todo)': never
}

/** The default arguments of a list: an object of params, and a body that is ignored. */
export type CollectionArgs =
  | []
  // biome-ignore lint/suspicious/noExplicitAny: params of any type, including interfaces, which a record of unknown would refuse.
  | [params: Readonly<Record<string, any>>]
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  | [params: Readonly<Record<string, any>>, body: any]

/** A row's fields as a Collection's callbacks receive them: as in the response, with primary keys instead of relations. */
export type MemberFields<Instance> = {
  readonly [Field in DataField<Instance>]?: StoredField<Instance[Field]> | undefined
}

type StoredField<Value> = Value extends string | number | boolean | bigint | null | undefined
  ? Value
  : Value extends { pk(...args: never): unknown }
    ? string
    : unknown

/** One member as readers see it. */
export type MemberOut<S> =
  Denormalize<S> extends readonly (infer M)[] ? M : Denormalize<S> extends { [key: string]: infer M } ? M : never

/** One member as the list stores it. */
export type StoredMember<S> =
  Normalize<S> extends readonly (infer M)[] ? M : Normalize<S> extends ReadonlyMap<string, infer M> ? M : never

/** The type of `assign`, which only a Collection of `Values` has. */
export type AssignOf<S> =
  Normalize<S> extends ReadonlyMap<string, unknown> ? MemberSchema<Denormalize<S>, Normalize<S>> : undefined

/** The options of a Collection. */
export interface CollectionOptions<S, Args extends readonly unknown[], Parent> {
  /**
   * Returns the arguments that identify a list, from the arguments of a call.
   *
   * @default the first argument
   * @example new Collection([Todo], { argsKey: ({ userId }: { userId?: number }) => ({ userId, list: 'open' }) })
   */
  argsKey?(...args: Args): object
  /**
   * Returns the arguments of a list nested in an entity, from the entity's payload. Without it, each entity has its own
   * list, which no `push` matches.
   *
   * @default undefined
   * @example new Collection([Todo], { nestKey: (user: { id: number }) => ({ userId: user.id }) })
   */
  nestKey?(parent: Parent, field: string): object
  /**
   * Arguments that do not affect membership, such as the sort order: names, a pattern for names, or a test.
   *
   * @default none: all arguments affect membership
   * @example new Collection([Todo], { nonFilterArgumentKeys: ['orderBy', 'page'] })
   */
  readonly nonFilterArgumentKeys?: readonly string[] | RegExp | ((name: string) => boolean)
  /**
   * Returns the test that decides which lists a pushed or moved member enters, from a list's arguments (numbers and booleans
   * as strings) and the member's row.
   *
   * @default each argument that affects membership equals the row's field, or, if the row has no such field, the call's
   * argument
   * @example new Collection([Todo], { createCollectionFilter: () => (list, todo) => list.userId === `${todo.userId}` })
   */
  createCollectionFilter?(...args: Args): ListTest
  /**
   * Returns the position of a call's page among the pages of its list; lower ones come first.
   *
   * @default the number in a cursor named exactly `page`, `_page`, `pageNumber`, `offset`, `skip`, `start` or `_start`; else
   * the order in which pages were first requested
   * @example new Collection([Todo], { pageOrder: (params) => Number((params as { week: string }).week) })
   */
  pageOrder?(...args: readonly unknown[]): number | undefined
  /**
   * Returns true if a row is in the list; `'unknown'` makes the list stale. It is called after every write that changes the
   * row. Numbers and booleans in the list's arguments are strings here, so compare them as strings:
   * `` `${row.userId}` === args.userId ``.
   *
   * @default undefined: only responses, push, remove, move and deletions change a list
   * @example new Collection([Todo], { belongs: (todo, args) => `${todo.userId}` === args.userId })
   */
  belongs?(row: MemberFields<MemberOut<S>>, args: ListArgs): boolean | 'unknown'
  /**
   * Keeps the list sorted; a compare function as for `Array.prototype.sort`, which also gets the list's arguments, as
   * `belongs` does.
   *
   * @default undefined: the order of the response
   * @example new Collection([Todo], { compare: (a, b) => (a.title ?? '').localeCompare(b.title ?? '') })
   */
  compare?(a: MemberFields<MemberOut<S>>, b: MemberFields<MemberOut<S>>, args: ListArgs): number
}
