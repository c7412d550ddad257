import type { Denormalize, DenormalizeNullable, EntityClass, Normalize, SchemaArgs, SchemaTypes } from './infer.js'
import { checkLiterals } from './literal.js'
import {
  isEntity,
  isRowSchema,
  type LookupContext,
  type NormalizeContext,
  type Schema,
  type SchemaContract,
} from './schema.js'
import { Wrapper } from './wrapper.js'

/** The value of a lazy field, with primary keys instead of entities, and a plain object for a map. */
export type LazyValue<S> =
  Normalize<S> extends ReadonlyMap<string, infer Member> ? { readonly [key: string]: Member } : Normalize<S>

/** The arguments of `.query`: those of a schema with an identity (for a list also its key), or else the field's value. */
export type LazyArgs<S> =
  S extends EntityClass<unknown>
    ? SchemaArgs<S>
    : S extends { readonly isMap: boolean }
      ? SchemaArgs<S> | [list: string]
      : [value: LazyValue<S>]

type LazyTypes<S> = SchemaTypes<LazyValue<S>, LazyValue<S> | undefined, Normalize<S>>

/**
 * A relation that is resolved only on demand, with `.query`. The entity does not depend on rows below this field, so their
 * changes do not change it.
 *
 * @example
 * ```ts
 * class Board extends Entity {
 *   static override key = 'Board'
 *   static override schema = { cards: new Lazy([Card]) }
 *   id = ''
 *   cards: string[] = []
 * }
 * controller.get(Board.schema.cards.query, board.cards)
 * ```
 */
export class Lazy<const S> implements SchemaContract {
  declare readonly '~types': LazyTypes<S>
  readonly kind = 'lazy'
  readonly passesOn = true
  /** The schema that resolves the field's value, for `controller.get`, `controller.view` and `useQuery`. */
  readonly query: LazyQuery<S>
  readonly #schema: Schema

  constructor(schema: S) {
    if (process.env.NODE_ENV !== 'production') checkLiterals(schema, 'a Lazy')
    // The type of the schema is unconstrained, so that an entity's schema can refer to the entity.
    this.#schema = schema as Schema
    this.query = new LazyQuery(schema)
  }

  normalize(input: unknown, context: NormalizeContext, parent: unknown, field: string | undefined): unknown {
    return context.visit(this.#schema, input, parent, field)
  }

  denormalize(stored: unknown): unknown {
    return stored instanceof Map ? Object.fromEntries(stored) : stored
  }

  refs(
    value: unknown,
    each: (schema: Schema, value: unknown) => void,
    keysOf?: (kind: string) => readonly string[],
  ): void {
    // Views do not depend on the rows below, but retention keeps them, since `.query` may read them at any time.
    if (keysOf !== undefined) each(this.#schema, value)
  }

  map(f: (part: Schema) => Schema): SchemaContract {
    return new Lazy(f(this.#schema))
  }
}

type LazyQueryTypes<S> = SchemaTypes<
  Denormalize<S>,
  DenormalizeNullable<S> | undefined,
  Normalize<S>,
  Normalize<S>,
  LazyArgs<S>
>

/** The schema that resolves the value of a lazy field. */
export class LazyQuery<const S> extends Wrapper {
  declare readonly '~types': LazyQueryTypes<S>
  readonly passesOn = true
  override readonly '~schema': Schema

  constructor(schema: S) {
    super()
    // Unconstrained, as in Lazy.
    this['~schema'] = schema as Schema
  }

  override queryKey(args: readonly unknown[], context: LookupContext): unknown {
    const schema = this['~schema']
    const [value] = args
    if (isEntity(schema)) return context.lookup(schema, args)
    if (!isRowSchema(schema)) return value
    return typeof value === 'string' && context.has(schema, value) ? value : context.lookup(schema, args)
  }

  override map(f: (part: Schema) => Schema): SchemaContract {
    return new LazyQuery(f(this['~schema']))
  }
}
