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
   * The fetch keys that are dehydrated, with the rows that they lead to.
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
   * A text that must be the same in `hydrate`, such as the version of the application: a page that was made by another version is
   * not read.
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

/** The options that a log of records needs beside those of a state: the rows to leave out, and the responses to count them from. */
export interface PartsOptions extends DehydrateOptions {
  /** False for a response whose rows of a kind are left out. */
  readonly isMeant?: (kind: Kind, info: ResponseInfo) => boolean
  /** False for a row or a result that is left out, though its response is not. */
  readonly isFit?: (row: Row) => boolean
  /** The response that a row counts as from, where that is not the newest one. */
  readonly infoOf?: (row: Row) => ResponseInfo | undefined
  /** Hears of rows with values that JSON does not keep; without it they are written as JSON writes them. */
  readonly onOdd?: (row: Row) => void
  /** The place of a response among those of other tabs. */
  readonly placeOf?: (info: ResponseFacts) => readonly [since: number, mutation: MutationMark]
}

/** Dehydrates the server state of a controller in parts: each has the data stored since the last one. */
export class Parts {
  readonly #store: Store
  readonly #env: Env
  readonly #options: PartsOptions
  /** The value that was last sent of each key, list and error, and of rows that will be heard of once more. */
  readonly #sent = new WeakMap<object, unknown>()
  /** Rows that were written and not sent; undefined before the first part, which has all rows. */
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

  /** A row is in the next part, though nothing has written it. */
  sendAgain(row: Row): void {
    this.#sent.delete(row)
    this.#note([row])
  }

  /** The next part; undefined if there is nothing new. */
  next(): Dehydrated | undefined {
    const draft = this.nextDraft()
    return draft.isEmpty ? undefined : draft.state(this.#options)
  }

  nextDraft(): Draft {
    const { entries, record, base, results } = this.#store
    // Listeners have not heard yet of writes without a notification and within `notifyOnce`.
    this.#note(record?.written ?? [])
    const draft = new Draft(new ShapedRows(this.#options.onOdd), this.#env, base, this.#options.placeOf)
    const written = this.#unsent?.of(results)
    for (const entry of entries.values()) {
      const { response, error, row } = entry
      // A mutation's update writes another value, and leaves the response.
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

  /** True if it was not sent before; from then on it was. */
  #isNew(owner: object, value: unknown, { start }: { readonly start: number }): boolean {
    return this.#isOwn(start) && this.#sent.get(owner) !== value && this.#sent.set(owner, value) !== undefined
  }

  /** False for what was hydrated, if that is left out: its sequence numbers are no integers. */
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

  /** The rows that a key's result leads to. */
  #rowsOf({ schema, row }: Entry): ReadonlySet<Row> {
    const { base, rowOf } = this.#store
    return rowsBelow(schema, base(row), rowOf)
  }

  /** Since when a key is marked. */
  #marksOf(entry: Entry): MarkedSince {
    const oldest = Math.min(entry.response?.start ?? Infinity, entry.error?.start ?? Infinity)
    return this.#store.staleness.of(entry, oldest, () => this.#rowsOf(entry))
  }

  /** Adds rows of these, or of all; returns those that were left out, and may be added later. */
  #addRows(draft: Draft, among: RowsByKind | undefined): RowsByKind {
    const { base, table, layers, record } = this.#store
    // Its listener has not heard of these yet.
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
    // In the order of the table, which selections of all rows show.
    const addAll = <R extends Row>(
      kinds: Iterable<Kind<R>>,
      add: (row: R, info: ResponseInfo, isStale: boolean) => void,
    ): void => {
      for (const kind of kinds) {
        // The rows of a kind are of its own class of rows.
        const rows = among === undefined ? kind.rows.values() : (among.of(kind) as Iterable<R>)
        let last: Row | undefined
        let info: ResponseInfo | undefined
        for (const row of rows) {
          const value = hasLayers ? base(row) : row.value
          if (value === undefined || !kind.isAlive(row) || this.#wasSent(row, value)) continue
          // Mostly it has the responses of the one before, and what is meant of that is meant of it.
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
            // To note each of thousands would take a quarter of the time.
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

  /** A view that has taken the place of its record since says nothing new. */
  #wasSent(row: Row, value: unknown): boolean {
    const sent = this.#sent.get(row)
    if (sent === undefined) return false
    return sent === value || (value === row.view && equal({ ...sent }, { ...(value as object) }))
  }

  /** The rows that included keys lead to, also by schemas that show all rows. */
  #includedRows(): Set<Row> {
    const { entries, base, rowOf, table } = this.#store
    const rows = new Set<Row>()
    for (const entry of entries.values()) {
      if (!this.#includes(entry)) continue
      for (const row of rowsBelow(entry.schema, base(entry.row), rowOf, table.keysOf)) rows.add(row)
    }
    return rows
  }

  /** The rows that a shown result leads to, also those that are older than a mark that hides older rows. */
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

/** Rows by their kinds: to look for one among all of its kind would take longer than to write it. */
class RowsByKind {
  readonly #kinds = new Map<Kind, { readonly rows: Set<Row>; isInOrder: boolean; last: number }>()
  #last: Kind | undefined = undefined
  #of: { readonly rows: Set<Row>; isInOrder: boolean; last: number } | undefined = undefined

  get size(): number {
    return this.#kinds.size
  }

  add(row: Row): void {
    const { home, rank } = row
    // Mostly the row before is of the same kind.
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

  /** Those of a kind, in the order of the table. */
  of(kind: Kind): ReadonlySet<Row> {
    const { rows = NONE, isInOrder = true } = this.#kinds.get(kind) ?? {}
    // Mostly they were written as they came.
    return isInOrder ? rows : new Set([...rows].sort((a, b) => a.rank - b.rank))
  }
}
