import { warnOfSharedKey } from '../schema/kind.js'
import { checkLiterals, schemaMember } from '../schema/literal.js'
import { type ArgsCode, type EntityInterface, isEntity, isListSchema, type ListSchema } from '../schema/schema.js'
import { type EntityInfo, entityInfo, type Relation, usesArgs } from './entity-info.js'
import type { RowOf } from './refs.js'
import { type ClassInfo, homeOf, type RecordRow, type RowHome } from './row.js'
import type { Kind, Table } from './table.js'

/** An entity class and the rows of its kind. */
export interface KnownEntity {
  readonly info: EntityInfo
  readonly kind: Kind<RecordRow>
  /** The rows as this class shows them: those of the kind, unless another class with the same key came first. */
  readonly shown: Kind
}

/** The information about all classes that a table has used. */
export class EntityInfos {
  readonly #table: Table
  readonly #known = new Map<EntityInterface, KnownEntity & ClassInfo>()
  readonly #lists = new WeakMap<ListSchema, ArgsCode | undefined>()

  constructor(table: Table) {
    this.#table = table
  }

  /** Returns the information about a class. Two classes with the same key share rows, and have separate views of them. */
  of(entity: EntityInterface): KnownEntity & ClassInfo {
    const known = this.#known.get(entity)
    // `schema` may be assigned after the class, for classes that refer to each other; what a getter gives is new each time.
    if (known !== undefined && (known.isGetter || known.schema === entity.schema)) return known
    return this.#find(entity)
  }

  #find(entity: EntityInterface): KnownEntity & ClassInfo {
    checkLiterals(entity, entity.key)
    const kind = this.#table.indexed(entity)
    const isFirst = kind.info === undefined || kind.info.entity === entity
    if (process.env.NODE_ENV !== 'production' && kind.info !== undefined) warnOfSharedKey(entity, kind.info.entity)
    const found = {
      info: entityInfo(entity),
      kind,
      shown: isFirst ? kind : kind.alias(entity),
      schema: entity.schema,
      isGetter: schemaMember(entity)?.get !== undefined,
    }
    this.#known.set(entity, found)
    found.shown.adopt(found.info)
    return found
  }

  /** Returns the row of a schema and a primary key, as that schema shows it. */
  readonly shown: RowOf = (schema, pk) => {
    // Lists are identified by their keys only.
    if (isListSchema(schema)) {
      const list = this.#table.shownLists(schema).row(pk as string)
      this.#table.onList?.(schema, list)
      return list
    }
    // A schema that is not a list has a primary key.
    const { shown } = this.of(schema as EntityInterface)
    return typeof pk === 'string' ? shown.row(pk) : shown.embedded(pk)
  }

  /** Returns the rows of a relation that is stored as primary keys; undefined for other schemas. */
  homeOf(relation: Relation): RowHome | undefined {
    if (relation.target === undefined) return undefined
    const known = homeOf(relation)
    if (known !== undefined) return known
    const info = this.of(relation.target)
    relation.home = info
    return info.shown
  }

  /** The code that builds the views of a schema if they depend on the call's arguments. */
  usesArgs(schema: EntityInterface | ListSchema): ArgsCode | undefined {
    if (isEntity(schema)) return this.of(schema).info.usesArgs
    if (!this.#lists.has(schema)) this.#lists.set(schema, usesArgs(schema.member, new Set()))
    return this.#lists.get(schema)
  }
}
