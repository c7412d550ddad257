import { deserializer } from '../schema/deserializer.js'
import { pkOfValue, pkText } from '../schema/pk.js'
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
import { Change } from '../table/change.js'
import type { EntityInfo, Relation } from '../table/entity-info.js'
import type { EntityInfos } from '../table/entity-infos.js'
import { FreshReader } from '../table/fresh.js'
import { isThere, type RecordRow, type RecordValue, type Row, TOMBSTONE } from '../table/row.js'
import type { Table } from '../table/table.js'
import { describe } from '../util/describe.js'
import { equal } from '../util/equal.js'
import { DepthError, MissingPkError, RoundtableError, SchemaError } from '../util/errors.js'
import { type Scratch, sameFields } from '../util/inline-caches.js'
import { type Copies, copyPlain, freezeInDevelopment, hasFields, joinFields, put } from '../util/plain.js'
import { type ArrayInfo, type EntitySchemaInfo, passesOn, type SchemaInfo, schemaInfo } from './schema-info.js'

/** What normalizing needs to know beside the response. */
export interface NormalizeOptions {
  readonly table: Table
  readonly infos: EntityInfos
  readonly args: readonly unknown[]
  /** How rows look to the response: base for a real one, what is below for an optimistic one. */
  valueOf<R extends Row>(row: R): R['value']
  /** The key for what is created without one; a real response has none to give. */
  readonly placeholder?: string | undefined
  /** True if nobody else has the response, so that its records need not be copied. */
  readonly isTransferred?: boolean
}

/** Nested deeper than this, data is refused: the visitor uses the call stack. */
const MAX_DEPTH = 1_200

/** The depth from which entities that contain themselves are searched for. */
const SUSPICIOUS = 8

/** What stands in the place of an entity: its primary key, null for none, undefined for what `process` has deleted. */
type Key = string | null | undefined

/** An entity whose relations are being read. */
interface OpenEntity {
  readonly info: EntityInfo
  readonly row: RecordRow
  readonly input: object
}

/**
 * Takes a response apart by its schema: entities become rows, what contains them keeps their keys. Nothing is written yet, so a
 * response that does not fit leaves no trace.
 *
 * @throws SchemaError, with the path into the payload; MissingPkError; DepthError
 */
export function normalizeInput(schema: Schema, input: unknown, options: NormalizeOptions): Change {
  const isOwn = options.isTransferred === true && passesOn(schema, options.infos)
  return new Visitor(options, isOwn).begin(schema, input)
}

/** One visit of a response: entities become rows of a change and are replaced by their primary keys. */
class Visitor implements NormalizeContext {
  readonly #outcome: Change = new Change()
  readonly args: readonly unknown[]
  readonly #options: NormalizeOptions
  /** True if nobody else has the response, nor any part of it. */
  readonly #isOwn: boolean
  /** What schemas are, found once for each response and not for each value. */
  readonly #schemas = new Map<Schema, SchemaInfo>()
  readonly #scratch: Scratch = { fields: [], values: [] }
  readonly #copies: Copies = new Map()
  /** Where in the response the visitor is: the path up to `#depth`; what lies deeper is left over. */
  readonly #path: (string | number)[] = []
  #depth = 0
  /** The row of the entity that encloses the present value. */
  #owner: RecordRow | undefined = undefined
  /** The input of the current schema. */
  #given: unknown = undefined
  #isCreating = false
  #placeholders = 0
  /** True once a row may have been met twice. */
  #mayRepeat = false
  /** The entities that enclose the present value, once it is suspiciously deep. */
  readonly #open: OpenEntity[] = []
  /** Joined records that nothing refers to but the change. */
  readonly #joined = new Set<RowRecord>()
  /** From where values were met again whose classes may look at that. */
  readonly #origins = new Map<object, Set<string>>()

  constructor(options: NormalizeOptions, isOwn: boolean) {
    this.#options = options
    this.#isOwn = isOwn
    this.args = options.args
  }

  begin(schema: Schema, input: unknown): Change {
    try {
      const isLiteral = schema !== undefined && schema !== null && typeof schema !== 'string' && !isSchemaObject(schema)
      if (isLiteral && this.#info(schema).is !== 'plain' && (typeof input !== 'object' || input === null))
        this.fail(isArraySchema(schema) ? 'an array' : 'an object', input)
      this.#outcome.result = this.#visit(schema, input, undefined, undefined)
      return this.#outcome
    } catch (thrown) {
      // How much fits on the call stack is the engine's affair: less than the visitor's own limit where frames are large.
      throw isOverflow(thrown) ? new DepthError(this.#path.length) : this.#errorOf(thrown)
    }
  }

  visit(schema: Schema, input: unknown, parent: unknown, field: string | number | undefined): unknown {
    const owner = this.#owner
    const isCreating = this.#isCreating
    const given = this.#given
    const depth = this.#depth
    const open = this.#open.length
    try {
      return this.#visit(schema, input, parent, field)
    } catch (thrown) {
      // A schema may catch it and go on.
      const error = this.#errorOf(thrown)
      this.#owner = owner
      this.#isCreating = isCreating
      this.#given = given
      this.#depth = depth
      this.#open.length = open
      throw error
    }
  }

  /** As `visit`, where nobody goes on after an error. */
  #visit(schema: Schema, input: unknown, parent: unknown, field: string | number | undefined): unknown {
    if (input === undefined || schema === null) return this.#plain(input)
    if (input === null && !(isSchemaObject(schema) && field === undefined)) return input
    const info = this.#info(schema)
    // A schema that hands its own input on, to a schema of its choice, is still at the same place.
    const isHere = field === undefined || input === this.#given
    if (!isHere) return this.#below(info, input, parent, field)
    return this.#dispatch(info, input, parent, typeof field === 'number' ? undefined : field)
  }

  #info(schema: Schema): SchemaInfo {
    const known = this.#schemas.get(schema)
    if (known !== undefined) return known
    const found = schemaInfo(schema, this.#options.infos)
    this.#schemas.set(schema, found)
    return found
  }

  /** Visits a field or a member. */
  #below(info: SchemaInfo, input: unknown, parent: unknown, field: string | number): unknown {
    if (input === undefined || input === null) return input
    const outer = this.#enter(field)
    const name = typeof field === 'number' ? undefined : field
    // Asked here, too: nearly all fields and members with a schema are entities.
    const result =
      info.is === 'entity' ? this.#entity(info, input, parent, name) : this.#dispatch(info, input, parent, name)
    this.#depth = outer
    return result
  }

  /** Goes into a field; the depth that it returns leads back. */
  #enter(field: string | number): number {
    const outer = this.#depth
    if (outer === MAX_DEPTH) throw new DepthError(MAX_DEPTH)
    this.#path[outer] = field
    this.#depth = outer + 1
    return outer
  }

  #dispatch(info: SchemaInfo, input: unknown, parent: unknown, field: string | undefined): unknown {
    if (info.is === 'entity') return this.#entity(info, input, parent, field)
    if (info.is === 'array') return this.#array(info, input, parent ?? input)
    if (info.is === 'contract') return this.#contract(info.schema, input, parent, field)
    return info.is === 'object' ? this.#object(info.schema, input) : this.#plain(input)
  }

  #contract(schema: SchemaContract, input: unknown, parent: unknown, field: string | undefined): unknown {
    const outer = this.#given
    this.#given = input
    const result = schema.normalize(input, this, parent, field)
    this.#given = outer
    return result === input ? this.#plain(result) : result
  }

  /** The members' keys. */
  #array(info: ArrayInfo, input: unknown, parent: unknown): readonly unknown[] {
    const { schema } = info
    if (!isArraySchema(schema) || schema.length !== 1) this.fail('one schema in the array literal', schema)
    if (!Array.isArray(input)) this.fail('an array', input)
    info.member ??= this.#info(schema[0])
    const { member } = info
    const items: unknown[] = new Array(input.length)
    for (let i = 0; i < input.length; i++) items[i] = this.#below(member, input[i], parent, i)
    return items
  }

  #object(schema: { readonly [field: string]: Schema }, input: unknown): unknown {
    if (typeof input !== 'object' || input === null || Array.isArray(input) || !hasFields(input))
      this.fail('an object', input)
    const record: Record<string, unknown> = { ...input }
    for (const field in record) if (!Object.hasOwn(schema, field)) put(record, field, this.#plain(record[field]))
    for (const field of Object.keys(schema)) {
      if (!Object.hasOwn(record, field)) continue
      const value = this.#visit(schema[field], record[field], input, field)
      if (value === undefined) delete record[field]
      else put(record, field, value)
    }
    return record
  }

  /** What a response holds beside entities, for the table to keep. */
  #plain(value: unknown): unknown {
    return this.#isOwn ? value : copyPlain(value, this.#copies)
  }

  // — entities —

  #entity(schema: EntitySchemaInfo, input: unknown, parent: unknown, own: string | undefined): Key {
    const { info, kind } = schema
    const { entity } = info
    if (typeof input !== 'object' || input === null) return this.#bareKey(entity, input, own)
    // A member of a list has the list's parent and field.
    const field = own ?? (info.plainProcess && info.plainPk ? undefined : this.#lastField())
    if (this.#open.length > 0) {
      for (const { info: by, row, input: outer } of this.#open) if (outer === input && by === info) return row.pk
    }
    const processed = info.plainProcess ? input : entity.process(input, parent, field, this.args)
    if (processed === undefined) return this.#remove(entity, input, parent, field)
    if (typeof processed !== 'object' || processed === null || Array.isArray(processed))
      this.fail(`an object (${entity.key})${processed === input ? '' : ' from process()'}`, processed)
    // An object that is no array is a record; what its fields hold is not trusted.
    const fields = processed as RowRecord
    const named = info.plainPk ? pkText(fields.id) : pkOfValue(entity, fields, parent, field, this.args)
    const row = kind.row(named ?? this.#placeholder(entity, fields))
    const isFlat = info.relations.length === 0
    const written = this.#outcome.written(row)
    if (written !== undefined && !isFlat && this.#isRepeat(schema, row, input, field)) return row.pk
    // What an optimistic response leaves out, the row below may have: readers judge the whole.
    if (!info.plainValidate && this.#options.placeholder === undefined) this.#validate(entity, fields)
    // A new entity without a primary key shows its temporary one, so that several in one list differ.
    const whole = named === undefined && info.plainPk ? { ...fields, id: row.pk } : fields
    const record = isFlat ? whole : this.#linked(schema, row, whole, input)
    if (
      process.env.NODE_ENV !== 'production' &&
      !isFlat &&
      !info.plainValidate &&
      this.#options.placeholder === undefined
    )
      warnOfSecondLook(info, row, whole, record)
    this.#write(info, row, record, isFlat ? written : this.#outcome.written(row))
    if (!isFlat) schema.inputs[row.writeIndex] = input
    if (this.#isCreating) this.#outcome.created.add(row)
    // The row's own text: lists of it are compared by reference.
    return row.pk
  }

  /** The name of the field that the present value is in, at whatever place of a list. */
  #lastField(): string | undefined {
    let at = this.#depth - 1
    while (typeof this.#path[at] === 'number') at--
    return this.#path[at] as string | undefined
  }

  /** An id in place of an entity stays an id. In a field or a list, some servers send `''` or false for none. */
  #bareKey(entity: EntityInterface, input: unknown, field: string | undefined): Key {
    const pk = typeof input === 'boolean' ? undefined : pkText(input)
    this.#mayRepeat = true
    if (pk !== undefined) return pk
    if (!input && field !== undefined) return null
    // A list leaves it out.
    return !input && this.#isMember() ? undefined : this.fail(`an object (${entity.key})`, input)
  }

  #isMember(): boolean {
    return this.#depth > 0 && typeof this.#path[this.#depth - 1] === 'number'
  }

  #remove(entity: EntityInterface, input: object, parent: unknown, field: string | undefined): string | undefined {
    const pk = pkOfValue(entity, input, parent, field, this.args)
    if (pk !== undefined) this.invalidate(entity.key, pk)
    return pk
  }

  #placeholder(entity: EntityInterface, fields: object): string {
    const { placeholder } = this.#options
    if (!this.#isCreating || placeholder === undefined) {
      if (!hasFields(fields) && !isEntity(fields.constructor)) this.fail(`an object (${entity.key})`, fields)
      throw new MissingPkError(entity.key, this.#place(), { within: fieldsHolding(fields, hasId) })
    }
    const count = this.#placeholders++
    return count === 0 ? placeholder : `${placeholder}:${count}`
  }

  #validate(entity: EntityInterface, fields: RowRecord): void {
    const problem = entity.validate(fields)
    if (problem === undefined) return
    const place = this.#place()
    const hint = process.env.NODE_ENV === 'production' ? '' : ' Correct the response, or validate().'
    const message = `${entity.key} at ${place} is not valid: ${problem}.${hint}`
    throw new SchemaError(place, `a valid ${entity.key}`, problem, { message })
  }

  /** A record with keys in the places of entities. */
  #linked(schema: EntitySchemaInfo, row: RecordRow, fields: RowRecord, input: object): RowRecord {
    const { info } = schema
    const isDeep = this.#depth > SUSPICIOUS
    if (isDeep) this.#open.push({ info, row, input })
    const outerOwner = this.#owner
    const outerCreating = this.#isCreating
    this.#owner = row
    this.#isCreating = false
    const record = this.#isOwn ? info.copy(fields) : this.#copy(info, fields)
    schema.relations ??= info.relations.map((relation) => this.#info(relation.schema))
    const schemas = schema.relations
    for (let i = 0; i < schemas.length; i++) {
      const relation = info.relations[i] as Relation
      const { field } = relation
      const value = fields[field]
      if ((value === undefined || relation.isInherited) && !Object.hasOwn(fields, field)) continue
      if (relation.isLeaf) this.#tryLeaf(relation, row, value)
      else {
        const stored = this.#below(schemas[i] as SchemaInfo, value, fields, field)
        if (relation.isInherited) put(record, field, stored)
        else record[field] = stored
      }
    }
    this.#owner = outerOwner
    this.#isCreating = outerCreating
    if (isDeep) this.#open.pop()
    const written = this.#outcome.written(row)
    if (written !== undefined && written !== TOMBSTONE) {
      // Several values write the row: any of them may be met again.
      const made = schema.made[row.writeIndex] ?? new Map()
      schema.made[row.writeIndex] = made
      const before = schema.inputs[row.writeIndex]
      if (before !== undefined && !made.has(before)) {
        made.set(before, written)
        this.#joined.delete(written)
      }
      made.set(input, record)
    }
    return record
  }

  /** Tries a deserializer, so that a response which it cannot read is refused. */
  #tryLeaf({ field, schema }: Relation, row: RecordRow, raw: unknown): void {
    if (raw === undefined || raw === null || equal(this.#known(row)?.[field], raw)) return
    const outer = this.#enter(field)
    // A leaf is a function that is no entity.
    deserializer(schema as (value: never) => unknown)(raw)
    this.#depth = outer
  }

  /**
   * True if this very value wrote the row before: parts that stand in several places are taken apart once. Classes with a `process`
   * of their own may look at the place, so for them it counts, too.
   */
  #isRepeat(schema: EntitySchemaInfo, row: RecordRow, input: object, field: string | undefined): boolean {
    const { info, inputs } = schema
    const written = this.#outcome.written(row)
    if (written === undefined || written === TOMBSTONE) return false
    const isLast = inputs[row.writeIndex] === input
    const made = isLast ? written : schema.made[row.writeIndex]?.get(input)
    if (made === undefined || (!info.plainProcess && this.#isFirstFrom(input, field))) return false
    this.#mayRepeat = true
    // Others wrote the row in between.
    if (!isLast) this.#outcome.write(row, this.#join(info, written, made), info)
    inputs[row.writeIndex] = input
    return true
  }

  #isFirstFrom(input: object, field: string | undefined): boolean {
    const origin = JSON.stringify([this.owner, field])
    const origins = this.#origins.get(input) ?? new Set()
    this.#origins.set(input, origins)
    return origins.size < origins.add(origin).size
  }

  /** Writes a record; where the table holds just that already, it is the table's own. */
  #write(info: EntityInfo, row: RecordRow, record: RowRecord, written: RecordValue): void {
    if (written !== undefined) {
      this.#mayRepeat = true
      this.#outcome.write(row, this.#join(info, written, record), info)
      return
    }
    const known = this.#options.valueOf(row)
    // A class that merges by itself is given what came.
    const isSame =
      known !== undefined && known !== TOMBSTONE && info.plainWrite && sameFields(known, record, this.#scratch)
    this.#outcome.add(row, isSame ? known : this.#own(info, record), info)
  }

  /** The same row twice in one response: the later record joins the earlier. */
  #join(info: EntityInfo, written: RowRecord | typeof TOMBSTONE, record: RowRecord): RowRecord {
    if (written === TOMBSTONE) return this.#own(info, record)
    if (!info.plainMerge) return this.#copy(info, info.entity.merge(written, record))
    const joined = joinFields(written, record, this.#joined.has(written))
    if (joined !== written) this.#joined.add(joined)
    return joined
  }

  /** A record for the table to keep. One with relations is the visitor's already. */
  #own(info: EntityInfo, record: RowRecord): RowRecord {
    if (this.#isOwn) return freezeInDevelopment(record)
    return info.relations.length > 0 ? record : this.#copy(info, record)
  }

  /** A copy that later changes to the response do not reach. Relations stay as they are. */
  #copy(info: EntityInfo, record: RowRecord): Record<string, unknown> {
    // What a `process` made may be changed and handed on again: of that each record has its own.
    const copies = info.plainProcess ? this.#copies : new Map()
    const copy = info.copy(record)
    for (const field in copy) {
      const value = copy[field]
      if (typeof value === 'object' && value !== null && !info.isLink.has(field))
        put(copy, field, copyPlain(value, copies))
    }
    return copy
  }

  /** What a row holds with what the response wrote so far; undefined if it is missing or deleted. */
  #known(row: RecordRow): RowRecord | undefined {
    const held = this.#outcome.written(row) ?? this.#options.valueOf(row)
    return isThere(held) ? held : undefined
  }

  // — what schemas can do —

  get owner(): Owner | undefined {
    return this.#owner && { kind: this.#owner.home.key, pk: this.#owner.pk }
  }

  create(schema: Schema, input: unknown, parent: unknown, field: string | number | undefined): unknown {
    const outer = this.#isCreating
    this.#isCreating = true
    try {
      return this.visit(schema, input, parent, field)
    } finally {
      this.#isCreating = outer
    }
  }

  pkOf(entity: EntityInterface, input: unknown, parent: unknown, field: string | undefined): string | undefined {
    if (typeof input !== 'object' || input === null) return pkText(input)
    return pkOfValue(entity, input, parent, field, this.args)
  }

  named(entity: EntityInterface): string | undefined {
    const { table, infos, args } = this.#options
    const reader = new FreshReader(table, infos, { valueOf: (row) => this.#options.valueOf(row) })
    const pk = reader.lookup(entity, args)
    return typeof pk === 'string' ? pk : undefined
  }

  current(kind: string, pk: string): RowRecord | undefined {
    return this.#known(this.#options.table.kind(kind).row(pk))
  }

  write(kind: string, pk: string, record: RowRecord): void {
    const row = this.#options.table.kind(kind).row(pk)
    const written = this.#outcome.written(row)
    const own = copyPlain(record)
    this.#outcome.write(row, written === undefined || written === TOMBSTONE ? own : { ...written, ...own }, undefined)
  }

  invalidate(kind: string, pk: string): void {
    this.#outcome.write(this.#options.table.kind(kind).row(pk), TOMBSTONE, undefined)
  }

  list(list: ListSchema, pk: string, args: ListArgs, members: ListMembers): void {
    this.#outcome.lists.push({
      row: this.#options.table.listKind(list).row(pk),
      list,
      args,
      members,
      page: list.pageOf?.(this.args),
      mayRepeat: this.#mayRepeat,
    })
  }

  change(change: MembershipChange): void {
    this.#outcome.memberships.push(change)
  }

  // — errors —

  /** Stops with a `SchemaError` of this place, or of the one right below it. */
  fail(expected: string, found: unknown, at?: string | number): never {
    if (at !== undefined) this.#enter(at)
    const within = expected === 'an array' ? fieldsHolding(found, Array.isArray) : ''
    const where = within && `; the list seems to be in ${within}`
    throw new SchemaError(this.#place(), expected, `${describe(found)}${where}`)
  }

  /** Wraps the error of a user's function, with the path. */
  #errorOf(thrown: unknown): unknown {
    if (thrown instanceof RoundtableError || isOverflow(thrown)) return thrown
    const facts = ['data that the schema can read', 'data that made it throw'] as const
    return new SchemaError(this.#place(), ...facts, { cause: thrown })
  }

  /** The path, such as `$[57].author`. */
  #place(): string {
    const steps = this.#path.slice(0, this.#depth)
    return steps.reduce<string>((path, step) => path + (typeof step === 'number' ? `[${step}]` : `.${step}`), '$')
  }
}

/**
 * Warns in development, once for each class, of a `validate` that accepts a record as it came and not as it is stored: its row would
 * vanish from what is shown, without a word.
 */
function warnOfSecondLook(info: EntityInfo, { pk }: RecordRow, came: RowRecord, stored: RowRecord): void {
  if (info.isWarnedOf) return
  const { entity, relations } = info
  const problem = problemOf(entity, stored)
  if (problem === undefined) return
  info.isWarnedOf = true
  const isAtFault = ({ field }: Relation): boolean =>
    problemOf(entity, { ...stored, [field]: came[field] }) === undefined
  const names = relations.filter(isAtFault).map(({ field }) => `'${field}'`)
  const where = names.length > 0 ? ` in ${names.join(' and ')}` : ''
  console.warn(
    `${entity.key} ${pk} is valid as it came, but not as it is stored, with primary keys${where} in place of entities (${problem}), so it will not be shown. validate() sees a record both ways: let it accept both.`,
  )
}

/** What `validate` says of a record; what it throws is for whoever shows the row. */
function problemOf(entity: EntityInterface, record: RowRecord): string | undefined {
  try {
    return entity.validate(record)
  } catch {
    return undefined
  }
}

/** The names of the fields of an object in which something is: where data that was expected instead of it may be. */
function fieldsHolding(found: unknown, is: (value: unknown) => boolean): string {
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return ''
  return Object.entries(found)
    .flatMap(([name, value]) => (is(value) ? [`'${name}'`] : []))
    .join(' or ')
}

function hasId(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'id' in value
}

/** True for what an engine throws when its call stack is full: a RangeError, in Firefox an InternalError. */
function isOverflow(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.name === 'InternalError' || (error instanceof RangeError && error.message.includes('call stack'))
}
