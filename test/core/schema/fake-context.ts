import { pkOfValue, pkText } from '../../../core/src/schema/pk.js'
import {
  type DenormalizeContext,
  type EntityInterface,
  INVALID,
  isEntity,
  isSchemaObject,
  type ListArgs,
  type ListMembers,
  type ListSchema,
  type LookupContext,
  type MembershipChange,
  type NormalizeContext,
  type Owner,
  type RowRecord,
  type Schema,
} from '../../../core/src/schema/schema.js'
import { SchemaError } from '../../../core/src/util/errors.js'

/** A list that was written whole. */
export interface WrittenList {
  readonly list: ListSchema
  readonly pk: string
  readonly args: ListArgs
  readonly members: ListMembers
}

/** A table of plain Maps without order, layers or views: enough to test how a schema uses its contexts. */
export class FakeContext implements NormalizeContext, DenormalizeContext, LookupContext {
  args: readonly unknown[] = []
  owner: Owner | undefined = undefined
  readonly rows = new Map<string, Map<string, RowRecord | typeof INVALID>>()
  readonly lists: WrittenList[] = []
  readonly changes: MembershipChange[] = []
  #creating = false

  constructor(...args: readonly unknown[]) {
    this.args = args
  }

  kind(key: string): Map<string, RowRecord | typeof INVALID> {
    const kind = this.rows.get(key) ?? new Map<string, RowRecord | typeof INVALID>()
    this.rows.set(key, kind)
    return kind
  }

  /** Reads pass no parent, writes always do: this distinguishes the two. */
  visit(schema: Schema, input: unknown, ...place: readonly [unknown?, (string | number | undefined)?]): unknown {
    const isRoot = isSchemaObject(schema) && place.length > 0 && place[1] === undefined
    if (input === undefined || (input === null && !isRoot)) return input
    return place.length === 0 ? this.#show(schema, input) : this.#keep(schema, input, place[0], place[1])
  }

  create(schema: Schema, input: unknown, parent: unknown, field: string | number | undefined): unknown {
    this.#creating = true
    const stored = this.visit(schema, input, parent, field)
    this.#creating = false
    return stored
  }

  pkOf(entity: EntityInterface, input: unknown, parent: unknown, field: string | undefined): string | undefined {
    if (typeof input !== 'object' || input === null) return pkText(input)
    return pkOfValue(entity, input, parent, field, this.args)
  }

  named(entity: EntityInterface): string | undefined {
    return entity.queryKey(this.args, this)
  }

  current(kind: string, pk: string): RowRecord | undefined {
    const row = this.kind(kind).get(pk)
    return row === INVALID ? undefined : row
  }

  write(kind: string, pk: string, record: RowRecord): void {
    this.kind(kind).set(pk, { ...this.current(kind, pk), ...record })
  }

  invalidate(kind: string, pk: string): void {
    this.kind(kind).set(pk, INVALID)
  }

  list(list: ListSchema, pk: string, args: ListArgs, members: ListMembers): void {
    this.lists.push({ list, pk, args, members })
  }

  change(change: MembershipChange): void {
    this.changes.push(change)
  }

  fail(expected: string, found: unknown): never {
    throw new SchemaError('$', expected, String(found))
  }

  row(schema: EntityInterface | ListSchema, pk: string): unknown {
    if ('isMap' in schema) return this.lists.findLast((list) => list.list.key === schema.key && list.pk === pk)?.members
    const row = this.kind(schema.key).get(pk)
    return row === undefined || row === INVALID ? row : (schema.createIfValid(row) ?? INVALID)
  }

  record(kind: string, pk: string): RowRecord | undefined {
    return this.current(kind, pk)
  }

  all(kind: string): readonly string[] {
    return [...this.kind(kind).keys()].filter((pk) => this.current(kind, pk) !== undefined)
  }

  lookup(schema: Schema, args: readonly unknown[]): unknown {
    return isEntity(schema) || isSchemaObject(schema) ? schema.queryKey?.(args, this) : undefined
  }

  has(schema: EntityInterface | ListSchema, pk: string): boolean {
    return 'isMap' in schema ? this.row(schema, pk) !== undefined : this.kind(schema.key).has(pk)
  }

  byIndex(entity: EntityInterface, field: string, value: unknown): string | undefined {
    return this.all(entity.key).find((pk) => this.current(entity.key, pk)?.[field] === value)
  }

  hasKind(kind: string): boolean {
    return this.kind(kind).size > 0
  }

  #keep(schema: Schema, input: unknown, parent: unknown, field: string | number | undefined): unknown {
    const name = typeof field === 'string' ? field : undefined
    if (isEntity(schema)) return this.#entity(schema, input, parent, name)
    if (isSchemaObject(schema)) return schema.normalize(input, this, parent, name)
    if (Array.isArray(schema)) {
      if (!Array.isArray(input)) return this.fail('an array', input)
      return input.map((item, i) => this.visit(schema[0], item, input, i))
    }
    return this.#each(schema, input, (inner, value, key) => this.visit(inner, value, input, key))
  }

  #entity(entity: EntityInterface, input: unknown, parent: unknown, field: string | undefined): unknown {
    if (typeof input !== 'object') return pkText(input)
    const processed = entity.process(input, parent, field, this.args) as RowRecord
    const pk = this.pkOf(entity, processed, parent, field) ?? (this.#creating ? 'optimistic:1' : undefined)
    if (pk === undefined) return this.fail('a primary key', input)
    const outer = this.owner
    this.owner = { kind: entity.key, pk }
    const record = this.#each(entity.schema, processed, (inner, value, key) => this.visit(inner, value, processed, key))
    this.owner = outer
    // A spread of an object is a record.
    this.write(entity.key, pk, record as RowRecord)
    return pk
  }

  #show(schema: Schema, value: unknown): unknown {
    if (isEntity(schema)) return this.row(schema, String(value))
    if (isSchemaObject(schema)) return schema.denormalize(value, this)
    if (Array.isArray(schema)) {
      const items = (value as readonly unknown[]).map((item) => this.visit(schema[0], item))
      return items.filter((item) => item !== undefined && item !== INVALID)
    }
    return this.#each(schema, value, (inner, item) => this.visit(inner, item))
  }

  #each(schema: Schema, value: unknown, visit: (inner: Schema, value: unknown, key: string) => unknown): unknown {
    if (typeof schema !== 'object' || schema === null || typeof value !== 'object') return value
    const made: Record<string, unknown> = { ...value }
    for (const [key, inner] of Object.entries(schema))
      if (Object.hasOwn(made, key)) made[key] = visit(inner, made[key], key)
    return made
  }
}
