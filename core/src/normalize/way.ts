import { isArraySchema, isEntity, type Schema } from '../schema/schema.js'
import type { EntityInfos, KnownEntity } from '../table/entity-infos.js'

/** What a schema is, found out once for each walk and not for each value. */
export interface Way {
  readonly schema: Schema
  /** Of an entity class: what is known of it and the rows of its kind. */
  readonly known: KnownEntity | undefined
  /** Of a literal `[S]`: the way of its members, found when the first is met. */
  member: Way | undefined
  /** Of an entity class: the ways of its relations in the order of the class, found when the first entity is met. */
  relations: readonly Way[] | undefined
  /** Of an entity class with relations: the values that spoke of a row last, by the rows' slots. */
  readonly inputs: object[]
}

/** The ways that one walk takes. */
export class Ways {
  readonly #infos: EntityInfos
  readonly #known = new Map<Schema, Way>()
  #last: Way | undefined = undefined

  constructor(infos: EntityInfos) {
    this.#infos = infos
  }

  /** The way of a schema; mostly it is the one that was asked for last. */
  of(schema: Schema): Way {
    const last = this.#last
    if (last !== undefined && last.schema === schema) return last
    const way = this.#known.get(schema) ?? this.#find(schema)
    this.#last = way
    return way
  }

  /** The way of the members of a literal `[S]`; undefined for other schemas. */
  memberOf(way: Way): Way | undefined {
    const { schema } = way
    if (way.member === undefined && isArraySchema(schema) && schema.length === 1) way.member = this.of(schema[0])
    return way.member
  }

  /** The ways of an entity's relations. */
  relationsOf(way: Way): readonly Way[] {
    return way.relations ?? this.#findRelations(way)
  }

  #findRelations(way: Way): readonly Way[] {
    way.relations = way.known?.info.relations.map(({ schema }) => this.of(schema)) ?? []
    return way.relations
  }

  #find(schema: Schema): Way {
    const known = isEntity(schema) ? this.#infos.of(schema) : undefined
    const way: Way = { schema, known, member: undefined, relations: undefined, inputs: [] }
    this.#known.set(schema, way)
    return way
  }
}
