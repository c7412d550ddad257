// The names that applications import from @data-client/normalizr.
import { type EntityInterface, INVALID, type Schema } from '@roundtable/core'
import { type NotCarried, notCarried } from './not-carried.js'

export { denormalize, ExpiryStatus, normalize } from '@roundtable/core'
export * from './endpoint.js'

/** Returns true for an entity class. */
export function isEntity(schema: Schema): schema is EntityInterface {
  return schema !== null && (schema as { readonly pk?: unknown } | undefined)?.pk !== undefined
}

/** Returns false if a part of a query's key is undefined. */
export function validateQueryKey(key: unknown): boolean {
  if (key === undefined) return false
  if (typeof key === 'object' && key !== null) return Object.values(key).every(validateQueryKey)
  return key !== INVALID
}

const instead = 'the controller remembers what it has read: controller.get(schema, ...args).'
/** Throws: the controller remembers what it has read. */
export const MemoCache: NotCarried = notCarried('MemoCache', instead)
/** Throws: the controller remembers what it has read. */
export const WeakDependencyMap: NotCarried = notCarried('WeakDependencyMap', instead)
/** Throws: the controller remembers what it has read. */
export const BaseDelegate: NotCarried = notCarried('BaseDelegate', instead)
/** Throws: the controller remembers what it has read. */
export const MemoPolicy: NotCarried = notCarried('MemoPolicy', instead)
