import { schemasBelow } from '../schema/below.js'
import { Entity } from '../schema/entity.js'
import { makeInstance } from '../schema/instance.js'
import {
  type EntityInterface,
  INVALID,
  isArraySchema,
  isEntity,
  isSchemaObject,
  type RowRecord,
  type Schema,
} from '../schema/schema.js'
import { type Copy, copierFor } from '../util/inline-caches.js'

/** A field of an entity that is more than its plain value. */
export interface Relation {
  readonly field: string
  readonly schema: Schema
  /** True for a deserializer: it shows the stored value in another form and leads to no other row. */
  readonly isLeaf: boolean
  /** True if every object has something of that name without having the field. */
  readonly isInherited: boolean
  /** The class in a relation that is an entity or `[Entity]`; other schemas show themselves. */
  readonly target: EntityInterface | undefined
  /** True for `[Entity]`. */
  readonly isMany: boolean
  /** What is known of the target, once it has been looked up; `homeOf` knows its type. */
  home: object | undefined
}

/** What normalizing and the views need to know of an entity class, found once: what the class left as it was takes a shorter way. */
export interface EntityInfo {
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
  /** True if `merge` is the incoming fields on top of the existing ones. */
  readonly plainMerge: boolean
  /** True if the class leaves it to the order of the store which response wins. */
  readonly plainOrder: boolean
  /** True if an instance is made of its fields alone. */
  readonly isFields: boolean
  /** True if what a view of it shows depends on the call's arguments. */
  readonly usesArgs: boolean
  /** Copies a record of the class, at a call site that few other classes share. */
  readonly copy: Copy
  /** A new instance, not yet frozen; INVALID if the class refuses the record. */
  create(record: RowRecord): unknown
}

/** What is to be known of a class. */
export function entityInfo(entity: EntityInterface): EntityInfo {
  const relations = Object.entries(entity.schema ?? {})
    .filter(([, schema]) => !isPlaceholder(schema))
    .map(([field, schema]) => relationOf(field, schema))
  const links = relations.filter(({ isLeaf }) => !isLeaf)
  const plainValidate = entity.validate === Entity.validate
  const isFields =
    'fromJS' in entity && entity.fromJS === Entity.fromJS && entity.createIfValid === Entity.createIfValid
  return {
    entity,
    relations,
    isLink: new Set(links.map(({ field }) => field)),
    hasLinks: links.length > 0,
    // A user's own class may have any prototype; only the one method matters.
    plainPk: entity.pk === Entity.pk && (entity.prototype as Partial<Entity> | undefined)?.pk === Entity.prototype.pk,
    plainProcess: entity.process === Entity.process,
    plainValidate,
    plainMerge: entity.merge === Entity.merge,
    plainOrder:
      entity.shouldUpdate === Entity.shouldUpdate &&
      entity.shouldReorder === Entity.shouldReorder &&
      entity.mergeWithStore === Entity.mergeWithStore &&
      entity.mergeMetaWithStore === Entity.mergeMetaWithStore,
    isFields,
    usesArgs: usesArgs(entity, new Set()),
    copy: copierFor(entity.key),
    create:
      isFields && plainValidate
        ? (record) => makeInstance(entity, record)
        : (record) => entity.createIfValid(record) ?? INVALID,
  }
}

/** Other values in a schema only document a field. */
function isPlaceholder(schema: Schema): boolean {
  return schema === null || (typeof schema !== 'object' && typeof schema !== 'function')
}

function relationOf(field: string, schema: Schema): Relation {
  const isMany = isArraySchema(schema)
  const target = isMany ? schema[0] : schema
  return {
    field,
    schema,
    isLeaf: typeof schema === 'function' && !isEntity(schema),
    isInherited: field in Object.prototype,
    target: isEntity(target) ? target : undefined,
    isMany,
    home: undefined,
  }
}

/** Whether what a schema shows depends on the call's arguments, itself or anything that it leads to. */
export function usesArgs(schema: Schema, seen: Set<unknown>): boolean {
  if (seen.has(schema)) return false
  seen.add(schema)
  if (isSchemaObject(schema) && schema.usesArgs === true) return true
  return schemasBelow(schema).some((below) => usesArgs(below, seen))
}
