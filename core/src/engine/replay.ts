import type { RowRecord } from '../schema/schema.js'
import type { Change } from '../table/change.js'
import type { EntityInfo } from '../table/entity-info.js'
import type { EntityInfos } from '../table/entity-infos.js'
import { declines } from '../table/order.js'
import {
  baseOf,
  isThere,
  type ListValue,
  orderOf,
  PRESENCE,
  type Row,
  sideOf,
  TOMBSTONE,
  valueBelow,
} from '../table/row.js'
import type { Table } from '../table/table.js'
import { equal } from '../util/equal.js'
import { CallbackError } from '../util/errors.js'
import { copyPlain, put } from '../util/plain.js'
import type { Commit } from './commit.js'
import { disturbKept, guarded, keepList, keptLists, noteKeeper } from './kept-lists.js'
import type { Layer } from './layer.js'
import { type Applied, appliedOf, bodiesByRow, changeList, listsFor, type MemberOutlook, withBodies } from './lists.js'
import { mergeFields } from './merge.js'

/** What replaying a layer needs to know. */
export interface Replay {
  readonly table: Table
  readonly infos: EntityInfos
  readonly layers: readonly Layer[]
  /** Hears of users' functions that throw. */
  readonly report: (error: Error) => void
  /** The row of a key's result. */
  resultRow(key: string): Row
}

/** Runs a layer on what is below it now; layers above it that stand on what it changes will run again too. */
export function rerun(replay: Replay, commit: Commit, layer: Layer): void {
  const before = withdraw(commit, layer)
  const change = layer.make({
    valueOf: (row) => valueBelow(row, layer.start),
    onRead: (row) => watch(row, layer),
    onKind: (kind) => {
      kind.watchers.add(layer)
      layer.watches.add(kind)
    },
  })
  layer.dirty = false
  // What the layer asked of a user's function may have emptied the store.
  if (!replay.layers.includes(layer)) return
  if (change !== undefined) new LayerWriter(replay, commit, layer, before).apply(change)
  layer.isNew = false
  for (const [row, value] of before) {
    if (layer.writes.has(row) || value === undefined) continue
    commit.disturb(row, layer.start)
    disturbKept(replay.table, layer.start)
  }
}

/** Takes all of a layer off the rows; returns what it had made of them. */
export function withdraw(commit: Commit, layer: Layer): Map<Row, unknown> {
  const before = new Map<Row, unknown>()
  for (const row of layer.writes) before.set(row, commit.dropLayer(row, layer))
  for (const row of layer.reads) row.side?.readers?.delete(layer)
  for (const kind of layer.watches) kind.watchers.delete(layer)
  layer.writes.clear()
  layer.reads.clear()
  layer.watches.clear()
  return before
}

function watch(row: Row, layer: Layer): void {
  layer.reads.add(row)
  const side = sideOf(row)
  side.readers ??= new Set()
  side.readers.add(layer)
}

class LayerWriter {
  readonly #replay: Replay
  readonly #commit: Commit
  readonly #layer: Layer
  readonly #before: Map<Row, unknown>

  constructor(replay: Replay, commit: Commit, layer: Layer, before: Map<Row, unknown>) {
    this.#replay = replay
    this.#commit = commit
    this.#layer = layer
    this.#before = before
  }

  apply(change: Change): void {
    change.rows.forEach((row, i) => {
      const record = change.records[i]
      if (record === TOMBSTONE) this.#bury(row)
      else if (record !== undefined) this.#record(row, record, change.customs.get(i), change.created.has(row))
    })
    for (const { row, list, args, members } of change.lists) {
      this.#replay.table.listKind(list).finder.add(row, args)
      noteKeeper(this.#replay.table, row, list)
      if (declines(this.#layer.start, orderOf(row, PRESENCE))) watch(row, this.#layer)
      else this.#write(row, { args, members, loaded: true })
    }
    const outlook = this.#outlook
    const all = change.memberships.map((each) =>
      appliedOf(guarded(each, outlook.report), this.#layer.start, change, outlook),
    )
    for (const applied of all) this.#membership(applied)
    if (this.#replay.table.kept.size > 0) this.#keep(change.rows, bodiesByRow(all, outlook))
    for (const [key, value] of change.results) {
      const row = this.#replay.resultRow(key)
      if (declines(this.#layer.start, orderOf(row, PRESENCE))) watch(row, this.#layer)
      else this.#write(row, value)
    }
  }

  #below(row: Row): unknown {
    return valueBelow(row, this.#layer.start)
  }

  #bury(row: Row): void {
    if (declines(this.#layer.start, orderOf(row, PRESENCE))) watch(row, this.#layer)
    else this.#write(row, TOMBSTONE)
  }

  #record(row: Row, record: RowRecord, info: EntityInfo | undefined, isCreated: boolean): void {
    const below = this.#below(row)
    // Only what is put into a list comes back optimistically; else a deleted row stays deleted until it is heard of again.
    const isGone = below === TOMBSTONE && !isCreated
    if (isGone || (below === TOMBSTONE && declines(this.#layer.start, orderOf(row, PRESENCE)))) {
      watch(row, this.#layer)
      return
    }
    const merged = isThere(below) ? this.#merge(row, below as RowRecord, record, info) : record
    if (merged === undefined) watch(row, this.#layer)
    else this.#write(row, merged)
  }

  /** What the layer makes of a row; undefined if the row's class throws: then the layer says nothing of it. */
  #merge(row: Row, below: RowRecord, record: RowRecord, info: EntityInfo | undefined): RowRecord | undefined {
    const open = this.#openFields(row, record)
    if (info === undefined || info.plainMerge) return mergeFields(below, open)
    try {
      return copyPlain(info.entity.merge(below, open))
    } catch (cause) {
      this.#layer.failed(new CallbackError('merge', info.entity.key, { cause }))
      return undefined
    }
  }

  /** The fields on which the server has not yet answered a mutation that started later. */
  #openFields(row: Row, record: RowRecord): RowRecord {
    if (row.mutated === undefined || row.mutated.start < this.#layer.start) return record
    const base = baseOf(row)
    const holds = (field: string): boolean => isThere(base) && Object.hasOwn(base as RowRecord, field)
    const open: Record<string, unknown> = {}
    for (const field of Object.keys(record)) {
      if (!holds(field) || !declines(this.#layer.start, orderOf(row, field))) put(open, field, record[field])
    }
    return open
  }

  get #outlook(): MemberOutlook {
    const { infos, report } = this.#replay
    return { infos, report, valueOf: (row: Row) => this.#asWritten(row) }
  }

  #membership(applied: Applied): void {
    const kind = this.#replay.table.listKind(applied.change.list)
    kind.watchers.add(this.#layer)
    this.#layer.watches.add(kind)
    const outlook = this.#outlook
    for (const list of listsFor(kind, applied, outlook)) {
      const value = this.#asWritten(list)
      if (!isThere(value)) continue
      const { members } = changeList(list, value as ListValue, applied, outlook)
      if (members !== (value as ListValue).members) this.#write(list, { ...(value as ListValue), members })
    }
  }

  /** Lists that know by themselves who is in them gain or lose the rows that this layer wrote. */
  #keep(written: readonly Row[], bodies: ReadonlyMap<Row, RowRecord>): void {
    const { table } = this.#replay
    const outlook = withBodies(this.#outlook, bodies)
    const rows = bodies.size === 0 ? written : new Set([...written, ...bodies.keys()])
    for (const kind of table.kept) {
      kind.watchers.add(this.#layer)
      this.#layer.watches.add(kind)
    }
    for (const list of keptLists(table)) {
      const value = this.#asWritten(list)
      if (!isThere(value)) continue
      const isOpen = this.#layer.writes.has(list)
      const { members, isTouched } = keepList(list, value as ListValue, rows, isOpen, outlook)
      if (isTouched && list.keeper?.compare !== undefined) this.#commit.disturb(list, this.#layer.start)
      if (members !== (value as ListValue).members) this.#write(list, { ...(value as ListValue), members })
    }
  }

  /** A row as it looks with what this layer has written so far. */
  #asWritten(row: Row): unknown {
    return valueBelow(row, this.#layer.start + 1)
  }

  #write(row: Row, value: unknown): void {
    const layer = this.#layer
    if (layer.writes.has(row)) this.#commit.dropLayer(row, layer)
    layer.writes.add(row)
    const before = this.#before.get(row)
    const isSame = this.#before.has(row) && equal(before, value)
    // What is equal to the last run's keeps its reference, and nobody above needs to know.
    this.#commit.setLayer(row, layer, isSame ? before : value)
    if (!isSame) this.#commit.disturb(row, layer.start)
  }
}
