/**
 * What a view shows where a row is deleted or does not pass its own `validate`. It never reaches a user: optional places become
 * empty, a required place makes what holds it INVALID too, and a root that is INVALID counts as not there.
 */
export const INVALID: unique symbol = Symbol('INVALID')

/** A member or a relation as the table keeps it: a primary key, or for a union the key and the kind's name in the union. */
export type Ref = string | UnionRef

/** A reference into a union: which of its schemas, and the primary key there. */
export interface UnionRef {
  readonly id: string
  readonly schema: string
}

/** A member of a list that is no row's, as it came: `null`, or a payload of a kind that the union does not know. */
export interface Inline {
  readonly inline: unknown
}

/** One member as a list keeps it. */
export type Member = Ref | Inline

/** The primary key in a member reference; `''` for what is no row's. */
export function pkOfRef(ref: Member): string {
  if (typeof ref === 'string') return ref
  return isInline(ref) ? '' : ref.id
}

/** True for a member that is no row's. */
export function isInline(member: unknown): member is Inline {
  return typeof member === 'object' && member !== null && 'inline' in member
}

/** A plain record as a row keeps it: relations are keys. */
export type RowRecord = Readonly<Record<string, unknown>>

/** When an answer was asked for and when it came; what entity lifecycles compare. `start` is a sequence number, not a clock. */
export interface AnswerMeta {
  /** Sequence number of the request. */
  readonly start: number
  /** Wall clock in ms at which the answer came. */
  readonly date: number
  /** Wall clock in ms after which the answer is out of date. */
  readonly expiresAt: number
}

/**
 * The static side of an entity: what `normalize` and the views need to know of a row's class. `Entity` and `EntityMixin`
 * fulfil it; any class with these members is an entity.
 */
export interface EntityInterface<Instance = unknown> {
  /** The entity's kind: the name of its table. */
  readonly key: string
  /** Fields that are relations or need a deserializer. */
  readonly schema: { readonly [field: string]: Schema }
  /** Fields by which a row can be looked up. */
  readonly indexes?: readonly string[] | undefined
  readonly prototype: unknown
  /** The primary key of a value; undefined, null and '' are none. */
  pk(value: unknown, parent: unknown, field: string | undefined, args: readonly unknown[]): string | number | undefined
  /** Shapes the input before it is kept; undefined invalidates the row. */
  process(input: unknown, parent: unknown, field: string | undefined, args: readonly unknown[]): unknown
  /** Says what is wrong with a processed value; undefined if nothing is. */
  validate(processed: RowRecord): string | undefined
  merge(existing: RowRecord, incoming: RowRecord): RowRecord
  shouldUpdate(existingMeta: AnswerMeta, incomingMeta: AnswerMeta, existing: RowRecord, incoming: RowRecord): boolean
  shouldReorder(existingMeta: AnswerMeta, incomingMeta: AnswerMeta, existing: RowRecord, incoming: RowRecord): boolean
  mergeWithStore(
    existingMeta: AnswerMeta,
    incomingMeta: AnswerMeta,
    existing: RowRecord,
    incoming: RowRecord,
  ): RowRecord
  mergeMetaWithStore(
    existingMeta: AnswerMeta,
    incomingMeta: AnswerMeta,
    existing: RowRecord,
    incoming: RowRecord,
  ): AnswerMeta
  /** The instance for a record, undefined if it is not valid. */
  createIfValid(record: RowRecord): Instance | undefined
  /** The fields of an empty instance. */
  readonly defaults: RowRecord
  /** The row that the arguments name, if it is there. */
  queryKey(args: readonly unknown[], context: LookupContext): string | undefined
}

/**
 * The contract of every schema object, ours or a user's own.
 *
 * @example
 * A wrapper that keeps the payload's `data` member:
 * ```ts
 * class Envelope implements SchemaContract {
 *   readonly inner: Schema
 *
 *   constructor(inner: Schema) {
 *     this.inner = inner
 *   }
 *
 *   normalize(input: unknown, context: NormalizeContext) {
 *     return { data: context.visit(this.inner, (input as { data: unknown }).data, input, 'data') }
 *   }
 *   denormalize(value: unknown, context: DenormalizeContext) {
 *     return context.visit(this.inner, (value as { data: unknown }).data)
 *   }
 *   // With these two an endpoint of an Envelope of a Collection has push, getPage and the like.
 *   parts() {
 *     return [this.inner]
 *   }
 *   map(f: (part: Schema) => Schema) {
 *     return new Envelope(f(this.inner))
 *   }
 * }
 * ```
 */
export interface SchemaContract {
  /** Writes what the input holds through the context and returns what the table shall keep in its place. */
  normalize(input: unknown, context: NormalizeContext, parent: unknown, field: string | undefined): unknown
  /** The value to show for what the table keeps: undefined if it is missing, INVALID if it is deleted. */
  denormalize(value: unknown, context: DenormalizeContext): unknown
  /** What the table would keep for these arguments, if it can be told without a request. */
  queryKey?(args: readonly unknown[], context: LookupContext): unknown
  /**
   * Calls `each` for every schema and value right below `value`; lets views of rings and of long chains be built without recursion, and
   * retention keep what is shown. `keysOf`, where it is given, says which rows of a kind are known: for schemas that show all of them.
   */
  refs?(
    value: unknown,
    each: (schema: Schema, value: unknown) => void,
    keysOf?: (kind: string) => readonly string[],
  ): void
  /** The schemas right below; lets views know what depends on the call's arguments. */
  parts?(): readonly Schema[]
  /** The same schema with other parts: `f` gives what stands in the place of each. `getPage` needs it to put pages in the place of a Collection. */
  map?(f: (part: Schema) => Schema): SchemaContract
  /** True if what `denormalize` gives depends on the call's arguments. */
  readonly usesArgs?: boolean
  /** True if an answer without a body is enough, since the arguments say what it means (a deletion). */
  readonly takesEmpty?: boolean
  /** True if what an answer names is gone then: whoever asked gets it as it was. */
  readonly deletes?: boolean
  /**
   * True if `normalize` visits nothing but its input and parts of it, and changes neither: then an answer that was handed over is
   * kept without a copy.
   */
  readonly passesOn?: boolean
}

/** Anything that describes data: a schema object, an entity class, `[S]`, `{ field: S }`, a deserializer; other values pass through. */
export type Schema = DataSchema | string | number | boolean | null | undefined

/** A schema that is more than the documentation of a field. */
type DataSchema =
  | SchemaContract
  | EntityInterface
  | ArrayLiteral
  | { readonly [field: string]: Schema }
  // Any function or class of one argument may deserialize; `never` accepts them all.
  | ((value: never) => unknown)
  | (new (
      value: never,
    ) => unknown)

/** The literal `[S]`. Where the compiler does not know how long an array is, it must hold schemas: `[] as string[]` holds none. */
export type ArrayLiteral = readonly [Schema] | DataSchema[]

/** The entity or list that encloses a value: what a nested list without `nestKey` belongs to. */
export interface Owner {
  readonly kind: string
  readonly pk: string
}

/** What a schema can do while an answer is written. All of it is applied together or, if anything throws, not at all. */
export interface NormalizeContext {
  /** The call's arguments. */
  readonly args: readonly unknown[]
  /** The nearest enclosing entity. */
  readonly owner: Owner | undefined
  /** Normalizes a value below this one; `field` names it in the path of a `SchemaError`. */
  visit(schema: Schema, input: unknown, parent: unknown, field: string | number | undefined): unknown
  /** As `visit`, where an entity without primary key is new: it gets a placeholder while its request is pending. */
  create(schema: Schema, input: unknown, parent: unknown, field: string | number | undefined): unknown
  /** The primary key of a processed or bare value (a key, `{ id }`, an entity); undefined if it names none. */
  pkOf(entity: EntityInterface, input: unknown, parent: unknown, field: string | undefined): string | undefined
  /** The primary key of the row that the call's arguments name by `queryKey`, such as by an index; undefined if it is not there. */
  named(entity: EntityInterface): string | undefined
  /** What a row holds here and now, with what this answer wrote so far: undefined if it is missing or deleted. */
  current(kind: string, pk: string): RowRecord | undefined
  /** Writes a record that is no entity's, for schemas that keep rows of their own. */
  write(kind: string, pk: string, record: RowRecord): void
  /** Leaves a tombstone in the row. */
  invalidate(kind: string, pk: string): void
  /** Writes the list that `pk` names: an answer that carried it whole. */
  list(list: ListSchema, pk: string, args: ListArgs, members: ListMembers): void
  /** Changes who is in lists of a kind, loaded ones and, while answers are under way, those still to come. */
  change(change: MembershipChange): void
  /** Stops with a `SchemaError` at the present place of the payload, or `at` a field or position of it. */
  fail(expected: string, found: unknown, at?: string | number): never
}

/** What a schema can read while a view is built; everything read is what the view stands on. */
export interface DenormalizeContext {
  /** The call's arguments. Reading them makes the view one of these arguments, so the schema says `usesArgs`. */
  readonly args: readonly unknown[]
  /** The value of a schema below: undefined if missing, INVALID if deleted. */
  visit(schema: Schema, value: unknown): unknown
  /** The view of a row, by the schema whose row it is. */
  row(schema: EntityInterface | ListSchema, pk: string): unknown
  /** The plain record of a row that has no class, as `write` left it. */
  record(kind: string, pk: string): RowRecord | undefined
  /** The keys of all rows of a kind that are there, in the order in which they came. */
  all(kind: string): readonly string[]
}

/** What can be looked up without a request; every look-up, found or not, is what the view stands on. */
export interface LookupContext {
  readonly args: readonly unknown[]
  /** `queryKey` of a schema below. */
  lookup(schema: Schema, args: readonly unknown[]): unknown
  /** True if the entity's row or the list is there, deleted rows too. */
  has(schema: EntityInterface | ListSchema, pk: string): boolean
  /** The primary key of the row whose indexed field has this value. */
  byIndex(entity: EntityInterface, field: string, value: unknown): string | undefined
  /** True if a row of this kind was ever there. */
  hasKind(kind: string): boolean
}

/** The value of one argument of a list: numbers, booleans and bigints are kept as their text, `'5'` and `'true'`. */
export type ListArg = string | object | null

/** The arguments that a list was loaded with: what it filters by. */
export type ListArgs = Readonly<Record<string, ListArg>>

/** The members of a list: an array's in order, or a map's by their keys. */
export type ListMembers = readonly Member[] | ReadonlyMap<string, Member>

/** What tells a page of a list from its other pages. */
export interface PageMark {
  /** The text of what the call said beyond the list's arguments; `'{}'` for nothing: the first page. */
  readonly cursor: string
  /** The page's place among the others, where that is known; else it is the order in which they were first asked for. */
  readonly order: number | undefined
}

/** The code that keeps and shows lists; its methods are the table's and the store's affair. */
export interface ListCode {
  readonly isListCode: true
}

/** A schema whose rows are lists: a Collection. */
export interface ListSchema {
  /** Comes with the schema, so that who imports no Collection has none of it. */
  readonly engine: ListCode
  /** The list's kind: lists of one kind share a table. */
  readonly key: string
  /** The schema of one member. */
  readonly member: Schema
  /** True for a map of members, false for an array. */
  readonly isMap: boolean
  /** The entity whose row a member reference names. */
  entityOf(ref: Member): EntityInterface | undefined
  /** What a list keeps for a row of this kind and key; undefined if it is no member's. `belongs` needs it. */
  refOf?(kind: string, pk: string): Ref | undefined
  /** Which page of the list a call asks for; without it an answer carries the whole list, or its first page. */
  readonly pageOf?: (callArgs: readonly unknown[]) => PageMark
  /** Whether a row belongs to the list with these arguments; `'unknown'` makes the list stale. */
  readonly belongs?: ((record: RowRecord, args: ListArgs) => boolean | 'unknown') | undefined
  /** The order that the list keeps. */
  readonly compare?: ((a: RowRecord, b: RowRecord) => number) | undefined
  /** True if an argument of this name filters; together with a change's `wants` it lets lists be found by an index. */
  isFilter?(name: string): boolean
}

/**
 * One change of who is in lists. It is data and pure functions, so that it can be applied again: to lists loaded by an answer that
 * started before it, and on newer truth while it is optimistic.
 */
export interface MembershipChange {
  readonly list: ListSchema
  /**
   * `add` enters every list that `matches`; `remove` leaves them; `move` leaves the lists that hold the member and do not match,
   * and enters those that match.
   */
  readonly op: 'add' | 'remove' | 'move'
  /** Where new members go: in a map `'key'` is under their keys, over whoever stands there; or a user's own merge (`addWith`, `moveWith`). */
  readonly at:
    | 'start'
    | 'end'
    | 'key'
    | ((existing: readonly Member[], incoming: readonly Member[]) => readonly Member[])
  readonly members: readonly Member[]
  /** The keys of a map's members, beside `members`; undefined for arrays. */
  readonly keys?: readonly string[] | undefined
  /** What the call says of the members, beside `members`: it counts for `matches` where the answer does not say the field itself. */
  readonly bodies?: readonly RowRecord[] | undefined
  /**
   * Whether a list is concerned, by its arguments and by the member's row as it stands after the merge. Undefined is for lists
   * that the change leaves as they are, also a `move` that would leave them: those that belong to a parent.
   */
  matches(args: ListArgs, record: RowRecord, member: Member): boolean | undefined
  /**
   * The value that a list's filtering argument of this name must have, by `filterText`, for `matches` to be true. Undefined where
   * only `matches` can tell.
   */
  readonly wants?: ((name: string, record: RowRecord) => unknown) | undefined
}

/** True for a class whose rows have a table of their own. */
export function isEntity(schema: unknown): schema is EntityInterface {
  return typeof schema === 'function' && 'pk' in schema && typeof schema.pk === 'function'
}

/** True for the literal `[S]`. */
export function isArraySchema(schema: Schema): schema is ArrayLiteral {
  return Array.isArray(schema)
}

/** True for a schema object: anything with `normalize` and `denormalize`, a Collection for one. */
export function isSchemaObject(schema: unknown): schema is SchemaContract {
  return (
    typeof schema === 'object' && schema !== null && 'normalize' in schema && typeof schema.normalize === 'function'
  )
}

/** A union, as those know it who need no more: its class would come into every bundle. */
export interface UnionSchema extends SchemaContract {
  readonly kinds: { readonly [kind: string]: unknown }
  /** The entity of a kind. */
  entityOf(kind: string): EntityInterface | undefined
  /** The name that a payload gives to its kind, known or not. */
  kindOf(input: unknown, parent: unknown, field: string | undefined): string | undefined
  parts(): readonly EntityInterface[]
}

/** True for a Union. */
export function isUnion(schema: unknown): schema is UnionSchema {
  return isSchemaObject(schema) && 'kinds' in schema && 'kindOf' in schema
}

/** A Scalar, as lists of its cells know it. */
export interface CellSchema extends SchemaContract {
  /** The kind of its cells. */
  readonly key: string
  /** The class of its cells' rows. */
  entityOfRef(): EntityInterface
}

/** True for a Scalar. */
export function isScalar(schema: unknown): schema is CellSchema {
  return isSchemaObject(schema) && 'entityOfRef' in schema
}

/** True for a schema whose rows are lists. */
export function isListSchema(schema: unknown): schema is ListSchema & SchemaContract {
  return isSchemaObject(schema) && 'entityOf' in schema && 'isMap' in schema
}
