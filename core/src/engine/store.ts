import { PAGE_FIELDS } from '../endpoint/options.js'
import type { Schema } from '../schema/schema.js'
import type { Change } from '../table/change.js'
import { EntityInfos } from '../table/entity-infos.js'
import { FreshReader, type RowSource } from '../table/fresh.js'
import { eachDependent, type Node } from '../table/graph.js'
import { engineOf } from '../table/list-engine.js'
import type { RowOf } from '../table/refs.js'
import { ResultView } from '../table/result-view.js'
import { extrasOf, type ResponseInfo, Row } from '../table/row.js'
import { Kind, SweepState, Table } from '../table/table.js'
import { Views } from '../table/views.js'
import { Commit, type UsageListener } from './commit.js'
import { Entry, type KeyError, type PageRequest } from './entry.js'
import { Forms } from './form.js'
import type { Layer } from './layer.js'
import { type LevelStore, StoreLevel } from './level.js'
import { Sequence } from './sequence.js'
import { Staleness } from './staleness.js'
import type { StoreStep } from './step.js'
import { mergeRecords, replay, revert, write, writeResult } from './write.js'

/** What observers are told after a commit. */
export interface Notification {
  /** Keys of which other facts than the data changed, and whether a response or an error has just arrived. */
  readonly entries: ReadonlyMap<Entry, boolean>
  /** Rows that have become stale. */
  readonly stale: ReadonlySet<Row>
  /** True if something was written that changed nothing: that concerns only who waits for the next commit. */
  readonly isUnchanged: boolean
  /** True if the table is not what it was. */
  readonly hasChanged: boolean
}

/** The truth: the table, the results by key, and the optimistic layers on top. All that changes it goes through `commit`. */
export class Store implements LevelStore {
  readonly sequence: Sequence = new Sequence()
  readonly #onNotify: (notification: Notification) => void
  readonly report: (error: Error) => void
  table: Table = new Table()
  infos: EntityInfos = new EntityInfos(this.table)
  views: Views = new Views(this.table, this.infos)
  /** All that is known of keys, by the primary key of their result's row. */
  readonly entries: Map<string, Entry> = new Map()
  /** The same by key: several where schemas of one key keep its result in several forms. */
  readonly #byKey = new Map<string, Entry[]>()
  readonly #forms = new Forms()
  /** Pending layers in the order of their starts. */
  layers: Layer[] = []
  /** Where results are kept: rows like any other. */
  #results = resultKind()
  readonly staleness: Staleness = new Staleness()
  /** Rows that keep numbers of single fields. */
  #conflicts: Row[] = []
  #depth = 0
  #hasChanged = false
  /** True if something was written, whether it changed anything or not. */
  #hasWritten = false
  #touched = new Map<Entry, boolean>()
  #stale = new Set<Row>()
  /** True if a layer went: whoever waits for that is asked, also if nothing else changed. */
  #hasSettled = false
  /** Hears of what is written and of who begins to look, while it is found out what is needed. */
  usage: UsageListener | undefined = undefined

  constructor(onNotify: (notification: Notification) => void, report: (error: Error) => void) {
    this.#onNotify = onNotify
    this.report = report
  }

  /** What is known of a key, as a schema can show it; it comes into being when first asked for. */
  entry(key: string, schema: Schema): Entry {
    const form = this.#forms.of(schema)
    const known = this.entriesOf(key)
    for (const entry of known) if (entry.form === form) return entry
    const id = known.length === 0 ? key : `${key}\0${form}`
    const entry = new Entry(key, this.#results.row(id), schema, form)
    this.entries.set(id, entry)
    this.#byKey.set(key, [...known, entry])
    this.staleness.admit(entry)
    return entry
  }

  /** All that is known of a key. */
  entriesOf(key: string): readonly Entry[] {
    return this.#byKey.get(key) ?? []
  }

  /** The row that a schema and a primary key name, as the schema shows it. */
  readonly rowOf: RowOf = (schema, pk) => this.infos.shown(schema, pk)

  /** Forgets a key. */
  dropEntry(entry: Entry): void {
    this.staleness.keep(entry)
    this.entries.delete(entry.row.pk)
    const left = this.entriesOf(entry.key).filter((other) => other !== entry)
    if (left.length === 0) this.#byKey.delete(entry.key)
    else this.#byKey.set(entry.key, left)
    this.#results.drop(entry.row)
  }

  /** Where the result of a key is kept that an `update` names: the first that was heard of. */
  resultRow(key: string): Row {
    return this.entriesOf(key)[0]?.row ?? this.#results.row(key)
  }

  /** A view of a result, or without one of what the arguments name; `onDirty` is called once for each read, when it may have changed. */
  resultView(source: Row | undefined, schema: Schema, args: readonly unknown[], onDirty: () => void): ResultView {
    const view = new ResultView(source, schema, args, onDirty)
    this.usage?.onView(view)
    return view
  }

  /** Reads anew, with other values of rows than the visible ones. */
  reader(source: RowSource): FreshReader {
    return new FreshReader(this.table, this.infos, source)
  }

  /** Several commits, told once. */
  batch<Result>(work: () => Result): Result {
    this.#depth++
    try {
      return work()
    } finally {
      this.#depth--
      if (this.#depth === 0) this.#notify()
    }
  }

  /** Writes a read's answer, which is its key's own from now on, unless a newer one was there. */
  keepRead(entry: Entry, change: Change, response: ResponseInfo, request: PageRequest): void {
    engineOf(this.table)?.notePages(change, entry.pages, request)
    // The endpoint of pages knows the pagination field, also if the list's was made without.
    const [page] = entry.pages.values()
    const lastPageFields = request.endpoint.pageFields ?? page?.endpoint.pageFields ?? PAGE_FIELDS
    this.batch(() => {
      this.commit({ change, response, entry, lastPageFields })
      this.#accept(entry, response, request.endpoint.schema)
    })
  }

  #accept(entry: Entry, response: ResponseInfo, schema: Schema): void {
    if (entry.response !== undefined && entry.response.start > response.start) {
      // An older answer changes nothing, but who waited for it before asking again must ask now.
      this.touch(entry)
      return
    }
    this.staleness.judge(entry)
    entry.schema = schema
    entry.response = response
    if (entry.error !== undefined && entry.error.start < response.start) entry.error = undefined
    // What was invalidated while this was under way may be shown, but not for long.
    if (entry.invalid > response.start) entry.stale = Math.max(entry.stale, entry.invalid)
    entry.invalid = 0
    this.touch(entry, true)
  }

  /** A key's request failed; an older failure never replaces newer data, nor a newer failure. */
  refuse(entry: Entry, error: KeyError): void {
    const newest = Math.max(entry.response?.start ?? 0, entry.error?.start ?? 0)
    if (error.start >= newest) entry.error = error
    this.touch(entry, true)
  }

  /** Notes that facts of a key other than its data changed. */
  touch(entry: Entry, hasArrived = false): void {
    this.#touched.set(entry, hasArrived || this.#touched.get(entry) === true)
    if (this.#depth === 0) this.#notify()
  }

  /** Does one step: the server's word, layers that come and go, layers that stand on it; then tells whoever stands on what changed. */
  commit(step: StoreStep): void {
    const { change, response, entry } = step
    const { table } = this
    const { size: kindsBefore } = table.predicateKinds
    const commit = new Commit(this.usage)
    const level = response && new StoreLevel(this, commit, response)
    const merged = level && change && mergeRecords(level, change)
    // A user's function that was called emptied the store: this belongs to the one that was.
    if (this.table !== table) return
    if (step.settle !== undefined) {
      this.#settle(commit, step.settle)
      // Who waits for a layer to go must hear of it, whatever is visible.
      this.#hasChanged = true
    }
    if (level !== undefined && change !== undefined && merged !== undefined) {
      this.#hasWritten = true
      write(level, change, merged)
      if (entry !== undefined) {
        const isLast = engineOf(table)?.isLastPage(change)
        const pages = isLast === undefined ? undefined : { isLast, fields: step.lastPageFields ?? [] }
        writeResult(level, entry.row, change.result, pages)
      }
    }
    if (step.push !== undefined) this.layers.push(step.push)
    for (const row of step.stale ?? []) commit.markStale(row, response?.done || this.sequence.now)
    for (const row of step.invalid ?? []) commit.markInvalid(row, this.sequence.now)
    for (const layer of this.layers) {
      // Where lists came that know by themselves who is in them, each layer may have brought members.
      if (layer.dirty || this.table.predicateKinds.size > kindsBefore) replay(this, commit, layer)
    }
    this.#hasChanged = commit.finish() || this.#hasChanged
    // Also what was only said again is younger now.
    if (this.usage !== undefined && change !== undefined) {
      for (const row of change.rows) this.usage.onWrite(row)
      for (const { row } of change.lists) this.usage.onWrite(row)
    }
    if (step.settle !== undefined) this.#forgetPlaceholders(step.settle)
    if (commit.stale.size > 0) this.#noteStale(commit.stale)
    if (this.#depth === 0) this.#notify()
  }

  markConflict(row: Row): void {
    extrasOf(row).fieldsAt = this.sequence.now
    this.#conflicts.push(row)
  }

  /** After a request is over: what only it could have told apart is forgotten. */
  prune(): void {
    const oldest = this.sequence.oldest()
    const isOver = (at: number): boolean => at < oldest
    if (this.#conflicts.length > 0) {
      this.#conflicts = this.#conflicts.filter((row) => {
        if (row.extras === undefined || !isOver(row.extras.fieldsAt)) return row.extras?.fields !== undefined
        row.extras.fields = undefined
        return false
      })
    }
    for (const kind of this.table.lists.values()) {
      kind.forget(oldest)
    }
  }

  /** Forgets everything; whoever watches is told by the caller. */
  reset(): void {
    this.table = new Table()
    this.infos = new EntityInfos(this.table)
    this.views = new Views(this.table, this.infos)
    this.entries.clear()
    this.#byKey.clear()
    this.layers = []
    this.#results = resultKind()
    this.#conflicts = []
    this.staleness.clear()
    this.#touched.clear()
    this.#stale.clear()
  }

  /** The results that stand on any of these nodes. */
  resultsAbove(nodes: Iterable<Node>): Set<ResultView> {
    const results = new Set<ResultView>()
    const seen = new Set<Node>(nodes)
    for (const node of seen) {
      if (node instanceof ResultView) results.add(node)
      // A Set that grows while it is walked is walked to its end.
      eachDependent(node, (dependent) => seen.add(dependent))
    }
    return results
  }

  #settle(commit: Commit, layer: Layer): void {
    revert(this, commit, layer)
    this.layers = this.layers.filter((other) => other !== layer)
    this.#hasSettled = true
  }

  /** A placeholder lives in its layer only. */
  #forgetPlaceholders(layer: Layer): void {
    for (const kind of this.table.kinds.values()) {
      for (let count = 0; ; count++) {
        const pk = placeholderOf(layer.id, count)
        const row = kind.rows.get(pk)
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
    const hasChanged = this.#hasChanged
    const isUnchanged = !hasChanged && !this.#hasSettled && this.#touched.size === 0 && this.#stale.size === 0
    if (isUnchanged && !this.#hasWritten) return
    this.#hasWritten = false
    this.#hasSettled = false
    this.#hasChanged = false
    const entries = this.#touched
    const stale = this.#stale
    this.#touched = new Map()
    this.#stale = new Set()
    this.#onNotify({ entries, isUnchanged, hasChanged, stale })
  }
}

/** The key of the kind of rows that results are stored in; no entity has it. */
export const RESULTS = ''

function resultKind(): Kind {
  return new Kind(RESULTS, (home, pk) => new Row(home, pk), new SweepState())
}

/** The key of what an optimistic answer creates without one: the same through every replay. */
export function placeholderOf(id: number, count = 0): string {
  return count === 0 ? `optimistic:${id}` : `optimistic:${id}:${count}`
}
