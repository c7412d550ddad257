// biome-ignore-all lint/complexity/noThisInStatic: `this` is the class on which a method is called, never Entity itself.

import { keyOfClass, setKey } from './class-key.js'
import type { EntityInput } from './infer.js'
import { defaultsOf, makeInstance } from './instance.js'
import { pkInArgs, pkText } from './pk.js'
import type { AnswerMeta, EntityInterface, Judgement, LookupContext, RowRecord, Schema } from './schema.js'

/**
 * A class of records with a primary key. Each record is one row in the table, and all readers of a row share one instance.
 *
 * @remarks
 * Static methods control how records are stored: `process` converts a record, `validate` rejects it, `merge` and related
 * methods combine it with the row. Override what you need and call `super` for the rest.
 *
 * @example
 * ```ts
 * class Todo extends Entity {
 *   static override key = 'Todo'
 *   static override schema = { author: User, due: (iso: string) => new Date(iso) }
 *   id = ''
 *   title = ''
 *   author: User | undefined = undefined
 *   due: Date | undefined = undefined
 * }
 * ```
 */
export abstract class Entity {
  /**
   * Returns the primary key; undefined, null and `''` mean that there is none. It may be called on plain data instead of an
   * instance, so read only fields.
   *
   * @default the field `id`, as text
   * @example
   * ```ts
   * class Seat extends Entity {
   *   static override key = 'Seat'
   *   row = 0
   *   place = 0
   *   override pk() {
   *     return `${this.row}-${this.place}`
   *   }
   * }
   * ```
   */
  pk(parent?: unknown, field?: string, args?: readonly unknown[]): string | number | undefined
  pk(): string | number | undefined {
    // Any class may have an `id`; only its data shows whether this one has.
    return pkText((this as { readonly id?: unknown }).id)
  }

  /**
   * The name of the entity's table. Classes with the same key share a table (for example a summary and the complete entity).
   *
   * @default the class's name, with a warning in development since minifiers rename classes
   * @throws OptionError for a class without a name
   * @example
   * ```ts
   * class Todo extends Entity {
   *   static override key = 'Todo'
   *   id = 0
   * }
   * ```
   */
  static get key(): string {
    return keyOfClass(this)
  }
  static set key(key: string) {
    setKey(this, key)
  }

  /**
   * Schemas of fields that are not plain values: entities, lists, other schemas, or functions that convert the serialized
   * value. Assign it after the class if classes refer to each other.
   *
   * @default {}
   * @example
   * ```ts
   * class Task extends Entity {
   *   static override key = 'Task'
   *   static override schema = { author: User, due: (value: string) => new Date(value) }
   *   id = 0
   *   author: User | undefined = undefined
   *   due = new Date(0)
   * }
   * ```
   */
  static schema: { readonly [field: string]: Schema } = {}

  /**
   * Fields by which a row can be looked up in addition to its primary key.
   *
   * @default undefined
   * @example
   * ```ts
   * class Account extends Entity {
   *   static override key = 'Account'
   *   static override indexes = ['slug']
   *   id = 0
   *   slug = ''
   * }
   * controller.get(Account, { slug: 'ada' })
   * ```
   */
  static indexes?: readonly string[]

  /**
   * The primary key of plain data or an instance, from the instance method `pk`.
   *
   * @example Todo.pk({ id: 5 }, undefined, undefined, []) // 5
   */
  static pk(
    value: unknown,
    parent: unknown,
    field: string | undefined,
    args: readonly unknown[],
  ): string | number | undefined {
    return this.prototype.pk.call(value, parent, field, args)
  }

  /**
   * Converts a record before it is stored. Returning undefined deletes the row of the record. A member of a list has the
   * list's parent and field.
   *
   * @default a copy of the input, to which an override may add fields
   * @example
   * ```ts
   * class Task extends Entity {
   *   static override key = 'Task'
   *   id = 0
   *   static override process(input: { task_id: number }) {
   *     return { id: input.task_id }
   *   }
   * }
   * ```
   */
  // biome-ignore lint/suspicious/noExplicitAny: an override adds fields to what `super.process` returns; unknown could not even be spread.
  static process(input: unknown, _parent: unknown, _field: string | undefined, _args: readonly unknown[]): any {
    return typeof input === 'object' && input !== null && !Array.isArray(input) ? { ...input } : input
  }

  /**
   * Returns a message if a processed record is invalid: a response with it is rejected, and a stored row counts as missing.
   * Records of optimistic responses may be incomplete; the resulting row is validated instead.
   *
   * @default returns undefined: every record is valid
   * @example
   * ```ts
   * class Task extends Entity {
   *   static override key = 'Task'
   *   id = 0
   *   static override validate({ id }: { id?: unknown }) {
   *     return typeof id === 'number' ? undefined : 'id is no number'
   *   }
   * }
   * ```
   */
  static validate(_processed: RowRecord): string | undefined {
    return undefined
  }

  /**
   * Judges an unprocessed record of a response, except records that equal their row and those of optimistic responses.
   * `entityOf` of `@roundtable/core/schema` defines it by a schema.
   *
   * @default undefined: records are not judged
   * @example
   * ```ts
   * class Task extends Entity {
   *   static override key = 'Task'
   *   id = 0
   *   title = ''
   *   static override judge({ title }: { title?: unknown }) {
   *     return title === '' ? { path: '.title', message: 'is empty' } : undefined
   *   }
   * }
   * ```
   */
  static judge?(input: object, record: RowRecord, stored: RowRecord | undefined): Judgement | undefined

  /**
   * Combines a row with a newer record.
   *
   * @default the incoming fields on top of the existing ones
   * @example
   * ```ts
   * class Task extends Entity {
   *   static override key = 'Task'
   *   id = 0
   *   tags: readonly string[] = []
   *   static override merge(existing: object, incoming: object) {
   *     return { ...existing, ...incoming, merged: true }
   *   }
   * }
   * ```
   */
  static merge(existing: RowRecord, incoming: RowRecord): RowRecord {
    return { ...existing, ...incoming }
  }

  /**
   * Returns false to leave the row unchanged.
   *
   * @default true
   * @example
   * ```ts
   * class Task extends Entity {
   *   static override key = 'Task'
   *   id = 0
   *   version = 0
   *   static override shouldUpdate(_: unknown, __: unknown, existing: { version?: unknown }, incoming: { version?: unknown }) {
   *     return existing.version !== incoming.version
   *   }
   * }
   * ```
   */
  static shouldUpdate(
    _existingMeta: AnswerMeta,
    _incomingMeta: AnswerMeta,
    _existing: RowRecord,
    _incoming: RowRecord,
  ): boolean {
    return true
  }

  /**
   * Returns true if the incoming record is older than the row, so that existing fields win.
   *
   * @default the order of the store; if you override `mergeWithStore`, whether its request started earlier
   * @example
   * ```ts
   * class Task extends Entity {
   *   static override key = 'Task'
   *   id = 0
   *   version = 0
   *   static override shouldReorder(_: unknown, __: unknown, existing: { version?: unknown }, incoming: { version?: unknown }) {
   *     return Number(incoming.version) < Number(existing.version)
   *   }
   * }
   * ```
   */
  static shouldReorder(
    existingMeta: AnswerMeta,
    incomingMeta: AnswerMeta,
    _existing: RowRecord,
    _incoming: RowRecord,
  ): boolean {
    return incomingMeta.start < existingMeta.start
  }

  /** Combines a row with a record of a response by calling `shouldUpdate`, `shouldReorder` and `merge`. */
  static mergeWithStore(
    existingMeta: AnswerMeta,
    incomingMeta: AnswerMeta,
    existing: RowRecord,
    incoming: RowRecord,
  ): RowRecord {
    if (!this.shouldUpdate(existingMeta, incomingMeta, existing, incoming)) return existing
    const isOlder = this.shouldReorder(existingMeta, incomingMeta, existing, incoming)
    return isOlder ? this.merge(incoming, existing) : this.merge(existing, incoming)
  }

  /** Returns the metadata of a combined row: that of the newer response. */
  static mergeMetaWithStore(
    existingMeta: AnswerMeta,
    incomingMeta: AnswerMeta,
    existing: RowRecord,
    incoming: RowRecord,
  ): AnswerMeta {
    return this.shouldReorder(existingMeta, incomingMeta, existing, incoming) ? existingMeta : incomingMeta
  }

  /** Creates the instance of a record; undefined if `validate` rejects the record. */
  static createIfValid<Instance>(this: EntityStatics<Instance>, record: RowRecord): Instance | undefined {
    return this.validate(record) === undefined ? this.fromJS(record) : undefined
  }

  /**
   * Creates an instance with these fields, and the class's defaults for the others.
   *
   * @example Todo.fromJS({ id: 5 }).title // ''
   */
  static fromJS<Instance>(this: { readonly prototype: Instance }, fields: EntityInput<Instance> = {}): Instance {
    return makeInstance(this, fields)
  }

  /**
   * The fields of an empty instance; an empty object if the constructor throws without arguments.
   *
   * @example Todo.defaults // { id: 0, userId: 0, title: '', done: false }
   */
  static get defaults(): RowRecord {
    return defaultsOf(this)
  }

  /**
   * The primary key of the row that the arguments refer to, by primary key or by the first of `indexes` among them;
   * undefined if there is no such row.
   */
  static queryKey(args: readonly unknown[], context: LookupContext): string | undefined {
    return findRow(this, args, context)
  }
}

/** The members that the static methods need on their class. */
interface EntityStatics<Instance> {
  readonly prototype: Instance
  validate(record: RowRecord): string | undefined
  fromJS(fields: RowRecord): Instance
}

function findRow(entity: EntityInterface, args: readonly unknown[], context: LookupContext): string | undefined {
  const named = knownPk(entity, pkInArgs(entity, args), context)
  if (named !== undefined) return named
  const [wanted] = args
  if (typeof wanted !== 'object' || wanted === null) return undefined
  for (const field of entity.indexes ?? []) {
    // The arguments are data of unknown shape, whose own fields are read by name.
    const value = Object.hasOwn(wanted, field) ? (wanted as RowRecord)[field] : undefined
    if (value !== undefined) return knownPk(entity, context.byIndex(entity, field, value), context)
  }
  return undefined
}

function knownPk(entity: EntityInterface, pk: string | undefined, context: LookupContext): string | undefined {
  return pk !== undefined && context.has(entity, pk) ? pk : undefined
}
