import { warnOfSharedKey } from '../schema/class-key.js'
import { checkLiterals, schemaMember } from '../schema/literal.js'
import { type EntityInterface, isEntity, type RowRecord, type RowSchema } from '../schema/schema.js'
import { type EntityInfo, entityInfo, type Relation } from './entity-info.js'
import { Indexes } from './indexes.js'
import { type ClassInfo, homeOf, type RowOf } from './refs.js'
import type { EntityRow, Kind, TableRow } from './row.js'
import type { Table } from './table.js'

/** An entity class and its rows. `shown` is `kind`, or an alias if another class with the same key was used first. */
export interface KnownEntity extends ClassInfo {
  readonly kind: Kind<EntityRow>
  /** `info` with the relations of the key's other classes: responses are split by all of them. */
  splits: EntityInfo
}

/** The information about all classes that a table has used. */
export class EntityInfos {
  readonly #table: Table
  readonly #infos = new Map<EntityInterface, KnownEntity>()

  constructor(table: Table) {
    this.#table = table
  }

  /** Returns the information about a class. Two classes with the same key share rows, but have separate views of them. */
  of(entity: EntityInterface): KnownEntity {
    const cached = this.#infos.get(entity)
    // Classes that refer to each other may get their `schema` later. A getter returns a new object each time.
    if (cached !== undefined && (cached.isGetter || cached.schema === entity.schema)) return cached
    return this.#find(entity)
  }

  #find(entity: EntityInterface): KnownEntity {
    if (process.env.NODE_ENV !== 'production') checkLiterals(entity, entity.key)
    const kind = this.#table.kind(entity.key)
    if (entity.indexes !== undefined && entity.indexes.length > 0) {
      kind.indexes ??= new Indexes()
      kind.indexes.cover(entity.indexes, kind.rows.values())
    }
    const isFirst = kind.info === undefined || kind.info.entity === entity
    if (process.env.NODE_ENV !== 'production' && kind.info !== undefined) warnOfSharedKey(entity, kind.info.entity)
    const info = entityInfo(entity)
    const found: KnownEntity = {
      info,
      splits: info,
      kind,
      shown: isFirst ? kind : kind.alias(entity),
      schema: entity.schema,
      isGetter: schemaMember(entity)?.get !== undefined,
    }
    this.#infos.set(entity, found)
    if (kind.info !== undefined) this.#share(found)
    found.shown.adopt(found.info)
    return found
  }

  /** Shares relations among the classes of a key: each class splits by the relations of all. */
  #share(found: KnownEntity): void {
    const { kind, info } = found
    const others = [...this.#infos.values()].filter((other) => other.kind === kind && other !== found)
    const [first] = others
    if (first === undefined) return
    const before = first.splits.relations
    for (const other of others) other.splits = withRelations(other.splits, info.relations)
    found.splits = withRelations(info, before)
    const relations = first.splits.relations.slice(before.length)
    if (relations.length > 0)
      for (const waiting of this.#table.firstUse) waiting.relations?.(kind, { ...info, relations })
  }

  /** Returns the rows of a schema, as that schema shows them. */
  homeFor(schema: RowSchema): Kind<TableRow> {
    return isEntity(schema) ? this.of(schema).shown : this.#table.shownLists(schema)
  }

  /** Returns the row of a schema and a primary key, as that schema shows it. */
  readonly shown: RowOf = (schema, pk) => this.rowIn(this.homeFor(schema), schema, pk)

  /** Returns the row of a primary key or an embedded record in a kind. */
  rowIn(home: Kind<TableRow>, schema: RowSchema, pk: string | RowRecord): TableRow {
    if (typeof pk !== 'string') return home.embedded(pk)
    const row = home.row(pk)
    if (row.list !== undefined && !isEntity(schema))
      for (const waiting of this.#table.firstUse) waiting.list?.(schema, row.list)
    return row
  }

  /** Returns the rows of a relation that is stored as primary keys; undefined for other schemas. */
  homeOf(relation: Relation): Kind<EntityRow> | undefined {
    if (relation.target === undefined) return undefined
    const home = homeOf(relation)
    if (home !== undefined) return home
    const info = this.of(relation.target)
    relation.home = info
    return info.shown
  }
}

/** Adds relations to the information. The class's own relations have precedence. */
function withRelations(info: EntityInfo, more: readonly Relation[]): EntityInfo {
  const own = new Set(info.relations.map(({ field }) => field))
  const added = more.filter(({ field, isLeaf }) => !isLeaf && !own.has(field))
  if (added.length === 0) return info
  const relations = [...info.relations, ...added.map((relation): Relation => ({ ...relation, isShared: true }))]
  return { ...info, relations, isLink: new Set([...info.isLink, ...added.map(({ field }) => field)]) }
}
