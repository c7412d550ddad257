import type { Controller } from '../client/controller.js'
import { hostOf } from '../client/registry.js'
import { newestOf } from '../commit/merge.js'
import type { Entry } from '../engine/entry.js'
import { type CommitListener, onCommit } from '../engine/on-commit.js'
import type { Store } from '../engine/store.js'
import { rowsBelow } from '../table/refs.js'
import type { Kind, Row } from '../table/row.js'
import type { MarkedSince, ResponseInfo } from '../table/value.js'
import type { Env } from '../util/env.js'
import { equal } from '../util/equal.js'
import { Draft, type MemberName, type ResponseFacts, wholeLists } from './draft.js'
import { ShapedRows } from './shaped-rows.js'
import type { Dehydrated, MutationMark } from './state.js'

/** The options of `dehydrate`. */
export interface DehydrateOptions {
  /**
   * Returns true for fetch keys to dehydrate, with the rows to which they refer.
   *
   * @default all keys, and all rows
   */
  readonly include?: ((key: string) => boolean) | undefined
  /**
   * `'redact'` keeps the name, the code and the status of errors, but not their messages; `'omit'` drops errors, so
   * that the browser fetches again at once.
   *
   * @default 'redact'
   */
  readonly errors?: 'redact' | 'omit' | undefined
  /**
   * A text that must be the same in `hydrate`, such as the version of the application: the state of another version is not
   * read.
   *
   * @default ''
   */
  readonly buster?: string | undefined
  /**
   * False omits data that was hydrated into this controller, because its sender also sends it to the browser.
   *
   * @default true
   */
  readonly hydrated?: boolean | undefined
  /**
   * True for a page that is made in advance, such as by a build: the state records when it was made, and the browser
   * adds the time since then to its age. Stale data is shown and refetched once.
   *
   * @default false
   */
  readonly isStatic?: boolean | undefined
}

/** The additional options of a log of records: the rows to leave out, and the responses to which rows are attributed. */
export interface PartsOptions extends DehydrateOptions {
  /** Returns false to leave out a response's rows of a kind. */
  readonly isMeant?: (kind: Kind, info: ResponseInfo) => boolean
  /** Returns false to leave out a row or a result although its response is included. */
  readonly isFit?: (row: Row) => boolean
  /** Returns the response to which a row is attributed; by default the newest one. */
  readonly infoOf?: (row: Row) => ResponseInfo | undefined
  /** Called with rows that have values which JSON cannot represent. Without it, JSON may change the values. */
  readonly onOdd?: (row: Row) => void
  /** Returns the position of a response among those of other tabs. */
  readonly placeOf?: (info: ResponseFacts) => readonly [since: number, mutation: MutationMark]
}

/** Dehydrates the server state of a controller in parts. Each contains the data stored since the last one. */
export class Parts {
  readonly #store: Store
  readonly #env: Env
  readonly #options: PartsOptions
  /** The last sent value of each key, list and error, and of rows whose commit listeners have not been called yet. */
  readonly #sent = new WeakMap<object, unknown>()
  /** Rows that were written and not sent; undefined before the first part, which contains all rows. */
  #unsent: RowsByKind | undefined = undefined

  constructor(controller: Controller, options: PartsOptions) {
    const { env, store } = hostOf(controller).runtime
    this.#store = store
    this.#env = env
    this.#options = options
  }

  /** Records the rows that are written, for parts after the first, until the returned function is called. */
  listen(onWritten = (): void => {}): () => void {
    const note: CommitListener = ({ written }) => {
      this.#note(written)
      onWritten()
    }
    return onCommit(this.#store, note, false)
  }

  #note(written: Iterable<Row>): void {
    if (this.#unsent !== undefined) for (const row of written) this.#unsent.add(row)
  }

  /** True for a row that was written and not sent. */
  isUnsent(row: Row): boolean {
    return this.#unsent?.of(row.home).has(row) !== false
  }

  /** Adds a row to the next part although it was not written. */
  sendAgain(row: Row): void {
    this.#sent.delete(row)
    this.#note([row])
  }

  /** Returns the next part; undefined if there is nothing new. */
  next(): Dehydrated | undefined {
    const draft = this.nextDraft()
    return draft.isEmpty ? undefined : draft.state(this.#options)
  }

  nextDraft(): Draft {
    const { entries, record, base, results } = this.#store
    // Listeners have not been called yet for quiet writes and within `notifyOnce`.
    this.#note(record?.written ?? [])
    const draft = new Draft(new ShapedRows(this.#options.onOdd), this.#env, base, this.#options.placeOf)
    const written = this.#unsent?.of(results)
    for (const entry of entries.values()) {
      const { response, error, row } = entry
      // The `update` of a mutation changes the value, but not the response.
      const hasResponse = this.#sent.get(entry) !== response || written?.has(row) !== false
      const hasError = error !== undefined && this.#sent.get(error) !== error
      if ((hasResponse || hasError) && this.#includes(entry)) this.#addEntry(draft, entry)
    }
    if (this.#unsent?.size !== 0) this.#unsent = this.#addRows(draft, this.#unsent)
    return draft
  }

  #includes({ key }: Entry): boolean {
    return this.#options.include?.(key) !== false
  }

  #isMeant({ home }: Row, info: ResponseInfo): boolean {
    return this.#options.isMeant?.(home, info) !== false
  }

  #isFit(row: Row): boolean {
    return this.#options.isFit?.(row) !== false
  }

  /** Returns true if a value was not sent before, and records it as sent. */
  #isNew(owner: object, value: unknown, { start }: { readonly start: number }): boolean {
    return this.#isOwn(start) && this.#sent.get(owner) !== value && this.#sent.set(owner, value) !== undefined
  }

  /** False for hydrated data if that is left out. Its sequence numbers are not integers. */
  #isOwn(start: number): boolean {
    return this.#options.hydrated !== false || Number.isInteger(start)
  }

  #addEntry(draft: Draft, entry: Entry): void {
    const { error } = entry
    const { response: own, row } = entry
    const response = own && this.#isMeant(row, own) && this.#isFit(row) ? own : undefined
    if ((response ?? error) === undefined) return
    const marks = this.#marksOf(entry)
    if (response !== undefined) {
      const value = this.#store.base(entry.row)
      const isOther = this.#isNew(entry.row, value, response)
      if (this.#isNew(entry, response, response) || isOther)
        draft.addResult(entry, response, marks, wholeLists(this.#store, entry.schema, value))
    }
    const since = Math.max(entry.response?.start ?? 0, marks.stale, marks.invalid + 1)
    const isTold = error !== undefined && this.#options.errors !== 'omit' && error.start >= since
    if (isTold && this.#isNew(error, error, error)) draft.addError(entry, error)
  }

  /** Returns the rows to which a key's result refers. */
  #rowsOf({ schema, row }: Entry): ReadonlySet<Row> {
    const { base, rowOf } = this.#store
    return rowsBelow(schema, base(row), rowOf)
  }

  /** Returns the marks of a key. */
  #marksOf(entry: Entry): MarkedSince {
    const oldest = Math.min(entry.response?.start ?? Infinity, entry.error?.start ?? Infinity)
    return this.#store.staleness.of(entry, oldest, () => this.#rowsOf(entry))
  }

  /** Adds rows of `among`, or of all. Returns those that were left out and may be added later. */
  #addRows(draft: Draft, among: RowsByKind | undefined): RowsByKind {
    const { base, table, layers, record } = this.#store
    // The listener has not been called with these rows yet.
    const early = record?.written.size ? record.written : undefined
    const { infoOf = newestOf, isFit } = this.#options
    const hasLayers = layers.length > 0
    const left = new RowsByKind()
    const included = this.#options.include && this.#includedRows()
    let shown: ReadonlySet<Row> | undefined
    const isShown = (row: Row): boolean => {
      shown ??= this.#shownRows()
      return shown.has(row)
    }
    // Rows keep the order of the table, which views of all rows show.
    const addAll = <R extends Row>(
      kinds: Iterable<Kind<R>>,
      add: (row: R, info: ResponseInfo, isStale: boolean) => void,
    ): void => {
      for (const kind of kinds) {
        // The rows of a kind have its class.
        const rows = among === undefined ? kind.rows.values() : (among.of(kind) as Iterable<R>)
        let last: Row | undefined
        let info: ResponseInfo | undefined
        for (const row of rows) {
          const value = hasLayers ? base(row) : row.value
          if (value === undefined || !kind.isAlive(row) || this.#wasSent(row, value)) continue
          // Consecutive rows usually share their responses, for which `isMeant` returns the same.
          if (kind.list !== undefined || row.read !== last?.read || row.mutated !== last?.mutated) {
            info = infoOf(row)
            if (info !== undefined && !this.#isMeant(row, info)) info = undefined
          }
          last = row
          if (info === undefined || isFit?.(row) === false) continue
          const { marks } = row
          const hidden = Math.max(marks?.invalid ?? 0, kind.invalid)
          const isReached = included?.has(row) !== false && (hidden <= info.start || isShown(row))
          if (isReached && this.#isOwn(info.start)) {
            // Recording each of thousands of rows would take a quarter of the time.
            if (early?.has(row)) this.#sent.set(row, value)
            add(row, info, Math.max(marks?.stale ?? 0, kind.stale, hidden) > info.start)
          } else left.add(row)
        }
      }
    }
    addAll(table.kinds.values(), (row, info, isStale) => draft.addRow(row, info, isStale))
    const isLoaded = ([{ key }, pk]: MemberName): boolean => base(table.kind(key).row(pk)) !== undefined
    addAll(table.lists.values(), (row, info, isStale) => draft.addList(row, info, isStale, isLoaded))
    return left
  }

  /** True if a value was sent. A view that has replaced its record is equal to it. */
  #wasSent(row: Row, value: unknown): boolean {
    const sent = this.#sent.get(row)
    if (sent === undefined) return false
    return sent === value || (value === row.view && equal({ ...sent }, { ...(value as object) }))
  }

  /** Returns the rows to which included keys refer, also by schemas of all rows. */
  #includedRows(): Set<Row> {
    const { entries, base, rowOf, table } = this.#store
    const rows = new Set<Row>()
    for (const entry of entries.values()) {
      if (!this.#includes(entry)) continue
      for (const row of rowsBelow(entry.schema, base(entry.row), rowOf, table.keysOf)) rows.add(row)
    }
    return rows
  }

  /** Returns the rows to which shown results refer, including those older than a mark that hides older rows. */
  #shownRows(): Set<Row> {
    const shown = new Set<Row>()
    for (const entry of this.#store.entries.values()) {
      if (entry.response === undefined || !this.#includes(entry)) continue
      const { invalid } = this.#marksOf(entry)
      if (invalid <= entry.response.start) for (const row of this.#rowsOf(entry)) shown.add(row)
    }
    return shown
  }
}

const NONE: ReadonlySet<Row> = new Set()

/** Rows by their kinds, since searching all rows of a kind would take longer than writing these. */
class RowsByKind {
  readonly #kinds = new Map<Kind, { readonly rows: Set<Row>; isInOrder: boolean; last: number }>()
  #last: Kind | undefined = undefined
  #of: { readonly rows: Set<Row>; isInOrder: boolean; last: number } | undefined = undefined

  get size(): number {
    return this.#kinds.size
  }

  add(row: Row): void {
    const { home, rank } = row
    // The previous row is usually of the same kind.
    if (this.#of === undefined || this.#last !== home) this.#of = this.#kinds.get(home)
    if (this.#of === undefined) {
      this.#of = { rows: new Set(), isInOrder: true, last: 0 }
      this.#kinds.set(home, this.#of)
    }
    this.#last = home
    if (rank < this.#of.last) this.#of.isInOrder = false
    this.#of.last = rank
    this.#of.rows.add(row)
  }

  /** Returns the rows of a kind in the order of the table. */
  of(kind: Kind): ReadonlySet<Row> {
    const { rows = NONE, isInOrder = true } = this.#kinds.get(kind) ?? {}
    // Usually they were written in order of arrival.
    return isInOrder ? rows : new Set([...rows].sort((a, b) => a.rank - b.rank))
  }
}
