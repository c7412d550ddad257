import type { Controller } from '../client/controller.js'
import { hostOf } from '../client/registry.js'
import { newestOf } from '../commit/merge.js'
import type { Entry } from '../engine/entry.js'
import { type CommitListener, onCommit } from '../engine/on-commit.js'
import type { Store } from '../engine/store.js'
import { rowsBelow } from '../table/refs.js'
import type { Kind, Row } from '../table/row.js'
import { type MarkedSince, type ResponseInfo, TOMBSTONE } from '../table/value.js'
import type { Env } from '../util/env.js'
import { equal } from '../util/equal.js'
import { Draft, type DraftOptions, type MemberName, type Move, wholeLists } from './draft.js'
import type { RowRun, RunOf } from './shaped-rows.js'
import type { Dehydrated } from './state.js'

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
export interface PartsOptions extends DehydrateOptions, DraftOptions {
  /** Returns false to leave out a response's rows of a kind. */
  readonly isMeant?: (kind: Kind, info: ResponseInfo) => boolean
  /** Returns false to leave out a list or a result although its response is included. */
  readonly isFit?: (row: Row) => boolean
  /** The rows that the receiver has, or must not get: they are left out. A row that is sent is removed. */
  readonly had?: WeakMap<Row, Had>
  /** Returns the response to which a row is attributed; by default the newest one. */
  readonly infoOf?: (row: Row) => ResponseInfo | undefined
  /** Returns the members that mutations have moved since the last call. */
  readonly takeMoves?: () => readonly Move[]
}

/** The receiver's value of a row, with the newest response of it; `LEFT_OUT` for a row that it must not get. */
export type Had = readonly [value: unknown, newest: ResponseInfo | undefined]

export const LEFT_OUT: Had = [undefined, undefined]

/** Dehydrates the server state of a controller in parts. Each contains the data stored since the last one. */
export class Parts {
  readonly #store: Store
  readonly #env: Env
  readonly #options: PartsOptions
  /** The last sent value of each key, list and error. */
  readonly #sent = new WeakMap<object, unknown>()
  /**
   * The last sent values of rows whose commit listeners have not been called yet. Recording thousands of rows would take a
   * quarter of the time.
   */
  #early: WeakMap<Row, unknown> | undefined
  /** Rows that were written and not sent; undefined before the first part, which contains all rows. */
  #unsent: RowsByKind | undefined

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
    this.#early?.delete(row)
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
    const draft = new Draft(this.#env, base, this.#options)
    const written = this.#unsent?.of(results)
    for (const entry of entries.values()) {
      const { response, error, row } = entry
      // The `update` of a mutation changes the value, but not the response.
      const hasResponse = this.#sent.get(entry) !== response || written?.has(row) !== false
      const hasError = error !== undefined && this.#sent.get(error) !== error
      if ((hasResponse || hasError) && this.#includes(entry)) this.#addEntry(draft, entry)
    }
    if (this.#unsent?.size !== 0) this.#unsent = this.#addRows(draft, this.#unsent)
    for (const move of this.#options.takeMoves?.() ?? []) draft.addMove(move)
    return draft
  }

  #includes({ key }: Entry): boolean {
    return this.#options.include?.(key) !== false
  }

  #isMeant({ home }: Row, info: ResponseInfo): boolean {
    return this.#options.isMeant?.(home, info) !== false
  }

  /** True for a list or a result that is not left out. */
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
    const { error, response: oldest, row, schema } = entry
    const received = this.#options.had?.get(row)
    const isLeft = received !== undefined && isKnown(row, this.#store.base(row), received)
    const newest = oldest && row.read && row.read.start > oldest.start ? row.read : oldest
    const response = newest && !isLeft && this.#isMeant(row, newest) && this.#isFit(row) ? newest : undefined
    if (!(response ?? error)) return
    const marks = this.#marksOf(entry)
    if (response) {
      const value = this.#store.base(row)
      const isOther = this.#isNew(row, value, response)
      if (this.#isNew(entry, oldest, response) || isOther)
        draft.addResult(entry, response, marks, wholeLists(this.#store, schema, value))
    }
    const since = Math.max(oldest?.start ?? 0, marks.stale, marks.invalid + 1)
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
    const { base, table } = this.#store
    const left = new RowsByKind()
    const included = this.#options.include && this.#includedRows()
    let shown: ReadonlySet<Row> | undefined
    const isReached = (row: Row, isHidden: boolean): boolean => {
      if (isHidden) shown ??= this.#shownRows()
      return included?.has(row) !== false && (!isHidden || shown?.has(row) === true)
    }
    const rowsOf = <R extends Row>(kind: Kind<R>): Iterable<R> =>
      // The rows of a kind are of its own class of rows.
      among === undefined ? kind.rows.values() : (among.of(kind) as Iterable<R>)
    // Rows keep the order of the table, which views of all rows show.
    for (const kind of table.kinds.values()) draft.addRows(rowsOf(kind), this.#runsOf(kind, isReached, left))
    const isLoaded = ([{ key }, pk]: MemberName): boolean => base(table.kind(key).row(pk)) !== undefined
    for (const kind of table.lists.values()) {
      const runOf = this.#runsOf(kind, isReached, left)
      for (const row of rowsOf(kind)) {
        const run = runOf(row, base(row))
        if (run !== undefined && this.#isFit(row)) draft.addList(row, run.info, run.isStale, isLoaded)
      }
    }
    return left
  }

  /**
   * Returns a function that returns the runs of a kind's rows, to be called with each row in turn; undefined for rows to leave
   * out. It adds those that may be added later to `left`.
   */
  #runsOf(kind: Kind, isReached: (row: Row, isHidden: boolean) => boolean, left: RowsByKind): RunOf {
    const { record } = this.#store
    const { had } = this.#options
    // The listener has not been called with these rows yet.
    const early = record?.written.size ? record.written : undefined
    const sent = this.#early
    const isList = kind.list !== undefined
    let run: Run | undefined
    let before: Row | undefined
    return (row, value) => {
      if (value === undefined || !kind.isAlive(row)) return undefined
      if (sent !== undefined && wasSent(row, value, sent)) return undefined
      const received = had?.get(row)
      if (received !== undefined && isKnown(row, value, received)) return undefined
      // Consecutive rows usually share their responses.
      if (isList || row.read !== before?.read || row.mutated !== before?.mutated || row.marks !== before?.marks) {
        run = this.#runOf(row, kind, run)
        before = row
      }
      if (run === undefined) return undefined
      if (!run.isWhole && (!run.isOwn || !isReached(row, run.isHidden))) {
        left.add(row)
        return undefined
      }
      // Its former value may come back, which the receiver no longer has.
      if (received !== LEFT_OUT) had?.delete(row)
      if (early?.has(row)) {
        this.#early ??= new WeakMap()
        this.#early.set(row, value)
      }
      return run
    }
  }

  /** Returns the run of a row, which may be that of the row before; undefined if its response is left out. */
  #runOf(row: Row, kind: Kind, before: Run | undefined): Run | undefined {
    const { infoOf = newestOf } = this.#options
    const info = infoOf(row)
    if (info === undefined || !this.#isMeant(row, info)) return undefined
    const { stale, invalid } = row.marks ?? UNMARKED
    const hidden = Math.max(invalid, kind.invalid)
    const isHidden = hidden > info.start
    const isStale = Math.max(stale, kind.stale, hidden) > info.start
    if (before?.info === info && before.isStale === isStale && before.isHidden === isHidden) return before
    const isOwn = this.#isOwn(info.start)
    const isWhole = isOwn && !isHidden && this.#options.include === undefined
    return { info, isStale, isHidden, isOwn, isWhole }
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

/** The run of rows, and which of them are added. */
interface Run extends RowRun {
  /** True if they are added only where a shown result refers to them. */
  readonly isHidden: boolean
  /** False if they were hydrated and hydrated rows are left out. */
  readonly isOwn: boolean
  /** True if all are added. */
  readonly isWhole: boolean
}

const UNMARKED: MarkedSince = { stale: 0, invalid: 0 }

/** True if a value was sent. A view that has replaced its record is equal to it. */
function wasSent(row: Row, value: unknown, values: WeakMap<Row, unknown>): boolean {
  const sent = values.get(row)
  if (sent === undefined) return false
  return sent === value || (value === row.view && equal({ ...sent }, { ...(value as object) }))
}

function isKnown(row: Row, value: unknown, received: Had): boolean {
  // A deletion tells nothing of what is left out.
  return received === LEFT_OUT ? value !== TOMBSTONE : received[0] === value && received[1] === newestOf(row)
}

interface KindRows {
  readonly rows: Set<Row>
  isInOrder: boolean
  /** The place of the last row in the table. */
  last: number
}

/** Rows by their kinds, since searching all rows of a kind would take longer than writing these. */
class RowsByKind {
  readonly #kinds = new Map<Kind, KindRows>()
  #last: Kind | undefined
  #of: KindRows | undefined

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
    const found = this.#kinds.get(kind)
    if (found === undefined) return new Set()
    // Usually they were written in order of arrival.
    return found.isInOrder ? found.rows : new Set([...found.rows].sort((a, b) => a.rank - b.rank))
  }
}
