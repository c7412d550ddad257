import { byArgs } from '../schema/by-args.js'
import { Entity } from '../schema/entity.js'
import type { EntityClass, SchemaTypes } from '../schema/infer.js'
import type { PlacedValue } from '../schema/named.js'
import { pkText } from '../schema/pk.js'
import type {
  ArgsCode,
  DenormalizeContext,
  EntityInterface,
  NormalizeContext,
  RowRecord,
  SchemaContract,
} from '../schema/schema.js'
import { OptionError } from '../util/errors.js'
import { hasFields } from '../util/plain.js'

/** The options of a Scalar. */
export interface ScalarOptions<Args extends readonly unknown[]> {
  /** Returns the lens of a call's arguments, such as a currency, a portfolio or a unit; undefined for none. */
  lens(...args: Args): string | undefined
  /** The name of the table of cells; Scalars with the same key share it. */
  readonly key: string
  /**
   * The entity of the cells in a response that contains only cells.
   *
   * @default undefined: the entity that has the field
   */
  readonly entity?: EntityClass<unknown>
}

/** The fields of one entity for one lens. */
export type Cell = Readonly<Record<string, unknown>>

/** The stored value of a field: the entity, and the field of its cells. */
type CellRef = readonly [kind: string, pk: string, field: string]

/**
 * A field whose value depends on the call's arguments. Each lens has its own cells, so responses for one lens do not
 * overwrite another's.
 *
 * @remarks
 * Without a lens the value is undefined. A response of cells alone (`new Values(price)`, `[price]`) needs the option
 * `entity`.
 *
 * @example
 * ```ts
 * const price = new Scalar({ key: 'price', lens: ({ currency }: { currency: string }) => currency })
 * class Product extends Entity {
 *   static override key = 'Product'
 *   static override schema = { price }
 *   id = ''
 *   price = 0
 * }
 * ```
 */
export class Scalar<Args extends readonly unknown[] = readonly unknown[]> implements SchemaContract {
  declare readonly '~types': SchemaTypes<Cell, Cell | undefined, string>
  readonly kind = 'scalar'
  readonly passesOn = true
  /** The name of the table of its cells. */
  readonly key: string
  readonly usesArgs: ArgsCode = byArgs
  readonly #options: ScalarOptions<Args>
  readonly #cell: EntityInterface

  constructor(options: ScalarOptions<Args>) {
    this.key = `Scalar(${options.key})`
    this.#options = options
    this.#cell = cellClass(this.key)
  }

  /** Returns the class of its cells' rows, for lists of them. */
  entityOfRef(): EntityInterface {
    return this.#cell
  }

  normalize(input: unknown, context: NormalizeContext, parent: unknown, field: string | undefined): CellRef | string {
    const lens = this.#lens(context.args) ?? context.fail('arguments that tell the lens of a Scalar', undefined)
    const { owner } = context
    if (owner === undefined || field === undefined) return this.#writeCell(lens, { input, parent, field }, context)
    context.write(this.key, cellKey(lens, owner.kind, owner.pk), { [field]: input })
    return [owner.kind, owner.pk, field]
  }

  denormalize(stored: unknown, context: DenormalizeContext): unknown {
    if (typeof stored === 'string') return context.record(this.key, stored)
    const lens = this.#lens(context.args)
    if (lens === undefined || !isCellRef(stored)) return undefined
    const [kind, pk, field] = stored
    const cell = context.record(this.key, cellKey(lens, kind, pk))
    return cell !== undefined && Object.hasOwn(cell, field) ? cell[field] : undefined
  }

  /** Returns the primary key of the entity that owns the cells: the key in a map, or else the entity's `pk`. */
  entityPk(cell: RowRecord, context: NormalizeContext, parent: unknown, key: string | undefined): string | undefined {
    return key ?? context.pkOf(this.#entity(), cell, parent, key)
  }

  #writeCell(lens: string, { input, parent, field }: PlacedValue, context: NormalizeContext): string {
    if (typeof input !== 'object' || input === null || Array.isArray(input) || !hasFields(input))
      return context.fail('an object of cells', input)
    // The fields of the object are stored unchanged.
    const cell = input as RowRecord
    const pk = this.entityPk(cell, context, parent, field) ?? context.fail('cells that name their entity', input)
    const at = cellKey(lens, this.#entity().key, pk)
    context.write(this.key, at, { ...cell })
    return at
  }

  #lens(args: readonly unknown[]): string | undefined {
    // The arguments are those of an endpoint with this schema.
    return pkText(this.#options.lens(...(args as Args)))
  }

  #entity(): EntityInterface {
    const { entity } = this.#options
    if (entity === undefined) {
      const hint = process.env.NODE_ENV === 'production' ? '' : ' Name the entity they belong to.'
      throw new OptionError('entity', `is missing on ${this.key}, whose cells have no entity.${hint}`)
    }
    // The option's type demands fewer members than an entity has, so that it stays simple.
    return entity as unknown as EntityInterface
  }
}

/** Joins lens, kind and primary key so that different ones never result in the same text. */
function cellKey(lens: string, kind: string, pk: string): string {
  return JSON.stringify([lens, kind, pk])
}

function isCellRef(stored: unknown): stored is CellRef {
  return Array.isArray(stored) && stored.length === 3
}

/** Creates the class of rows of cells, which shows them as plain records. */
function cellClass(key: string): EntityInterface {
  abstract class CellEntity extends Entity {
    static override createIfValid<Instance>(record: RowRecord): Instance {
      // Only lists call this, and show the result unchanged.
      return { ...record } as Instance
    }
  }
  CellEntity.key = key
  return CellEntity
}
