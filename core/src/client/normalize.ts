import { Store } from '../engine/store.js'
import { nestedArgs } from '../lists/filter.js'
import { listKind } from '../lists/list-kind.js'
import { normalizeInput as read } from '../normalize/visit.js'
import { schemasBelow } from '../schema/below.js'
import type { Denormalize, DenormalizeNullable, NormalizeNullable } from '../schema/infer.js'
import type { Lazy } from '../schema/lazy.js'
import {
  type AnswerMeta,
  INVALID,
  isInline,
  isListSchema,
  isMemberChanges,
  isSchemaObject,
  type ListArgs,
  type ListMembers,
  type ListSchema,
  type Member,
  type Schema,
} from '../schema/schema.js'
import { isUnionRef } from '../schema/union.js'
import type { Kind, ListValue, Row } from '../table/row.js'
import { isThere, type ResponseInfo, TOMBSTONE } from '../table/value.js'
import { copyPlain, isPlain } from '../util/plain.js'

/** Rows by entity key and primary key: the fields of entities, the members of lists, INVALID for deleted rows. */
export type PlainEntities = { readonly [kind: string]: { readonly [pk: string]: unknown } | undefined }

/** Primary keys by entity key, indexed field and value. */
export type PlainIndexes = {
  readonly [kind: string]: { readonly [field: string]: { readonly [value: string]: string } }
}

/** The order and times of the responses that wrote the rows. */
export type PlainMetas = { readonly [kind: string]: { readonly [pk: string]: AnswerMeta } | undefined }

/** The rows before a response. */
export interface PlainState {
  readonly entities?: PlainEntities | undefined
  readonly indexes?: PlainIndexes | undefined
  readonly entitiesMeta?: PlainMetas | undefined
}

/** A normalized response, and the rows after it. */
export interface PlainResult<S> {
  readonly result: NormalizeNullable<S>
  readonly entities: PlainEntities
  readonly indexes: PlainIndexes
  readonly entitiesMeta: PlainMetas
}

/**
 * Normalizes a response by its schema and merges it into existing rows, without a controller: for tests and servers. It
 * changes no argument, and returns entities without changes by reference.
 *
 * @param args - the arguments of the call
 * @param state - the existing rows; indexes are recomputed from them
 * @param meta - the order and times of the response; by default it is the newest, and never stale
 * @example normalize([Todo], [{ id: 5, title: 'a' }]).entities.Todo // { 5: { id: 5, title: 'a' } }
 * @throws SchemaError, MissingPkError, DepthError if the response does not match the schema
 */
export function normalize<const S>(
  schema: S,
  input: unknown,
  args: readonly unknown[] = [],
  state: PlainState = {},
  meta: Partial<AnswerMeta> = {},
): PlainResult<S> {
  // The parts of a schema check the value; the type of the result follows from the schema.
  const by = schema as Schema
  const plain = new PlainStore(by, state)
  const { table, infos, views, base } = plain.store
  const change = read(by, input, { table, infos, views, args, valueOf: base })
  plain.store.commit({ change, response: plain.response(meta), by: 0 })
  return { result: plainData(change.result) as NormalizeNullable<S>, ...plain.state() }
}

/**
 * Returns the value of a schema for existing rows, without a controller; undefined if it is missing or deleted.
 *
 * @param result - the result of `normalize`; if undefined, the arguments are looked up
 * @example denormalize([Todo], ['5'], entities)?.[0]?.title // 'a'
 */
export function denormalize<const S>(
  schema: S,
  result: unknown,
  entities: PlainEntities,
  args: readonly unknown[] = [],
): Denormalize<S> | DenormalizeNullable<S> | undefined {
  // The type of the result follows from the schema.
  const by = schema as Schema
  // Development freezes views, but must not freeze the caller's arguments.
  return new PlainStore(by, { entities: copyPlain(entities) }).store.views.show(by, args, result) as
    | Denormalize<S>
    | undefined
}

/** A store filled with existing rows, for one call. */
class PlainStore {
  readonly store: Store = new Store(
    () => {},
    (error) => {
      throw error
    },
  )
  readonly #initial: PlainState
  readonly #lists: ReturnType<typeof listsIn>
  #newest = 0

  constructor(schema: Schema, initial: PlainState) {
    this.#initial = initial
    this.#lists = listsIn(schema)
    for (const [key, rows] of Object.entries(initial.entities ?? {})) this.#load(key, rows ?? {})
  }

  response({ start = this.#newest + 1, date = 0, expiresAt = Infinity }: Partial<AnswerMeta>): ResponseInfo {
    return { start, done: 0, mutation: false, date, expiresAt, at: 0 }
  }

  #load(key: string, rows: Readonly<Record<string, unknown>>): void {
    const list = this.#lists.get(key)
    // Lists that the schema does not contain stay as they are.
    if (list === undefined && isListKey(key)) return
    const kind: Kind = list === undefined ? this.store.table.kind(key) : this.store.table.listKind(list)
    for (const [pk, value] of Object.entries(rows)) {
      const row = kind.row(pk)
      const args = list === undefined ? {} : argsIn(pk)
      row.value = value === INVALID ? TOMBSTONE : list === undefined ? value : listValue(value, args, list)
      if (list !== undefined)
        listKind(this.store.table, list).finder.add(listKind(this.store.table, list).row(pk), args)
      const meta = this.#initial.entitiesMeta?.[key]?.[pk]
      if (meta === undefined) continue
      row.read = this.response(meta)
      this.#newest = Math.max(this.#newest, meta.start)
    }
  }

  /** Returns the rows of the store as plain data. */
  state(): Omit<PlainResult<unknown>, 'result'> {
    const entities: Record<string, PlainEntities[string]> = { ...this.#initial.entities }
    const entitiesMeta: Record<string, PlainMetas[string]> = { ...this.#initial.entitiesMeta }
    const indexes: Record<string, PlainIndexes[string]> = { ...this.#initial.indexes }
    const { kinds, lists } = this.store.table
    for (const kind of [...kinds.values(), ...lists.values()]) {
      const rows = [...kind.rows.values()].filter((row) => row.value !== undefined)
      if (rows.length === 0) continue
      defineField(entities, kind.key, rowsOf(rows, this.#initial.entities?.[kind.key]))
      defineField(entitiesMeta, kind.key, byPk(rows, metaOf))
      const found = indexesOf(kind)
      if (found !== undefined) defineField(indexes, kind.key, found)
    }
    return { entities, indexes, entitiesMeta }
  }
}

/** True for the key of a list: its member's key in brackets. */
function isListKey(key: string): boolean {
  return key.startsWith('[') || key.startsWith('{')
}

/** Returns the arguments in a list's key. No `push` matches a list whose key cannot be parsed. */
function argsIn(pk: string): ListArgs {
  try {
    return JSON.parse(pk)
  } catch {
    return nestedArgs({ kind: '', pk }, undefined)
  }
}

/** Returns a member: a reference, or an inline value. */
function memberIn(list: ListSchema, item: unknown): Member {
  return typeof item === 'string' || (isUnionRef(item) && list.entityOf(item) !== undefined) ? item : { inline: item }
}

function listValue(value: unknown, args: ListArgs, list: ListSchema): ListValue {
  // `normalize` has returned the value of the list.
  const isMap = list.isMap
  const members = isMap
    ? new Map(Object.entries(value as Record<string, unknown>).map(([key, item]) => [key, memberIn(list, item)]))
    : (value as readonly unknown[]).map((item) => memberIn(list, item))
  // A list that is known as a whole is its own first page.
  return { args, members, pages: [{ cursor: '{}', order: -Infinity, first: 0, start: 0, members, came: members }] }
}

function rowsOf(rows: readonly Row[], last: PlainEntities[string]): PlainEntities[string] {
  let isSame = last !== undefined && Object.keys(last).length === rows.length
  const out = byPk(rows, (row) => {
    const before = last !== undefined && Object.hasOwn(last, row.pk) ? last[row.pk] : undefined
    const after = plainValue(row)
    if (before !== after) isSame = false
    return after
  })
  return isSame ? last : out
}

function plainValue({ value, list }: Row): unknown {
  if (value === TOMBSTONE) return INVALID
  return plainData(list?.value === undefined ? value : shownMembers(list.value.members))
}

/** Returns members as `normalize` does: a member without a row as its value. */
function shownMembers(members: ListMembers): unknown {
  const bare = (member: Member): unknown => (isInline(member) ? member.inline : member)
  if (![...members.values()].some(isInline)) return members
  if (members instanceof Map) return new Map([...members].map(([key, member]) => [key, bare(member)]))
  return [...members.values()].map(bare)
}

function metaOf({ read: response }: Row): AnswerMeta {
  return { start: response?.start ?? 0, date: response?.date ?? 0, expiresAt: response?.expiresAt ?? Infinity }
}

function indexesOf({ rows, info, aliases }: Kind): PlainIndexes[string] | undefined {
  const fields = new Set(info?.entity.indexes)
  for (const alias of aliases.values()) for (const field of alias.info?.entity.indexes ?? []) fields.add(field)
  if (fields.size === 0) return undefined
  const out: Record<string, Record<string, string>> = {}
  for (const field of fields) {
    const found: Record<string, string> = {}
    for (const { value, pk } of rows.values()) {
      const held = isThere(value) ? (value as Readonly<Record<string, unknown>>)[field] : undefined
      if (typeof held === 'string' || typeof held === 'number') defineField(found, `${held}`, pk)
    }
    defineField(out, field, found)
  }
  return out
}

/** Converts Maps to objects. A value without Maps stays unchanged. */
function plainData(value: unknown): unknown {
  return holdsMap(value) ? withoutMaps(value, new Map()) : value
}

function holdsMap(value: unknown): boolean {
  // Iterating over a Set includes elements that are added meanwhile.
  const met = new Set([value])
  for (const outer of met) {
    if (outer instanceof Map) return true
    if (isPlain(outer)) for (const inner of Object.values(outer)) if (typeof inner === 'object') met.add(inner)
  }
  return false
}

function withoutMaps(value: unknown, made: Map<unknown, object>): unknown {
  const copy = made.get(value)
  if (copy !== undefined || !(value instanceof Map || isPlain(value))) return copy ?? value
  const out: object = Array.isArray(value) ? [] : {}
  made.set(value, out)
  for (const [key, inner] of value instanceof Map ? value : Object.entries(value)) {
    // Members of an array are defined in order.
    defineField(out as Record<string, unknown>, key, withoutMaps(inner, made))
  }
  return out
}

function byPk<Value>(rows: readonly Row[], of: (row: Row) => Value): Record<string, Value> {
  const out: Record<string, Value> = {}
  for (const row of rows) defineField(out, row.pk, of(row))
  return out
}

/** Defines a field, also under a name such as `__proto__`. */
function defineField<Value>(record: Record<string, Value>, key: string, value: Value): void {
  Object.defineProperty(record, key, { value, writable: true, enumerable: true, configurable: true })
}

/** Returns the list schemas in a schema, by their keys. */
function listsIn(schema: Schema): ReadonlyMap<string, ListSchema> {
  const lists = new Map<string, ListSchema>()
  const seen = new Set<unknown>([schema])
  // Iterating over a Set includes elements that are added meanwhile.
  for (const one of seen) {
    if (isListSchema(one) && !lists.has(one.key)) lists.set(one.key, one)
    for (const below of schemasBelow(one as Schema)) seen.add(below)
    for (const other of besides(one as Schema)) seen.add(other)
  }
  return lists
}

/** Returns schemas besides the parts: the Collection of accessors such as `push`, and the `query` of Lazy. */
function besides(schema: Schema): readonly unknown[] {
  if (isMemberChanges(schema)) return [schema.collection]
  // Only a Lazy has the kind 'lazy'.
  return isSchemaObject(schema) && schema.kind === 'lazy' ? [(schema as Lazy<unknown>).query] : []
}
