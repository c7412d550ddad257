import { Commit, type UsageListener } from '../commit/commit.js'
import { Journal } from '../commit/journal.js'
import type { Layer } from '../commit/layer.js'
import type { ListEngine } from '../commit/list-engine.js'
import { Write } from '../commit/write.js'
import { splitRecord } from '../normalize/visit.js'
import { respond, withFetchKey } from '../respond.js'
import type { RowRecord, Schema } from '../schema/schema.js'
import type { Change } from '../table/change.js'
import type { EntityInfo } from '../table/entity-info.js'
import { EntityInfos } from '../table/entity-infos.js'
import { eachDependent, type Node } from '../table/graph.js'
import type { RowOf } from '../table/refs.js'
import { ResultView } from '../table/result-view.js'
import { type EntityRow, Kind, Row, SweepState } from '../table/row.js'
import { Table } from '../table/table.js'
import { isThere, type RecordValue, type ResponseInfo } from '../table/value.js'
import { Views } from '../table/views.js'
import { takeTransferred } from '../util/transfer.js'
import { Entry, type KeyError, type PageRequest } from './entry.js'
import { Forms } from './form.js'
import type { CommitRecord } from './on-commit.js'
import { Sequence } from './sequence.js'
import { type Mark, Staleness } from './staleness.js'
import type { StoreStep } from './step.js'

/** One notification of observers after one or more commits. */
export interface Notification {
  /** Keys of which facts other than the data changed, and whether a response or an error has just arrived. */
  readonly entries: ReadonlyMap<Entry, boolean>
  /** Rows that became stale. */
  readonly stale: ReadonlySet<Row>
  /** The writes, while there are commit listeners. */
  readonly record?: CommitRecord | undefined
  /** True if the commits changed nothing: only observers that wait for any commit need the notification. */
  readonly isUnchanged: boolean
  /** True if the table has changed. */
  readonly hasChanged: boolean
}

/** The table, the results by key, and the optimistic layers on top. All changes go through `commit`. */
export class Store {
  readonly sequence: Sequence = new Sequence()
  readonly #onNotify: (notification: Notification) => void
  readonly report: (error: Error) => void
  table!: Table
  infos!: EntityInfos
  views!: Views
  /** The entries, by the primary key of their result's row. */
  readonly entries: Map<string, Entry> = new Map()
  /** The entries by key: several if schemas of one key store its result in different forms. */
  readonly byKey: Map<string, Entry[]> = new Map()
  readonly #forms = new Forms()
  /** Pending layers in the order of their starts. */
  layers!: Layer[]
  /** The rows of results. */
  results!: Kind
  staleness!: Staleness
  /** The responses that requests in flight may have missed. */
  journal!: Journal
  /** True while layers are lifted so that server state can be written. */
  #areLifted = false
  #depth = 0
  #hasChanged = false
  /** True if a response was written, even if it changed nothing. */
  #hasWritten = false
  #touched = new Map<Entry, boolean>()
  #stale = new Set<Row>()
  /** Notified of writes and new views while a sweep marks rows. */
  usage: UsageListener | undefined
  /** Collects the writes until the next notification. `onCommit` sets it while there are listeners. */
  record: CommitRecord | undefined

  constructor(onNotify: (notification: Notification) => void, report: (error: Error) => void) {
    this.#onNotify = onNotify
    this.report = report
    this.reset()
  }

  /** Returns the entry of a key for schemas of this form. Creates it on first use. */
  entry(key: string, schema: Schema): Entry {
    const form = this.#forms.of(schema)
    const entries = this.byKey.get(key) ?? []
    for (const entry of entries) if (entry.form === form) return entry
    const id = entries.length === 0 ? key : `${key}\0${form}`
    const entry = new Entry(key, this.results.row(id), schema, form)
    this.entries.set(id, entry)
    this.byKey.set(key, [...entries, entry])
    this.staleness.admit(entry)
    for (const waiting of this.table.firstUse) waiting.key?.(key)
    return entry
  }

  /** Returns all entries of a key. */
  entriesOf(key: string): readonly Entry[] {
    return this.byKey.get(key) ?? []
  }

  /** Returns the row of a primary key in the schema's own class. */
  readonly rowOf: RowOf = (schema, pk) => this.infos.shown(schema, pk)

  /** Returns the row of the result that an `update` names by key, which is stored in the key's first entry. */
  resultRow(key: string): Row {
    return this.entriesOf(key)[0]?.row ?? this.results.row(key)
  }

  /** Creates a view of a result, or of the row that the arguments name. Its first change after a read calls `onDirty`. */
  resultView(source: Row | undefined, schema: Schema, args: readonly unknown[], onDirty: () => void): ResultView {
    const view = new ResultView(source, schema, args, onDirty)
    this.usage?.onView(view)
    return view
  }

  /** The code of lists; undefined until there is a list. */
  get lists(): ListEngine | undefined {
    // The table's type has only the function that creates lists.
    return this.table.maker as ListEngine | undefined
  }

  /** Returns the value of a row in server state, without layers. */
  readonly base = <R extends Row>(row: R): R['value'] => {
    if (this.layers.length === 0) return row.value
    for (const { below, isLifted } of this.layers) if (!isLifted && below.has(row)) return below.get(row)
    return row.value
  }

  /** Returns the value of a row below a layer: server state with the layers that started before it. */
  below<R extends Row>(row: R, start: number): R['value'] {
    for (const layer of this.layers) if (layer.start >= start && layer.below.has(row)) return layer.below.get(row)
    return row.value
  }

  /**
   * Yields the rows that pending layers affect: those that they wrote, and those that they read or skipped if an overlapping
   * mutation has changed them, with the rows and lists that this mutation named.
   */
  *pending(): Generator<Row, void> {
    // Many layers may touch the same rows.
    const touched = new Set(this.layers.flatMap((layer) => [...layer.touched]))
    for (const layer of this.layers) yield* layer.writes
    for (const row of touched) if (row instanceof Row) yield* this.journal.namedWith(row)
  }

  /** Runs several commits with one notification. */
  batch<Result>(work: () => Result): Result {
    this.#depth++
    try {
      return work()
    } finally {
      this.#depth--
      if (this.#depth === 0) this.#notify()
    }
  }

  /** Returns the change that a response makes to server state; undefined if the response is empty. */
  changeOf(
    { endpoint, args }: PageRequest,
    data: unknown,
    isTransferred: boolean = takeTransferred(data),
  ): Change | undefined {
    const { table, infos, views, base } = this
    const resultOf = (key: string): unknown => base(this.resultRow(key))
    return respond(endpoint, data, {
      table,
      infos,
      views,
      args,
      valueOf: base,
      resultOf,
      isTransferred,
      report: (error) => this.report(withFetchKey(error, endpoint, args)),
    })
  }

  /**
   * Writes a read's response, which becomes that of its key unless there is a newer one. A further page that is stored
   * under its list's key renews only its own rows: the key stays as old as its oldest page, with its marks and its error.
   */
  keepRead(entry: Entry, change: Change, response: ResponseInfo, request: PageRequest): void {
    this.batch(() => {
      this.commit({ change, response, entry, request, by: response.start })
      request.response = response
      const before = entry.response
      if (before !== undefined && before.start > response.start) {
        const late = { start: response.start, newest: before.start }
        // A late page makes the list as old as itself, so that marks in between count.
        if (this.lists?.isFurther(change, late)) entry.response = { ...before, start: response.start }
        // An older response is not the key's result, but observers that waited for it must fetch again now.
        this.touch(entry, response.start)
        return
      }
      if (before !== undefined && request.endpoint.requestKey && this.lists?.isFurther(change)) {
        const { date, expiresAt, at } = response
        if (expiresAt < before.expiresAt) entry.response = { ...before, date, expiresAt, at }
        this.touch(entry, response.start, true)
        return
      }
      this.staleness.judge(entry)
      entry.schema = request.endpoint.schema
      entry.response = response
      if (entry.error !== undefined && entry.error.start < response.start) entry.error = undefined
      // Data that was invalidated while its request was in flight may be shown, but is stale.
      if (entry.invalid > response.start) entry.stale = Math.max(entry.stale, entry.invalid)
      entry.invalid = 0
      this.touch(entry, response.start, true)
    })
  }

  /** Stores a request's error unless data or an error is newer. Observers that waited for it fetch again. */
  refuse(entry: Entry, error: KeyError): void {
    const isNewest = error.start >= Math.max(entry.response?.start ?? 0, entry.error?.start ?? 0)
    if (isNewest) entry.error = error
    this.touch(entry, error.start, isNewest)
  }

  /** Removes the error of a key, which is then fetched again if it has subscribers. */
  dropError(entry: Entry, by: number): void {
    entry.error = undefined
    entry.cause = { type: 'retry', by }
    this.touch(entry, by)
  }

  /** Notes that facts of a key other than its data changed. */
  touch(entry: Entry, by: number, hasArrived = false): void {
    this.record?.causes.add(by)
    this.#touched.set(entry, hasArrived || this.#touched.get(entry) === true)
    if (this.#depth === 0) this.#notify()
  }

  /**
   * Runs one step: lifts the layers, writes the response, lays the layers again, then notifies.
   *
   * @throws the error of a user's function that fails while the response is written; then nothing is written
   */
  commit(step: StoreStep): void {
    const { change, response, settle, push } = step
    const { table, layers } = this
    const commit = new Commit(layers.length > 0, this.usage, this.record)
    const isAll = change !== undefined || layers.some(({ dirty }) => dirty)
    // Removing a layer does not affect the layers below it.
    const from = isAll || settle === undefined ? 0 : Math.max(0, layers.indexOf(settle))
    const lifted = this.#areLifted || !(isAll || settle !== undefined) ? [] : layers.slice(from)
    if (lifted.length > 0) {
      this.#areLifted = true
      for (const layer of [...lifted].reverse()) layer.lift(commit)
    }
    try {
      if (settle !== undefined) {
        settle.leave(commit)
        this.layers = layers.filter((layer) => layer !== settle)
      }
      if (change !== undefined && response !== undefined) {
        const write = new Write(this, commit, response, change)
        this.#write(write, step.entry, step.request)
        if (write.isUnknownToSome) this.journal.add(write.entry)
      }
    } catch (error) {
      commit.rollback(change?.rows)
      if (settle !== undefined) this.layers = layers
      for (const layer of lifted) layer.stay()
      throw error
    } finally {
      if (lifted.length > 0) this.#areLifted = false
    }
    // A user's function has reset the store: this response belongs to the previous table.
    if (this.table !== table) return
    for (const row of step.stale ?? []) commit.markStale(row, response?.done || step.by, response?.done ?? 0)
    for (const row of step.invalid ?? []) commit.markInvalid(row, step.by)
    if (push !== undefined) this.layers = [...this.layers, push].sort((a, b) => a.start - b.start)
    for (const layer of this.layers.slice(from)) {
      if (this.#areLifted) break
      if (layer.isAffected(commit)) this.#run(layer, commit)
      else if (layer.isLifted) layer.lay(commit)
    }
    if (this.table !== table) return
    // Observers that wait for the layer must be notified even if no visible value changes.
    this.#hasChanged = commit.finish() || settle !== undefined || this.#hasChanged
    this.#hasWritten ||= change !== undefined
    // Rows that were written without a change count as used, too.
    if (this.usage !== undefined && change !== undefined) {
      for (const row of change.rows) this.usage.onWrite(row)
      for (const { row } of change.lists) this.usage.onWrite(row)
    }
    this.record?.causes.add(step.by)
    if (settle !== undefined) this.#forgetPlaceholders(settle)
    if (commit.stale.size > 0) this.#noteStale(commit.stale)
    if (this.#depth === 0) this.#notify()
  }

  /** Writes a change: rows, then lists, then the results of other keys, and for a read that of its own key. */
  #write(write: Write, own?: Entry, request?: PageRequest): void {
    const { change } = write
    const { lists } = this
    const changed = write.rows(lists?.asksAbout(write) === true)
    lists?.write(write, changed)
    for (const [key, value] of change.results) write.writeResult(this.resultRow(key), value)
    if (write.rivals.length > 0) write.askForContested()
    if (!write.isStamped) for (const row of change.rows) write.stamp(row)
    if (own !== undefined) write.writeResult(own.row, change.result, request && lists?.joinPage(change, own, request))
  }

  /** Writes data that nothing has read yet, without a notification. Pending layers will run again. */
  quietly(response: ResponseInfo, change: Change, entry?: Entry, form?: readonly [Row, RowRecord]): void {
    const commit = new Commit(this.layers.length > 0, this.usage, this.record)
    const lifted = this.#areLifted ? [] : this.layers
    for (const layer of [...lifted].reverse()) layer.lift(commit)
    if (form !== undefined) commit.put(...form)
    this.#write(new Write(this, commit, response, change), entry)
    for (const layer of lifted) layer.lay(commit)
    commit.finish()
    this.staleness.noteRows(commit.stale)
    for (const layer of this.layers) layer.dirty = true
  }

  /** Splits the stored rows of a kind by relations that a class of its key is the first to declare. */
  #split(kind: Kind<EntityRow>, info: EntityInfo): void {
    const { table, infos, views, base } = this
    const isStored = (record: RecordValue): record is RowRecord =>
      isThere(record) && info.relations.some(({ field }) => typeof record[field] === 'object')
    for (const row of [...kind.rows.values()]) {
      const stored = base(row)
      const response = row.read ?? row.mutated
      // Hydrated rows, whose numbers are below 1, arrive already split.
      if (!isStored(stored) || response === undefined || response.start < 1) continue
      const split = splitRecord(info, row, stored, { table, infos, views, args: [], valueOf: base })
      if (split !== undefined)
        this.quietly({ ...response, mutation: false }, split.change, undefined, [row, split.record])
    }
  }

  /** Runs a layer on the values below it. */
  #run(layer: Layer, commit: Commit): void {
    const { table } = this
    layer.begin(commit)
    const { touched } = layer
    const change = layer.make({
      valueOf: (row) => row.value,
      onRead: (row) => touched.add(row),
      onKind: (kind) => touched.add(kind),
    })
    // A user's function that the layer called may have reset the store.
    if (this.table === table && change !== undefined) this.#writeLayer(layer, change, commit)
    layer.isNew = false
  }

  #writeLayer(layer: Layer, change: Change, commit: Commit): void {
    try {
      this.#write(new Write(this, commit, layer, change))
    } catch (error) {
      for (const [row, value] of layer.below) row.value = value
      layer.below.clear()
      layer.failed(error as Error)
    }
  }

  /** Marks the results of a key in all forms. */
  markKey(key: string, severity: Mark['severity'], at: number): void {
    this.batch(() => {
      for (const entry of this.entriesOf(key)) {
        entry[severity] = at
        this.touch(entry, at)
      }
    })
  }

  /** Marks all rows of a kind by one mark, and notifies readers of its rows. */
  markKind(kind: Kind, severity: Mark['severity'], at: number): void {
    this.staleness.markKind(kind, severity, at)
    for (const row of kind.rows.values()) if (row.dependents !== undefined) this.#stale.add(row)
    this.record?.causes.add(at)
    if (this.#depth === 0) this.#notify()
  }

  /** Drops the journal entries that only ended requests could have needed. */
  prune(): void {
    // The journal is usually empty.
    if (this.journal.entries.length > 0) this.journal.prune(this.sequence.oldest())
  }

  /** Begins with an empty table. The caller notifies observers. */
  reset(): void {
    this.table = new Table()
    this.table.firstUse.add({ relations: (kind, info) => this.#split(kind, info) })
    this.infos = new EntityInfos(this.table)
    this.views = new Views(this.table, this.infos)
    this.entries.clear()
    this.byKey.clear()
    this.layers = []
    this.results = new Kind(RESULTS, Row, new SweepState())
    this.journal = new Journal()
    this.#areLifted = false
    this.staleness = new Staleness()
    this.#touched.clear()
    this.#stale.clear()
    // The record refers to rows of the previous table.
    this.record = this.record?.close()
  }

  /** Returns the results that depend on any of these nodes. */
  resultsAbove(nodes: Iterable<Node>): Set<ResultView> {
    const results = new Set<ResultView>()
    const seen = new Set<Node>(nodes)
    for (const node of seen) {
      if (node instanceof ResultView) results.add(node)
      // Iterating over a Set includes elements that are added meanwhile.
      eachDependent(node, (dependent) => seen.add(dependent))
    }
    return results
  }

  /** Drops the placeholder rows of a layer that was removed. */
  #forgetPlaceholders(layer: Layer): void {
    for (const kind of this.table.kinds.values()) {
      for (let count = 0; ; count++) {
        const row = kind.rows.get(placeholderOf(layer.request.label, count))
        if (row === undefined) break
        if (row.value === undefined) kind.drop(row)
      }
    }
  }

  #noteStale(rows: ReadonlySet<Row>): void {
    this.staleness.noteRows(rows)
    for (const row of rows) this.#stale.add(row)
  }

  #notify(): void {
    const { record } = this
    this.record = record?.close()
    const hasChanged = this.#hasChanged
    const isUnchanged = !hasChanged && this.#touched.size === 0 && this.#stale.size === 0
    if (isUnchanged && !this.#hasWritten) return
    this.#hasWritten = false
    this.#hasChanged = false
    const entries = this.#touched
    const stale = this.#stale
    this.#touched = new Map()
    this.#stale = new Set()
    this.#onNotify({ entries, isUnchanged, hasChanged, stale, record })
  }
}

/** The key of the kind of rows that store results; no entity has it. */
export const RESULTS = ''

/** Returns the temporary primary key of a row that an optimistic response creates: the same in every replay. */
export function placeholderOf(label: number | string, count = 0): string {
  return count === 0 ? `optimistic:${label}` : `optimistic:${label}:${count}`
}
