import { pkOfValue } from '../schema/pk.js'
import {
  type EntityInterface,
  isEntity,
  isSchemaObject,
  isUnion,
  type RowRecord,
  type Schema,
} from '../schema/schema.js'
import { equal } from '../util/equal.js'
import { isPlain, isRecord } from '../util/plain.js'
import { entityOf, type KnownEntity } from './row-place.js'

/** A change of a row in a backend. */
export interface BackendChange {
  readonly type: 'created' | 'changed' | 'deleted'
  /** The `key` of the row's entity. */
  readonly kind: string
  readonly pk: string
  /** The row as the server sends it; of a deleted one, as it was. */
  readonly row: RowRecord
  /** The number of the change, as text: the backend's responses say in `x-event-id` which is the last that they know. */
  readonly id: string
}

/** A row that is nested in another one: it is kept in its own table, and sent where it was. */
export class NestedRow {
  readonly kind: string
  readonly pk: string

  constructor(kind: string, pk: string) {
    this.kind = kind
    this.pk = pk
  }

  /** Filters compare the key, which other servers send instead of the row. */
  toString(): string {
    return this.pk
  }
}

/** A row as it is kept: with rows of their own in the place of nested ones. */
export interface KeptRow {
  readonly entity: EntityInterface
  readonly pk: string
  /** The reference that other rows contain. */
  readonly ref: NestedRow
  /** Rows are sent in the order in which they came. */
  readonly at: number
  readonly fields: RowRecord
}

/** How a row is written. */
interface WriteOptions {
  readonly pk?: string
  readonly replaces?: boolean
}

/** The rows of a backend: a table for each kind. */
export class Tables {
  readonly #tables = new Map<string, Map<string, KeptRow>>()
  readonly #lastKeys = new Map<string, number>()
  readonly #entities: ReadonlyMap<string, KnownEntity>
  readonly #tell: (change: BackendChange) => void
  #changes = 0
  #rows = 0
  /** Changes that `atomic` reports at its end. */
  #untold: BackendChange[] | undefined

  constructor(entities: ReadonlyMap<string, KnownEntity>, tell: (change: BackendChange) => void) {
    this.#entities = entities
    this.#tell = tell
  }

  /** The number of changes so far, which names the last one. */
  get lastChange(): string {
    return `${this.#changes}`
  }

  /** The rows of these entities, in the order in which they came. */
  rows(entities: readonly EntityInterface[]): readonly KeptRow[] {
    const rows = entities.flatMap(({ key }) => [...(this.#tables.get(key)?.values() ?? [])])
    return entities.length > 1 ? rows.sort((a, b) => a.at - b.at) : rows
  }

  get(kind: string, pk: string): KeptRow | undefined {
    return this.#tables.get(kind)?.get(pk)
  }

  /**
   * Writes the row of a primary key, by default that of `row`: on top of what is there, or in its place. Undefined if there
   * is no key.
   */
  write(entity: EntityInterface, row: object, options: WriteOptions = {}): KeptRow | undefined {
    const { pk = pkOf(entity, row), replaces = false } = options
    if (pk === undefined) return undefined
    const { key } = entity
    const table = this.#tables.get(key) ?? new Map<string, KeptRow>()
    this.#tables.set(key, table)
    const before = table.get(pk)
    const given = Object.fromEntries(
      Object.entries(row).map(([field, value]) => [field, this.#kept(this.#schemaOf(entity, field), value)]),
    )
    const fields = replaces ? given : { ...before?.fields, ...given }
    if (before && equal(fields, before.fields)) return before
    const { ref = new NestedRow(key, pk), at = this.#rows++ } = before ?? {}
    const kept = { entity, pk, ref, at, fields }
    table.set(pk, kept)
    if (Number(pk) > this.lastKey(key)) this.#lastKeys.set(key, Number(pk))
    this.#changed(before ? 'changed' : 'created', kept)
    return kept
  }

  /** The highest number that the key of a row of this kind ever was; 0 without any. */
  lastKey(kind: string): number {
    return this.#lastKeys.get(kind) ?? 0
  }

  remove({ entity, pk }: KeptRow): void {
    const row = this.get(entity.key, pk)
    this.#tables.get(entity.key)?.delete(pk)
    if (row) this.#changed('deleted', row)
  }

  /**
   * Runs a function that writes rows. If it throws, nothing is written; listeners hear of its changes once it has returned.
   */
  atomic<Result>(work: () => Result): Result {
    const tables = [...this.#tables].map(([kind, rows]) => [kind, new Map(rows)] as const)
    const lastKeys = [...this.#lastKeys]
    const [changes, rows] = [this.#changes, this.#rows]
    const untold: BackendChange[] = []
    this.#untold = untold
    try {
      return work()
    } catch (error) {
      this.clear()
      for (const [kind, table] of tables) this.#tables.set(kind, table)
      for (const [kind, key] of lastKeys) this.#lastKeys.set(kind, key)
      this.#changes = changes
      this.#rows = rows
      untold.length = 0
      throw error
    } finally {
      this.#untold = undefined
      for (const change of untold) this.#tell(change)
    }
  }

  clear(): void {
    this.#tables.clear()
    this.#lastKeys.clear()
  }

  /** A row as it is sent, with its nested rows; those that it is nested in itself are sent without theirs. */
  sent(row: KeptRow, around: readonly KeptRow[] = []): RowRecord {
    const isAround = around.includes(row)
    const within = [...around, row]
    const entries = Object.entries(row.fields).map(([field, value]) => [
      field,
      this.#sentValue(value, within, isAround),
    ])
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
  }

  #sentValue(value: unknown, around: readonly KeptRow[], isCut: boolean): unknown {
    if (value instanceof NestedRow) {
      const row = this.get(value.kind, value.pk)
      return isCut || row === undefined ? undefined : this.sent(row, around)
    }
    if (Array.isArray(value)) {
      return value.map((item) => this.#sentValue(item, around, isCut)).filter((item) => item !== undefined)
    }
    if (!isPlain(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([field, item]) => [field, this.#sentValue(item, around, isCut)]),
    )
  }

  /** A value as it is kept: a copy, with a reference in the place of each row. */
  #kept(schema: Schema, value: unknown): unknown {
    if (!isPlain(value)) return value
    const entity = isEntity(schema) || isUnion(schema) ? entityOf(schema, value) : undefined
    const row = entity && !Array.isArray(value) ? this.write(entity, value) : undefined
    if (row) return row.ref
    if (Array.isArray(value)) return value.map((item) => this.#kept(memberOf(schema), item))
    return Object.fromEntries(
      Object.entries(value).map(([field, item]) => [field, this.#kept(partOf(schema, field), item)]),
    )
  }

  /** The schema of a field, by any class of the entity's key. */
  #schemaOf({ key, schema: own }: EntityInterface, field: string): Schema {
    const schema = this.#entities.get(key)?.schema ?? own
    return Object.hasOwn(schema, field) ? schema[field] : undefined
  }

  #changed(type: BackendChange['type'], row: KeptRow): void {
    const { entity, pk } = row
    this.#changes++
    const change = { type, kind: entity.key, pk, row: this.sent(row), id: this.lastChange }
    if (this.#untold) this.#untold.push(change)
    else this.#tell(change)
  }
}

/** The primary key of a row as it is sent; undefined if it has none, or if its class throws for it. */
export function pkOf(entity: EntityInterface, row: object): string | undefined {
  try {
    const processed = entity.process(row, undefined, undefined, [{}])
    return isPlain(processed) ? pkOfValue(entity, processed, undefined, undefined, [{}]) : undefined
  } catch {
    return undefined
  }
}

/** The fields that the primary key of an entity is made of. */
export function keyFields(entity: EntityInterface): readonly string[] {
  const names = new Set<string>()
  const probe = new Proxy({}, { get: (_, name) => void (typeof name === 'string' && names.add(name)) })
  try {
    entity.pk(probe, undefined, undefined, [])
  } catch {
    // The fields that it read before it threw still count.
  }
  return [...names]
}

function memberOf(schema: Schema): Schema {
  if (Array.isArray(schema)) return schema[0]
  const { member, parts } = (schema ?? {}) as { readonly member?: Schema; parts?(): readonly Schema[] }
  return member ?? (isSchemaObject(schema) ? memberOf(parts?.call(schema)[0]) : undefined)
}

function partOf(schema: Schema, field: string): Schema {
  if (isSchemaObject(schema)) return schema.kind === 'object' ? partOf(schema.parts?.()[0], field) : memberOf(schema)
  // A literal has the schemas of its fields.
  return isRecord(schema) && Object.hasOwn(schema, field)
    ? (schema as { readonly [field: string]: Schema })[field]
    : undefined
}
