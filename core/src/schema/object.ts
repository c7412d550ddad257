import type {
  Denormalize,
  DenormalizeNullable,
  Normalize,
  NormalizeNullable,
  SchemaArgs,
  SchemaTypes,
} from './infer.js'
import { checkLiterals } from './literal.js'
import type { NormalizeContext, Schema, SchemaContract } from './schema.js'
import { Wrapper } from './wrapper.js'

type ObjectTypes<D> = SchemaTypes<
  Denormalize<D>,
  DenormalizeNullable<D>,
  Normalize<D>,
  NormalizeNullable<D>,
  SchemaArgs<D>
>

/**
 * A plain object without an identity, like `{ field: S }`.
 *
 * @remarks
 * Fields that are not declared are stored unchanged. If a declared member is deleted, the whole object counts as missing; a
 * missing member is undefined. A query finds a value if all of its parts that can be queried do.
 *
 * @example
 * ```ts
 * const Page = new ObjectSchema({ todos: [Todo], total: 0 })
 * ```
 */
export class ObjectSchema<const D extends { readonly [field: string]: unknown }> extends Wrapper {
  declare readonly '~types': ObjectTypes<D>
  readonly kind = 'object'
  readonly passesOn = true
  readonly definition: D

  constructor(definition: D) {
    super()
    if (process.env.NODE_ENV !== 'production') checkLiterals(definition, 'an Object')
    this.definition = definition
  }

  /** The definition, with a type that does not check its fields, so that an entity's schema can refer to the entity. */
  override get '~schema'(): { readonly [field: string]: Schema } {
    return this.definition as { readonly [field: string]: Schema }
  }

  override normalize(input: unknown, context: NormalizeContext, parent: unknown): unknown {
    return context.visit(this['~schema'], input, parent, undefined)
  }

  override map(f: (part: Schema) => Schema): SchemaContract {
    const mapped = Object.entries(this['~schema']).map(([field, part]) => [field, f(part)])
    // All other members, including overrides of a subclass, are this schema's.
    return Object.create(this, { definition: { value: Object.fromEntries(mapped) } })
  }
}
