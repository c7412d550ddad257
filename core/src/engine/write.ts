import type { RowRecord } from '../schema/schema.js'
import type { Change } from '../table/change.js'
import { engineOf, type JoinResults } from '../table/list-engine.js'
import { isThere, type RecordRow, type Row, TOMBSTONE, valueBelow } from '../table/row.js'
import { equal } from '../util/equal.js'
import { CallbackError } from '../util/errors.js'
import { copyPlain } from '../util/plain.js'
import type { Commit } from './commit.js'
import type { Layer } from './layer.js'
import { type LevelStore, StoreLevel } from './level.js'
import { type MergedRecord, mergeFields, mergeRecord } from './merge.js'

/** What rows of classes with a merge or an order of their own become; undefined where the class throws, so that a layer skips the row. */
export type MergedRecords = ReadonlyMap<Row, MergedRecord | undefined>

/**
 * Calls users' merges, and whatever else of theirs is called while members come and go, before anything is written.
 *
 * @throws what they throw, unless the level is a layer
 */
export function mergeRecords(level: StoreLevel, change: Change): MergedRecords {
  const { layer } = level
  for (const { list } of change.memberships) level.table.listKind(list)
  if (layer === undefined && change.memberships.length > 0) engineOf(level.table)?.rehearse(level, change)
  const merges = new Map<Row, MergedRecord | undefined>()
  for (const [i, info] of change.customs) {
    const row = change.rows[i] as RecordRow
    const record = change.records[i]
    const before = level.valueOf(row)
    if (record === undefined || record === TOMBSTONE || !isThere(before)) continue
    try {
      merges.set(row, mergeRecord(level, row, record, info))
    } catch (cause) {
      if (layer === undefined) throw cause
      layer.failed(new CallbackError('merge', info.entity.key, { cause }))
      merges.set(row, undefined)
    }
  }
  return merges
}

/** Writes a change to a level: rows, then lists, then results. */
export function write(level: StoreLevel, change: Change, merges: MergedRecords): void {
  const changed = writeRows(level, change, merges)
  if (change.lists.length + change.memberships.length + level.table.predicateKinds.size > 0)
    engineOf(level.table)?.write(level, change, changed)
  for (const [key, value] of change.results) writeResult(level, level.store.resultRow(key), value)
}

/** Returns the rows to test with predicate lists: all rows of a layer, but only changed rows of server state. */
function writeRows(level: StoreLevel, change: Change, merges: MergedRecords): readonly RecordRow[] {
  const { rows } = change
  const mayMove =
    level.table.predicateKinds.size > 0 ||
    change.lists.some(({ list }) => list.belongs !== undefined || list.compare !== undefined)
  const changed: RecordRow[] = []
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as RecordRow
    const before = mayMove ? level.valueOf(row) : undefined
    writeRow(level, change, i, merges)
    if (mayMove && (level.layer !== undefined || level.valueOf(row) !== before)) changed.push(row)
  }
  return changed
}

function writeRow(level: StoreLevel, { rows, records, created }: Change, i: number, merges: MergedRecords): void {
  const row = rows[i] as RecordRow
  const record = records[i] as RowRecord | typeof TOMBSTONE
  if (record !== TOMBSTONE && level.putFirst(row, record)) return
  const before = level.valueOf(row)
  const isNewest = level.isNewest(row)
  if (record === TOMBSTONE || before === TOMBSTONE) {
    // Only what is put into a list comes back optimistically; else a deleted row stays deleted until the server returns it.
    const mayCome = record === TOMBSTONE || level.layer === undefined || created.has(row)
    const verdict = level.verdict(row)
    if (mayCome && (verdict === 'newer' || verdict === 'conflict'))
      // The row may have been there when the response was read: then the record is the caller's.
      level.put(row, record === TOMBSTONE ? record : copyPlain(record))
    else level.skip(row)
    if (before !== undefined && before !== record && (verdict === 'conflict' || verdict === 'overtaken'))
      level.markStale(row, level.overtook(row))
  } else if (before === undefined) level.put(row, record)
  else if (merges.size > 0 && merges.has(row)) putMerged(level, row, merges.get(row))
  else if (isNewest) level.put(row, mergeFields(before, record))
  else putMerged(level, row, mergeRecord(level, row, record, undefined))
  level.stamp(row, before, record, isNewest)
}

function putMerged(level: StoreLevel, row: Row, merged: MergedRecord | undefined): void {
  if (merged === undefined) level.skip(row)
  else {
    level.put(row, merged.record)
    level.markStale(row, merged.stale)
  }
}

/** Writes what a key keeps in the place of its response; `join` if the response carried a page of a list. */
export function writeResult(level: StoreLevel, row: Row, incoming: unknown, join?: JoinResults): void {
  const before = level.valueOf(row)
  const verdict = level.verdict(row)
  const isNewer = verdict === 'newer' || verdict === 'conflict'
  const value = join === undefined ? incoming : join(before, incoming, isNewer)
  const isSame = equal(before, value)
  if (isNewer || before === undefined || join !== undefined) level.put(row, isSame ? before : value)
  else level.skip(row)
  if ((verdict === 'conflict' || verdict === 'overtaken') && !isSame) level.markStale(row, level.overtook(row))
  level.stampRow(row)
}

/** Runs a layer on what is below it now; layers above it that depend on what it changes will run again too. */
export function replay(store: LevelStore & { readonly layers: readonly Layer[] }, commit: Commit, layer: Layer): void {
  const written = layer.begin()
  const change = layer.make({
    valueOf: (row) => valueBelow(row, layer.start),
    onRead: (row) => layer.read(row),
    onKind: (kind) => layer.watch(kind),
  })
  const level = new StoreLevel(store, commit, layer)
  const merges = change && mergeRecords(level, change)
  layer.dirty = false
  // What the layer called of a user's may have emptied the store.
  if (!store.layers.includes(layer)) return
  if (change !== undefined && merges !== undefined) write(level, change, merges)
  layer.isNew = false
  dropValues(store, commit, layer, written)
}

/** Takes all values of a layer off the rows. */
export function revert(store: LevelStore, commit: Commit, layer: Layer): void {
  dropValues(store, commit, layer, layer.begin())
}

/** Takes the values of an earlier run off the rows, but for those that were written again. */
function dropValues(store: LevelStore, commit: Commit, layer: Layer, written: ReadonlySet<Row>): void {
  let hasDropped = false
  for (const row of written) {
    if (layer.writes.has(row)) continue
    commit.drop(row, layer)
    hasDropped = true
  }
  if (hasDropped) engineOf(store.table)?.invalidatePredicates(store.table, layer.start)
}
