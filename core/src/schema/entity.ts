// biome-ignore-all lint/complexity/noThisInStatic: the class that was asked is meant, never Entity itself.
import type { EntityInput } from './infer.js'
import { defaultsOf, makeInstance } from './instance.js'
import { kindOf, setKind } from './kind.js'
import { pkOfValue, pkText } from './pk.js'
import type { AnswerMeta, EntityInterface, LookupContext, RowRecord, Schema } from './schema.js'

/**
 * A thing with a primary key. Its rows live once in the table, and every place that shows it shows the same instance.
 *
 * @remarks
 * The static members are its life: `process` shapes what comes in, `validate` refuses it, `merge` and its kin decide what a row
 * keeps. Override what you need and call `super` for the rest.
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
   * The primary key; undefined, null and `''` are none. It may run on plain data instead of an instance: read fields only.
   *
   * @default the field `id`, as text
   */
  pk(parent?: unknown, field?: string, args?: readonly unknown[]): string | number | undefined
  pk(): string | number | undefined {
    // Every class may have an `id`; whether this one has, only its data tells.
    return pkText((this as { readonly id?: unknown }).id)
  }

  /**
   * The entity's kind: the name of its table. Classes with one key share a table (a summary and the whole of it).
   *
   * @default the class's name, with a warning in development since minifiers rename classes
   * @throws OptionError for a class without a name
   */
  static get key(): string {
    return kindOf(this)
  }
  static set key(key: string) {
    setKind(this, key)
  }

  /**
   * Fields that are entities, lists, other schemas, or that a function makes from the serialized value. May be assigned after the
   * class, where classes refer to each other.
   *
   * @default {}
   */
  static schema: { readonly [field: string]: Schema } = {}

  /**
   * Fields by which a row can be looked up beside its primary key.
   *
   * @default undefined
   */
  static indexes?: readonly string[]

  /** The primary key of plain data or an instance: what the instance method `pk` says of it. */
  static pk(
    value: unknown,
    parent: unknown,
    field: string | undefined,
    args: readonly unknown[],
  ): string | number | undefined {
    return this.prototype.pk.call(value, parent, field, args)
  }

  /**
   * Shapes the input before it is kept; returning undefined deletes the row that the input names.
   *
   * @default the input as it is
   */
  static process(input: unknown, _parent: unknown, _field: string | undefined, _args: readonly unknown[]): unknown {
    return input
  }

  /**
   * Says what is wrong with a processed value: an answer is then refused, a row already kept counts as missing.
   *
   * @default undefined: nothing is wrong
   */
  static validate(_processed: RowRecord): string | undefined {
    return undefined
  }

  /**
   * What a row holds after more of it came.
   *
   * @default the incoming fields on top of the existing ones
   */
  static merge(existing: RowRecord, incoming: RowRecord): RowRecord {
    return { ...existing, ...incoming }
  }

  /**
   * False keeps the row as it is.
   *
   * @default true
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
   * True if what comes in is the older of the two, so that existing fields win.
   *
   * @default whether its request started earlier
   */
  static shouldReorder(
    existingMeta: AnswerMeta,
    incomingMeta: AnswerMeta,
    _existing: RowRecord,
    _incoming: RowRecord,
  ): boolean {
    return incomingMeta.start < existingMeta.start
  }

  /** Joins a row with what an answer brings: asks `shouldUpdate`, then `shouldReorder`, then `merge`. */
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

  /** The facts that a joined row keeps: those of the newer answer. */
  static mergeMetaWithStore(
    existingMeta: AnswerMeta,
    incomingMeta: AnswerMeta,
    existing: RowRecord,
    incoming: RowRecord,
  ): AnswerMeta {
    return this.shouldReorder(existingMeta, incomingMeta, existing, incoming) ? existingMeta : incomingMeta
  }

  /** The instance for a record; undefined if `validate` has something against it. */
  static createIfValid<Instance>(this: EntityStatics<Instance>, record: RowRecord): Instance | undefined {
    return this.validate(record) === undefined ? this.fromJS(record) : undefined
  }

  /**
   * A new instance with these fields, the class's defaults for the rest.
   *
   * @example Todo.fromJS({ id: 5 }).title // ''
   */
  static fromJS<Instance>(this: { readonly prototype: Instance }, fields: EntityInput<Instance> = {}): Instance {
    return makeInstance(this, fields)
  }

  /** The fields of an empty instance; none if the constructor throws without arguments. */
  static get defaults(): RowRecord {
    return defaultsOf(this)
  }

  /** The row that the arguments name, by primary key or by the first of `indexes` that they carry, if it is there. */
  static queryKey(args: readonly unknown[], context: LookupContext): string | undefined {
    return findRow(this, args, context)
  }
}

/** What the static members need of the class that they are called on. */
interface EntityStatics<Instance> {
  readonly prototype: Instance
  validate(record: RowRecord): string | undefined
  fromJS(fields: RowRecord): Instance
}

function findRow(entity: EntityInterface, args: readonly unknown[], context: LookupContext): string | undefined {
  const wanted = args[0]
  if (typeof wanted !== 'object' || wanted === null) return knownPk(entity, pkText(wanted), context)
  const named = knownPk(entity, namedPk(entity, wanted, args), context)
  if (named !== undefined) return named
  for (const field of entity.indexes ?? []) {
    // The arguments are data of unknown shape; own fields are looked up by name.
    const value = Object.hasOwn(wanted, field) ? (wanted as RowRecord)[field] : undefined
    if (value !== undefined) return knownPk(entity, context.byIndex(entity, field, value), context)
  }
  return undefined
}

function knownPk(entity: EntityInterface, pk: string | undefined, context: LookupContext): string | undefined {
  return pk !== undefined && context.has(entity, pk) ? pk : undefined
}

/** Arguments need not be a whole record: a `pk` that fails on them names nothing. */
function namedPk(entity: EntityInterface, value: object, args: readonly unknown[]): string | undefined {
  try {
    return pkOfValue(entity, value, undefined, undefined, args)
  } catch {
    return undefined
  }
}
