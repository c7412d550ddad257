import { schemasIn } from '../schema/below.js'
import { Entity } from '../schema/entity.js'
import { accessorsOf, maker } from '../schema/instance.js'
import {
  type ArgsCode,
  type EntityInterface,
  INVALID,
  isArraySchema,
  isEntity,
  isSchemaObject,
  type RowRecord,
  type Schema,
} from '../schema/schema.js'
import { type Copy, copierFor } from '../util/inline-caches.js'

/** A field of an entity with a schema. */
export interface Relation {
  readonly field: string
  readonly schema: Schema
  /** True for a deserializer, which converts the stored value and refers to no row. */
  readonly isLeaf: boolean
  /** True if every object inherits a member of the field's name. */
  readonly isInherited: boolean
  /** True if another class of the key declares it: values that do not fit its schema belong to this class. */
  readonly isShared: boolean
  /** The class of a relation that is an entity or `[Entity]`; undefined for other schemas. */
  readonly target: EntityInterface | undefined
  /** True for `[Entity]`. */
  readonly isMany: boolean
  /** The information about the target after its first use; `homeOf` knows its type. */
  home: object | undefined
}

/**
 * The information about an entity class that normalizing and views need, computed once. It tells which methods the class
 * does not override, so that a shorter path can be taken.
 */
export interface EntityInfo {
  /** In development, true after a warning that `validate` rejects data that it has accepted. */
  isWarnedOf?: boolean
  readonly entity: EntityInterface
  readonly relations: readonly Relation[]
  /** The names of the fields that refer to other rows. */
  readonly isLink: ReadonlySet<string>
  /** True if the primary key is simply `id`. */
  readonly inheritsPk: boolean
  readonly inheritsProcess: boolean
  readonly inheritsValidate: boolean
  /** True if the class judges incoming records. */
  readonly isJudged: boolean
  /** True if `merge` puts the incoming fields on top of the existing ones. */
  readonly inheritsMerge: boolean
  /** True if the order of the store decides which response wins. */
  readonly inheritsOrder: boolean
  /** True if the class decides at most whether a response is used at all, with `shouldUpdate`. */
  readonly inheritsReorder: boolean
  /** True if both `inheritsMerge` and `inheritsOrder` are. */
  readonly inheritsWrite: boolean
  /** True if an instance is created from its fields alone. */
  readonly isFields: boolean
  /** True if instances add only methods to their fields, so that one may be stored in place of its record. */
  readonly isRecord: boolean
  /** The code that builds its views if they depend on the call's arguments. */
  readonly usesArgs: ArgsCode | undefined
  /** Copies a record of the class, at a call site shared with few other classes. */
  readonly copy: Copy
  /** Creates an instance, not yet frozen; INVALID if the class rejects the record. */
  create(record: RowRecord): unknown
}

/** Computes the information about a class. */
export function entityInfo(entity: EntityInterface): EntityInfo {
  const relations = Object.entries(entity.schema ?? {})
    // A schema that is neither an object nor a function only documents a field.
    .filter(([, schema]) => Object(schema) === schema)
    .map(([field, schema]) => relationOf(field, schema))
  const links = relations.filter(({ isLeaf }) => !isLeaf)
  const inheritsMerge = entity.merge === Entity.merge
  const inheritsReorder =
    entity.shouldReorder === Entity.shouldReorder &&
    entity.mergeWithStore === Entity.mergeWithStore &&
    entity.mergeMetaWithStore === Entity.mergeMetaWithStore
  const inheritsOrder = inheritsReorder && entity.shouldUpdate === Entity.shouldUpdate
  const inheritsWrite = inheritsMerge && inheritsOrder
  const inheritsValidate = entity.validate === Entity.validate
  const isFields =
    'fromJS' in entity && entity.fromJS === Entity.fromJS && entity.createIfValid === Entity.createIfValid
  return {
    entity,
    relations,
    isLink: new Set(links.map(({ field }) => field)),
    // A class that does not extend `Entity` may have any prototype, of which only `pk` matters.
    inheritsPk:
      entity.pk === Entity.pk && (entity.prototype as Partial<Entity> | undefined)?.pk === Entity.prototype.pk,
    inheritsProcess: entity.process === Entity.process,
    inheritsValidate,
    isJudged: entity.judge !== undefined,
    inheritsMerge,
    inheritsOrder,
    inheritsReorder,
    inheritsWrite,
    isFields,
    isRecord:
      relations.length === 0 && isFields && inheritsValidate && inheritsWrite && accessorsOf(entity).length === 1,
    usesArgs: usesArgs(entity),
    copy: copierFor(entity.key),
    create: isFields && inheritsValidate ? maker(entity) : (record) => entity.createIfValid(record) ?? INVALID,
  }
}

function relationOf(field: string, schema: Schema): Relation {
  const isMany = isArraySchema(schema)
  // An array literal of several schemas is an error of its author.
  const target = !isMany ? schema : schema.length === 1 ? schema[0] : undefined
  return {
    field,
    schema,
    isLeaf: typeof schema === 'function' && !isEntity(schema),
    isInherited: field in Object.prototype,
    isShared: false,
    target: isEntity(target) ? target : undefined,
    isMany,
    home: undefined,
  }
}

/** Returns the `usesArgs` of a schema or of a part of it. */
export function usesArgs(schema: Schema): ArgsCode | undefined {
  for (const each of schemasIn(schema)) if (isSchemaObject(each) && each.usesArgs) return each.usesArgs
  return undefined
}
