import { type EntityInterface, INVALID, type ListSchema, type RowRecord, type Schema } from '../schema/schema.js'
import { DepthError } from '../util/errors.js'
import { freezeInDevelopment, freezeList } from '../util/plain.js'
import { made } from './broken.js'
import type { EntityInfos } from './entity-infos.js'
import { fillShell } from './entity-view.js'
import { indexText } from './indexes.js'
import { Reader } from './reader.js'
import { isThere, type ListValue, originOf, type Row, TOMBSTONE } from './row.js'
import type { Kind, Table } from './table.js'

/** The values of rows for a fresh reader, and callbacks for its reads. */
export interface RowSource {
  /** Returns the value of a row, for example on a certain layer. */
  valueOf<R extends Row>(row: R): R['value']
  /** Called for every row that is read, whether it exists or not. */
  onRead?(row: Row): void
  /** Called for every table that is searched for rows. */
  onKind?(kind: Kind): void
}

/** A fresh reader uses the call stack; deeper data is rejected. */
const MAX_READ_DEPTH = 1_000

/**
 * Builds the value of a schema without registering dependencies: for optimistic layers, which see rows as they are below them, and
 * for comparisons with the shared views.
 */
export class FreshReader extends Reader {
  readonly #table: Table
  readonly #infos: EntityInfos
  readonly #source: RowSource
  /** The views of this read, so that rings of rows are closed. */
  readonly #views = new Map<Row, unknown>()
  #depth = 0

  constructor(table: Table, infos: EntityInfos, source: RowSource) {
    super()
    this.#table = table
    this.#infos = infos
    this.#source = source
  }

  /** Returns the value of a schema for a result, or else for the arguments alone; undefined if it is INVALID or missing. */
  show(schema: Schema, args: readonly unknown[], result?: unknown): unknown {
    this.args = args
    this.#views.clear()
    const value = result === undefined ? this.lookup(schema, args) : result
    const view = value === undefined ? undefined : this.visit(schema, value)
    return view === INVALID ? undefined : view
  }

  override row(schema: EntityInterface | ListSchema, pk: string | RowRecord): unknown {
    const row = this.#infos.shown(schema, pk)
    if (this.#views.has(row)) return this.#views.get(row)
    if (++this.#depth > MAX_READ_DEPTH) throw new DepthError(MAX_READ_DEPTH)
    const view = this.#build(row, this.#read(row))
    this.#depth--
    this.#views.set(row, view)
    return view
  }

  override record(kind: string, pk: string): RowRecord | undefined {
    const value = this.#read(this.#table.kind(kind).row(pk))
    return isThere(value) ? value : undefined
  }

  override all(kind: string): readonly string[] {
    const keys: string[] = []
    const { rows, isAlive } = this.#through(this.#table.kind(kind))
    for (const row of rows.values()) if (isAlive(row) && isThere(this.#read(row))) keys.push(row.pk)
    return keys
  }

  override has(schema: EntityInterface | ListSchema, pk: string): boolean {
    return this.#read(this.#infos.shown(schema, pk)) !== undefined
  }

  override byIndex(entity: EntityInterface, field: string, value: unknown): string | undefined {
    const { kind } = this.#infos.of(entity)
    const wanted = indexText(value)
    if (wanted === undefined) return undefined
    for (const row of this.#through(kind).rows.values()) {
      const held = this.#source.valueOf(row)
      if (!kind.isAlive(row) || !isThere(held) || indexText(held[field]) !== wanted) continue
      this.#read(row)
      return row.pk
    }
    return undefined
  }

  override hasKind(kind: string): boolean {
    for (const row of this.#through(this.#table.kind(kind)).rows.values())
      if (this.#read(row) !== undefined) return true
    return false
  }

  #through<K extends Kind>(kind: K): K {
    this.#source.onKind?.(kind)
    return kind
  }

  #read<R extends Row>(shown: R): R['value'] {
    const row = originOf(shown)
    this.#source.onRead?.(row)
    return this.#source.valueOf(row)
  }

  #build(row: Row, value: unknown): unknown {
    if (value === TOMBSTONE) return INVALID
    if (!isThere(value)) return undefined
    if (row.list !== undefined) {
      const { members } = value as ListValue
      return freezeList(row.list.showBy(members, (entity, pk) => this.row(entity, pk)))
    }
    const { info } = row.home
    const instance = info === undefined ? undefined : made(row, () => info.create(value as RowRecord))
    if (info === undefined || typeof instance !== 'object' || instance === null) return instance
    this.#views.set(row, instance)
    const whole = made(row, () =>
      fillShell(instance, info, value as RowRecord, ({ schema }, inner) => this.visit(schema, inner)),
    )
    return whole ? freezeInDevelopment(instance) : INVALID
  }
}
