import { OptionError } from '../util/errors.js'
import { hasFields } from '../util/plain.js'
import type { Denormalize, SchemaTypes, Typed } from './infer.js'
import {
  type DenormalizeContext,
  INVALID,
  isEntity,
  isUnion,
  type LookupContext,
  type NormalizeContext,
  type Schema,
  type SchemaContract,
} from './schema.js'
import { type KindAttribute, type Kinds, memberSchema, type Union } from './union.js'

/** The stored value of `All`: its members are looked up on each read. */
type Everything = '*'

const everything: Everything = '*'

type AllTypes<M> = SchemaTypes<
  readonly Denormalize<M>[],
  readonly Denormalize<M>[] | undefined,
  Everything,
  Everything | undefined,
  []
>

/** The type of `All`: every row of an entity, or of the entities of a union. */
export interface All<M = unknown> extends SchemaContract, Typed<AllTypes<M>> {
  queryKey(args: readonly unknown[], context: LookupContext): Everything | undefined
}

interface AllConstructor {
  new <const S>(entity: S): All<S>
  new <const K extends Kinds>(kinds: K, attribute: KindAttribute<K>): All<Union<K>>
}

/**
 * All stored rows of an entity, whichever response contained them, in the order in which they arrived.
 *
 * @remarks
 * A response with this schema adds its rows; it does not remove others.
 *
 * @example
 * ```ts
 * const allTodos = new All(Todo)
 * controller.get(allTodos)
 * ```
 * @throws OptionError for anything but an entity or a Union
 */
export const All: AllConstructor = class implements SchemaContract {
  // Each constructor signature has its own types.
  declare readonly '~types': never
  readonly passesOn = true
  readonly #member: Schema

  constructor(definition: unknown, attribute?: unknown) {
    this.#member = memberSchema(definition, attribute)
    if (!isEntity(this.#member) && !isUnion(this.#member)) {
      const hint = process.env.NODE_ENV === 'production' ? '' : ' Use an array for other data.'
      throw new OptionError('schema', `of All must be an entity or a Union.${hint}`)
    }
  }

  normalize(input: unknown, context: NormalizeContext, parent: unknown): Everything {
    if (typeof input !== 'object' || input === null || !hasFields(input)) return context.fail('an array', input)
    context.visit([this.#member], Array.isArray(input) ? input : Object.values(input), parent, undefined)
    return everything
  }

  denormalize(_value: unknown, context: DenormalizeContext): unknown {
    const shown: unknown[] = []
    for (const entity of this.#entities()) {
      for (const pk of context.all(entity.key)) {
        const view = context.visit(entity, pk)
        if (view !== undefined && view !== INVALID) shown.push(view)
      }
    }
    return shown
  }

  queryKey(_args: readonly unknown[], context: LookupContext): Everything | undefined {
    return this.#entities().some(({ key }) => context.hasKind(key)) ? everything : undefined
  }

  refs(
    _value: unknown,
    each: (schema: Schema, value: unknown) => void,
    keysOf?: (kind: string) => readonly string[],
  ): void {
    if (keysOf !== undefined) for (const entity of this.#entities()) each([entity], keysOf(entity.key))
  }

  parts(): readonly Schema[] {
    return [this.#member]
  }

  #entities() {
    const member = this.#member
    return isUnion(member) ? member.parts() : isEntity(member) ? [member] : []
  }
}
