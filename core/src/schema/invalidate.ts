import { OptionError } from '../util/errors.js'
import type { Denormalize, Normalize, SchemaTypes, Typed } from './infer.js'
import {
  argsPk,
  isEmpty,
  isUnknownKind,
  mayBeReceipt,
  memberOf,
  namedByArgs,
  namedRef,
  type PlacedValue,
} from './named.js'
import {
  type DenormalizeContext,
  isEntity,
  isUnion,
  type NormalizeContext,
  type Ref,
  type Schema,
  type SchemaContract,
} from './schema.js'
import { type KindAttribute, type Kinds, memberSchema, type Union } from './union.js'

type InvalidateTypes<M> = SchemaTypes<Denormalize<M>, Denormalize<M> | undefined, Normalize<M>>

/** The type of `Invalidate`: the deletion of an `M`. */
export interface Invalidate<M = unknown> extends SchemaContract, Typed<InvalidateTypes<M>> {
  readonly takesEmpty: true
  readonly deletes: true
}

interface InvalidateConstructor {
  new <const S>(entity: S): Invalidate<S>
  new <const K extends Kinds>(kinds: K, attribute: KindAttribute<K>): Invalidate<Union<K>>
}

/** Deletes the rows of a schema: `Invalidate` without the short form for several entities, which would require Union. */
export class Deletion implements SchemaContract {
  // `Invalidate` declares the types.
  declare readonly '~types': never
  readonly passesOn = true
  readonly takesEmpty = true
  readonly deletes = true
  readonly #target: Schema

  constructor(target: Schema) {
    this.#target = target
    if (!isEntity(this.#target) && !isUnion(this.#target)) {
      const hint = process.env.NODE_ENV === 'production' ? '' : ', since only these have rows to delete'
      throw new OptionError('schema', `of Invalidate must be an entity or a Union${hint}.`)
    }
  }

  normalize(input: unknown, context: NormalizeContext, parent: unknown, field: string | undefined): unknown {
    if (Array.isArray(input) && input.length > 0) {
      return input.map((item, i) => {
        const placed: PlacedValue = { input: item, parent, field }
        if (isUnknownKind(this.#target, placed)) return context.visit(this.#target, item, parent, i)
        const named = namedRef(this.#target, placed, context)
        return this.#delete(named ?? context.fail('an entity or its primary key', item, i), context)
      })
    }
    // A member of a type unknown to the union is deleted on the server. The table has no row for it.
    const placed: PlacedValue = { input, parent, field }
    if (isUnknownKind(this.#target, placed)) return context.visit(this.#target, input, parent, field)
    const isByArgs = mayBeReceipt(placed) && (namedByArgs(this.#target, context).length > 0 || this.#mayName(context))
    const named = isByArgs ? undefined : namedRef(this.#target, placed, context)
    if (named !== undefined) return this.#delete(named, context)
    return this.#deleteByArgs(input, context)
  }

  denormalize(stored: unknown, context: DenormalizeContext): unknown {
    return context.visit(Array.isArray(stored) ? [this.#target] : this.#target, stored)
  }

  refs(stored: unknown, each: (schema: Schema, value: unknown) => void): void {
    each(Array.isArray(stored) ? [this.#target] : this.#target, stored)
  }

  parts(): readonly Schema[] {
    return [this.#target]
  }

  #deleteByArgs(input: unknown, context: NormalizeContext): unknown {
    const refs = namedByArgs(this.#target, context)
    if (refs.length === 0 && this.#mayName(context)) return undefined
    if (refs.length === 0 && !Array.isArray(input)) {
      return context.fail('an entity, its primary key, or arguments that name it', isEmpty(input) ? undefined : input)
    }
    for (const ref of refs) this.#delete(ref, context)
    return refs.length === 1 ? refs[0] : refs
  }

  /**
   * True if the arguments may refer to a row that the table lacks: by an index, or in a union, in which only the row has the
   * discriminator.
   */
  #mayName(context: NormalizeContext): boolean {
    const { args } = context
    const target = this.#target
    const entities = isUnion(target) ? target.parts() : isEntity(target) ? [target] : []
    return entities.some(
      (entity) =>
        entity.indexes?.some((field) => memberOf(args[0], field) !== undefined) ||
        (isUnion(target) && args.some((arg) => argsPk(entity, arg, context) !== undefined)),
    )
  }

  #delete(ref: Ref, context: NormalizeContext): Ref {
    const target = this.#target
    if (typeof ref === 'string') {
      if (isEntity(target)) context.invalidate(target.key, ref)
      return ref
    }
    const entity = isUnion(target) ? target.entityOf(ref.schema) : undefined
    if (entity !== undefined) context.invalidate(entity.key, ref.id)
    return ref
  }
}

/**
 * Deletes the row that a response identifies: lists drop it, and endpoints whose data requires it fetch again.
 *
 * @remarks
 * The response may be the entity, `{ id }`, a primary key, or an array of these. If it identifies no row, the
 * arguments do. They win over a response that is a string or a number, since that may be a receipt: "ok", or the
 * number of deleted rows.
 *
 * @example
 * ```ts
 * const deleteTodo = new RestEndpoint({ path: '/todos/:id', method: 'DELETE', schema: new Invalidate(Todo) })
 * ```
 * @throws OptionError for anything but an entity or a Union
 */
export const Invalidate: InvalidateConstructor = class extends Deletion {
  constructor(definition: unknown, attribute?: unknown) {
    super(memberSchema(definition, attribute))
  }
}
