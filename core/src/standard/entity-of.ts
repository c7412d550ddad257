import { Entity } from '../schema/entity.js'
import type { Denormalize } from '../schema/infer.js'
import { type EntityInterface, isEntity, type Schema } from '../schema/schema.js'
import { describeType } from '../util/describe.js'
import { OptionError } from '../util/errors.js'
import { judgeBy } from './judge.js'
import { checkStandard, type InputOf, type StandardSchema } from './standard-schema.js'

/**
 * Functions that convert fields, by the names of the fields. They do not receive null and undefined. `Values` are their
 * results. Fields that the schema lacks are rejected.
 */
export type Conversions<Fields, Values> = {
  readonly [Field in keyof Values]: Field extends keyof Fields
    ? (value: NonNullable<Fields[Field]>) => Values[Field]
    : never
}

/** Entities and other schemas of fields that are separate rows. Fields that the schema lacks are rejected. */
export type Relations<Fields, Related> = {
  readonly [Field in keyof Related]: Field extends keyof Fields ? Schema : never
}

/** The options of `entityOf`. */
export interface EntityOfOptions<Fields, Values, Related> {
  /**
   * The name of the entity's table.
   *
   * @default the class's name, with a warning in development since minifiers rename classes
   */
  readonly key?: string | undefined
  /**
   * Functions that convert a field's server value. The store keeps the original.
   *
   * @default {}
   */
  readonly convert?: Conversions<Fields, Values> | undefined
  /**
   * The fields that are separate rows: entities, lists of them, or other schemas.
   *
   * @default {}
   */
  readonly relations?: (Related & Relations<Fields, Related>) | undefined
  /**
   * The handling of invalid rows. `throw`: the response is rejected with a `SchemaError`. `report`: the row is
   * stored, and the controller's `onError` receives the error, once per field. `off`: nothing is checked.
   *
   * @default 'throw' in development, 'report' in production
   */
  readonly validation?: 'throw' | 'report' | 'off' | undefined
}

/** The fields of an entity: the schema's input, with conversions and relations applied. */
export type FieldsOf<Fields, Values, Related> = [keyof Values | keyof Related] extends [never]
  ? Fields
  : {
      [Field in keyof Fields]: Field extends keyof Related
        ? RelatedValue<Related[Field]> | Extract<Fields[Field], null | undefined>
        : Field extends keyof Values
          ? Values[Field] | Extract<Fields[Field], null | undefined>
          : Fields[Field]
    }

/** The value of a relation: another row may be deleted, and lists omit deleted rows. */
type RelatedValue<S> = S extends { pk(...args: never): unknown } ? Denormalize<S> | undefined : Denormalize<S>

/** The class that `entityOf` returns. */
export type EntityOf<Fields, SchemaFields extends PropertyKey> = Omit<typeof Entity, 'prototype' | 'schema'> & {
  new (): Fields & Entity
  readonly prototype: Fields & Entity
  schema: [SchemaFields] extends [never] ? (typeof Entity)['schema'] : { readonly [Field in SchemaFields]: Schema }
}

/**
 * Creates an entity class from a Standard Schema (zod, valibot, arktype …), so that fields are declared once. Each row is
 * checked when it arrives, unless the store already contains an equal one.
 *
 * @remarks
 * The class has the fields of the schema's input. The schema's output, such as a default, is not stored: rows are
 * stored as the server sent them. Partial rows are valid: issues with missing fields are ignored.
 *
 * @example
 * ```ts
 * const UserSchema = z.object({ id: z.number(), name: z.string() })
 * class Person extends entityOf(UserSchema, { key: 'Person' }) {}
 *
 * const TaskSchema = z.object({ id: z.number(), title: z.string().min(1), due: z.iso.datetime(), owner: UserSchema })
 * class Task extends entityOf(TaskSchema, {
 *   key: 'Task',
 *   convert: { due: (iso: string) => new Date(iso) },
 *   relations: { owner: Person },
 * }) {
 *   get isLate() {
 *     return this.due < new Date()
 *   }
 * }
 * ```
 * @throws OptionError for anything but a Standard Schema
 */
export function entityOf<
  S extends StandardSchema<object>,
  Values = Record<never, never>,
  Related = Record<never, never>,
>(
  schema: S,
  options: EntityOfOptions<InputOf<S>, Values, Related> = {},
): EntityOf<FieldsOf<InputOf<S>, Values, Related>, keyof Values | keyof Related> {
  const { key, convert, relations, validation = process.env.NODE_ENV === 'production' ? 'report' : 'throw' } = options
  const owner = key ?? 'an entity'
  checkStandard(schema, owner)
  if (process.env.NODE_ENV !== 'production') checkConversions(convert, owner)
  class Described extends Entity {
    static override schema: EntityInterface['schema'] = { ...convert, ...relations }
  }
  if (key !== undefined) Described.key = key
  if (validation !== 'off') Described.judge = judgeBy(schema, validation === 'report')
  // Only the compiler knows the fields.
  return Described as never
}

/** Throws for an entity among the conversions, which would silently become a relation. */
function checkConversions(convert: object = {}, owner: string): void {
  for (const [field, value] of Object.entries(convert)) {
    if (typeof value === 'function' && !isEntity(value)) continue
    throw new OptionError(
      'convert',
      `of ${owner} must have functions, found ${isEntity(value) ? `the entity ${value.key}` : describeType(value)} for '${field}'. Rows belong to relations.`,
    )
  }
}
