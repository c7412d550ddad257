import { Entity } from './entity.js'
import { defaultsOf, isPlainShape } from './instance.js'
import type { EntityInterface } from './schema.js'

/** Which parts of its life a class left as they are: where it did, the table takes short cuts that come to the same. */
export interface BaseLifecycle {
  /** The primary key is the field `id`. */
  readonly pk: boolean
  readonly process: boolean
  readonly validate: boolean
  /** `merge` is the incoming fields on top of the existing ones. */
  readonly merge: boolean
  /** Which answer wins, and what meta is kept, is left to the order of requests. */
  readonly order: boolean
  /** An instance is made of its fields alone, whatever its constructor does beside. */
  readonly fields: boolean
  /** An instance is a copied record with the defaults below and the prototype above it; nothing is validated. */
  readonly create: boolean
}

/**
 * Says which parts of an entity's life are the base ones.
 *
 * @example
 * ```ts
 * class Todo extends Entity { id = '' }
 * baseLifecycle(Todo).pk // true
 * ```
 */
export function baseLifecycle(entity: EntityInterface): BaseLifecycle {
  const validate = entity.validate === Entity.validate
  return {
    pk: entity.pk === Entity.pk && hasBasePk(entity.prototype),
    process: entity.process === Entity.process,
    validate,
    merge: entity.merge === Entity.merge,
    order: hasBaseOrder(entity),
    fields: 'fromJS' in entity && entity.fromJS === Entity.fromJS && entity.createIfValid === Entity.createIfValid,
    create: validate && hasBaseCreation(entity) && isPlainShape(entity, Entity),
  }
}

function hasBasePk(prototype: unknown): boolean {
  // A user's own class may have any prototype; only the one method matters.
  return (prototype as { readonly pk?: unknown } | undefined)?.pk === Entity.prototype.pk
}

function hasBaseCreation(entity: EntityInterface): boolean {
  const hasBaseFactory = 'fromJS' in entity && entity.fromJS === Entity.fromJS
  const hasBaseDefaults = entity.prototype !== undefined && entity.defaults === defaultsOf(entity)
  return hasBaseFactory && hasBaseDefaults && entity.createIfValid === Entity.createIfValid
}

function hasBaseOrder(entity: EntityInterface): boolean {
  return (
    entity.shouldUpdate === Entity.shouldUpdate &&
    entity.shouldReorder === Entity.shouldReorder &&
    entity.mergeWithStore === Entity.mergeWithStore &&
    entity.mergeMetaWithStore === Entity.mergeMetaWithStore
  )
}
