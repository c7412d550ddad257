import { warnOfStrangers } from '../schema/kind.js'
import { checkLiterals, schemaMember } from '../schema/literal.js'
import { type EntityInterface, isEntity, isListSchema, type ListSchema } from '../schema/schema.js'
import { type EntityInfo, entityInfo, type Relation, usesArgs } from './entity-info.js'
import type { RowOf } from './refs.js'
import { homeOf, type RecordRow, type RowHome, type Seen } from './row.js'
import type { Kind, Table } from './table.js'

/** An entity class and the rows of its kind. */
export interface KnownEntity {
  readonly info: EntityInfo
  readonly kind: Kind<RecordRow>
  /** The rows as this class shows them: those of the kind, unless another class of the key was there first. */
  readonly shown: Kind
}

/** What is known of all classes that a table has seen. */
export class EntityInfos {
  readonly #table: Table
  readonly #known = new Map<EntityInterface, KnownEntity & Seen>()
  readonly #lists = new WeakMap<ListSchema, boolean>()

  constructor(table: Table) {
    this.#table = table
  }

  /** What is known of a class. Two classes of one key share rows, and each shows them by itself. */
  of(entity: EntityInterface): KnownEntity & Seen {
    const known = this.#known.get(entity)
    // `schema` may be assigned after the class, for classes that refer to each other; what a getter gives is new each time.
    if (known !== undefined && (known.isGetter || known.schema === entity.schema)) return known
    return this.#find(entity)
  }

  #find(entity: EntityInterface): KnownEntity & Seen {
    checkLiterals(entity, entity.key)
    const kind = this.#table.indexed(entity)
    const isFirst = kind.info === undefined || kind.info.entity === entity
    if (process.env.NODE_ENV !== 'production' && kind.info !== undefined) warnOfStrangers(entity, kind.info.entity)
    const found = {
      info: entityInfo(entity),
      kind,
      shown: isFirst ? kind : kind.twin(entity),
      schema: entity.schema,
      isGetter: schemaMember(entity)?.get !== undefined,
    }
    this.#known.set(entity, found)
    found.shown.adopt(found.info)
    return found
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
    if (isEntity(schema)) return this.of(schema).info.usesArgs
    const known = this.#lists.get(schema) ?? usesArgs(schema.member, new Set())
    this.#lists.set(schema, known)
    return known
  }
}
