import type { EntityInterface, INVALID, LookupContext, SchemaContract } from './schema.js'

/**
 * The types of a schema class, for the compiler only: `'~types'` does not exist at run time.
 *
 * @typeParam Out - the value that hooks return
 * @typeParam Nullable - the value that a read without a request returns
 * @typeParam In - the stored value
 * @typeParam Args - the arguments of a query; `never` if the schema cannot be queried
 */
export interface SchemaTypes<Out, Nullable = Out, In = unknown, InNullable = In, Args = never> {
  readonly denormalized: Out
  readonly nullable: Nullable
  readonly normalized: In
  readonly normalizedNullable: InNullable
  readonly args: Args
}

/** A schema object with types for the compiler. */
export interface Typed<T> {
  readonly '~types': T
}

/** A class with a primary key, which `Denormalize` treats as an entity. */
export interface EntityClass<Instance> {
  readonly prototype: Instance
  pk(...args: never): unknown
}

/**
 * The value of a schema whose data is present.
 *
 * @example
 * ```ts
 * type Page = Denormalize<{ todos: (typeof Todo)[]; total: 0 }> // { readonly todos: readonly Todo[]; readonly total: number }
 * ```
 */
export type Denormalize<S> =
  IsAny<S> extends true
    ? S
    : [S] extends [Placeholder]
      ? Wide<S>
      : S extends Typed<{ readonly denormalized: infer Out }>
        ? Out
        : S extends EntityClass<infer Instance>
          ? Instance
          : S extends readonly (infer Member)[]
            ? readonly Denormalize<Member>[]
            : S extends SchemaContract
              ? Shown<S>
              : S extends Deserializer
                ? Deserialized<S>
                : S extends object
                  ? { readonly [Field in keyof S]: Denormalize<S[Field]> }
                  : unknown

/**
 * The value of a schema in a read without a request: entities and collections may be missing.
 *
 * @example
 * ```ts
 * type Cached = DenormalizeNullable<{ user: typeof User; tags: (typeof Tag)[] }> // { readonly user: User | undefined; readonly tags: readonly Tag[] }
 * ```
 */
export type DenormalizeNullable<S> =
  IsAny<S> extends true
    ? S
    : [S] extends [Placeholder]
      ? Wide<S>
      : S extends Typed<{ readonly nullable: infer Out }>
        ? Out
        : S extends EntityClass<infer Instance>
          ? Instance | undefined
          : S extends readonly (infer Member)[]
            ? readonly Denormalize<Member>[]
            : S extends SchemaContract
              ? Shown<S> | undefined
              : S extends Deserializer
                ? Deserialized<S>
                : S extends object
                  ? { readonly [Field in keyof S]: DenormalizeNullable<S[Field]> }
                  : unknown

/**
 * The stored value of a schema: primary keys instead of entities.
 *
 * @example
 * ```ts
 * type Stored = Normalize<{ todos: (typeof Todo)[] }> // { todos: string[] }
 * ```
 */
export type Normalize<S> =
  IsAny<S> extends true
    ? S
    : [S] extends [Placeholder]
      ? Wide<S>
      : S extends Typed<{ readonly normalized: infer In }>
        ? In
        : S extends EntityClass<unknown>
          ? string
          : S extends readonly (infer Member)[]
            ? Normalize<Member>[]
            : S extends SchemaContract
              ? ReturnType<S['normalize']>
              : S extends Deserializer
                ? Serialized<S>
                : S extends object
                  ? { -readonly [Field in keyof S]: Normalize<S[Field]> }
                  : unknown

/**
 * The stored value of a schema whose entities may be missing.
 *
 * @example
 * ```ts
 * type Stored = NormalizeNullable<typeof Todo> // string | undefined
 * ```
 */
export type NormalizeNullable<S> =
  IsAny<S> extends true
    ? S
    : [S] extends [Placeholder]
      ? Wide<S>
      : S extends Typed<{ readonly normalizedNullable: infer In }>
        ? In
        : S extends EntityClass<unknown>
          ? string | undefined
          : S extends readonly (infer Member)[]
            ? Normalize<Member>[]
            : S extends SchemaContract
              ? ReturnType<S['normalize']> | undefined
              : S extends Deserializer
                ? Serialized<S>
                : S extends object
                  ? { -readonly [Field in keyof S]: NormalizeNullable<S[Field]> }
                  : unknown

/**
 * The arguments of `controller.get`, `controller.view` and `useQuery` for a schema.
 *
 * @example
 * ```ts
 * type Args = SchemaArgs<typeof Todo> // [fields: { id?: string | number; title?: string | number }]
 * ```
 */
export type SchemaArgs<S> =
  IsAny<S> extends true
    ? readonly unknown[]
    : S extends Typed<{ readonly args: infer Args extends readonly unknown[] }>
      ? Args
      : S extends EntityClass<infer Instance>
        ? [fields: EntityFields<Instance>]
        : S extends readonly unknown[]
          ? never
          : S extends { queryKey(args: infer Args extends readonly unknown[], context: LookupContext): unknown }
            ? Args
            : S extends SchemaContract | Deserializer
              ? never
              : S extends object
                ? ObjectArgs<S>
                : never

/** A schema that can be read without an endpoint. */
export type Queryable =
  | EntityInterface
  | (SchemaContract & { queryKey(args: readonly unknown[], context: LookupContext): unknown })
  | NeedsSchema

/** A type without values, whose name is the remedy in the error for callable values, such as endpoints. */
interface NeedsSchema {
  (value: never): unknown
  readonly 'an endpoint is read by useDLE, useSuspense, useCache or controller.watch; this takes a schema, such as Todo': never
}

/** The arguments for an entity: its fields without methods, all optional, with numbers also as strings. */
export type EntityFields<Instance> = {
  readonly [Field in DataField<Instance>]?: Interchangeable<Instance[Field]> | undefined
}

/** The fields from which an instance can be created: those of the class without methods, all optional. */
export type EntityInput<Instance> = { readonly [Field in DataField<Instance>]?: Instance[Field] | undefined }

/**
 * The value that `controller.set` accepts: an entity's fields or a list's members as a response would contain them; for
 * other schemas any value.
 *
 * @example
 * ```ts
 * type Fields = SetValue<typeof Todo> // { id?: number; title?: string; author?: unknown }
 * ```
 */
export type SetValue<S> =
  IsAny<S> extends true
    ? unknown
    : S extends EntityClass<infer Instance>
      ? Raw<Instance, S extends { readonly schema: infer Schemas } ? NamedKey<keyof Schemas> : never>
      : Denormalize<S> extends readonly (infer Member)[]
        ? readonly (Member extends object ? Raw<Member> : Member)[]
        : NonNullable<unknown>

/**
 * The plain data of a response, with plain objects instead of entities. It has the fields of the class, which describes what
 * the server sends, but no defaults and no getters.
 *
 * @remarks
 * A Date is a string here; the result of another deserializer is unknown if it is an object with methods.
 *
 * @example
 * ```ts
 * type Answer = PlainData<(typeof Todo)[]> // { id: number; title: string }[]
 * ```
 */
export type PlainData<S> =
  IsAny<S> extends true
    ? S
    : S extends EntityClass<infer Instance>
      ? PlainRow<Instance>
      : S extends { readonly '~schema': unknown; readonly schema: infer Inner }
        ? PlainData<Inner> // a Query computes only for readers, and its schema describes the response
        : Plain<Denormalize<S>>

type PlainRow<Instance> = { [Field in DataField<Instance>]: Plain<Instance[Field]> }

type Plain<Out> =
  IsAny<Out> extends true
    ? Out
    : Out extends Date
      ? string
      : Out extends readonly (infer Member)[]
        ? Plain<Member>[]
        : Out extends object
          ? Out extends { pk(...args: never): unknown }
            ? PlainRow<Out>
            : [Extract<Out[keyof Out], (...args: never) => unknown>] extends [never]
              ? { [Field in keyof Out]: Plain<Out[Field]> }
              : unknown
          : Out

/**
 * The value that `controller.setResponse` accepts for a schema: the data of a response, with any of its fields. A list may
 * contain primary keys.
 *
 * @example
 * ```ts
 * type Answer = ResponseInput<(typeof Todo)[]> // readonly ({ id?: number; title?: string } | string | null)[]
 * ```
 */
export type ResponseInput<S> =
  IsAny<S> extends true
    ? unknown
    : [S] extends [Placeholder]
      ? Wide<S>
      : S extends EntityClass<infer Instance>
        ? RawRow<Raw<Instance, S extends { readonly schema: infer Schemas } ? NamedKey<keyof Schemas> : never>>
        : S extends readonly (infer Member)[]
          ? readonly (ResponseInput<Member> | string | null)[]
          : S extends { readonly push: unknown; readonly isMap: boolean }
            ? Denormalize<S> extends readonly (infer Member)[]
              ? readonly ((Member extends object ? RawRow<Raw<Member>> | string : Member) | null)[]
              : Readonly<Record<string, unknown>>
            : S extends SchemaContract
              ? unknown
              : S extends Deserializer
                ? Serialized<S>
                : S extends object
                  ? { readonly [Field in keyof S]?: ResponseInput<S[Field]> | null | undefined } & More
                  : unknown

/** One record of a response. It may have more fields than the class, whose `process` may convert them. */
type RawRow<Fields> = Fields & More & object & { readonly [Symbol.iterator]?: never }

/** Fields of a response that the schema does not describe. */
interface More {
  // biome-ignore lint/suspicious/noExplicitAny: an interface has no index signature, but is assignable to one of any.
  readonly [field: string]: any
}

/** The declared keys of a schema; a schema of unknown type has any. */
type NamedKey<Key> = string extends Key ? never : Key

/** Fields before they are read through a schema: plain values already have their types, nested values may be anything. */
type Raw<Instance, Deserialized = never> = {
  readonly [Field in DataField<Instance>]?:
    | (Field extends Deserialized ? unknown : NonNullable<Instance[Field]> extends object ? unknown : Instance[Field])
    | undefined
}

/** The names of fields that hold data. */
export type DataField<Instance> = {
  [Field in keyof Instance]-?: Instance[Field] extends (...args: never) => unknown ? never : Field
}[keyof Instance]

/** True for `any`, which would match every branch at once. */
type IsAny<T> = 0 extends 1 & T ? true : false

/** A function or a class that makes a field's value from the serialized one. */
type Deserializer = ((value: never) => unknown) | (new (value: never) => unknown)

type Deserialized<S> = S extends DateConstructor
  ? Date
  : S extends (value: never) => infer Out
    ? Out
    : S extends new (
          value: never,
        ) => infer Out
      ? Out
      : never

type Serialized<S> = S extends (value: infer In) => unknown
  ? In
  : S extends new (
        value: infer In,
      ) => unknown
    ? In
    : never

type Shown<S extends SchemaContract> = Exclude<ReturnType<S['denormalize']>, undefined | typeof INVALID>

/** A value in a schema that represents data of its type. */
type Placeholder = string | number | boolean | bigint | null | undefined

/**
 * The type of the data that a placeholder represents: a number for `total: 0`, and the type itself for `'' as string | null`
 * and for a union of literals. Null or undefined alone represents any data.
 */
type Wide<S> = [S] extends [never] ? never : [S] extends [null | undefined] ? unknown : WideMember<S>

/** A member of a union stays unchanged; a single literal is widened. A schema is not inferred from its data. */
type WideMember<S, All = NonNullable<S>> = S extends null | undefined
  ? NoInfer<S>
  : [All] extends [S]
    ? S extends string
      ? string
      : S extends number
        ? number
        : S extends boolean
          ? boolean
          : bigint
    : NoInfer<S>

type Interchangeable<Value> = Value extends string
  ? string extends Value
    ? string | number
    : Value
  : Value extends number
    ? number extends Value
      ? string | number
      : Value
    : Value

/** One argument for all members of the object: the combination of the members' arguments. */
type ObjectArgs<S extends object> = [FirstArg<S>] extends [never] ? [] : [fields: JoinedFields<FirstArg<S>>]

type FirstArg<S extends object> = { [Field in keyof S]: First<SchemaArgs<S[Field]>> }[keyof S]

type First<Args> = Args extends readonly [infer Arg, ...unknown[]] ? [Arg] : never

type JoinedFields<Boxed> = (Boxed extends [infer Arg] ? (arg: Arg) => void : never) extends (arg: infer All) => void
  ? All
  : never
