import type { ListTest } from '../../lists/filter.js'
import type { DataField, Denormalize, EntityClass, Normalize } from '../infer.js'
import type { ListArgs, Schema, SchemaContract } from '../schema.js'
import type { MemberSchema } from './change.js'

/**
 * What a Collection can hold: `[S]`, `schema.Array` or `Values` of entities. Of an entity only what makes it one is asked for, so that
 * its own schema may hold a Collection of it.
 */
export type CollectionContent =
  | readonly [EntityClass<unknown> | SchemaContract]
  | (SchemaContract & { readonly member: Schema })

/** The arguments of a list, if nothing else is said: an object of params, and a body that plays no part. */
export type CollectionArgs =
  | []
  // biome-ignore lint/suspicious/noExplicitAny: params of any type, also interfaces, which a record of unknown would refuse.
  | [params: Readonly<Record<string, any>>]
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  | [params: Readonly<Record<string, any>>, body: any]

/** A row's fields as a Collection's callbacks get them: as the answer had them, relations as primary keys. */
export type RowOf<Instance> = { readonly [Field in DataField<Instance>]?: Kept<Instance[Field]> | undefined }

type Kept<Value> = Value extends string | number | boolean | bigint | null | undefined
  ? Value
  : Value extends { pk(...args: never): unknown }
    ? string
    : unknown

/** One member as it is shown. */
export type MemberOut<S> =
  Denormalize<S> extends readonly (infer M)[] ? M : Denormalize<S> extends { [key: string]: infer M } ? M : never

/** One member as the list keeps it. */
export type MemberKept<S> =
  Normalize<S> extends readonly (infer M)[] ? M : Normalize<S> extends ReadonlyMap<string, infer M> ? M : never

/** `assign` is there for a Collection of `Values` only. */
export type AssignOf<S> =
  Normalize<S> extends ReadonlyMap<string, unknown> ? MemberSchema<Denormalize<S>, Normalize<S>> : undefined

/** What a Collection may be told. */
export interface CollectionOptions<S, Args extends readonly unknown[], Parent> {
  /**
   * The arguments that tell lists apart, from those of the call.
   *
   * @default the first argument
   */
  argsKey?(...args: Args): object
  /**
   * The arguments of a list that stands in an entity, from that entity as it came. Without it each entity has a list of its own,
   * which no push reaches.
   *
   * @default undefined
   */
  nestKey?(parent: Parent, field: string): object
  /**
   * Arguments that do not say who is in a list, such as the order: names, a pattern for names, or a test.
   *
   * @default none: every argument filters
   */
  readonly nonFilterArgumentKeys?: readonly string[] | RegExp | ((name: string) => boolean)
  /**
   * Makes the test of which lists a pushed or moved member enters, by the list's arguments (numbers and booleans as text) and the
   * member's row.
   *
   * @default each filtering argument is equal to the row's field, or else to the call's argument
   */
  createCollectionFilter?(...args: Args): ListTest
  /**
   * The place of the page that a call asks for among the pages of its list: lower ones come first.
   *
   * @default the number or the digits under a cursor of exactly the name `page`, `_page`, `pageNumber`, `offset`, `skip`, `start` or
   * `_start`; else pages stand in the order in which they were first asked for
   */
  pageOrder?(...args: readonly unknown[]): number | undefined
  /**
   * Says after any write whether a row is in the list; `'unknown'` makes the list stale. Numbers and booleans among the list's
   * arguments are text here, so compare them as text: `` `${row.userId}` === args.userId ``.
   *
   * @default undefined: only answers, push, remove and the like change a list
   */
  belongs?(row: RowOf<MemberOut<S>>, args: ListArgs): boolean | 'unknown'
  /**
   * The order that the list keeps, as `Array.prototype.sort` takes it.
   *
   * @default undefined: the order of the answer
   */
  compare?(a: RowOf<MemberOut<S>>, b: RowOf<MemberOut<S>>): number
}
