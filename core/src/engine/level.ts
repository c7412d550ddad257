import type { EntityInterface, RowRecord } from '../schema/schema.js'
import type { EntityInfos } from '../table/entity-infos.js'
import type { Level } from '../table/level.js'
import { carried, judge, overtook, UNKNOWN, type Verdict, type Version } from '../table/order.js'
import {
  baseOf,
  extrasOf,
  isThere,
  OTHER_FIELDS,
  orderOf,
  PRESENCE,
  type RecordRow,
  type RecordValue,
  type ResponseInfo,
  type Row,
  TOMBSTONE,
  valueBelow,
} from '../table/row.js'
import type { Kind, Table } from '../table/table.js'
import { put } from '../util/plain.js'
import type { Commit } from './commit.js'
import { Layer } from './layer.js'
import type { Sequence } from './sequence.js'

/** What writing needs of the store. */
export interface LevelStore {
  readonly table: Table
  readonly infos: EntityInfos
  readonly sequence: Sequence
  /** Takes what users' functions throw in the middle of a commit. */
  readonly report: (error: Error) => void
  /** The row of a key's result. */
  resultRow(key: string): Row
  /** Remembers a row that has order numbers for single fields. */
  markConflict(row: Row): void
}

/**
 * A level of the store: server state, which judges by order and remembers who wrote what, or an optimistic layer, which skips what the
 * response of a later mutation has already settled.
 */
export class StoreLevel implements Level {
  readonly store: LevelStore
  readonly table: Table
  readonly response: ResponseInfo | undefined
  readonly layer: Layer | undefined
  readonly start: number
  readonly at: number
  readonly isUnknownToSome: boolean
  readonly #commit: Commit
  readonly #version: Version
  /** True if requests are in flight for which the fields of this response must have an order of their own. */
  readonly #overlaps: boolean

  constructor(store: LevelStore, commit: Commit, source: ResponseInfo | Layer) {
    this.store = store
    this.table = store.table
    this.#commit = commit
    const isLayer = source instanceof Layer
    this.layer = isLayer ? source : undefined
    this.response = isLayer ? undefined : source
    // A layer is judged as its mutation's response will be.
    this.#version = isLayer ? { start: source.start, done: 0, mutation: true } : source
    const { start, done, mutation } = this.#version
    this.start = start
    this.at = mutation ? done : start
    const oldest = store.sequence.oldest(start)
    // A read's fields need an order of their own only if an earlier read is in flight; a mutation's, if any request is.
    this.#overlaps = mutation ? oldest !== Infinity : oldest < start
    this.isUnknownToSome = oldest < this.at
  }

  row(entity: EntityInterface, pk: string): RecordRow {
    return this.store.infos.of(entity).kind.row(pk)
  }

  valueOf<R extends Row>(row: R): R['value'] {
    const { layer, start } = this
    return layer === undefined ? baseOf(row) : valueBelow(row, layer.writes.has(row) ? start + 1 : start)
  }

  put(row: Row, value: unknown): void {
    this.#commit.put(row, value, this.layer)
    this.layer?.writes.add(row)
  }

  /** Writes a row that nothing was ever written to, if this is the response of a read: there is nothing to judge or to merge. */
  putFirst(row: Row, record: RowRecord): boolean {
    const { response } = this
    if (response === undefined || response.mutation) return false
    if (row.value !== undefined || row.read !== undefined || row.extras !== undefined) return false
    this.#commit.put(row, record)
    row.read = response
    return true
  }

  skip(row: Row): void {
    this.layer?.read(row)
  }

  watch(kind: Kind): void {
    this.layer?.watch(kind)
  }

  report(error: Error): void {
    this.store.report(error)
  }

  invalidateLayers(row: Row): void {
    this.#commit.invalidateLayers(row, this.layer?.start ?? 0)
  }

  /** True if the write is newer than all that is known of a row, so that fields need not be judged one by one. */
  isNewest({ read, extras }: Row): boolean {
    const { start } = this
    const mutated = extras?.mutated
    if (this.layer !== undefined) return mutated === undefined || mutated.start <= start
    return (
      extras?.fields === undefined &&
      (read === undefined || start > read.start) &&
      (mutated === undefined || start > mutated.done)
    )
  }

  verdict(row: Row, field: string | symbol = PRESENCE): Verdict {
    return judge(this.#version, orderOf(row, field))
  }

  decides(row: Row, field: string): boolean {
    const verdict = this.verdict(row, field)
    return verdict === 'newer' || verdict === 'conflict'
  }

  /** Mutations do not overtake the read of a list: they are applied to it from the log. */
  listVerdict(row: Row): Verdict {
    const known = orderOf(row, PRESENCE)
    return judge(this.#version, this.#version.mutation ? known : { ...known, done: 0 })
  }

  /** The moment that overtook the write of a field: a request that started later is right. */
  overtook(row: Row, field: string | symbol = PRESENCE): number {
    return overtook(this.#version, orderOf(row, field))
  }

  markStale(row: Row, at: number = this.#version.done): void {
    if (this.layer === undefined) this.#commit.markStale(row, at)
  }

  /**
   * Notes that the response carried these fields of a row. Numbers of single fields are stored only where responses overlap: a request
   * is in flight that might tell the difference.
   */
  stamp(row: Row, before: RecordValue, record: RowRecord | typeof TOMBSTONE, isNewest: boolean): void {
    const { response } = this
    if (response === undefined) return
    if (!isNewest || (this.#overlaps && (record === TOMBSTONE || this.#differs(row, before, record)))) {
      keepFields(row, before, record, response)
      this.store.markConflict(row)
    }
    this.stampRow(row)
    if (response.mutation) this.invalidateLayers(row)
  }

  /** True if the response carried other fields of a known row than are there. */
  #differs({ read, extras }: Row, before: RecordValue, record: RowRecord): boolean {
    const mutated = extras?.mutated
    if (read === undefined && mutated === undefined) return false
    return !carriesAll(before, record) || (mutated !== undefined && isThere(before) && !carriesAll(record, before))
  }

  /**
   * Mutations are written in the order in which they complete, so of two the one that is written now completed last, whichever
   * started first.
   */
  stampRow(row: Row): void {
    const { response } = this
    if (response === undefined) return
    if (response.mutation) {
      const { mutated } = row
      row.mutated =
        mutated !== undefined && mutated.start > response.start ? { ...mutated, done: response.done } : response
    } else if (row.read === undefined || response.start > row.read.start) row.read = response
  }
}

/** True if a record has each field of another. */
function carriesAll(fields: RecordValue, record: RowRecord): boolean {
  if (!isThere(fields)) return true
  for (const field in fields) if (!Object.hasOwn(record, field)) return false
  return true
}

/** The fields that a deletion changes: all that a row has, or has an order for. */
function knownFields(row: Row, before: RecordValue): RowRecord {
  const fields: Record<string, unknown> = isThere(before) ? { ...before } : {}
  for (const field of row.extras?.fields?.keys() ?? []) if (typeof field === 'string') put(fields, field, undefined)
  return fields
}

function keepFields(row: Row, before: RecordValue, record: RowRecord | typeof TOMBSTONE, response: ResponseInfo): void {
  const extras = extrasOf(row)
  const fields = new Map(extras.fields)
  for (const field of isThere(before) ? Object.keys(before) : []) {
    if (!fields.has(field)) fields.set(field, orderOf(row, field))
  }
  const others = fields.get(OTHER_FIELDS) ?? UNKNOWN
  for (const field of Object.keys(record === TOMBSTONE ? knownFields(row, before) : record)) {
    // No response carried a field that the record does not have, whatever the row's own numbers are.
    const isNew = isThere(before) && !Object.hasOwn(before, field) && !fields.has(field)
    fields.set(field, carried(response, isNew ? others : orderOf(row, field)))
  }
  if (record === TOMBSTONE) fields.set(OTHER_FIELDS, carried(response, others))
  fields.set(PRESENCE, carried(response, orderOf(row, PRESENCE)))
  extras.fields = fields
}
