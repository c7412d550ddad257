import type { Controller } from '../client/controller.js'
import type { Registry } from '../client/registry.js'
import { newestOf } from '../commit/merge.js'
import { type CommitListener, onCommit } from '../engine/on-commit.js'
import { RESULTS, type Store } from '../engine/store.js'
import { listParts, type Move } from '../hydration/draft.js'
import { isStoredStart } from '../hydration/hydrated-start.js'
import { hydrationOf } from '../hydration/hydration.js'
import { type Had, LEFT_OUT, Parts, type PartsOptions } from '../hydration/parts.js'
import { withoutCreation } from '../hydration/state.js'
import { isStorable } from '../hydration/values.js'
import { isInline, type Member, type Ref } from '../schema/schema.js'
import type { Change } from '../table/change.js'
import type { Kind, Row } from '../table/row.js'
import type { MarkedSince, ResponseInfo } from '../table/value.js'
import { equal } from '../util/equal.js'
import type { KeyMark, LogMark } from './record.js'
import type { Positions } from './tabs.js'

/** Collects the changes of a store since the last call. */
export interface News {
  readonly marks: readonly LogMark[]
  readonly keys: readonly KeyMark[]
  readonly state: ReturnType<Parts['next']>
}

/** News that were taken, where this tab stood then, the last record that it knew, and its own records after that. */
export interface Taken {
  readonly news: News | undefined
  readonly stood: number
  readonly knew: number
  readonly own: readonly number[]
}

/** The place of a response: the record that it comes after, and its mutation. */
type Place = ReturnType<Positions['placeOf']>

/** The members that a writer needs of the run that stores its news. */
interface WriterOptions {
  readonly positions: Positions
  include(name: string): boolean
  onNews(): void
  /** Called with the name of a kind or a key of which a value cannot be stored. */
  onOdd(name: string): void
}

/** Collects a controller's new server data for storage: never optimistic layers or responses with `no-store`. */
export class Writer {
  readonly #controller: Controller
  readonly #host: Registry
  readonly #options: WriterOptions
  #parts: Parts
  /** The newest mark of each row and kind that was told. */
  #told = new WeakMap<object, number>()
  #markedRows = new Set<Row>()
  /** True if keys may have been marked since they were looked at. */
  #hasMarks = false
  /** The number of the newest mark of an endpoint that was told. */
  #toldMark = 0
  /**
   * The content of the log. Rows that a response with `no-store` has written are left out: a later response may have
   * left fields of it in them.
   */
  readonly #had = new WeakMap<Row, Had>()
  /**
   * Rows of which the log has another value than the table, and their reads then: the next one is stored, also if it
   * says the same.
   */
  readonly #others = new Map<Row, ResponseInfo | undefined>()
  /**
   * The responses of lists when they were written last, and copies of those of lists whose members a mutation has changed
   * since.
   */
  readonly #lists = new WeakMap<
    Row,
    { readonly info: ResponseInfo | undefined; readonly copy: ResponseInfo | undefined }
  >()
  /** The places of copies of responses, which differ from those of the responses. */
  readonly #copies = new WeakMap<object, Place>()
  readonly edits: WeakSet<object> = new WeakSet()
  /** The newest number when the last news was taken. */
  #taken = 0
  readonly moved: Map<string, number> = new Map()
  /** The members that mutations outside of the outbox have moved since the last news. */
  #moves: Move[] = []
  #stops: (() => void)[] = []

  constructor(controller: Controller, host: Registry, options: WriterOptions) {
    this.#controller = controller
    this.#host = host
    this.#options = options
    this.#parts = this.#newParts()
    this.#followStored()
  }

  get #store(): Store {
    return this.#host.runtime.store
  }

  /** Notes the lists and results that come from the log. */
  #followStored(): void {
    const { base } = this.#store
    hydrationOf(this.#host).onPlaced = ({ isStored, mutation }, { rows, records, lists }, entry) => {
      if (!isStored) return
      rows.forEach((row, i) => {
        const value = base(row)
        // The flight whose response another tab has reported was first.
        if (mutation && this.#had.get(row)?.[0] === value) this.#noteStored(row)
        this.#compare(row, value, records[i])
      })
      for (const { row, members } of lists) {
        this.#noteStored(row)
        // With the same start it keeps the earlier response, which does not mean that a mutation has changed it.
        this.#lists.delete(row)
        this.#compare(row, base(row)?.members, members)
      }
      if (entry !== undefined) this.#noteStored(entry.row)
    }
  }

  /** The log has another value of a row than the table, which may be older. */
  #compare(row: Row, value: unknown, stored: unknown): boolean {
    const isSame = equal(value, stored)
    if (isSame) this.#others.delete(row)
    else this.#others.set(row, row.read)
    return isSame
  }

  isChanged(list: Row): boolean {
    return this.#lists.get(list)?.copy !== undefined
  }

  noteOlder(row: Row, stored: unknown): boolean {
    const { base, record } = this.#store
    const value = base(row)
    const told = row.list === undefined ? value : (value as { readonly members?: unknown } | undefined)?.members
    const isSame = this.#compare(row, told, stored)
    if (isSame && record?.written.has(row)) this.#noteStored(row)
    return !isSame
  }

  /** The place of a response among those of other tabs. */
  readonly #placeOf: NonNullable<PartsOptions['placeOf']> = (info) => {
    const [since, mutation] = this.#copies.get(info) ?? this.#options.positions.placeOf(info)
    return [since, this.edits.has(info) ? withoutCreation(mutation) : mutation]
  }

  /** Notes what the log is to say of a mutation. Those of the outbox move the members in each tab by themselves. */
  noteMutation(response: ResponseInfo, change: Change): void {
    for (const { list } of change.memberships) this.moved.set(list.key, response.done)
    if (isSecret(response)) return
    if (!change.mayCreate) this.edits.add(response)
    if (typeof this.#placeOf(response)[1] !== 'string')
      for (const move of change.memberships)
        if (this.#options.include(move.list.key))
          this.#moves.push({ ...move, response, members: move.members.filter(isRef) })
  }

  /** Keys may have been marked. */
  noteMarks(): void {
    this.#hasMarks = true
    this.#options.onNews()
  }

  /** News that comes into the log after what was read from it meanwhile: there, rows of both are as they are in the news. */
  noteLater(taken: readonly Taken[]): void {
    const { table } = this.#store
    for (const [key, , , pks] of taken.flatMap(({ news }) => news?.state?.rows ?? []))
      for (const pk of pks) {
        const row = table.kind(key).row(pk)
        if (newestOf(row)?.isStored) this.#others.set(row, row.read)
      }
  }

  #noteStored(row: Row): void {
    if (this.#had.get(row) !== LEFT_OUT) this.#had.set(row, [this.#store.base(row), newestOf(row)])
  }

  /**
   * The latest writes here came from another tab; earlier news is still taken, and so are lists, which that tab may not
   * have.
   */
  skip(): void {
    for (const row of this.#store.record?.written ?? [])
      if (row.home.list === undefined && !this.#parts.isUnsent(row)) this.#noteStored(row)
  }

  #newParts(): Parts {
    return new Parts(this.#controller, {
      onOdd: this.#noteOdd,
      errors: 'omit',
      isMeant: this.#isMeant,
      isFit: this.#isFit,
      had: this.#had,
      infoOf: (row) => this.#lists.get(row)?.copy ?? this.#placedInfoOf(row),
      placeOf: this.#placeOf,
      takeMoves: () => this.#moves.splice(0),
    })
  }

  /** Follows writes from now on; existing data is in the first news. */
  listen(): void {
    this.#hasMarks = true
    for (const kind of this.#kinds)
      for (const row of kind.rows.values()) if (row.marks !== undefined) this.#markedRows.add(row)
    this.#stops = [
      this.#parts.listen(() => this.#options.onNews()),
      onCommit(this.#store, this.#note, false),
      this.#controller.on('action', ({ type }) => {
        if (type === 'expire' || type === 'invalidate') this.noteMarks()
      }),
    ]
  }

  readonly #note: CommitListener = ({ stale, written }) => {
    for (const row of written) {
      if (this.isSecret(row)) this.#had.set(row, LEFT_OUT)
      if (row.home.list !== undefined) this.#noteList(row)
    }
    for (const row of stale) this.#markedRows.add(row)
  }

  /** A list was written: by a response of its own, or because a mutation has changed its members. */
  #noteList(row: Row): void {
    const info = this.#infoOf(row)
    const isChanged = info && this.#lists.get(row)?.info === info
    const copy = isChanged ? this.#copyOf(info, [this.#options.positions.placeOf(info)[0], '']) : undefined
    this.#lists.set(row, { info, copy })
  }

  #copyOf(info: ResponseInfo, place: Place): ResponseInfo {
    const copy = { ...info }
    this.#copies.set(copy, place)
    return copy
  }

  stop(): void {
    for (const stop of this.#stops) stop()
  }

  /** Treats the whole store as new: earlier news was not written, or the store was reset. */
  renew(): void {
    const isListening = this.#stops.length > 0
    this.stop()
    this.#parts = this.#newParts()
    // After a reset there is another one.
    this.#followStored()
    this.#told = new WeakMap()
    this.#toldMark = 0
    this.#markedRows.clear()
    this.#others.clear()
    this.#moves = []
    if (isListening) this.listen()
  }

  /** True for a row that must not be stored. */
  readonly isSecret = (row: Row): boolean =>
    this.#had.get(row) === LEFT_OUT || isSecret(row.read) || isSecret(row.mutated)

  /** A response that must not be stored has written these rows. */
  keepSecret(rows: Iterable<Row>): void {
    for (const row of rows) this.#had.set(row, LEFT_OUT)
  }

  /** Returns the news since the last call; undefined if there is none. */
  take(): News | undefined {
    const marks = this.#marks()
    const keys = this.#keys()
    for (const [row, read] of this.#others) {
      if (row.read === read || this.#infoOf(row) !== row.read) continue
      this.#others.delete(row)
      this.#parts.sendAgain(row)
    }
    const state = this.#parts.next()
    this.#taken = this.#store.sequence.now
    return marks.length + keys.length > 0 || state !== undefined ? { marks, keys, state } : undefined
  }

  /** True for what a response says of a kind if that is to be stored. */
  readonly #isMeant = ({ key, list }: Row['home'], info: ResponseInfo): boolean => {
    if (isSecret(info)) return false
    // A change of members leaves the response of the list.
    return key === RESULTS || ((list !== undefined || !info.isStored) && this.#options.include(key))
  }

  /** True for a list or a result that is to be stored. */
  readonly #isFit = (row: Row): boolean => {
    const { base } = this.#store
    const isResult = row.home.key === RESULTS
    if (isResult && !this.#options.include(nameOf(row))) return false
    const isStorableHere = (isResult ? [base(row)] : listParts(base(row))).every(isStorable)
    if (!isStorableHere) this.#noteOdd(row)
    return isStorableHere
  }

  readonly #noteOdd = (row: Row): void => this.#options.onOdd(nameOf(row))

  /**
   * Calls `add` with the mark of a row, a kind or a key unless it was told, or comes from the log itself; from then on
   * it was told.
   */
  #tell(owner: object, { stale, invalid }: Readonly<MarkedSince>, add: (isInvalid: 0 | 1) => void): void {
    const newest = Math.max(stale, invalid)
    if (newest <= (this.#told.get(owner) ?? 0) || isStoredStart(newest)) return
    this.#told.set(owner, newest)
    add(invalid > stale ? 1 : 0)
  }

  /**
   * A mutation that a read did not know of is the last word on a row, whichever came later; so is one of this tab that was
   * not told, since only that tells other tabs that their reads may be older.
   */
  #infoOf(row: Row): ResponseInfo | undefined {
    const { read, mutated } = row
    const since = Math.min(read?.start ?? 0, mutated?.isStored ? Infinity : this.#taken)
    return mutated && mutated.done > since ? mutated : newestOf(row)
  }

  /**
   * The response of a row as it is to be told: a read that began after a mutation of this tab was answered, and before that
   * was told, comes after the record that tells it. About this row, other tabs have told nothing between the two.
   */
  #placedInfoOf(row: Row): ResponseInfo | undefined {
    const info = this.#infoOf(row)
    const { mutated } = row
    if (info === undefined || info !== row.read || !mutated || mutated.isStored) return info
    const { positions } = this.#options
    const record = positions.toldIn(mutated.done)
    return record > positions.placeOf(info)[0] ? this.#copyOf(info, [record, 0]) : info
  }

  get #kinds(): readonly Kind[] {
    const { kinds, lists } = this.#store.table
    return [...kinds.values(), ...lists.values()]
  }

  /** Rows and kinds that were marked. */
  #marks(): readonly LogMark[] {
    const marks: LogMark[] = []
    for (const row of this.#markedRows)
      if (row.marks !== undefined)
        this.#tell(row, row.marks, (isInvalid) => marks.push([row.home.key, row.pk, isInvalid]))
    this.#markedRows.clear()
    if (this.#hasMarks)
      for (const kind of this.#kinds) this.#tell(kind, kind, (isInvalid) => marks.push([kind.key, null, isInvalid]))
    return marks
  }

  /** Keys that were marked, by themselves or with all of their endpoint: also those that nobody has used since the start. */
  #keys(): readonly KeyMark[] {
    if (!this.#hasMarks) return []
    this.#hasMarks = false
    const { entries, staleness } = this.#store
    const keys: KeyMark[] = []
    for (const entry of entries.values()) {
      staleness.judge(entry)
      this.#tell(entry, entry, (isInvalid) => keys.push([entry.key, isInvalid]))
    }
    // Other tabs know the marks that were read from the log.
    const marks = staleness.marks.filter(({ number, at }) => number > this.#toldMark && !isStoredStart(at))
    this.#toldMark = staleness.marks.at(-1)?.number ?? this.#toldMark
    for (const key of hydrationOf(this.#host).results.keys())
      for (const { severity, testKey } of marks) if (testKey(key)) keys.push([key, severity === 'invalid' ? 1 : 0])
    return keys
  }
}

/** True for a member that is a row. */
function isRef(member: Member): member is Ref {
  return !isInline(member)
}

/** Its name for the application. */
function nameOf({ home: { key }, pk }: Row): string {
  return key === RESULTS ? (pk.split('\0')[0] as string) : key
}

function isSecret(info: ResponseInfo | undefined): boolean {
  return info?.noStore === true
}
