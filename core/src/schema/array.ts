import type { Denormalize, Normalize, SchemaTypes, Typed } from './infer.js'
import type { DenormalizeContext, NormalizeContext, Schema, SchemaContract } from './schema.js'
import { type KindAttribute, type Kinds, memberSchema, type Union } from './union.js'

type ArrayTypes<M> = SchemaTypes<readonly Denormalize<M>[], readonly Denormalize<M>[], Normalize<M>[]>

/** A plain list of `M`, without an identity. */
export interface ArraySchema<M = unknown> extends SchemaContract, Typed<ArrayTypes<M>> {
  /** The schema of one member. */
  readonly member: Schema
  readonly kind: 'array'
}

interface ArrayConstructor {
  new <const S>(member: S): ArraySchema<S>
  new <const K extends Kinds>(kinds: K, attribute: KindAttribute<K>): ArraySchema<Union<K>>
}

/**
 * A plain list without an identity, like `[S]`, whose members may also be of several entities.
 *
 * @remarks
 * Deleted and missing members are left out; `null` stays.
 *
 * @example
 * ```ts
 * const Feed = new ArraySchema({ post: Post, photo: Photo }, 'type')
 * ```
 */
export const ArraySchema: ArrayConstructor = class implements SchemaContract {
  // The constructor's signatures declare the types.
  declare readonly '~types': never
  readonly kind = 'array'
  readonly passesOn = true
  readonly member: Schema
  readonly #literal: readonly [Schema]

  constructor(definition: unknown, attribute?: unknown) {
    this.member = memberSchema(definition, attribute)
    this.#literal = [this.member]
  }

  normalize(input: unknown, context: NormalizeContext, parent: unknown): unknown {
    return context.visit(this.#literal, input, parent, undefined)
  }

  denormalize(value: unknown, context: DenormalizeContext): unknown {
    return context.visit(this.#literal, value)
  }

  refs(value: unknown, each: (schema: Schema, value: unknown) => void): void {
    each(this.#literal, value)
  }

  parts(): readonly Schema[] {
    return this.#literal
  }

  map(f: (part: Schema) => Schema): SchemaContract {
    return new ArraySchema(f(this.member))
  }
}
