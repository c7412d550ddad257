import { schemasBelow } from '../schema/below.js'
import { warnOfStrangers } from '../schema/kind.js'
import { baseLifecycle } from '../schema/lifecycle.js'
import { checkLiterals } from '../schema/literal.js'
import {
  type EntityInterface,
  INVALID,
  isEntity,
  isListSchema,
  isSchemaObject,
  type ListSchema,
  type RowRecord,
  type Schema,
} from '../schema/schema.js'
import { type Copy, comparerFor, copierFor, hasJust } from '../util/inline-caches.js'
import type { Plan, Relation } from './plan.js'
import { isArraySchema } from './reader.js'
import type { RowOf } from './refs.js'
import { homeOf, type RowHome, type Seen } from './row.js'
import type { Kind, Table } from './table.js'

/** A class's plan and the rows of its kind. */
export interface Planned {
  readonly plan: Plan
  readonly kind: Kind
  /** The rows as this class shows them: those of the kind, unless another class of the key was there first. */
  readonly shown: Kind
}

/** The plans of all classes that a table has seen. */
export class Plans {
  readonly #table: Table
  readonly #known = new Map<EntityInterface, Planned & Seen>()

  readonly #lists = new WeakMap<ListSchema, boolean>()

  constructor(table: Table) {
    this.#table = table
  }

  /** The plan of a class. Two classes of one key share rows, and each shows them by itself. */
  of(entity: EntityInterface): Planned & Seen {
    const known = this.#known.get(entity)
    // `schema` may be assigned after the class, for classes that refer to each other; what a getter gives is new each time.
    if (known !== undefined && (known.isGetter || known.schema === entity.schema)) return known
    checkLiterals(entity, entity.key)
    const kind = this.#table.indexed(entity)
    const isFirst = kind.plan === undefined || kind.plan.entity === entity
    if (process.env.NODE_ENV !== 'production' && kind.plan !== undefined) warnOfStrangers(entity, kind.plan.entity)
    const planned = {
      plan: makePlan(entity),
      kind,
      shown: isFirst ? kind : kind.twin(entity),
      schema: entity.schema,
      isGetter: hasGetter(entity),
    }
    this.#known.set(entity, planned)
    planned.shown.adopt(planned.plan)
    return planned
  }

  /** The row that a schema and a primary key name, as that schema shows it. */
  readonly shown: RowOf = (schema, pk) => {
    // Lists are named by their keys only.
    if (isListSchema(schema)) return this.#table.shownLists(schema).row(pk as string)
    // What is no list has a primary key of its own.
    const { shown } = this.of(schema as EntityInterface)
    return typeof pk === 'string' ? shown.row(pk) : shown.embedded(pk)
  }

  /** Where the rows are that a relation names by their keys alone; undefined for schemas that show themselves. */
  homeOf(relation: Relation): RowHome | undefined {
    if (relation.target === undefined) return undefined
    const known = homeOf(relation)
    if (known !== undefined) return known
    const seen = this.of(relation.target)
    relation.home = seen
    return seen.shown
  }

  /** True if what a schema shows depends on the call's arguments. */
  usesArgs(schema: EntityInterface | ListSchema): boolean {
    if (isEntity(schema)) return this.of(schema).plan.usesArgs
    const known = this.#lists.get(schema) ?? usesArgs(schema.member, new Set())
    this.#lists.set(schema, known)
    return known
  }
}

/** True if a class, or one that it extends, works its `schema` out at each look. */
function hasGetter(entity: EntityInterface): boolean {
  for (let at: unknown = entity; typeof at === 'function'; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, 'schema')
    if (found !== undefined) return found.get !== undefined
  }
  return false
}

function makePlan(entity: EntityInterface): Plan {
  const relations: Relation[] = []
  for (const [field, schema] of Object.entries(entity.schema ?? {})) {
    if (isPlaceholder(schema)) continue
    const isLeaf = typeof schema === 'function' && !isEntity(schema)
    const isMany = isArraySchema(schema)
    const target = isMany ? schema[0] : schema
    relations.push({
      field,
      schema,
      isLeaf,
      isInherited: field in Object.prototype,
      target: isEntity(target) ? target : undefined,
      isMany,
      home: undefined,
    })
  }
  const plain = baseLifecycle(entity)
  const copy = copierFor(entity.key)
  const links = relations.filter(({ isLeaf }) => !isLeaf)
  return {
    entity,
    relations,
    isLink: new Set(links.map(({ field }) => field)),
    hasLinks: links.length > 0,
    plainPk: plain.pk,
    plainProcess: plain.process,
    plainValidate: plain.validate,
    plainMerge: plain.merge,
    plainOrder: plain.order,
    isFields: plain.fields,
    usesArgs: usesArgs(entity, new Set()),
    copy,
    holdsJust: comparerFor(entity.key, new Set(relations.map(({ field }) => field))),
    create: plain.create ? quickInstance(entity) : (record) => entity.createIfValid(record) ?? INVALID,
  }
}

/** Other values in a schema only document a field. */
function isPlaceholder(schema: Schema): boolean {
  return schema === null || (typeof schema !== 'object' && typeof schema !== 'function')
}

/**
 * The cheapest way to an instance: a copied record that is given the class's prototype (about half of what a constructor call
 * costs, see benchmarks). Right only for a class whose constructor does nothing but set plain defaults.
 */
function quickInstance(entity: EntityInterface): (record: RowRecord) => unknown {
  // `prototype` of a class is an object; EntityInterface leaves its type open for users' own classes.
  const prototype = entity.prototype as object
  const { defaults } = entity
  const names = Object.keys(defaults)
  const forms: Form[] = []
  let form = learn(names)
  function learn(fields: readonly string[]): Form {
    const isWhole = names.every((name) => fields.includes(name))
    const learnt = { fields, isWhole, copy: copierFor(`${entity.key} ${fields.join()}`) }
    forms.push(learnt)
    return learnt
  }
  return (record) => {
    // The records of one answer mostly have the same form. One that is not learnt comes to the same, or the order of an instance's
    // fields would depend on which other rows were shown before.
    if (!hasJust(record, form.fields)) {
      const known = forms.find(({ fields }) => hasJust(record, fields))
      if (known === undefined && forms.length >= FORMS) {
        const isWhole = names.every((name) => Object.hasOwn(record, name))
        return Object.setPrototypeOf(isWhole ? { ...record } : { ...defaults, ...record }, prototype)
      }
      form = known ?? learn(Object.keys(record))
    }
    return Object.setPrototypeOf(form.isWhole ? form.copy(record) : { ...defaults, ...record }, prototype)
  }
}

/** Which fields records of a class have: answers for lists have others than those for one. Each form has a place to be copied at. */
interface Form {
  readonly fields: readonly string[]
  /** True if no default of the class is missing. */
  readonly isWhole: boolean
  readonly copy: Copy
}

/** So many forms of a class are learnt. */
const FORMS = 8

/** Whether what a schema shows depends on the call's arguments, itself or anything that it leads to. */
export function usesArgs(schema: Schema, seen: Set<unknown>): boolean {
  if (seen.has(schema)) return false
  seen.add(schema)
  if (isSchemaObject(schema) && schema.usesArgs === true) return true
  return schemasBelow(schema).some((below) => usesArgs(below, seen))
}
