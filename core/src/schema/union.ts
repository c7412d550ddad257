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
 * The entities of a union by their names. The type requires only the members that make a class an entity: requiring `schema`
 * would make the types circular if an entity's schema contains a union with the entity itself.
 */
export type Kinds = { readonly [kind: string]: EntityClass<unknown> }

/** The discriminator of a union: a field that all its entities have, or a function of the payload. */
export type KindAttribute<K> = Attributes<K>['any']

/** The name of its member describes attributes in errors. */
interface Attributes<K> {
  readonly any:
    | DataField<Instances<K>>
    // biome-ignore lint/suspicious/noExplicitAny: a payload has no type yet; unknown would refuse `(value) => value.type`.
    | ((value: any, parent: any, field: string | undefined) => keyof K & string)
}

/** The instances of all entities of a union. */
export type Instances<K> = Denormalize<K[keyof K]>

/** A reference to a member of a union. */
export interface KindRef<K> extends UnionRef {
  readonly schema: keyof K & string
}

/** The arguments for a member of a union: the fields of one of its entities. */
type FieldsOfAny<Instance> = Instance extends unknown ? EntityFields<Instance> : never

type UnionTypes<K> = SchemaTypes<
  Instances<K>,
  Instances<K> | undefined,
  KindRef<K>,
  KindRef<K> | undefined,
  [fields: FieldsOfAny<Instances<K>>]
>

/**
 * One of several entities, chosen by a field or a function of the payload.
 *
 * @remarks
 * A payload of an unlisted type stays unchanged, with a warning in development: a server may add new types before the client
 * knows them.
 *
 * @example
 * ```ts
 * const Actor = new Union({ user: User, group: Group }, 'type')
 * ```
 * @throws OptionError without an attribute
 */
export class Union<const K extends Kinds> implements SchemaContract {
  declare readonly '~types': UnionTypes<K>
  readonly kind = 'union'
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
    if (process.env.NODE_ENV !== 'production' && typeof kinds === 'function')
      throw new OptionError('kinds', 'of a Union must be entities by name, as in { todo: Todo }, found a class.')
    this.kinds = kinds
    this.attribute = attribute
  }

  /** The entity of this name in the union. */
  entityOf(kind: string): EntityInterface | undefined {
    // `Kinds` demands fewer members than an entity has, so that its types stay simple.
    return Object.hasOwn(this.kinds, kind) ? (this.kinds[kind] as unknown as EntityInterface) : undefined
  }

  normalize(input: unknown, context: NormalizeContext, parent: unknown, field: string | undefined): unknown {
    // Some servers send these values for none, which lists omit.
    if (input === false || input === '') return field === undefined ? undefined : null
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
    // The cast of `entityOf` applies here, too.
    return Object.values(this.kinds) as readonly unknown[] as readonly EntityInterface[]
  }

  /** The discriminator of a payload, which the union may not know. */
  kindOf(input: unknown, parent: unknown, field: string | undefined): string | undefined {
    if (typeof input !== 'object' || input === null) return undefined
    if (typeof this.attribute === 'function') return this.attribute(input, parent, field)
    // The attribute is the name of a field here, and its value in the payload is checked.
    const name = this.attribute as string
    const kind = Object.hasOwn(input, name) ? (input as RowRecord)[name] : undefined
    return kind === undefined || kind === null ? undefined : `${kind}`
  }

  #entityAt(value: unknown): EntityInterface | undefined {
    return isUnionRef(value) ? this.entityOf(value.schema) : undefined
  }

  /** The entity of a complete record in place of a reference, which another class with the same key has stored. */
  #inlineAt(value: unknown): EntityInterface | undefined {
    const kind = this.kindOf(value, undefined, undefined)
    return kind === undefined ? undefined : this.entityOf(kind)
  }

  #leave(input: unknown, kind: string | undefined): unknown {
    if (process.env.NODE_ENV !== 'production' && typeof input === 'object' && !this.#hasWarned) {
      this.#hasWarned = true
      const names = Object.keys(this.kinds).join(', ')
      console.warn(
        `A Union of ${names} got the unknown type ${kind}, which is stored as plain data. Add it to the Union, or correct its attribute.`,
      )
    }
    return input
  }
}

/**
 * Returns true for a reference that a union stores instead of an entity.
 *
 * @example isUnionRef({ id: '5', schema: 'user' }) // true
 */
export function isUnionRef(value: unknown): value is UnionRef {
  if (typeof value !== 'object' || value === null) return false
  return 'id' in value && typeof value.id === 'string' && 'schema' in value && typeof value.schema === 'string'
}

/**
 * Returns the schema of a member of `Array`, `Values`, `All` or `Invalidate`: the definition itself, or a Union of it if
 * there is a discriminator.
 *
 * @example memberSchema({ user: User, group: Group }, 'type') instanceof Union // true
 */
export function memberSchema(definition: unknown, attribute: unknown): Schema {
  // The constructors' types allow an attribute only with kinds that it distinguishes.
  if (attribute !== undefined) return new Union(definition as Kinds, attribute as KindAttribute<Kinds>)
  if (process.env.NODE_ENV !== 'production') checkLiterals(definition, 'members')
  return definition as Schema
}
