import { deserializer } from '../schema/deserializer.js'
import { pkOfValue, pkText } from '../schema/pk.js'
import {
  type EntityInterface,
  isArraySchema,
  isEntity,
  isSchemaObject,
  type NormalizeContext,
  type Owner,
  type RowRecord,
  type Schema,
} from '../schema/schema.js'
import { Change } from '../table/change.js'
import type { EntityInfo, Relation } from '../table/entity-info.js'
import type { EntityRow } from '../table/row.js'
import { isThere, TOMBSTONE } from '../table/value.js'
import { describe } from '../util/describe.js'
import { equal } from '../util/equal.js'
import { DepthError, MissingPkError, RoundtableError, SchemaError } from '../util/errors.js'
import { type Scratch, sameFields } from '../util/inline-caches.js'
import { copyPlain, hasFields, put } from '../util/plain.js'
import { isFirstFrom, type Met, noteMade, type Place } from './met.js'
import type { NormalizeOptions } from './options.js'
import { fieldsHolding, hasId, invalid, isOverflow, warnOfSecondLook } from './problems.js'
import { copied, joined, type Keeping, kept, type Split } from './records.js'

/** The maximum depth of data, since the visitor uses the call stack. */
const MAX_DEPTH = 1_200

/** The stored value of an entity: its primary key, null for none, undefined for one that `process` deleted. */
type Key = string | null | undefined

/** The depth from which the visitor checks for entities that contain themselves. */
const SUSPICIOUS = 8

/** Visits a response once: adds entities to a change as rows, and replaces them by their primary keys. */
export class Visitor implements NormalizeContext {
  readonly args: readonly unknown[]
  readonly #change: Change = new Change()
  readonly #options: NormalizeOptions
  readonly #keeping: Keeping
  /** Missing rows with a lower rank were referenced before this response. */
  readonly #since: number
  readonly #met = new Map<EntityInterface, Met>()
  readonly #scratch: Scratch = { fields: [], values: [] }
  /** The path of the visitor in the response, up to `#depth`; deeper elements are leftovers. */
  readonly #path: (string | number)[] = []
  #depth = 0
  /** The row of the entity that contains the current value. */
  #owner: EntityRow | undefined
  /** Undefined in the fields of an entity: an object for each entity would be a tenth of what a first write allocates. */
  #place: Place | undefined
  #placeholders = 0
  /** True if a row may have been visited twice. */
  #mayRepeat = false
  /** The entities that contain the current value, from the depth `SUSPICIOUS` on. */
  readonly #open: { readonly info: EntityInfo; readonly row: EntityRow; readonly input: object }[] = []
  /** The parents and fields of repeated values, for classes whose `process` may read them. */
  readonly #origins = new Map<object, Set<string>>()

  constructor(options: NormalizeOptions, isOwn: boolean) {
    this.#options = options
    this.#keeping = { isOwn, copies: new Map(), joined: new Set() }
    this.#since = options.isPlaced === true ? 0 : options.table.life.nextRank
    this.args = options.args
  }

  begin(schema: Schema, input: unknown): Change {
    try {
      // Null and an empty array accept any value; schema objects check their own.
      const isAny = isSchemaObject(schema) || schema === null || (isArraySchema(schema) && schema.length === 0)
      const isLiteral = isEntity(schema) || (typeof schema === 'object' && !isAny)
      if (isLiteral && (typeof input !== 'object' || input === null))
        this.fail(isArraySchema(schema) ? 'an array' : 'an object', input)
      this.#change.result = this.#visit(schema, input, undefined, undefined)
      return this.#change
    } catch (thrown) {
      // The call stack depends on the engine, and may be smaller than the visitor's own limit.
      throw isOverflow(thrown) ? new DepthError(this.#path.length) : this.#errorOf(thrown)
    }
  }

  visit(schema: Schema, input: unknown, parent: unknown, field: string | number | undefined): unknown {
    const owner = this.#owner
    const place = this.#place
    const depth = this.#depth
    const open = this.#open.length
    try {
      return this.#visit(schema, input, parent, field)
    } catch (thrown) {
      // A schema may catch the error and continue.
      const error = this.#errorOf(thrown)
      this.#open.length = open
      this.#owner = owner
      this.#place = place
      this.#depth = depth
      throw error
    }
  }

  /** Does what `visit` does, for callers that do not continue after an error. */
  #visit(schema: Schema, input: unknown, parent: unknown, field: string | number | undefined): unknown {
    if (input === undefined || schema === null) return this.#ownValue(input)
    if (input === null && !(isSchemaObject(schema) && field === undefined)) return input
    const outer = this.#depth
    // A schema that passes its own input on to another schema stays at the same path.
    if (field !== undefined && input !== this.#place?.source) this.#enter(field)
    const name = typeof field === 'number' ? undefined : field
    const result = this.#take(schema, input, parent, name)
    this.#depth = outer
    return result
  }

  /** Adds a field to the path. */
  #enter(field: string | number): void {
    if (this.#depth === MAX_DEPTH) throw new DepthError(MAX_DEPTH)
    this.#path[this.#depth++] = field
  }

  #take(schema: Schema, input: unknown, parent: unknown, field: string | undefined): unknown {
    if (isEntity(schema)) return this.#entity(this.#metOf(schema), input, parent, field)
    // A deserializer runs when the value is shown; text and numbers only document a field.
    if (typeof schema !== 'object' || schema === null) return this.#ownValue(input)
    if (isArraySchema(schema)) return this.#array(schema, input, parent ?? input)
    if (!isSchemaObject(schema)) return this.#object(schema, input)
    const place = this.#place
    this.#place = { ...place, source: input }
    const result = schema.normalize(input, this, parent, field)
    this.#place = place
    return result === input ? this.#ownValue(result) : result
  }

  /** Returns the keys of an array's members. */
  #array(schema: readonly Schema[], input: unknown, parent: unknown): unknown {
    if (schema.length === 0) return this.#ownValue(input)
    if (schema.length !== 1) this.fail('one schema in the array literal', schema)
    const [member] = schema
    return this.#items(member, isEntity(member) ? this.#metOf(member) : undefined, input, parent)
  }

  /** Visits the items of an array, whose schema is that of `met` if this is given. */
  #items(member: Schema, met: Met | undefined, input: unknown, parent: unknown): unknown[] {
    if (!Array.isArray(input)) this.fail('an array', input)
    const items: unknown[] = new Array(input.length)
    this.#enter(0)
    for (let i = 0; i < input.length; i++) {
      const item: unknown = input[i]
      this.#path[this.#depth - 1] = i
      if (item === undefined || item === null) items[i] = item
      else items[i] = met ? this.#entity(met, item, parent, undefined) : this.#take(member, item, parent, undefined)
    }
    this.#depth--
    return items
  }

  #object(schema: { readonly [field: string]: Schema }, input: unknown): unknown {
    if (typeof input !== 'object' || input === null || Array.isArray(input) || !hasFields(input))
      this.fail('an object', input)
    const record: Record<string, unknown> = { ...input }
    for (const field in record) if (!Object.hasOwn(schema, field)) put(record, field, this.#ownValue(record[field]))
    for (const field of Object.keys(schema)) {
      if (!Object.hasOwn(record, field)) continue
      const value = this.#visit(schema[field], record[field], input, field)
      if (value === undefined) delete record[field]
      else put(record, field, value)
    }
    return record
  }

  /** Returns a value without entities for the table to store. */
  #ownValue(value: unknown): unknown {
    return this.#keeping.isOwn ? value : copyPlain(value, this.#keeping.copies)
  }

  split(info: EntityInfo, row: EntityRow, stored: RowRecord): Split {
    const met = { ...this.#metOf(info.entity), info }
    return { record: this.#linked(met, row, stored, stored), change: this.#change }
  }

  // — entities —

  #metOf(entity: EntityInterface): Met {
    const existing = this.#met.get(entity)
    if (existing !== undefined) return existing
    const { splits, kind } = this.#options.infos.of(entity)
    const met: Met = { info: splits, kind, inputs: [], made: [], targets: [] }
    this.#met.set(entity, met)
    return met
  }

  #entity(met: Met, input: unknown, parent: unknown, own: string | undefined): Key {
    const { info, kind } = met
    const { entity, inheritsProcess, inheritsPk } = info
    if (typeof input !== 'object' || input === null) return this.#bareKey(entity, input, own)
    // Members of a list have the list's parent and field.
    const field = own ?? (inheritsProcess && inheritsPk ? undefined : this.#lastField())
    if (this.#open.length > 0)
      for (const open of this.#open) if (open.input === input && open.info === info) return open.row.pk
    const processed = inheritsProcess ? input : entity.process(input, parent, field, this.args)
    if (processed === undefined) return this.#remove(entity, input, parent, field)
    if (typeof processed !== 'object' || processed === null || Array.isArray(processed))
      this.fail(`an object (${entity.key})${processed === input ? '' : ' from process()'}`, processed)
    // Any object but an array is a record; the values of its fields are unknown.
    const fields = processed as RowRecord
    const named = inheritsPk ? pkText(fields.id) : pkOfValue(entity, fields, parent, field, this.args)
    const row = kind.row(named ?? this.#placeholder(entity, fields))
    if (row.value === undefined && row.rank < this.#since) kind.moveToEnd(row)
    const isFlat = info.relations.length === 0
    if (!isFlat && this.#change.written(row) !== undefined && this.#isRepeat(met, row, input, field)) return row.pk
    // An optimistic response may omit fields of the row below, so views validate the merged record.
    const isChecked = !info.inheritsValidate && this.#options.placeholder === undefined
    if (isChecked) {
      const problem = entity.validate(fields)
      if (problem !== undefined) throw invalid(entity, this.#where(), problem)
    }
    // A new entity without a primary key gets its temporary one as `id`, so that several in one list differ.
    const whole = named === undefined && inheritsPk ? { ...fields, id: row.pk } : fields
    const record = isFlat ? whole : this.#linked(met, row, whole, input)
    if (process.env.NODE_ENV !== 'production' && !isFlat && isChecked) warnOfSecondLook(info, row, whole, record)
    this.#write(met, row, record, input)
    if (!isFlat) met.inputs[row.writeIndex] = input
    if (this.#place?.isCreating) this.#change.restore(row)
    // This is the row's own string, since lists of keys are compared by reference.
    return row.pk
  }

  /** Returns the name of the field that contains the current value, directly or in a list. */
  #lastField(): string | undefined {
    let at = this.#depth - 1
    while (typeof this.#path[at] === 'number') at--
    return this.#path[at] as string | undefined
  }

  /** Returns the key of an id in place of an entity. Some servers send `''` or false for none in fields and lists. */
  #bareKey(entity: EntityInterface, input: unknown, field: string | undefined): Key {
    const pk = typeof input === 'boolean' ? undefined : pkText(input)
    this.#mayRepeat = true
    if (pk !== undefined) return pk
    if (!input && field !== undefined) return null
    // Lists omit such a member.
    const isMember = this.#depth > 0 && typeof this.#path[this.#depth - 1] === 'number'
    return !input && isMember ? undefined : this.fail(`an object (${entity.key})`, input)
  }

  #remove(entity: EntityInterface, input: object, parent: unknown, field: string | undefined): string | undefined {
    const pk = pkOfValue(entity, input, parent, field, this.args)
    if (pk !== undefined) this.invalidate(entity.key, pk)
    return pk
  }

  #placeholder(entity: EntityInterface, fields: object): string {
    const { placeholder } = this.#options
    if (!this.#place?.isCreating || placeholder === undefined) {
      if (!hasFields(fields) && !isEntity(fields.constructor)) this.fail(`an object (${entity.key})`, fields)
      throw new MissingPkError(entity.key, this.#where(), { within: fieldsHolding(fields, hasId) })
    }
    const count = this.#placeholders++
    return count === 0 ? placeholder : `${placeholder}:${count}`
  }

  /** Returns a record with keys in place of entities. */
  #linked(met: Met, row: EntityRow, fields: RowRecord, input: object): RowRecord {
    const { info, targets } = met
    const owner = this.#owner
    const place = this.#place
    const isDeep = this.#depth > SUSPICIOUS
    if (isDeep) this.#open.push({ info, row, input })
    this.#owner = row
    this.#place = undefined
    const record = this.#keeping.isOwn ? info.copy(fields) : copied(info, fields, this.#keeping)
    const { relations } = info
    for (let i = 0; i < relations.length; i++) {
      const relation = relations[i] as Relation
      const { field, target } = relation
      const value = fields[field]
      // A member that every object inherits is no field unless the object has its own.
      if ((value === undefined || relation.isInherited) && !Object.hasOwn(fields, field)) continue
      if (relation.isLeaf) this.#tryLeaf(relation, row, value)
      else if (relation.isShared) this.#split(relation, row, record, fields)
      else if (target !== undefined && value !== undefined && value !== null) {
        // Entities and their lists may nest deeply, so they take the fewest calls.
        const below = targets[i] ?? this.#metOf(target)
        targets[i] = below
        this.#enter(field)
        const keys = relation.isMany
          ? this.#items(target, below, value, fields)
          : this.#entity(below, value, fields, field)
        // A write of its own, whose inline cache has the fields of few classes.
        if (relation.isInherited) put(record, field, keys)
        else record[field] = keys
        this.#depth--
      } else put(record, field, this.#visit(relation.schema, value, fields, field))
    }
    this.#owner = owner
    this.#place = place
    if (isDeep) this.#open.pop()
    return record
  }

  /**
   * True if the same value has already written the row: repeated parts are split only once. A class's own `process` may read
   * the parent and field, so for such classes these must be the same, too.
   */
  #isRepeat(met: Met, row: EntityRow, input: object, field: string | undefined): boolean {
    const { info, inputs, made } = met
    const isLast = inputs[row.writeIndex] === input
    const record = made[row.writeIndex]?.get(input)
    if (
      (!isLast && record === undefined) ||
      (!info.inheritsProcess && isFirstFrom(input, [this.owner, field], this.#origins))
    )
      return false
    this.#mayRepeat = true
    // Other values wrote the row in between.
    if (!isLast && record !== undefined) this.#write(met, row, record, input)
    inputs[row.writeIndex] = input
    return true
  }

  /**
   * Splits by a relation of another class of the key. A value that does not match stays unchanged, but never replaces a key
   * that the row already has.
   */
  #split({ schema, field }: Relation, row: EntityRow, record: Record<string, unknown>, fields: RowRecord): void {
    try {
      put(record, field, this.visit(schema, fields[field], fields, field))
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error
      const held = this.#held(row, this.#change.written(row))
      if (held !== undefined && Object.hasOwn(held, field)) put(record, field, held[field])
    }
  }

  /** Calls a deserializer, so that a response fails if the deserializer throws. */
  #tryLeaf({ field, schema }: Relation, row: EntityRow, raw: unknown): void {
    if (raw === undefined || raw === null || equal(this.#held(row, this.#change.written(row))?.[field], raw)) return
    this.#enter(field)
    // A leaf is a function other than an entity.
    deserializer(schema as (value: never) => unknown)(raw)
    this.#depth--
  }

  /** Writes a record, or the table's own object if it is equal. A record that differs is judged, with its input. */
  #write(met: Met, row: EntityRow, record: RowRecord, input: object): void {
    const { info } = met
    // Read once: V8 optimizes a small function that is called several times per row, in the middle of the first list.
    const written = this.#change.written(row)
    const held = this.#held(row, written)
    // A class with its own merge gets the incoming record.
    const isSame = !written && held && info.inheritsWrite && sameFields(held, record, this.#scratch)
    const { report } = this.#options
    const problem = info.isJudged && !isSame && report && info.entity.judge?.(input, record, held)
    if (problem) {
      const error = invalid(info.entity, this.#where() + problem.path, problem.message)
      if (!problem.isKept) throw error
      report(error)
    }
    if (written) {
      this.#mayRepeat = true
      if (info.relations.length > 0 && isThere(written) && noteMade(met, row.writeIndex, written, [input, record]))
        this.#keeping.joined.delete(written)
      this.#change.write(row, joined(info, written, record, this.#keeping), info)
    } else this.#change.add(row, isSame ? held : kept(info, record, this.#keeping), info)
  }

  /** Returns a row's record as this response has written it, or else as stored; undefined if missing or deleted. */
  #held(row: EntityRow, written: RowRecord | typeof TOMBSTONE | undefined): RowRecord | undefined {
    const held = written ?? this.#options.valueOf(row)
    return isThere(held) ? held : undefined
  }

  // — what schemas can do —

  get owner(): Owner | undefined {
    return this.#owner && { kind: this.#owner.home.key, pk: this.#owner.pk }
  }

  create(schema: Schema, input: unknown, parent: unknown, field: string | number | undefined): unknown {
    const place = this.#place
    this.#place = { source: place?.source, isCreating: true }
    try {
      return this.visit(schema, input, parent, field)
    } finally {
      this.#place = place
    }
  }

  pkOf(entity: EntityInterface, input: unknown, parent: unknown, field: string | undefined): string | undefined {
    if (typeof input !== 'object' || input === null) return pkText(input)
    return pkOfValue(entity, input, parent, field, this.args)
  }

  named(entity: EntityInterface): string | undefined {
    const { views, args } = this.#options
    const pk = views.lookupQuietly(entity, args, { valueOf: (row) => this.#options.valueOf(row) })
    return typeof pk === 'string' ? pk : undefined
  }

  current(kind: string, pk: string): RowRecord | undefined {
    const row = this.#options.table.kind(kind).row(pk)
    return this.#held(row, this.#change.written(row))
  }

  write(kind: string, pk: string, record: RowRecord): void {
    const row = this.#options.table.kind(kind).row(pk)
    const written = this.#change.written(row)
    const own = copyPlain(record)
    this.#change.write(row, isThere(written) ? { ...written, ...own } : own, undefined)
  }

  invalidate(kind: string, pk: string): void {
    this.#change.write(this.#options.table.kind(kind).row(pk), TOMBSTONE, undefined)
  }

  readonly list: NormalizeContext['list'] = (list, pk, args, members) => {
    const row = this.#options.table.listKind(list).row(pk)
    const page = list.pageOf?.(this.args)
    this.#change.lists.push({ row, list, args, members, page, mayRepeat: this.#mayRepeat })
  }

  readonly change: NormalizeContext['change'] = (change) => {
    // This is needed even if no list is loaded yet, since layers watch for lists of the kind.
    this.#options.infos.homeFor(change.list)
    this.#change.memberships.push(change)
  }

  // — errors —

  /** Throws a `SchemaError` with this path, or with the path of a field right below it. */
  fail(expected: string, found: unknown, at?: string | number): never {
    if (at !== undefined) this.#enter(at)
    const within = expected === 'an array' ? fieldsHolding(found, Array.isArray) : ''
    const where = within && `; the list seems to be in ${within}`
    throw new SchemaError(this.#where(), expected, `${describe(found)}${where}`)
  }

  /** Wraps the error of a user's function, with the path. */
  #errorOf(thrown: unknown): unknown {
    if (thrown instanceof RoundtableError || isOverflow(thrown)) return thrown
    const facts = ['data that the schema can read', 'data that made it throw'] as const
    return new SchemaError(this.#where(), ...facts, { cause: thrown })
  }

  /** Returns the path, such as `$[57].author`. */
  #where(): string {
    const steps = this.#path.slice(0, this.#depth)
    return steps.reduce<string>((path, step) => path + (typeof step === 'number' ? `[${step}]` : `.${step}`), '$')
  }
}
