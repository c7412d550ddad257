import type { EntityInterface, RowRecord } from '../schema/schema.js'
import type { Change } from '../table/change.js'
import type { EntityInfo } from '../table/entity-info.js'
import type { EntityInfos } from '../table/entity-infos.js'
import { type FieldOrder, judge, overtook, type Verdict, type Version } from '../table/order.js'
import type { EntityRow, Kind, Row } from '../table/row.js'
import type { Table } from '../table/table.js'
import { isThere, type MarkedSince, type ResponseInfo, TOMBSTONE } from '../table/value.js'
import { equal } from '../util/equal.js'
import { CallbackError } from '../util/errors.js'
import { copyPlain, put } from '../util/plain.js'
import type { Commit } from './commit.js'
import { type Journal, JournalEntry, orderIn } from './journal.js'
import { Layer } from './layer.js'
import { join, keepSame, newestOf } from './merge.js'

type Names = NonNullable<Version['names']>

/** A layer names all fields that it writes. */
const ALL: Names = { has: () => true }

/** Joins the existing result of a key with a response; `isNewer` is true if the response is the newer of the two. */
export type JoinResults = (before: unknown, incoming: unknown, isNewer: boolean) => unknown

/** The parts of the store that a write needs. */
export interface WriteStore {
  readonly table: Table
  readonly infos: EntityInfos
  readonly journal: Journal
  readonly sequence: { oldest(except?: number): number }
  /** Returns the value of a row in server state, without layers. */
  readonly base: <R extends Row>(row: R) => R['value']
  report(error: Error): void
}

/**
 * The write of one response to server state, or of an optimistic layer to the values below it. While it runs, later layers
 * are lifted, so `row.value` is the value below.
 */
export class Write {
  readonly store: WriteStore
  readonly table: Table
  /** The server's response; undefined for a layer. */
  readonly response: ResponseInfo | undefined
  readonly layer: Layer | undefined
  /** Sequence number of the start of the writing request. */
  readonly start: number
  /** The newest number when its request was sent, which is later than `start` if it had to wait. */
  readonly sent: number
  /** Sequence number of the write: a mutation's completion, or a read's start. */
  readonly at: number
  /** True if requests in flight may not include this write. */
  readonly isUnknownToSome: boolean
  /** See `Version.names`; undefined for a read. */
  readonly names: Version['names']
  readonly commit: Commit
  readonly change: Change
  readonly #version: Version
  /** The responses in the journal that it may not include. */
  readonly rivals: readonly JournalEntry[]
  /** Those that contain the row that was judged last: each of its fields is judged, too. */
  #ofRow: { readonly row: Row; readonly entries: readonly JournalEntry[] } | undefined
  /** The rows of which the class has refused the response's version. */
  readonly refused: Set<EntityRow> = new Set()
  #entry: JournalEntry | undefined
  /** True after the response was recorded on all rows of the change. */
  isStamped = false

  constructor(store: WriteStore, commit: Commit, source: ResponseInfo | Layer, change: Change) {
    this.store = store
    this.table = store.table
    this.commit = commit
    this.change = change
    const isLayer = source instanceof Layer
    this.layer = isLayer ? source : undefined
    this.response = isLayer ? undefined : source
    // A layer has the order that its mutation's response will have.
    this.#version = isLayer
      ? { start: source.start, done: 0, mutation: true, heldUntil: source.request.heldUntil, names: ALL }
      : source
    const { start, done, mutation, heldUntil, names } = this.#version
    if (names && !tells(names, change)) this.#version.names = undefined
    this.names = this.#version.names
    this.start = start
    this.sent = heldUntil ?? start
    this.at = mutation ? done : start
    this.isUnknownToSome = store.sequence.oldest(start) < this.at
    this.rivals = store.journal.since(this.#version)
  }

  /** The journal entry of this write, created on first use: most writes affect neither lists nor requests in flight. */
  get entry(): JournalEntry {
    this.#entry ??= new JournalEntry(this.#version, this.change)
    return this.#entry
  }

  /** Returns the row of an entity, which all classes of its key share. */
  row(entity: EntityInterface, pk: string): EntityRow {
    return this.store.infos.of(entity).kind.row(pk)
  }

  put(row: Row, value: unknown): void {
    if (this.layer === undefined) this.commit.put(row, value, true)
    else this.layer.put(this.commit, row, value)
  }

  /** Makes a layer run again when the row, or any row of the kind, changes. */
  watch(node: Row | Kind): void {
    this.layer?.touched.add(node)
  }

  /** Returns the order of the responses that this write may not include, or else that of the row, such as a hydrated one. */
  #orderOf(row: Row, field?: string): FieldOrder {
    const entries = this.rivals.length > 0 ? this.#entriesOf(row) : this.rivals
    return entries.length > 0 ? orderIn(entries, row, field, this) : summaryOf(row)
  }

  /** Returns all responses, reads too, that this write may not include and that contain the row. */
  #entriesOf(row: Row): readonly JournalEntry[] {
    if (this.#ofRow?.row !== row)
      this.#ofRow = { row, entries: this.rivals.filter((entry) => entry.of(row) !== undefined) }
    return this.#ofRow.entries
  }

  /** True if this write decides about all fields of a row and, for a response, without a conflict. */
  #isNewest(row: Row): boolean {
    return this.layer === undefined ? this.verdict(row) === 'newer' : this.decides(row)
  }

  verdict(row: Row, field?: string): Verdict {
    return judge(this.#version, this.#orderOf(row, field), this.#entry?.repeats(row, field))
  }

  /** True if this write replaces the field of a row. */
  decides(row: Row, field?: string): boolean {
    const verdict = this.verdict(row, field)
    return verdict === 'newer' || verdict === 'conflict'
  }

  /** Judges a list. Mutations do not overtake its read, since their membership changes are applied to it again. */
  listVerdict(row: Row): Verdict {
    const order = this.#orderOf(row)
    return judge(this.#version, this.#version.mutation ? order : { ...order, written: 0, done: 0 })
  }

  /** Returns the sequence number that overtook the write of a field: requests that start later get the newer value. */
  #overtook(row: Row, field?: string): number {
    return overtook(this.#version, this.#orderOf(row, field))
  }

  /** Makes results older than `at` that depend on the row stale. The default is the mutation's end. Layers mark nothing. */
  markStale(row: Row, at: number = this.#version.done): void {
    if (this.layer === undefined) this.commit.markStale(row, at)
  }

  /** Calls a user's function. Its error aborts the write of a membership change, and otherwise is reported. */
  ask<Out>(callback: string, key: string, call: () => Out, otherwise: Out): Out {
    try {
      return call()
    } catch (cause) {
      const error = cause instanceof CallbackError ? cause : new CallbackError(callback, key, { cause })
      if (this.layer === undefined && this.change.memberships.length > 0) throw error
      if (this.layer !== undefined && callback === 'merge') this.layer.failed(error)
      else this.store.report(error)
      return otherwise
    }
  }

  /**
   * Returns the overlapping mutations of the row, whose order only the server knows. A deletion came after those that cannot
   * have created the row, so these are not among them.
   */
  rivalsOf(row: Row): readonly JournalEntry[] {
    const isDeletion = this.said(row) === TOMBSTONE
    return this.rivals.filter((entry) => {
      const said = entry.version.mutation && entry.at > this.sent ? entry.said(row) : undefined
      return said !== undefined && (isDeletion === (said === TOMBSTONE) || (isDeletion ? entry : this).change.mayCreate)
    })
  }

  /** Returns the fields of a row in the response, with those of the call's body that the response lacks. */
  said(row: Row): RowRecord | typeof TOMBSTONE | undefined {
    return this.entry.said(row, this.change.written(row))
  }

  /** Returns the rows that an overlapping mutation changed differently: only the server knows which of the two came last. */
  contested(): readonly EntityRow[] {
    const { rivals, response, change } = this
    if (response?.mutation !== true || !rivals.some(({ version }) => version.mutation)) return []
    const rows = new Set([...change.rows, ...this.entry.bodies.keys()])
    return [...rows].filter((row) => {
      const own = this.said(row)
      return this.rivalsOf(row).some((rival) => disagree(own, rival.said(row)))
    })
  }

  /** Marks contested rows stale, and the lists that any of the mutations named, even if they do not contain the rows now. */
  askForContested(): void {
    for (const row of this.contested()) {
      this.markStale(row)
      for (const { lists } of [this.entry, ...this.rivalsOf(row)]) for (const list of lists) this.markStale(list)
    }
  }

  // — rows —

  /** Writes the rows. Returns those that lists must judge again: all of a layer, or the changed ones of server state. */
  rows(asksLists: boolean): readonly EntityRow[] {
    const { response, start } = this
    const { rows, records, customs, memberships } = this.change
    const changed: EntityRow[] = []
    // The response can be recorded at once: no later step needs the previous state, and no user function can throw.
    this.isStamped = response?.mutation === false && !asksLists && customs.length + memberships.length === 0
    const overlaps = response !== undefined && (this.isUnknownToSome || this.rivals.length > 0)
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as EntityRow
      const before = row.value
      if (overlaps) this.#noteRepeated(row, records[i])
      this.#writeRow(row, records[i] as RowRecord, i)
      if (overlaps && row.value !== before) this.entry.changed.set(row, before)
      if (row.marks?.open !== undefined) this.#settle(row, row.marks, records[i] as RowRecord)
      if (this.isStamped && (row.read === undefined || start > row.read.start)) row.read = response
      if (asksLists && (this.layer !== undefined || row.value !== before)) changed.push(row)
    }
    // Rows keep their responses, which must not keep bodies.
    if (this.names instanceof Map) this.#version.names = new Set(this.names.keys())
    return changed
  }

  /** Ends the doubt about a contested row, unless the response lacks some of its fields. */
  #settle({ value }: EntityRow, marks: MarkedSince, record: RowRecord | typeof TOMBSTONE): void {
    const fields = isThere(record) ? record : {}
    const isWhole = !isThere(value) || Object.keys(value).every((field) => Object.hasOwn(fields, field))
    if (isWhole && this.response !== undefined && this.start >= (marks.open ?? 0)) marks.open = undefined
  }

  #writeRow(row: EntityRow, record: RowRecord | typeof TOMBSTONE, i: number): void {
    const before = row.value
    if (before === undefined && this.layer === undefined) this.commit.create(row, record)
    else if (before === undefined) this.put(row, record)
    else if (record === TOMBSTONE || before === TOMBSTONE) this.#writePresence(row, record, this.change.customs[i])
    // An unchanged record is the table's own object. A layer still counts as having written it.
    else if (record !== before || this.layer !== undefined)
      this.put(row, this.#mergedBy(this.change.customs[i], row, before, record))
    this.layer?.touched.add(row)
  }

  /** Notes the fields of a row that a mutation only repeats. */
  #noteRepeated(row: EntityRow, record: RowRecord | typeof TOMBSTONE | undefined): void {
    const { names } = this
    if (!names || !isThere(record)) return
    const since = this.rivals.find(({ at, changed }) => at > this.sent && changed.has(row))
    const known = since === undefined ? row.value : since.changed.get(row)
    if (!isThere(known)) return
    // The body may name the field of another row, which the mutation creates, for example.
    const isOther = (field: string): boolean =>
      row.pk !== this.change.result && contradict(names.get?.(field), record[field])
    const isNamed = (field: string): boolean => names.has(field) && !isOther(field)
    const repeated = Object.keys(record).filter((field) => !isNamed(field) && equal(known[field], record[field]))
    this.entry.repeated.set(row, new Set(repeated))
  }

  /** Deletes a row, or restores a deleted one. */
  #writePresence(row: EntityRow, record: RowRecord | typeof TOMBSTONE, info: EntityInfo | undefined): void {
    const before = row.value
    // A deleted row stays deleted until the server returns it, unless an optimistic response adds it to a list.
    const mayCome = record === TOMBSTONE || this.layer === undefined || this.change.created?.has(row)
    let verdict = this.verdict(row)
    if (record === TOMBSTONE) {
      if (this.#version.mutation && this.rivalsOf(row).length === 0) verdict = 'newer'
    } else if (verdict !== 'newer' && !this.change.mayCreate) return
    else if (this.#version.mutation && this.#entriesOf(row).length > 0) {
      // Mutations that cannot create the row have found it missing here, so they do not decide whether it exists.
      const deciding = this.rivals.filter(({ change, version }) => change.mayCreate || !version.mutation)
      verdict = judge(this.#version, orderIn(deciding, row, undefined, this))
    }
    if (mayCome && (verdict === 'newer' || verdict === 'conflict'))
      // The row may have existed when the response was read: then the record belongs to the caller.
      this.put(row, record === TOMBSTONE ? record : this.#restored(row, copyPlain(record), info))
    if (before !== record && (verdict === 'conflict' || verdict === 'overtaken'))
      this.markStale(row, this.#overtook(row))
  }

  /** Returns the record that restores a row, with the fields of later mutations, which have found no row to change. */
  #restored(row: EntityRow, record: RowRecord, info: EntityInfo | undefined): RowRecord {
    let restored = record
    for (const entry of [...this.rivals].sort((a, b) => a.version.start - b.version.start)) {
      const { mutation, start, done } = entry.version
      const fields = entry.of(row)
      if (mutation && start > this.start && done > this.sent && isThere(fields)) restored = join(restored, fields, info)
    }
    return restored
  }

  /** Merges a record. A layer leaves out a row whose class throws. */
  #mergedBy(info: EntityInfo | undefined, row: EntityRow, before: RowRecord, record: RowRecord): RowRecord {
    if (info === undefined || this.layer === undefined) return this.#merged(row, before, record, info)
    return this.ask('merge', info.entity.key, () => this.#merged(row, before, record, info), before)
  }

  /** Merges a record: field by field in the store's order, or as the class decides. */
  #merged(row: EntityRow, before: RowRecord, incoming: RowRecord, info: EntityInfo | undefined): RowRecord {
    const { response } = this
    if (info !== undefined && !info.inheritsOrder && response !== undefined) {
      const merged = this.#mergedByClass(row, before, incoming, { info, response })
      if (merged === before && disagree(incoming, before)) this.refused.add(row)
      return merged
    }
    if (this.#isNewest(row)) return join(before, incoming, info)
    // If server state lacks a field, no response contained it.
    const base = this.layer === undefined ? before : this.store.base(row)
    const winning: Record<string, unknown> = {}
    for (const field of Object.keys(incoming)) {
      const verdict = this.verdict(row, field)
      const isMissing = !isThere(base) || !Object.hasOwn(base, field)
      if (verdict === 'newer' || verdict === 'conflict' || isMissing) put(winning, field, incoming[field])
      if (verdict === 'newer' || verdict === 'older' || isMissing || equal(before[field], incoming[field])) continue
      this.markStale(row, this.#overtook(row, field))
    }
    const count = Object.keys(winning).length
    if (info === undefined || info.inheritsMerge || count === Object.keys(incoming).length)
      return join(before, winning, info)
    // A `merge` of the class gets the whole record.
    const isLost = (field: string): boolean => Object.hasOwn(incoming, field) && !Object.hasOwn(winning, field)
    return count === 0 ? before : keepSame(before, except(join(before, incoming, info), before, isLost))
  }

  /**
   * Merges a record as the class decides, or in the store's order if it only decides whether. `merge` gets the whole record;
   * fields of which overlapping mutations have the order come after it.
   */
  #mergedByClass(
    row: EntityRow,
    before: RowRecord,
    incoming: RowRecord,
    { info: { entity, inheritsReorder }, response }: { readonly info: EntityInfo; readonly response: ResponseInfo },
  ): RowRecord {
    const newest = newestOf(row) ?? response
    if (!inheritsReorder) return keepSame(before, entity.mergeWithStore(newest, response, before, incoming))
    if (!entity.shouldUpdate(newest, response, before, incoming)) return before
    const verdict = this.verdict(row)
    if (verdict !== 'newer' && verdict !== 'older' && disagree(incoming, before))
      this.markStale(row, this.#overtook(row))
    const isWhole = this.decides(row)
    const merged = isWhole ? entity.merge(before, incoming) : entity.merge(incoming, before)
    if (!response.mutation || this.rivals.length === 0) return keepSame(before, merged)
    const isOther = (field: string): boolean => Object.hasOwn(incoming, field) && this.decides(row, field) !== isWhole
    return keepSame(before, except(merged, isWhole ? before : incoming, isOther))
  }

  /** Writes the stored form of a key's response. `join` is passed if the response contained a page of a list. */
  writeResult(row: Row, incoming: unknown, join?: JoinResults): void {
    const before = row.value
    const verdict = this.verdict(row)
    const isNewer = verdict === 'newer' || verdict === 'conflict'
    const value = join === undefined ? incoming : join(before, incoming, isNewer)
    const isSame = equal(before, value)
    if (this.isUnknownToSome) this.entry.results.push(row)
    if (isNewer || before === undefined || join !== undefined) this.put(row, isSame ? before : value)
    this.watch(row)
    if ((verdict === 'conflict' || verdict === 'overtaken') && !isSame) this.markStale(row, this.#overtook(row))
    this.stamp(row)
  }

  /** Records the response on a row. */
  stamp(row: Row): void {
    const { response } = this
    if (response === undefined) return
    if (!response.mutation) {
      if (row.read === undefined || response.start > row.read.start) row.read = response
      return
    }
    const { mutated } = row
    const { done, isStored } = response
    row.mutated =
      mutated !== undefined && mutated.start > response.start
        ? // The row is stored only if both responses are.
          { ...mutated, done, isStored: mutated.isStored && isStored }
        : response
    // Even without a change, layers that started earlier no longer decide about the row.
    this.commit.touch(row)
  }
}

/** True if two values are different texts or numbers. A form contains only texts. */
function contradict(named: unknown, value: unknown): boolean {
  return typeof named !== 'object' && typeof value !== 'object' && String(named) !== String(value)
}

/** True if a response has one of the named fields beside keys. */
function tells(names: Names, { rows, records }: Change): boolean {
  const isKey = (row: EntityRow | undefined, field: string, value: unknown): boolean =>
    typeof value !== 'object' && `${value}` === row?.pk && isThere(row.value) && row.value[field] === value
  return records.some((record, i) =>
    Object.entries(record).some(([field, value]) => names.has(field) && !isKey(rows[i], field, value)),
  )
}

/** Returns a merged record with some fields of another one. */
function except(merged: RowRecord, other: RowRecord, isOther: (field: string) => boolean): RowRecord {
  return { ...merged, ...Object.fromEntries(Object.entries(other).filter(([field]) => isOther(field))) }
}

export function summaryOf({ read, mutated }: Row): FieldOrder {
  const { start: started, done } = mutated ?? { start: 0, done: 0 }
  return { read: read?.start ?? 0, started, written: done, done }
}

/** True if the final state of a row depends on the order of two mutations. */
function disagree(
  own: RowRecord | typeof TOMBSTONE | undefined,
  other: RowRecord | typeof TOMBSTONE | undefined,
): boolean {
  if (!isThere(own) || !isThere(other)) return own !== other
  return Object.keys(own).some((field) => Object.hasOwn(other, field) && !equal(own[field], other[field]))
}
