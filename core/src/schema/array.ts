import type { Denormalize, Normalize, SchemaTypes, Typed } from './infer.js'
import { type DenormalizeContext, INVALID, type NormalizeContext, type Schema, type SchemaContract } from './schema.js'
import { type KindAttribute, type Kinds, memberSchema, type Union } from './union.js'

type ArrayTypes<M> = SchemaTypes<Denormalize<M>[], Denormalize<M>[], Normalize<M>[]>

/** A list of `M` without an identity of its own. */
export interface ArraySchema<M = unknown> extends SchemaContract, Typed<ArrayTypes<M>> {
  /** The schema of one member. */
  readonly member: Schema
}

interface ArrayConstructor {
  new <const S>(member: S): ArraySchema<S>
  new <const K extends Kinds>(kinds: K, attribute: KindAttribute<K>): ArraySchema<Union<K>>
}

/**
 * A list without an identity of its own, as `[S]` is; beyond that its members may be of several kinds.
 *
 * @remarks
 * Deleted and missing members vanish from what is shown; `null` stays.
 *
 * @example
 * ```ts
 * const Feed = new ArraySchema({ post: Post, photo: Photo }, (item) => item.type)
 * ```
 */
export const ArraySchema: ArrayConstructor = class implements SchemaContract {
  // Each constructor signature says its own types.
  declare readonly '~types': never
  readonly member: Schema

  constructor(definition: unknown, attribute?: unknown) {
    this.member = memberSchema(definition, attribute)
  }

  normalize(input: unknown, context: NormalizeContext, parent: unknown): unknown {
    return normalizeArray(this.member, input, context, parent)
  }

  denormalize(value: unknown, context: DenormalizeContext): unknown {
    return denormalizeArray(this.member, value, context)
  }

  refs(value: unknown, each: (schema: Schema, value: unknown) => void): void {
    if (Array.isArray(value)) for (const item of value) each(this.member, item)
  }

  parts(): readonly Schema[] {
    return [this.member]
  }
}

/** Normalizes each member of an array. */
export function normalizeArray(
  member: Schema,
  input: unknown,
  context: NormalizeContext,
  parent: unknown,
): readonly unknown[] {
  if (!Array.isArray(input)) return context.fail('an array', input)
  const kept: unknown[] = []
  for (let i = 0; i < input.length; i++) kept.push(context.visit(member, input[i], parent, i))
  return kept
}

/** Shows the members of an array that are there; `null` stays. */
export function denormalizeArray(member: Schema, value: unknown, context: DenormalizeContext): unknown {
  if (!Array.isArray(value)) return value
  const shown: unknown[] = []
  for (const item of value) {
    const view = item === null ? null : context.visit(member, item)
    if (view !== undefined && view !== INVALID) shown.push(view)
  }
  return shown
}
