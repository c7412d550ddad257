/**
 * The value of a view whose row is deleted or rejected by its own `validate`. Readers never see it: an optional field
 * becomes undefined, a required one makes the value around it INVALID too, and an INVALID root counts as missing.
 */
export const INVALID: unique symbol = Symbol('INVALID')

/**
 * The stored value of a member or a relation: a primary key, or for a union the primary key and the entity's name in the
 * union.
 */
export type Ref = string | UnionRef

/** A reference to a member of a union: the name of its schema, and the primary key. */
export interface UnionRef {
  readonly id: string
  readonly schema: string
}

/** A list member without a row, stored unchanged: `null`, or a payload of a type that the union does not know. */
export interface Inline {
  readonly inline: unknown
}

/** A member as a list stores it. */
export type Member = Ref | Inline

/** The primary key in a member reference; `''` for a member without a row. */
export function pkOfRef(ref: Member): string {
  if (typeof ref === 'string') return ref
  return isInline(ref) ? '' : ref.id
}

/** True for a member without a row. */
export function isInline(member: unknown): member is Inline {
  return typeof member === 'object' && member !== null && 'inline' in member
}

/** A plain record as a row stores it, with primary keys instead of relations. */
export type RowRecord = Readonly<Record<string, unknown>>

/** The order and times of a response, which an entity's static methods compare. `start` is a sequence number, not a time. */
export interface AnswerMeta {
  /** Sequence number of the request. */
  readonly start: number
  /** Wall clock in ms at which the response arrived. */
  readonly date: number
  /** Wall clock in ms after which the response is stale. */
  readonly expiresAt: number
}

/** The problem of a record in a response. */
export interface Judgement {
  /** Its place in the record, such as `.due` or `.tags[2]`; `''` for the record itself. */
  readonly path: string
  /** The end of the sentence "Todo at $[2].due is not valid: …", without its full stop. */
  readonly message: string
  /** True if the record is stored anyway, and the problem reported to the controller's `onError`. */
  readonly isKept?: boolean | undefined
}

/**
 * The static side of an entity. `Entity` and `EntityMixin` implement it; any class with these members is an entity.
 */
export interface EntityInterface<Instance = unknown> {
  /** The name of the entity's table. */
  readonly key: string
  /** The schemas of fields that are relations or need a deserializer. */
  readonly schema: { readonly [field: string]: Schema }
  /** Fields by which a row can be looked up, in addition to its primary key. */
  readonly indexes?: readonly string[] | undefined
  readonly prototype: unknown
  /** The primary key of a value; undefined, null and '' mean that there is none. */
  pk(value: unknown, parent: unknown, field: string | undefined, args: readonly unknown[]): string | number | undefined
  /** Converts a record before it is stored; undefined deletes the row. */
  process(input: unknown, parent: unknown, field: string | undefined, args: readonly unknown[]): unknown
  /** A message if a processed record is invalid; undefined if it is valid. */
  validate(processed: RowRecord): string | undefined
  /**
   * The problem of a record in a response, before `process`; undefined if there is none. `record` is the record to store,
   * `stored` the row's current one.
   */
  judge?(input: object, record: RowRecord, stored: RowRecord | undefined): Judgement | undefined
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
  /** The instance of a record; undefined if the record is invalid. */
  createIfValid(record: RowRecord): Instance | undefined
  /** The fields of an empty instance. */
  readonly defaults: RowRecord
  /** The primary key of the row that the arguments refer to; undefined if there is no such row. */
  queryKey(args: readonly unknown[], context: LookupContext): string | undefined
}

/**
 * The interface of schema objects, built-in and custom ones.
 *
 * @example
 * A wrapper that stores only the `data` field of the payload:
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
  /** Identifies built-in schemas that need special treatment. Custom schemas omit it. */
  readonly kind?: SchemaKind
  /** Writes the parts of the input through the context, and returns the value to store instead of the input. */
  normalize(input: unknown, context: NormalizeContext, parent: unknown, field: string | undefined): unknown
  /** Returns the value that readers see for a stored value: undefined if it is missing, INVALID if it is deleted. */
  denormalize(value: unknown, context: DenormalizeContext): unknown
  /** Returns the stored value for these arguments, if it can be found without a request. */
  queryKey?(args: readonly unknown[], context: LookupContext): unknown
  /**
   * Calls `each` for every schema and value directly below `value`. Views of rings and long chains use it to avoid
   * recursion, retention to find used rows. If `keysOf` is passed, it returns the primary keys of all stored rows of an
   * entity, for schemas that show all of them.
   */
  refs?(
    value: unknown,
    each: (schema: Schema, value: unknown) => void,
    keysOf?: (kind: string) => readonly string[],
  ): void
  /** Returns the schemas directly below, so that views know which of them depend on the call's arguments. */
  parts?(): readonly Schema[]
  /** Returns the same schema with each part replaced by `f`. `getPage` needs it to replace a Collection with its pages. */
  map?(f: (part: Schema) => Schema): SchemaContract
  /**
   * `byArgs` if the result of `denormalize` depends on the call's arguments: the code that shows a row differently in each
   * result, which bundles without such a schema do not contain.
   */
  readonly usesArgs?: ArgsCode | undefined
  /** True if a response without a body suffices, because the arguments define its meaning (a deletion). */
  readonly takesEmpty?: boolean
  /** True if a response deletes the rows that it refers to; the caller then receives the previous data. */
  readonly deletes?: boolean
  /**
   * True if `normalize` visits only its input and parts of it, and changes neither: a transferred response is then stored
   * without a copy.
   */
  readonly passesOn?: boolean
}

/**
 * The built-in schemas that need special treatment: `array` and `map` are plain lists, `list` is a Collection, `member`
 * changes a Collection's members, such as `push`.
 */
export type SchemaKind = 'array' | 'lazy' | 'list' | 'map' | 'member' | 'object' | 'query' | 'scalar' | 'union'

/**
 * Anything that describes data: a schema object, an entity class, `[S]`, `{ field: S }`, or a deserializer; other values
 * document a plain value.
 */
export type Schema = DataSchema | string | number | boolean | null | undefined

/** A schema that affects how data is stored. */
type DataSchema =
  | SchemaContract
  | EntityInterface
  | ArrayLiteral
  | { readonly [field: string]: Schema }
  // Any function or class with one parameter may deserialize; `never` accepts all of them.
  | ((value: never) => unknown)
  | (new (
      value: never,
    ) => unknown)

/** The literal `[S]`. An array of unknown length must contain schemas: `[] as string[]` contains none. */
export type ArrayLiteral = readonly [Schema] | DataSchema[]

/** The entity or list that contains a value; a nested list without `nestKey` belongs to it. */
export interface Owner {
  readonly kind: string
  readonly pk: string
}

/** The operations of a schema while a response is written. All of them are applied together or, if anything throws, none. */
export interface NormalizeContext {
  /** The call's arguments. */
  readonly args: readonly unknown[]
  /** The nearest entity or list that contains the value. */
  readonly owner: Owner | undefined
  /** Normalizes a value below this one; `field` is its name in the path of a `SchemaError`. */
  visit(schema: Schema, input: unknown, parent: unknown, field: string | number | undefined): unknown
  /** Like `visit`, but an entity without a primary key is a new one, with a temporary id while its request is pending. */
  create(schema: Schema, input: unknown, parent: unknown, field: string | number | undefined): unknown
  /**
   * The primary key of a processed record or a reference (a primary key, `{ id }`, an entity); undefined if there is none.
   */
  pkOf(entity: EntityInterface, input: unknown, parent: unknown, field: string | undefined): string | undefined
  /**
   * The primary key of the row that the call's arguments refer to by `queryKey`, such as by an index; undefined if there is
   * no such row.
   */
  named(entity: EntityInterface): string | undefined
  /** The current record of a row, including the writes of this response so far; undefined if it is missing or deleted. */
  current(kind: string, pk: string): RowRecord | undefined
  /** Writes a record without an entity, for schemas that have their own rows. */
  write(kind: string, pk: string, record: RowRecord): void
  /** Deletes a row: its record is replaced by a tombstone. */
  invalidate(kind: string, pk: string): void
  /** Writes a complete list under the primary key `pk`. */
  list(list: ListSchema, pk: string, args: ListArgs, members: ListMembers): void
  /** Changes the membership of loaded lists and, while requests are pending, of lists that will arrive. */
  change(change: MembershipChange): void
  /** Throws a `SchemaError` with the current path in the payload, or the path of its field or index `at`. */
  fail(expected: string, found: unknown, at?: string | number): never
}

/** The reads of a schema while a view is built; the view depends on everything that is read. */
export interface DenormalizeContext {
  /**
   * The call's arguments. A schema that reads them must set `usesArgs` to `byArgs`, because its view then depends on them.
   */
  readonly args: readonly unknown[]
  /**
   * Identifies the view that is being built, so that a schema can remember in a WeakMap what it computed for it; undefined
   * for a single read.
   */
  readonly view?: object | undefined
  /**
   * Returns the same value. It is frozen, and the schema returns it as long as nothing in it changes, so it is not compared
   * with the previous one.
   */
  stable?<View>(view: View): View
  /** The value of a schema below: undefined if it is missing, INVALID if it is deleted. */
  visit(schema: Schema, value: unknown): unknown
  /** The view of a row of an entity or a list. */
  row(schema: RowSchema, pk: string): unknown
  /** The plain record of a row that `write` has written. */
  record(kind: string, pk: string): RowRecord | undefined
  /** The primary keys of all stored rows of an entity, in the order in which they arrived. */
  all(kind: string): readonly string[]
}

/** The look-ups that need no request; the view depends on every look-up, whether it finds a row or not. */
export interface LookupContext {
  readonly args: readonly unknown[]
  /** `queryKey` of a schema below. */
  lookup(schema: Schema, args: readonly unknown[]): unknown
  /** True if the table has this row of the entity or list, also if it is deleted. */
  has(schema: RowSchema, pk: string): boolean
  /** The primary key of the row whose indexed field has this value. */
  byIndex(entity: EntityInterface, field: string, value: unknown): string | undefined
  /** True if the table ever had a row of this entity. */
  hasKind(kind: string): boolean
}

/** The value of one argument of a list: numbers, booleans and bigints are stored as strings, `'5'` and `'true'`. */
export type ListArg = string | object | null

/** The arguments with which a list was loaded. */
export type ListArgs = Readonly<Record<string, ListArg>>

/** The members of a list: an array, or a map by its keys. */
export type ListMembers = readonly Member[] | ReadonlyMap<string, Member>

/** The identity of a page within its list. */
export interface PageMark {
  /** The call's arguments that are not the list's, as a string; `'{}'` for none, which is the first page. */
  readonly cursor: string
  /** The page's position among the others; undefined for the order in which pages were first requested. */
  readonly order: number | undefined
}

/** The code that stores and shows lists. Only the table and the store call its methods. */
export interface ListCode {
  readonly isListCode: true
}

/** The code that shows rows that depend on a call's arguments: `byArgs`. */
export interface ArgsCode {
  readonly isArgsCode: true
}

/** A schema whose rows are lists: a Collection. */
export interface ListSchema {
  /** Part of the schema, so that bundles without a Collection do not contain it. */
  readonly engine: ListCode
  /** The name of the list's table, which lists of the same kind share. */
  readonly key: string
  /** The schema of one member. */
  readonly member: Schema
  /** True for a map of members, false for an array. */
  readonly isMap: boolean
  /** The entity of the row that a member refers to. */
  entityOf(ref: Member): EntityInterface | undefined
  /** The reference that the list stores for a row; undefined if the row cannot be a member. `belongs` needs it. */
  refOf?(kind: string, pk: string): Ref | undefined
  /** The page that a call requests; without it a response contains the whole list, or its first page. */
  readonly pageOf?: (callArgs: readonly unknown[]) => PageMark
  /** Returns whether a row belongs to the list with these arguments; `'unknown'` makes the list stale. */
  readonly belongs?: ((record: RowRecord, args: ListArgs) => boolean | 'unknown') | undefined
  /** Keeps the list sorted; a compare function as for `Array.prototype.sort`. */
  readonly compare?: ((a: RowRecord, b: RowRecord, args: ListArgs) => number) | undefined
  /**
   * True if an argument of this name affects membership. Together with a change's `wants` it allows finding lists by an
   * index.
   */
  isFilter?(name: string): boolean
  /** True if `createCollectionFilter` is the default one, which only calls `isFilter`. */
  readonly hasDefaultFilter?: boolean
}

/**
 * One change of list membership, as data and pure functions, so that it can be applied again: to lists whose request started
 * before it, and to newer server state while it is optimistic.
 */
export interface MembershipChange {
  readonly list: ListSchema
  /**
   * `add` adds the members to every list that `matches`; `remove` removes them from these; `move` removes a member from the
   * lists that do not match and adds it to those that match.
   */
  readonly op: 'add' | 'remove' | 'move'
  /**
   * The position of new members: in a map `'key'` puts them under their keys, replacing previous members; or a custom merge
   * function (`addWith`, `moveWith`).
   */
  readonly at:
    | 'start'
    | 'end'
    | 'key'
    | ((existing: readonly Member[], incoming: readonly Member[]) => readonly Member[])
  readonly members: readonly Member[]
  /** The keys of a map's members, in the order of `members`; undefined for arrays. */
  readonly keys?: readonly string[] | undefined
  /** The call's body for each of `members`: `matches` uses its fields if the response does not have them. */
  readonly bodies?: readonly RowRecord[] | undefined
  /**
   * True if a list matches, by its arguments and the member's row after the merge. Undefined for lists that belong to a
   * parent, which the change never affects, not even a `move`.
   */
  matches(args: ListArgs, record: RowRecord, member: Member): boolean | undefined
  /**
   * The value that a list's argument of this name must have, compared by `filterText`, for `matches` to be true. Undefined
   * if only `matches` can decide.
   */
  readonly wants?: ((name: string, record: RowRecord) => unknown) | undefined
}

/** True for an entity class. */
export function isEntity(schema: unknown): schema is EntityInterface {
  return typeof schema === 'function' && 'pk' in schema && typeof schema.pk === 'function'
}

/** True for the literal `[S]`. */
export function isArraySchema(schema: Schema): schema is ArrayLiteral {
  return Array.isArray(schema)
}

/** True for a schema object: anything with `normalize` and `denormalize`, such as a Collection. */
export function isSchemaObject(schema: unknown): schema is SchemaContract {
  return (
    typeof schema === 'object' && schema !== null && 'normalize' in schema && typeof schema.normalize === 'function'
  )
}

/** The interface of a union, for code that must not import the class into every bundle. */
export interface UnionSchema extends SchemaContract {
  readonly kind: 'union'
  readonly kinds: { readonly [kind: string]: unknown }
  /** The entity of this name in the union. */
  entityOf(kind: string): EntityInterface | undefined
  /** The discriminator of a payload, which the union may not know. */
  kindOf(input: unknown, parent: unknown, field: string | undefined): string | undefined
  parts(): readonly EntityInterface[]
}

/** True for a Union. */
export function isUnion(schema: unknown): schema is UnionSchema {
  return isSchemaObject(schema) && schema.kind === 'union'
}

/** The interface of a Scalar, for lists of its cells. */
export interface CellSchema extends SchemaContract {
  readonly kind: 'scalar'
  /** The name of the table of its cells. */
  readonly key: string
  /** The class of the rows of its cells. */
  entityOfRef(): EntityInterface
}

/** True for a Scalar. */
export function isScalar(schema: unknown): schema is CellSchema {
  return isSchemaObject(schema) && schema.kind === 'scalar'
}

/** The interface of schemas such as `push` and `remove`, which change the members of a Collection's lists. */
export interface MemberChanges extends SchemaContract {
  readonly kind: 'member'
  /** The Collection whose lists it changes. */
  readonly collection: ListSchema
  /** True if the arguments alone may identify the members. */
  readonly movesByArgs?: boolean
}

/** True for a schema that changes the members of lists. */
export function isMemberChanges(schema: unknown): schema is MemberChanges {
  return isSchemaObject(schema) && schema.kind === 'member'
}

/** A schema whose rows are found by keys: an entity, or a Collection. */
export type RowSchema = EntityInterface | ListSchema

/** True for a schema whose rows are found by keys. */
export function isRowSchema(schema: unknown): schema is EntityInterface | (ListSchema & SchemaContract) {
  return isEntity(schema) || isListSchema(schema)
}

/** True for a schema whose rows are lists. */
export function isListSchema(schema: unknown): schema is ListSchema & SchemaContract {
  return isSchemaObject(schema) && schema.kind === 'list'
}
