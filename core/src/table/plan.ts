import type { EntityInterface, RowRecord, Schema } from '../schema/schema.js'
import type { Compare, Copy } from '../util/inline-caches.js'

/** A field of an entity that is more than its plain value. */
export interface Relation {
  readonly field: string
  readonly schema: Schema
  /** True for a deserializer: it shows the kept value in another form and leads to no other row. */
  readonly isLeaf: boolean
  /** True if every object has something of that name without having the field. */
  readonly isInherited: boolean
  /** The class in a relation that is an entity or `[Entity]`; other schemas show themselves. */
  readonly target: EntityInterface | undefined
  /** True for `[Entity]`. */
  readonly isMany: boolean
  /** What is known of the target, once it has been looked for; `homeOf` knows its type. */
  home: object | undefined
}

/** What the table needs to know of an entity class, found out once: the fast ways are taken only where the class left them as they are. */
export interface Plan {
  readonly entity: EntityInterface
  readonly relations: readonly Relation[]
  /** The names of those fields that lead to other rows. */
  readonly isLink: ReadonlySet<string>
  /** True if some relation leads to other rows. */
  readonly hasLinks: boolean
  /** True if the primary key is simply `id`. */
  readonly plainPk: boolean
  readonly plainProcess: boolean
  readonly plainValidate: boolean
  readonly plainMerge: boolean
  /** True if the class leaves it to the order of the store which answer wins. */
  readonly plainOrder: boolean
  /** True if an instance is its fields: nothing of a record is kept elsewhere in it. */
  readonly isFields: boolean
  /** True if what a view of it shows depends on the call's arguments. */
  readonly usesArgs: boolean
  /** Copies a record of the class: each class has a place of the program for that, where the engine knows its form. */
  readonly copy: Copy
  /** True if a record has the fields of another and no more, and equal values where they are no relations. */
  readonly holdsJust: Compare
  /** A new instance, not yet frozen; INVALID if the class refuses the record. */
  create(record: RowRecord): unknown
}
