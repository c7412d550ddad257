import { pkText } from '../schema/pk.js'
import {
  type EntityInterface,
  isArraySchema,
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
  type SchemaContract,
} from '../schema/schema.js'
import type { Change } from '../table/change.js'
import type { EntityInfo, Relation } from '../table/entity-info.js'
import type { KnownEntity } from '../table/entity-infos.js'
import { FreshReader } from '../table/fresh.js'
import { type Row, TOMBSTONE } from '../table/row.js'
import { equal } from '../util/equal.js'
import { MissingPkError } from '../util/errors.js'
import { copyPlain, hasFields, put } from '../util/plain.js'
import { copyLike } from './copies.js'
import { Depth } from './depth.js'
import { Hooks } from './hooks.js'
import type { NormalizeOptions } from './normalize-options.js'
import { fieldsOf, Place } from './place.js'
import { Records } from './records.js'
import { type Way, Ways } from './way.js'

/** From this depth on entities that contain themselves are looked for. */
const SUSPICIOUS = 8

/** An entity of which the relations are being read. */
interface Open {
  readonly info: EntityInfo
  readonly row: Row
  readonly input: object
}

/** One walk through an answer. */
export class Walk implements NormalizeContext {
  readonly outcome: Change
  readonly args: readonly unknown[]
  /** The row of the entity that encloses the present value. */
  #owner: Row | undefined = undefined
  /** What was handed to the schema that is at work. */
  #given: unknown = undefined
  readonly #options: NormalizeOptions
  readonly #place = new Place()
  readonly #hooks: Hooks
  readonly #records: Records
  readonly #ways: Ways
  #creating = false
  #placeholders = 0
  /** The entities that enclose the present value, once the walk is suspiciously deep. */
  readonly #open: Open[] = []
  readonly depth: Depth = new Depth()

  constructor(options: NormalizeOptions, isOwn: boolean) {
    this.#options = options
    this.#records = new Records(options, this.#place, isOwn)
    this.outcome = this.#records.outcome
    this.#ways = new Ways(options.infos)
    this.args = options.args
    this.#hooks = new Hooks(this.#place, options.args)
  }

  get owner(): Owner | undefined {
    return this.#owner && { kind: this.#owner.home.key, pk: this.#owner.pk }
  }

  /** Begins the walk. */
  begin(schema: Schema, input: unknown): unknown {
    return isArraySchema(schema)
      ? this.#dispatch(this.#ways.of(schema), input, undefined, undefined, this.#options.before)
      : this.#visit(schema, input, undefined, undefined)
  }

  visit(schema: Schema, input: unknown, parent: unknown, field: string | number | undefined): unknown {
    const owner = this.#owner
    const creating = this.#creating
    const given = this.#given
    const depth = this.depth.at
    const place = this.#place.here
    const open = this.#open.length
    try {
      return this.#visit(schema, input, parent, field)
    } catch (error) {
      // A schema may catch it and go on.
      this.#owner = owner
      this.#creating = creating
      this.#given = given
      this.depth.at = depth
      this.#open.length = open
      this.#place.leave(place)
      throw error
    }
  }

  #visit(schema: Schema, input: unknown, parent: unknown, field: string | number | undefined): unknown {
    if (input === undefined || schema === null) return this.#records.plain(input)
    if (input === null && !(isSchemaObject(schema) && field === undefined)) return input
    const way = this.#ways.of(schema)
    // A schema that hands its own input on, to a schema of its choice, is still at the same place.
    const isHere = field === undefined || input === this.#given
    if (!isHere) return this.#take(way, input, parent, field, undefined)
    return this.#dispatch(way, input, parent, typeof field === 'number' ? undefined : field, undefined)
  }

  /** Visits a field or a member; `before` is what the table keeps in its place. */
  #take(way: Way, input: unknown, parent: unknown, field: string | number, before: unknown): unknown {
    if (input === undefined || input === null) return input
    const outer = this.#place.enter(field)
    const name = typeof field === 'number' ? undefined : field
    const result =
      way.known === undefined
        ? this.#dispatch(way, input, parent, name, before)
        : this.#entity(way, way.known, input, parent, name)
    this.#place.leave(outer)
    return result
  }

  create(schema: Schema, input: unknown, parent: unknown, field: string | number | undefined): unknown {
    const outer = this.#creating
    this.#creating = true
    try {
      return this.visit(schema, input, parent, field)
    } finally {
      this.#creating = outer
    }
  }

  #dispatch(way: Way, input: unknown, parent: unknown, field: string | undefined, before: unknown): unknown {
    if (way.known !== undefined) return this.#entity(way, way.known, input, parent, field)
    const { schema } = way
    // A function that is no entity is a deserializer: it has its turn when the value is shown.
    if (typeof schema !== 'object' || schema === null) return this.#records.plain(input)
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
    const outer = this.#given
    this.#given = input
    const result = this.#place.guard(() => schema.normalize(input, this, parent, field))
    this.#given = outer
    return result === input ? this.#records.plain(result) : result
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
      if (items === undefined && known?.[i] !== item) items = known?.slice(0, i) ?? []
      if (items !== undefined) items[i] = item
    }
    // Without other items there are the known ones.
    return items ?? (known as readonly unknown[])
  }

  #object(schema: { readonly [field: string]: Schema }, input: unknown): unknown {
    if (typeof input !== 'object' || input === null || Array.isArray(input) || !hasFields(input))
      this.fail('an object', input)
    const record: Record<string, unknown> = { ...input }
    for (const field in record)
      if (!Object.hasOwn(schema, field)) put(record, field, this.#records.plain(record[field]))
    for (const field of Object.keys(schema)) {
      if (!Object.hasOwn(record, field)) continue
      const value = this.#visit(schema[field], record[field], input, field)
      if (value === undefined) delete record[field]
      else put(record, field, value)
    }
    return record
  }

  // — entities —

  #entity(way: Way, { info, kind }: KnownEntity, input: unknown, parent: unknown, field: string | undefined): unknown {
    const { entity } = info
    if (typeof input !== 'object' || input === null) return this.#bareKey(entity, input)
    const isFlat = info.relations.length === 0
    const around = isFlat || this.#open.length === 0 ? undefined : this.#around(info, input)
    if (around !== undefined) return around
    const processed = info.plainProcess ? input : this.#hooks.process(entity, input, parent, field)
    if (processed === undefined) return this.#forget(entity, input, parent, field)
    if (typeof processed !== 'object' || processed === null || Array.isArray(processed))
      this.fail(`an object (${entity.key})${processed === input ? '' : ' from process()'}`, processed)
    // An object that is no array is a record; what its fields hold is not trusted.
    const fields = processed as RowRecord
    const named = info.plainPk ? pkText(fields.id) : this.#hooks.pk(entity, fields, parent, field)
    const pk = named ?? this.#placeholder(entity, fields)
    const row = kind.row(pk)
    if (!isFlat && this.#records.isRepeat(way, info, row, input, this.#owner, field)) return row.pk
    if (!info.plainValidate) this.#hooks.validate(entity, fields)
    // What has no key yet shows its placeholder, so that a list of several can tell them apart.
    const whole = named === undefined && info.plainPk ? { ...fields, id: pk } : fields
    if (isFlat) this.#records.sayPlain(info, row, whole)
    else this.#relations(way, info, row, whole, input)
    if (this.#creating) this.outcome.created.add(row)
    // The row's own text: lists of it are compared by reference.
    return row.pk
  }

  /** The key of an entity that contains itself: it is being read already. */
  #around(info: EntityInfo, input: object): string | undefined {
    for (const { info: by, row, input: outer } of this.#open) if (outer === input && by === info) return row.pk
    return undefined
  }

  /** An id in place of an entity stays an id. */
  #bareKey(entity: EntityInterface, input: unknown): string {
    const pk = typeof input === 'boolean' ? undefined : pkText(input)
    this.#records.mayRepeat = true
    if (pk === undefined) this.fail(`an object (${entity.key})`, input)
    return pk
  }

  #forget(entity: EntityInterface, input: object, parent: unknown, field: string | undefined): string | undefined {
    const pk = this.#hooks.pk(entity, input, parent, field)
    if (pk !== undefined) this.invalidate(entity.key, pk)
    return pk
  }

  #placeholder(entity: EntityInterface, fields: object): string {
    const { placeholder } = this.#options
    if (!this.#creating || placeholder === undefined) {
      if (!hasFields(fields) && !isEntity(fields.constructor)) this.fail(`an object (${entity.key})`, fields)
      throw new MissingPkError(entity.key, this.#place.toString(), { within: fieldsOf(fields, hasId) })
    }
    const count = this.#placeholders++
    return count === 0 ? placeholder : `${placeholder}:${count}`
  }

  /**
   * Says the record in which relations are keys; a deserializer is tried, so that an answer it cannot read is refused. Nothing is
   * copied as long as what is there already, in the table or in an own answer, seems to be just that.
   */
  #relations(way: Way, info: EntityInfo, row: Row, value: RowRecord, input: object): void {
    this.depth.down()
    const isDeep = this.depth.at > SUSPICIOUS
    if (isDeep) this.#open.push({ info, row, input })
    const outerOwner = this.#owner
    const outerCreating = this.#creating
    this.#owner = row
    this.#creating = false
    const known = this.#records.known(row)
    const { isOwn } = this.#records
    const like = known ?? (isOwn ? value : undefined)
    let record = like === undefined ? this.#records.copy(info, value) : undefined
    const ways = this.#ways.relationsOf(way)
    for (let i = 0; i < ways.length; i++) {
      const relation = info.relations[i] as Relation
      const { field } = relation
      const inner = value[field]
      if ((inner === undefined || relation.isInherited) && !Object.hasOwn(value, field)) continue
      const before = like?.[field]
      if (relation.isLeaf) this.#records.tryLeaf(relation, known?.[field], inner)
      const kept = relation.isLeaf ? inner : this.#take(ways[i] as Way, inner, value, field, before)
      // What a leaf holds is copied with the record.
      if (relation.isLeaf && record !== undefined) continue
      if (record === undefined) {
        if (before === kept || equal(before, kept)) continue
        // Without anything alike there is a record from the start.
        record = copyLike(info, value, like as RowRecord, i)
      }
      put(record, field, kept)
    }
    this.#owner = outerOwner
    this.#creating = outerCreating
    if (isDeep) this.#open.pop()
    this.depth.up()
    this.#records.say(way, info, row, record ?? this.#records.whole(info, value, known), input)
  }

  // — what schemas can do —

  pkOf(entity: EntityInterface, input: unknown, parent: unknown, field: string | undefined): string | undefined {
    if (typeof input !== 'object' || input === null) return pkText(input)
    return this.#hooks.pk(entity, input, parent, field)
  }

  named(entity: EntityInterface): string | undefined {
    const { table, infos, args } = this.#options
    const reader = new FreshReader(table, infos, { valueOf: (row) => this.#options.valueOf(row) })
    const pk = reader.lookup(entity, args)
    return typeof pk === 'string' ? pk : undefined
  }

  current(kind: string, pk: string): RowRecord | undefined {
    const row = this.#options.table.kind(kind).row(pk)
    return this.#records.known(row)
  }

  write(kind: string, pk: string, record: RowRecord): void {
    const row = this.#options.table.kind(kind).row(pk)
    const said = this.outcome.said(row)
    const own = copyPlain(record)
    this.outcome.say(row, said === undefined || said === TOMBSTONE ? own : { ...said, ...own }, undefined)
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
      mayRepeat: this.#records.mayRepeat,
    })
  }

  change(change: MembershipChange): void {
    this.outcome.memberships.push(change)
  }

  fail(expected: string, found: unknown, at?: string | number): never {
    return this.#place.fail(expected, found, at)
  }
}

function hasId(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'id' in value
}
