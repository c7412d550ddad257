import { OptionError } from '../util/errors.js'
import type { DataField, Denormalize, EntityClass, EntityFields, SchemaTypes } from './infer.js'
import { checkLiterals } from './literal.js'
import type {
  DenormalizeContext,
  EntityInterface,
  LookupContext,
  NormalizeContext,
  RowRecord,
  Schema,
  SchemaContract,
  UnionRef,
} from './schema.js'

/**
 * Entities by the names of their kinds in a union. Only what makes them entities is asked for: looking at `schema` too would make a
 * ring of types where an entity's schema holds a union with itself.
 */
export type Kinds = { readonly [kind: string]: EntityClass<unknown> }

/** What tells the kinds of a union apart: a field that every one has, or a function of the payload. */
export type KindAttribute<K> =
  | DataField<Instances<K>>
  // biome-ignore lint/suspicious/noExplicitAny: a payload before it has a type; unknown would refuse `(value) => value.type`.
  | ((value: any, parent: any, field: string | undefined) => keyof K & string)

/** The instances of all kinds of a union. */
export type Instances<K> = Denormalize<K[keyof K]>

/** A reference into a union whose kinds are known. */
export interface KindRef<K> extends UnionRef {
  readonly schema: keyof K & string
}

/** The fields by which a member of a union is asked for: those of one kind. */
type FieldsOfAny<Instance> = Instance extends unknown ? EntityFields<Instance> : never

type UnionTypes<K> = SchemaTypes<
  Instances<K>,
  Instances<K> | undefined,
  KindRef<K>,
  KindRef<K> | undefined,
  [fields: FieldsOfAny<Instances<K>>]
>

/**
 * One of several entities, told apart by a field or a function of the payload.
 *
 * @remarks
 * A payload of a kind that is not listed stays as it came, with a warning in development: a server may learn new kinds first.
 *
 * @example
 * ```ts
 * const Actor = new Union({ user: User, group: Group }, 'type')
 * ```
 * @throws OptionError without an attribute
 */
export class Union<const K extends Kinds> implements SchemaContract {
  declare readonly '~types': UnionTypes<K>
  readonly passesOn = true
  readonly kinds: K
  readonly attribute: KindAttribute<K>
  #hasWarned = false

  constructor(kinds: K, attribute: KindAttribute<K>) {
    if (typeof attribute !== 'function' && (typeof attribute !== 'string' || attribute === '')) {
      const hint =
        process.env.NODE_ENV === 'production' ? '' : ' Name the field that tells its kinds apart, or give a function.'
      throw new OptionError('attribute', `is missing on a Union.${hint}`)
    }
    this.kinds = kinds
    this.attribute = attribute
  }

  /** The entity of a kind. */
  entityOf(kind: string): EntityInterface | undefined {
    // Whatever has the static members of an entity is one; `Kinds` says no more of them than types can bear.
    return Object.hasOwn(this.kinds, kind) ? (this.kinds[kind] as unknown as EntityInterface) : undefined
  }

  normalize(input: unknown, context: NormalizeContext, parent: unknown, field: string | undefined): unknown {
    const schema = this.kindOf(input, parent, field)
    const entity = schema === undefined ? undefined : this.entityOf(schema)
    if (entity === undefined) return this.#leave(input, schema)
    const id = context.visit(entity, input, parent, field)
    return typeof id === 'string' ? { id, schema } : undefined
  }

  denormalize(value: unknown, context: DenormalizeContext): unknown {
    const entity = this.#entityAt(value)
    if (entity !== undefined) return context.visit(entity, (value as UnionRef).id)
    const inline = this.#inlineAt(value)
    return inline === undefined ? value : context.visit(inline, value)
  }

  queryKey(args: readonly unknown[], context: LookupContext): UnionRef | undefined {
    const named = this.kindOf(args[0], undefined, undefined)
    const kinds = named !== undefined && this.entityOf(named) !== undefined ? [named] : Object.keys(this.kinds)
    for (const schema of kinds) {
      const id = context.lookup(this.entityOf(schema), args)
      if (typeof id === 'string') return { id, schema }
    }
    return undefined
  }

  refs(value: unknown, each: (schema: Schema, value: unknown) => void): void {
    const entity = this.#entityAt(value)
    const inline = entity === undefined ? this.#inlineAt(value) : undefined
    if (entity !== undefined) each(entity, (value as UnionRef).id)
    else if (inline !== undefined) each(inline, value)
  }

  parts(): readonly EntityInterface[] {
    // As in `entityOf`.
    return Object.values(this.kinds) as readonly unknown[] as readonly EntityInterface[]
  }

  /** The name that a payload gives to its kind, known or not. */
  kindOf(input: unknown, parent: unknown, field: string | undefined): string | undefined {
    if (typeof input !== 'object' || input === null) return undefined
    if (typeof this.attribute === 'function') return this.attribute(input, parent, field)
    // The attribute is a field's name here; what the payload has under it is checked.
    const name = this.attribute as string
    const kind = Object.hasOwn(input, name) ? (input as RowRecord)[name] : undefined
    return kind === undefined || kind === null ? undefined : `${kind}`
  }

  #entityAt(value: unknown): EntityInterface | undefined {
    return isUnionRef(value) ? this.entityOf(value.schema) : undefined
  }

  /** The entity of a whole record in the place of a reference: another class of the key kept what came. */
  #inlineAt(value: unknown): EntityInterface | undefined {
    const kind = this.kindOf(value, undefined, undefined)
    return kind === undefined ? undefined : this.entityOf(kind)
  }

  #leave(input: unknown, kind: string | undefined): unknown {
    if (process.env.NODE_ENV !== 'production' && typeof input === 'object' && !this.#hasWarned) {
      this.#hasWarned = true
      const known = Object.keys(this.kinds).join(', ')
      console.warn(
        `A Union of ${known} met the kind ${kind}, which stays as it came. Add it to the Union, or correct its attribute.`,
      )
    }
    return input
  }
}

/**
 * True for what a union keeps in the place of an entity.
 *
 * @example isUnionRef({ id: '5', schema: 'user' }) // true
 */
export function isUnionRef(value: unknown): value is UnionRef {
  if (typeof value !== 'object' || value === null) return false
  return 'id' in value && typeof value.id === 'string' && 'schema' in value && typeof value.schema === 'string'
}

/**
 * The schema of a member of `Array`, `Values`, `All` or `Invalidate`: what was given, or a Union of it if there is an attribute.
 *
 * @example memberSchema({ user: User, group: Group }, 'type') instanceof Union // true
 */
export function memberSchema(definition: unknown, attribute: unknown): Schema {
  // The constructors' types allow an attribute only together with kinds that it tells apart.
  if (attribute !== undefined) return new Union(definition as Kinds, attribute as KindAttribute<Kinds>)
  checkLiterals(definition, 'members')
  return definition as Schema
}
