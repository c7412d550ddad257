import { defineMember } from '../util/plain.js'
import { Entity } from './entity.js'
import type { DataField } from './infer.js'
import { pkText } from './pk.js'
import type { EntityInterface, Schema } from './schema.js'

/** Any class that a mixin can extend. */
// biome-ignore lint/suspicious/noExplicitAny: TypeScript lets a mixin extend only a constructor that takes any[].
export type MixinBase<Instance extends object = object> = abstract new (...args: any[]) => Instance

/** The source of the primary key: a field, or a function of the value. */
export type MixinPk<Instance> =
  | { [Field in keyof Instance]-?: Instance[Field] extends string | number | undefined ? Field : never }[keyof Instance]
  | ((value: Instance, parent?: unknown, field?: string) => string | number | undefined)

/** The static methods of an entity that a mixin may override. */
type Lifecycle = Pick<
  EntityInterface,
  | 'process'
  | 'validate'
  | 'judge'
  | 'merge'
  | 'shouldUpdate'
  | 'shouldReorder'
  | 'mergeWithStore'
  | 'mergeMetaWithStore'
  | 'createIfValid'
  | 'queryKey'
>

/** The options of `EntityMixin`. */
export interface MixinOptions<Instance> extends Partial<Lifecycle> {
  /**
   * The primary key: the name of a field, or a function of the value.
   *
   * @default the class's own `pk()`, else its field `id`
   */
  readonly pk?: MixinPk<Instance>
  /**
   * The name of the entity's table.
   *
   * @default the class's name, with a warning in development since minifiers rename classes
   */
  readonly key?: string
  /**
   * Schemas of fields that are not plain values: entities, lists, other schemas, or functions that convert the serialized
   * value.
   *
   * @default {}
   */
  readonly schema?: { readonly [Field in DataField<Instance>]?: Schema }
  /**
   * Fields by which a row can be looked up in addition to its primary key.
   *
   * @default undefined
   */
  readonly indexes?: readonly DataField<Instance>[]
}

/** The class that `EntityMixin` returns: the members, constructor and statics of its base and of an entity. */
export type MixedEntity<Base extends MixinBase> = Omit<Base, 'prototype'> &
  Omit<typeof Entity, 'prototype'> & {
    new (...args: ConstructorParameters<Base>): InstanceType<Base> & Pick<Entity, 'pk'>
    readonly prototype: InstanceType<Base> & Pick<Entity, 'pk'>
  }

/**
 * Creates an entity class from an existing class, which is not changed.
 *
 * @example
 * ```ts
 * class Stock {
 *   symbol = ''
 *   price = 0
 * }
 * class StockEntity extends EntityMixin(Stock, { pk: 'symbol', key: 'Stock' }) {}
 * ```
 */
export function EntityMixin<Base extends MixinBase>(
  base: Base,
  ...[options = {}]: MixinArgs<InstanceType<Base>>
): MixedEntity<Base> {
  abstract class Mixed extends base {}
  Object.defineProperty(Mixed, 'name', { value: base.name, configurable: true })
  addEntityStatics(Mixed, base)
  // The caller's types have checked the options.
  const pkOptions = options as { readonly pk?: AnyPk }
  addPk(Mixed, pkOptions.pk)
  addOptions(Mixed, pkOptions)
  // The compiler cannot follow members that are defined individually.
  return Mixed as unknown as MixedEntity<Base>
}

/** The option `pk` is optional if the class has a field `id` or a method `pk`. */
type MixinArgs<Instance> =
  Extract<keyof Instance, 'id' | 'pk'> extends never
    ? [options: MixinOptions<Instance> & { readonly pk: MixinPk<Instance> }]
    : [options?: MixinOptions<Instance>]

type AnyPk = string | ((value: object, parent?: unknown, field?: string) => string | number | undefined)

const classMembers = new Set(['length', 'name', 'prototype'])

/**
 * Copies the functions of Entity themselves, so that the table recognizes them as the defaults; statics of the user's class
 * override them.
 */
function addEntityStatics(mixed: object, base: object): void {
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(Entity))) {
    if (!classMembers.has(name) && !(name in base)) Object.defineProperty(mixed, name, descriptor)
  }
}

function addPk(mixed: MixinBase, pk: AnyPk | undefined): void {
  if (pk === undefined && 'pk' in mixed.prototype) return
  const value = pk === undefined ? Entity.prototype.pk : pkMethod(pk)
  Object.defineProperty(mixed.prototype, 'pk', { value, writable: true, configurable: true })
}

function pkMethod(pk: AnyPk): Entity['pk'] {
  if (typeof pk === 'function') {
    return function (this: object, parent, field) {
      return pk(this, parent, field)
    }
  }
  return function (this: object) {
    // The option's type allows only fields of text and numbers.
    return pkText((this as { readonly [field: string]: unknown })[pk])
  }
}

function addOptions(mixed: object, options: object): void {
  for (const [name, value] of Object.entries(options)) {
    if (name !== 'pk' && value !== undefined) {
      defineMember(mixed, name, value)
    }
  }
}
