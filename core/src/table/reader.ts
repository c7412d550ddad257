import { deserializer } from '../schema/deserializer.js'
import {
  type DenormalizeContext,
  type EntityInterface,
  INVALID,
  isArraySchema,
  isEntity,
  isSchemaObject,
  type ListSchema,
  type LookupContext,
  type RowRecord,
  type Schema,
} from '../schema/schema.js'
import { isEmbedded } from './row.js'

/** Builds values from stored data by a schema: the code that shared and fresh views have in common. */
export abstract class Reader implements DenormalizeContext, LookupContext {
  args: readonly unknown[] = []

  abstract row(schema: EntityInterface | ListSchema, pk: string | RowRecord): unknown
  abstract record(kind: string, pk: string): RowRecord | undefined
  abstract all(kind: string): readonly string[]
  abstract has(schema: EntityInterface | ListSchema, pk: string): boolean
  abstract byIndex(entity: EntityInterface, field: string, value: unknown): string | undefined
  abstract hasKind(kind: string): boolean

  /** The value of a schema: undefined if it is missing, INVALID if it is deleted. */
  visit(schema: Schema, value: unknown): unknown {
    if (value === undefined || value === null) return value
    if (isEntity(schema)) {
      if (typeof value !== 'object') return this.row(schema, String(value))
      return isEmbedded(value) ? this.row(schema, value) : undefined
    }
    if (typeof schema === 'function') return deserializer(schema)(value)
    if (typeof schema !== 'object' || schema === null) return value
    if (isSchemaObject(schema)) return schema.denormalize(value, this)
    if (isArraySchema(schema)) return this.#array(schema[0], value)
    return this.#object(schema, value)
  }

  /** Returns the stored value for these arguments, if the schema can find it without a request. */
  lookup(schema: Schema, args: readonly unknown[]): unknown {
    if (isEntity(schema)) return schema.queryKey(args, this)
    if (isSchemaObject(schema)) return schema.queryKey?.(args, this)
    if (typeof schema !== 'object' || schema === null || isArraySchema(schema)) return undefined
    return this.#lookupObject(schema, args)
  }

  #array(schema: Schema, value: unknown): unknown {
    if (!Array.isArray(value)) return value
    const items: unknown[] = []
    for (const item of value) {
      const view = this.visit(schema, item)
      if (view !== undefined && view !== INVALID) items.push(view)
    }
    return items
  }

  #object(schema: { readonly [field: string]: Schema }, value: unknown): unknown {
    if (typeof value !== 'object') return value
    const shown: Record<string, unknown> = { ...(value as Record<string, unknown>) }
    for (const field of Object.keys(schema)) {
      if (!Object.hasOwn(shown, field)) continue
      const view = this.visit(schema[field], shown[field])
      if (view === INVALID) return INVALID
      shown[field] = view
    }
    return shown
  }

  /** An object is found if all of its parts that can be looked up are. */
  #lookupObject(schema: { readonly [field: string]: Schema }, args: readonly unknown[]): unknown {
    const known: Record<string, unknown> = {}
    let parts = 0
    for (const [field, inner] of Object.entries(schema)) {
      if (inner === null || (typeof inner !== 'object' && typeof inner !== 'function')) continue
      const value = this.lookup(inner, args)
      if (value === undefined) return undefined
      known[field] = value
      parts++
    }
    return parts > 0 ? known : undefined
  }
}
