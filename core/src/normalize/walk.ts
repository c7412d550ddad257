import { deserializer } from '../schema/deserializer.js'
import { pkOfValue, pkText } from '../schema/pk.js'
import {
  type EntityInterface,
  isSchemaObject,
  type ListArgs,
  type ListMembers,
  type ListSchema,
  type MembershipChange,
  type NormalizeContext,
  type Owner,
  type RowRecord,
  type Schema,
  type SchemaContract,
} from '../schema/schema.js'
import { Change } from '../table/change.js'
import type { Plan, Relation } from '../table/plan.js'
import type { Planned } from '../table/plans.js'
import { isArraySchema } from '../table/reader.js'
import { isThere, type Row, TOMBSTONE } from '../table/row.js'
import { equal } from '../tools/equal.js'
import { MissingPkError } from '../tools/errors.js'
import { joinFields } from '../tools/join-fields.js'
import { put } from '../tools/put.js'
import { Depth } from './depth.js'
import type { NormalizeOptions } from './normalize-options.js'
import { Place } from './place.js'
import { type Way, Ways } from './way.js'
import { knownOr, withKnown } from './with-keys.js'

/** One walk through an answer. */
export class Walk implements NormalizeContext {
  readonly outcome: Change = new Change()
  readonly args: readonly unknown[]
  #ownerKind = ''
  #ownerPk: string | undefined = undefined
  readonly #options: NormalizeOptions
  readonly #place: Place
  readonly #ways: Ways
  #creating = false
  #placeholders = 0
  /** True once a row was met twice. */
  #mayRepeat = false
  readonly depth: Depth = new Depth()

  constructor(options: NormalizeOptions, isTraced: boolean) {
    this.#options = options
    this.#place = new Place(isTraced)
    this.#ways = new Ways(options.plans)
    this.args = options.args
  }

  get owner(): Owner | undefined {
    return this.#ownerPk === undefined ? undefined : { kind: this.#ownerKind, pk: this.#ownerPk }
  }

  visit(schema: Schema, input: unknown, parent: unknown, field: string | number | undefined): unknown {
    if (input === undefined || schema === null) return input
    if (input === null && !(isSchemaObject(schema) && field === undefined)) return input
    // A schema that hands its own input on, to a schema of its choice, is still at the same place.
    return field === undefined
      ? this.#dispatch(this.#ways.of(schema), input, parent, undefined, undefined)
      : this.#take(this.#ways.of(schema), input, parent, field, undefined)
  }

  /** Visits a field or a member; `before` is what the table keeps in its place. */
  #take(way: Way, input: unknown, parent: unknown, field: string | number, before: unknown): unknown {
    if (input === undefined || input === null) return input
    const outer = this.#place.enter(field, input)
    const name = typeof field === 'number' ? undefined : field
    const result =
      way.planned === undefined
        ? this.#dispatch(way, input, parent, name, before)
        : this.#entity(way, way.planned, input, parent, name)
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

  #dispatch(way: Way, input: unknown, parent: unknown, field: string | undefined, before: unknown): unknown {
    if (way.planned !== undefined) return this.#entity(way, way.planned, input, parent, field)
    const { schema } = way
    // A function that is no entity is a deserializer: it has its turn when the value is shown.
    if (typeof schema !== 'object' || schema === null) return input
    this.depth.down()
    const result = isArraySchema(schema)
      ? this.#array(way, input, parent ?? input, before)
      : isSchemaObject(schema)
        ? this.#schema(schema, input, parent, field)
        : this.#object(schema as { readonly [field: string]: Schema }, input)
    this.depth.up()
    return result
  }

  // What holds a function costs a call even where it is not taken: guarded calls stand in methods of their own.
  #schema(schema: SchemaContract, input: unknown, parent: unknown, field: string | undefined): unknown {
    return this.#place.guard(() => schema.normalize(input, this, parent, field))
  }

  /** The members' keys; the very array that the table keeps if it holds just those. */
  #array(way: Way, input: unknown, parent: unknown, before: unknown): readonly unknown[] {
    const member = this.#ways.memberOf(way)
    if (member === undefined) this.fail('one schema in the array literal', way.schema)
    if (!Array.isArray(input)) this.fail('an array', input)
    const known: readonly unknown[] | undefined =
      Array.isArray(before) && before.length === input.length ? before : undefined
    let items: unknown[] | undefined = known === undefined ? new Array(input.length) : undefined
    for (let i = 0; i < input.length; i++) {
      const item = this.#take(member, input[i], parent, i, undefined)
      if (items === undefined && known?.[i] !== item) items = known?.slice() ?? []
      if (items !== undefined) items[i] = item
    }
    // Without other items there are the known ones.
    return items ?? (known as readonly unknown[])
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

  #entity(way: Way, { plan, kind }: Planned, input: unknown, parent: unknown, field: string | undefined): unknown {
    const { entity } = plan
    if (typeof input !== 'object' || input === null) return this.#bareKey(entity, input)
    if (Array.isArray(input)) this.fail(`an object (${entity.key})`, input)
    const processed = plan.plainProcess ? input : this.#process(entity, input, parent, field)
    if (processed === undefined) return this.#forget(entity, input, parent, field)
    if (typeof processed !== 'object' || processed === null) this.fail('an object from process()', processed)
    // An object that is no array is a record; what its fields hold is not trusted.
    const fields = processed as RowRecord
    const named = plan.plainPk ? pkText(fields.id) : this.#pk(plan, fields, parent, field)
    const pk = named ?? this.#placeholder(entity)
    if (!plan.plainValidate) this.#validate(entity, fields)
    const row = kind.row(pk)
    // What has no key yet shows its placeholder, so that a list of several can tell them apart.
    const whole = named === undefined && plan.plainPk ? { ...fields, id: pk } : fields
    this.#write(plan, row, plan.relations.length === 0 ? whole : this.#relations(way, plan, row, whole))
    if (this.#creating) this.outcome.created.add(row)
    // The row's own text: lists of it are compared by reference.
    return row.pk
  }

  #process(entity: EntityInterface, input: object, parent: unknown, field: string | undefined): unknown {
    return this.#place.guard(() => entity.process(input, parent, field, this.args))
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

  #pk({ entity }: Plan, value: RowRecord, parent: unknown, field: string | undefined): string | undefined {
    return this.#place.guard(() => pkOfValue(entity, value, parent, field, this.args))
  }

  #placeholder(entity: EntityInterface): string {
    const { placeholder } = this.#options
    if (!this.#creating || placeholder === undefined) throw new MissingPkError(entity.key, this.#place.toString())
    const count = this.#placeholders++
    return count === 0 ? placeholder : `${placeholder}:${count}`
  }

  #validate(entity: EntityInterface, value: RowRecord): void {
    const problem = this.#place.guard(() => entity.validate(value))
    if (problem !== undefined) this.#place.refuse(entity.key, problem)
  }

  /**
   * The record in which relations are keys; a deserializer is tried, so that an answer it cannot read is refused. Where the table
   * holds just that already, it is the table's own record.
   */
  #relations(way: Way, plan: Plan, row: Row, value: RowRecord): RowRecord {
    if (!this.depth.enter(value)) return {}
    const outerKind = this.#ownerKind
    const outerPk = this.#ownerPk
    const outerCreating = this.#creating
    this.#ownerKind = plan.entity.key
    this.#ownerPk = row.pk
    this.#creating = false
    const held = this.#options.valueOf(row)
    // What stands in an entity's row and is no tombstone is a record.
    const known = isThere(held) ? (held as RowRecord) : undefined
    // Nothing is copied as long as the table seems to hold just that.
    let record = known === undefined ? plan.copy(value) : undefined
    const ways = this.#ways.relationsOf(way)
    for (let i = 0; i < ways.length; i++) {
      const relation = plan.relations[i] as Relation
      const { field } = relation
      if (!Object.hasOwn(value, field)) continue
      const inner = value[field]
      const before = known?.[field]
      if (relation.isLeaf) this.#tryLeaf(relation, before, inner)
      const kept = relation.isLeaf ? inner : this.#take(ways[i] as Way, inner, value, field, before)
      if (record === undefined && !equal(before, kept)) record = withKnown(plan, value, known, i)
      if (record !== undefined) put(record, field, kept)
    }
    this.#ownerKind = outerKind
    this.#ownerPk = outerPk
    this.#creating = outerCreating
    this.depth.leave(value)
    return record ?? knownOr(plan, value, known)
  }

  #tryLeaf({ field, schema }: Relation, known: unknown, raw: unknown): void {
    if (raw === undefined || raw === null || equal(known, raw)) return
    // A leaf is a function that is no entity.
    const read = deserializer(schema as (value: never) => unknown)
    const outer = this.#place.enter(field, raw)
    this.#place.guard(() => read(raw))
    this.#place.leave(outer)
  }

  #write(plan: Plan, row: Row, record: RowRecord): void {
    const said = this.outcome.said(row)
    if (said === undefined) {
      this.outcome.add(row, record, plan)
      return
    }
    this.#mayRepeat = true
    // The same row twice in one answer: the later one joins the earlier.
    const joined = said === TOMBSTONE ? record : this.#join(plan, said, record)
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
