import { deserializer } from '../schema/deserializer.js'
import { pkOfValue, pkText } from '../schema/pk.js'
import {
  type EntityInterface,
  isEntity,
  isSchemaObject,
  type ListArgs,
  type ListMembers,
  type ListSchema,
  type MembershipChange,
  type NormalizeContext,
  type Owner,
  type RowRecord,
  type Schema,
} from '../schema/schema.js'
import { Change } from '../table/change.js'
import type { Plan, Relation } from '../table/plan.js'
import type { Planned, Plans } from '../table/plans.js'
import { isArraySchema } from '../table/reader.js'
import { isThere, type Row, TOMBSTONE } from '../table/row.js'
import type { Table } from '../table/table.js'
import { equal } from '../tools/equal.js'
import { DepthError, MissingPkError, SchemaError } from '../tools/errors.js'
import { joinFields } from '../tools/join-fields.js'
import { put } from '../tools/put.js'
import { Place } from './place.js'
import { withKeys } from './with-keys.js'

/** What normalizing needs to know beside the answer. */
export interface NormalizeOptions {
  readonly table: Table
  readonly plans: Plans
  readonly args: readonly unknown[]
  /** How rows look to the answer: base for a real one, what is below for an optimistic one. */
  valueOf(row: Row): unknown
  /** The key for what is created without one; a real answer has none to give. */
  readonly placeholder?: string | undefined
}

/** Nested deeper than this, data is refused: the walk uses the call stack. */
const DEEPEST = 1_200
/** From this depth on the walk looks for values that contain themselves. */
const SUSPICIOUS = 100

/** One walk through an answer. */
export class Walk implements NormalizeContext {
  readonly outcome: Change = new Change()
  readonly args: readonly unknown[]
  #ownerKind = ''
  #ownerPk: string | undefined = undefined
  readonly #options: NormalizeOptions
  readonly #place: Place
  #creating = false
  #lastSchema: Schema = undefined
  #lastPlanned: Planned | undefined = undefined
  #placeholders = 0
  /** True once a row was met twice. */
  #mayRepeat = false
  depth = 0
  /** Values that enclose the present one, once the walk is suspiciously deep. */
  #enclosing: Map<object, string> | undefined = undefined

  constructor(options: NormalizeOptions, isTraced: boolean) {
    this.#options = options
    this.#place = new Place(isTraced)
    this.args = options.args
  }

  get owner(): Owner | undefined {
    return this.#ownerPk === undefined ? undefined : { kind: this.#ownerKind, pk: this.#ownerPk }
  }

  visit(schema: Schema, input: unknown, parent: unknown, field: string | number | undefined): unknown {
    if (input === undefined || schema === null) return input
    if (input === null && !(isSchemaObject(schema) && field === undefined)) return input
    if (typeof schema !== 'object' && typeof schema !== 'function') return input
    const name = typeof field === 'number' ? undefined : field
    // A schema that hands its own input on, to a schema of its choice, is still at the same place.
    if (field === undefined) return this.#dispatch(schema, input, parent, name)
    const outer = this.#place.enter(field, input)
    const result = this.#dispatch(schema, input, parent, name)
    this.#place.leave(outer)
    return result
  }

  create(schema: Schema, input: unknown, parent: unknown, field: string | number | undefined): unknown {
    const outer = this.#creating
    this.#creating = true
    const result = this.visit(schema, input, parent, field)
    this.#creating = outer
    return result
  }

  #dispatch(schema: Schema, input: unknown, parent: unknown, field: string | undefined): unknown {
    if (typeof schema === 'function') {
      const planned = this.#plannedOf(schema)
      return planned === undefined ? input : this.#entity(planned, input, parent, field)
    }
    if (++this.depth > DEEPEST) throw new DepthError(DEEPEST)
    const result = isSchemaObject(schema)
      ? this.#place.guard(() => schema.normalize(input, this, parent, field))
      : isArraySchema(schema)
        ? this.#array(schema, input, parent ?? input)
        : this.#object(schema as { readonly [field: string]: Schema }, input)
    this.depth--
    return result
  }

  #array(schema: readonly Schema[], input: unknown, parent: unknown): unknown {
    if (schema.length !== 1) this.fail('one schema in the array literal', schema)
    if (!Array.isArray(input)) this.fail('an array', input)
    const items: unknown[] = new Array(input.length)
    for (let i = 0; i < input.length; i++) items[i] = this.visit(schema[0], input[i], parent, i)
    return items
  }

  #object(schema: { readonly [field: string]: Schema }, input: unknown): unknown {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) this.fail('an object', input)
    const record: Record<string, unknown> = { ...input }
    for (const field of Object.keys(schema)) {
      if (!Object.hasOwn(record, field)) continue
      const value = this.visit(schema[field], record[field], input, field)
      if (value === undefined) delete record[field]
      else put(record, field, value)
    }
    return record
  }

  // — entities —

  /** The plan of an entity class; undefined for other functions. Mostly it is the one that was asked for last. */
  #plannedOf(schema: Schema): Planned | undefined {
    if (schema === this.#lastSchema) return this.#lastPlanned
    this.#lastSchema = schema
    this.#lastPlanned = isEntity(schema) ? this.#options.plans.of(schema) : undefined
    return this.#lastPlanned
  }

  #entity({ plan, kind }: Planned, input: unknown, parent: unknown, field: string | undefined): unknown {
    const { entity } = plan
    if (typeof input !== 'object' || input === null) return this.#bareKey(entity, input)
    if (Array.isArray(input)) this.fail(`an object (${entity.key})`, input)
    const processed = plan.plainProcess
      ? input
      : this.#place.guard(() => entity.process(input, parent, field, this.args))
    if (processed === undefined) return this.#forget(entity, input, parent, field)
    if (typeof processed !== 'object' || processed === null) this.fail('an object from process()', processed)
    // An object that is no array is a record; what its fields hold is not trusted.
    const fields = processed as RowRecord
    const named = this.#pk(plan, fields, parent, field)
    const pk = named ?? this.#placeholder(entity)
    if (!plan.plainValidate) this.#validate(entity, fields)
    const row = kind.row(pk)
    // What has no key yet shows its placeholder, so that a list of several can tell them apart.
    const whole = named === undefined && plan.plainPk ? { ...fields, id: pk } : fields
    this.#write(plan, row, plan.relations.length === 0 ? whole : this.#relations(plan, row, whole, pk))
    if (this.#creating) this.outcome.created.add(row)
    // The row's own text: lists of it are compared by reference.
    return row.pk
  }

  /** An id in place of an entity stays an id. */
  #bareKey(entity: EntityInterface, input: unknown): string {
    const pk = typeof input === 'boolean' ? undefined : pkText(input)
    this.#mayRepeat = true
    if (pk === undefined) this.fail(`an object (${entity.key})`, input)
    return pk
  }

  #forget(entity: EntityInterface, input: object, parent: unknown, field: string | undefined): string | undefined {
    const pk = this.#place.guard(() => pkOfValue(entity, input, parent, field, this.args))
    if (pk !== undefined) this.invalidate(entity.key, pk)
    return pk
  }

  #pk(plan: Plan, value: RowRecord, parent: unknown, field: string | undefined): string | undefined {
    if (plan.plainPk) return pkText(value.id)
    return this.#place.guard(() => pkOfValue(plan.entity, value, parent, field, this.args))
  }

  #placeholder(entity: EntityInterface): string {
    const { placeholder } = this.#options
    if (!this.#creating || placeholder === undefined) throw new MissingPkError(entity.key, this.#place.toString())
    const count = this.#placeholders++
    return count === 0 ? placeholder : `${placeholder}:${count}`
  }

  #validate(entity: EntityInterface, value: RowRecord): void {
    const problem = this.#place.guard(() => entity.validate(value))
    if (problem === undefined) return
    const message = `${entity.key} at ${this.#place.toString()} is not valid: ${problem}. Correct the answer, or validate().`
    throw new SchemaError(this.#place.toString(), `a valid ${entity.key}`, problem, { message })
  }

  /**
   * The record in which relations are keys; a deserializer is tried, so that an answer it cannot read is refused. Where the table
   * holds just that already, it is the table's own record.
   */
  #relations(plan: Plan, row: Row, value: RowRecord, pk: string): RowRecord {
    if (this.#enter(value, pk)) return {}
    const outerKind = this.#ownerKind
    const outerPk = this.#ownerPk
    const outerCreating = this.#creating
    this.#ownerKind = plan.entity.key
    this.#ownerPk = pk
    this.#creating = false
    const kept: unknown[] = []
    for (const relation of plan.relations) {
      const { field } = relation
      const inner = Object.hasOwn(value, field) ? value[field] : undefined
      if (relation.isLeaf) this.#tryLeaf(relation, row, inner)
      kept.push(relation.isLeaf ? inner : this.visit(relation.schema, inner, value, field))
    }
    this.#ownerKind = outerKind
    this.#ownerPk = outerPk
    this.#creating = outerCreating
    this.depth--
    this.#enclosing?.delete(value)
    const known = this.#options.valueOf(row)
    return isThere(known) ? withKeys(plan, value, kept, known as RowRecord) : withKeys(plan, value, kept)
  }

  /** Goes one level down; true if the value encloses itself, which only values that are no JSON can. */
  #enter(value: object, pk: string): boolean {
    if (this.depth > SUSPICIOUS) {
      this.#enclosing ??= new Map()
      if (this.#enclosing.has(value)) return true
      this.#enclosing.set(value, pk)
    }
    if (++this.depth > DEEPEST) throw new DepthError(DEEPEST)
    return false
  }

  #tryLeaf({ field, schema }: Relation, row: Row, raw: unknown): void {
    if (raw === undefined || raw === null) return
    const known = this.#options.valueOf(row)
    if (isThere(known) && equal((known as RowRecord)[field], raw)) return
    // A leaf is a function that is no entity.
    const read = deserializer(schema as (value: never) => unknown)
    const outer = this.#place.enter(field, raw)
    this.#place.guard(() => read(raw))
    this.#place.leave(outer)
  }

  #write(plan: Plan, row: Row, record: RowRecord): void {
    const said = this.outcome.said(row)
    if (said !== undefined) this.#mayRepeat = true
    // The same row twice in one answer: the later one joins the earlier.
    const joined = said === undefined || said === TOMBSTONE ? record : this.#join(plan, said, record)
    this.outcome.say(row, joined, plan)
  }

  #join(plan: Plan, said: RowRecord, record: RowRecord): RowRecord {
    return plan.plainMerge ? joinFields(said, record) : this.#place.guard(() => plan.entity.merge(said, record))
  }

  // — what schemas can do —

  pkOf(entity: EntityInterface, input: unknown, parent: unknown, field: string | undefined): string | undefined {
    if (typeof input !== 'object' || input === null) return pkText(input)
    return this.#place.guard(() => pkOfValue(entity, input, parent, field, this.args))
  }

  current(kind: string, pk: string): RowRecord | undefined {
    const row = this.#options.table.kind(kind).row(pk)
    const value = this.outcome.said(row) ?? this.#options.valueOf(row)
    return isThere(value) ? (value as RowRecord) : undefined
  }

  write(kind: string, pk: string, record: RowRecord): void {
    const row = this.#options.table.kind(kind).row(pk)
    const said = this.outcome.said(row)
    this.outcome.say(row, said === undefined || said === TOMBSTONE ? record : { ...said, ...record }, undefined)
  }

  invalidate(kind: string, pk: string): void {
    this.outcome.say(this.#options.table.kind(kind).row(pk), TOMBSTONE, undefined)
  }

  list(list: ListSchema, pk: string, args: ListArgs, members: ListMembers): void {
    this.outcome.lists.push({
      row: this.#options.table.listKind(list).row(pk),
      list,
      args,
      members,
      page: list.pageOf?.(this.args),
      mayRepeat: this.#mayRepeat,
    })
  }

  change(change: MembershipChange): void {
    this.outcome.memberships.push(change)
  }

  fail(expected: string, found: unknown, at?: string | number): never {
    return this.#place.fail(expected, found, at)
  }
}
