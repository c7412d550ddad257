import type { Controller } from '../client/controller.js'
import { newestOf } from '../commit/merge.js'
import type { Entry } from '../engine/entry.js'
import { type CommitListener, onCommit } from '../engine/on-commit.js'
import type { Store } from '../engine/store.js'
import { rowsBelow } from '../table/refs.js'
import type { Kind, Row } from '../table/row.js'
import type { MarkedSince, ResponseInfo } from '../table/value.js'
import type { Env } from '../util/env.js'
import { equal } from '../util/equal.js'
import { Draft, type MemberName, type ResponseFacts } from './draft.js'
import { hostOf } from './host.js'
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
   * `'redact'` keeps the name, the code and the status of errors, but not their messages; `'omit'` leaves errors out, so that the
   * browser fetches again at once.
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
   * False leaves out data that was hydrated into this controller: its sender also sends it to the browser.
   *
   * @default true
   */
  readonly hydrated?: boolean | undefined
  /**
   * True for a page that is made in advance, such as by a build: the state notes when it was made, and is as old as that when a
   * browser hydrates it. Data that is out of date by then is shown, and fetched again once.
   *
   * @default false
   */
  readonly isStatic?: boolean | undefined
}

/** The options that a log of records needs beside those of a state: the rows to leave out, and the responses to count them from. */
export interface PartsOptions extends DehydrateOptions {
  /** False for a row or a result that is left out, however it changes; `info` is that of its newest response. */
  readonly isMeant?: (row: Row, info: ResponseInfo) => boolean
  /** The response that a row counts as from, where that is not the newest one. */
  readonly infoOf?: (row: Row) => ResponseInfo | undefined
  /** The place of a response among those of other tabs. */
  readonly placeOf?: (info: ResponseFacts) => readonly [since: number, mutation: MutationMark]
}

/** Dehydrates the server state of a controller in parts: each has the data stored since the last one. */
export class Parts {
  readonly #store: Store
  readonly #env: Env
  readonly #options: PartsOptions
  /** The value that was last sent of each row, key and error. */
  readonly #sent = new WeakMap<object, unknown>()
  /** Rows that were written and not sent; undefined before the first part, which has all rows. */
  #unsent: Set<Row> | undefined = undefined

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

  /** The next part; undefined if there is nothing new. */
  next(): Dehydrated | undefined {
    const draft = this.nextDraft()
    return draft.isEmpty ? undefined : draft.state(this.#options)
  }

  /** True for a row that was written and not sent. */
  isUnsent(row: Row): boolean {
    return this.#unsent?.has(row) !== false
  }

  nextDraft(): Draft {
    const { entries, record, base } = this.#store
    // Listeners have not heard yet of writes without a notification and within `notifyOnce`.
    this.#note(record?.written ?? [])
    const draft = new Draft(this.#env, base, this.#options.placeOf)
    for (const entry of entries.values()) {
      const { response, error, row } = entry
      // A mutation's update writes another value, and leaves the response.
      const hasResponse = this.#sent.get(entry) !== response || this.#unsent?.has(row) !== false
      const hasError = error !== undefined && this.#sent.get(error) !== error
      if ((hasResponse || hasError) && this.#includes(entry)) this.#addEntry(draft, entry)
    }
    if (this.#unsent?.size !== 0) this.#unsent = this.#addRows(draft, this.#unsent)
    return draft
  }

  #includes({ key }: Entry): boolean {
    return this.#options.include?.(key) !== false
  }

  #isMeant(row: Row, info: ResponseInfo): boolean {
    return this.#options.isMeant?.(row, info) !== false
  }

  /** True if it was not sent before; from then on it was. */
  #isNew(owner: object, value: unknown, { start }: { readonly start: number }): boolean {
    // Hydrated responses have sequence numbers that are no integers.
    if (this.#options.hydrated === false && !Number.isInteger(start)) return false
    return this.#sent.get(owner) !== value && this.#sent.set(owner, value) !== undefined
  }

  #addEntry(draft: Draft, entry: Entry): void {
    const { error } = entry
    const response = entry.response && this.#isMeant(entry.row, entry.response) ? entry.response : undefined
    if ((response ?? error) === undefined) return
    const { rows, ...marks } = this.#reachOf(entry)
    if (response !== undefined) {
      const isOther = this.#isNew(entry.row, this.#store.base(entry.row), response)
      if (this.#isNew(entry, response, response) || isOther) draft.addResult(entry, response, { rows, ...marks })
    }
    const since = Math.max(entry.response?.start ?? 0, marks.stale, marks.invalid + 1)
    const isTold = error !== undefined && this.#options.errors !== 'omit' && error.start >= since
    if (isTold && this.#isNew(error, error, error)) draft.addError(entry, error)
  }

  /** The rows that a key's result leads to, and since when the key is marked. */
  #reachOf(entry: Entry): MarkedSince & { readonly rows: ReadonlySet<Row> } {
    const { base, rowOf, staleness } = this.#store
    const rows = rowsBelow(entry.schema, base(entry.row), rowOf)
    const oldest = Math.min(entry.response?.start ?? Infinity, entry.error?.start ?? Infinity)
    return { rows, ...staleness.of(entry, oldest, () => rows) }
  }

  /** Adds rows of these, or of all; returns those that were left out, and may be added later. */
  #addRows(draft: Draft, among: ReadonlySet<Row> | undefined): Set<Row> {
    const { base, table } = this.#store
    const left = new Set<Row>()
    const byKind = among && rowsByKind(among)
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
        const rows = byKind === undefined ? kind.rows.values() : ((byKind.get(kind) ?? []) as readonly R[])
        for (const row of rows) {
          const value = base(row)
          const info = this.#options.infoOf?.(row) ?? newestOf(row)
          if (value === undefined || info === undefined || !kind.isAlive(row) || this.#wasSent(row, value)) continue
          if (!this.#isMeant(row, info)) continue
          const { stale = 0, invalid = 0 } = row.marks ?? {}
          const hidden = Math.max(invalid, kind.invalid)
          const isReached = included?.has(row) !== false && (hidden <= info.start || isShown(row))
          if (isReached && this.#isNew(row, value, info))
            add(row, info, Math.max(stale, kind.stale, hidden) > info.start)
          else left.add(row)
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
      const { rows, invalid } = this.#reachOf(entry)
      if (invalid <= entry.response.start) for (const row of rows) shown.add(row)
    }
    return shown
  }
}

/** Rows by their kinds, in the order of the table: to look for one among all of its kind would take longer than to write it. */
function rowsByKind(rows: Iterable<Row>): ReadonlyMap<Kind, readonly Row[]> {
  const byKind = new Map<Kind, Row[]>()
  for (const row of rows) {
    const { home } = row
    // One that was dropped is another one by now, or none.
    if (home.rows.get(row.pk) !== row) continue
    const of = byKind.get(home)
    if (of === undefined) byKind.set(home, [row])
    else of.push(row)
  }
  for (const of of byKind.values()) of.sort((a, b) => a.rank - b.rank)
  return byKind
}
