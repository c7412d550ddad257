import { hasFields, put } from '../util/plain.js'
import type { Denormalize, Normalize, SchemaTypes, Typed } from './infer.js'
import {
  type DenormalizeContext,
  INVALID,
  type NormalizeContext,
  type RowRecord,
  type Schema,
  type SchemaContract,
} from './schema.js'
import { type KindAttribute, type Kinds, memberSchema, type Union } from './union.js'

type ValuesTypes<M> = SchemaTypes<
  { readonly [key: string]: Denormalize<M> },
  { readonly [key: string]: Denormalize<M> },
  ReadonlyMap<string, Normalize<M>>
>

/** A map from any key to an `M`. */
export interface Values<M = unknown> extends SchemaContract, Typed<ValuesTypes<M>> {
  /** The schema of one member. */
  readonly member: Schema
  readonly kind: 'map'
}

interface ValuesConstructor {
  new <const S>(member: S): Values<S>
  new <const K extends Kinds>(kinds: K, attribute: KindAttribute<K>): Values<Union<K>>
}

/**
 * A map with any keys, in a response an object: `{ '5': { … }, '7': { … } }`.
 *
 * @remarks
 * Members that are null in the response, deleted or missing are left out; `0`, `''` and `false` stay.
 *
 * @example
 * ```ts
 * const Rates = new Values(Rate)
 * const Things = new Values({ post: Post, photo: Photo }, 'type')
 * ```
 */
export const Values: ValuesConstructor = class implements SchemaContract {
  // The constructor's signatures declare the types.
  declare readonly '~types': never
  readonly kind = 'map'
  readonly passesOn = true
  readonly member: Schema

  constructor(definition: unknown, attribute?: unknown) {
    this.member = memberSchema(definition, attribute)
  }

  normalize(input: unknown, context: NormalizeContext): ReadonlyMap<string, unknown> {
    const record = objectOf(input, context)
    const stored = new Map<string, unknown>()
    for (const key of Object.keys(record)) {
      const value = context.visit(this.member, record[key], record, key)
      if (value !== undefined && value !== null) stored.set(key, value)
    }
    return stored
  }

  denormalize(value: unknown, context: DenormalizeContext): unknown {
    return showValues(this.member, value, context)
  }

  refs(value: unknown, each: (schema: Schema, value: unknown) => void): void {
    for (const [, item] of storedEntries(value)) each(this.member, item)
  }

  parts(): readonly Schema[] {
    return [this.member]
  }

  map(f: (part: Schema) => Schema): SchemaContract {
    return new Values(f(this.member))
  }
}

/**
 * Returns the input as an object of members.
 *
 * @throws SchemaError for anything but an object
 */
export function objectOf(input: unknown, context: NormalizeContext): RowRecord {
  if (typeof input !== 'object' || input === null || Array.isArray(input) || !hasFields(input))
    return context.fail('an object', input)
  // Any object may be read by key, and the member's schema checks its values.
  return input as RowRecord
}

/** Returns the value of a stored map without missing members; `show` returns the value of one member. */
export function showValues(
  member: Schema,
  value: unknown,
  context: DenormalizeContext,
  show = (item: unknown): unknown => context.visit(member, item),
): unknown {
  const shown: Record<string, unknown> = {}
  for (const [key, item] of storedEntries(value)) {
    const view = show(item)
    if (view !== undefined && view !== INVALID) put(shown, key, view)
  }
  return shown
}

/** Returns the members of a stored map. A plain object counts as one, so that `Lazy` can return a map and read it again. */
export function storedEntries(value: unknown): Iterable<readonly [string, unknown]> {
  if (value instanceof Map) return value
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}
