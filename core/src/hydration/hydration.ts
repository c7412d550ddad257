import type { LiveObserver } from '../client/live-observer.js'
import type { Registry } from '../client/registry.js'
import type { Entry, KeyError } from '../engine/entry.js'
import type { Store } from '../engine/store.js'
import { type ListSchema, pkOfRef, type RowRecord } from '../schema/schema.js'
import { Change } from '../table/change.js'
import { rowsBelow } from '../table/refs.js'
import { type EntityRow, type Kind, type ListNode, type ListPage, originOf, type Row } from '../table/row.js'
import type { Lists, Table } from '../table/table.js'
import { type ResponseInfo, TOMBSTONE } from '../table/value.js'
import { equal } from '../util/equal.js'
import { RoundtableError } from '../util/errors.js'
import { freezeInDevelopment } from '../util/plain.js'
import { hydratedStart } from './hydrated-start.js'
import type { HydrationRequest, Rival } from './hydration-request.js'
import { portableForm } from './portable-form.js'
import type { ReadList, ReadResult, ReadState } from './read-state.js'
import { UNDATED } from './state.js'

/** The maximum number of waiting results, and of kinds of waiting lists. Beyond it, the oldest are dropped. */
const MOST_WAITING = 10_000

/** A part of a state, with the facts of its response, and what decides about it if the store has it, too. */
type WithInfo<Part> = Part & { readonly info: ResponseInfo; readonly rival?: Rival | undefined }

/** Tells of lists in a state that are older than those in the store. */
type TellOlder = (isQuiet: boolean) => void

/** A state with the facts of its responses. */
interface DatedState extends Pick<ReadState, 'rows'> {
  readonly infos: readonly ResponseInfo[]
  readonly lists: readonly WithInfo<ReadList>[]
  readonly results: readonly WithInfo<ReadResult>[]
}

/** The states of server-rendered pages. Only `hydrate` imports their code. */
interface RenderedPages {
  keep(state: ReadState): void
  snapshotOf(observer: LiveObserver, shown: unknown): unknown
  dispose(): void
}

/** The states hydrated into a controller's table. A reset creates a new one. */
export class Hydration {
  readonly #host: Registry
  readonly table: Table
  /** The hydrated states, by the objects that were passed in. */
  readonly #dates = new WeakMap<object, DatedState>()
  /** For each response, the number of its state's first response. */
  readonly #firsts = new WeakMap<ResponseInfo, number>()
  /** Results of keys that have not been used, so their schema is unknown. */
  readonly results: Map<string, WithInfo<ReadResult>[]> = new Map()
  /** Lists of Collections that have not been used, and functions to run after these are placed, by the Collection's key. */
  readonly #lists = new Map<string, (WithInfo<ReadList> | (() => void))[]>()
  /** Lists placed by their Collection's key alone: several may share it, so `belongs` and `compare` are unknown. */
  readonly #unbound = new WeakMap<Row, WithInfo<ReadList>>()
  /** Called with each change that was written, which may be long after its state was added. */
  onPlaced: ((info: ResponseInfo, change: Change, entry?: Entry) => void) | undefined
  /** True if a state stored by this device was hydrated. */
  hasStored = false
  /** The states of rendered pages; undefined until a page was hydrated. */
  rendered: RenderedPages | undefined

  constructor(host: Registry) {
    const { store } = host.runtime
    this.#host = host
    this.table = store.table
    store.table.firstUse.add({
      key: (key) => this.#placeResults(key),
      lists: (schema) => this.#placeLists(schema),
      list: (schema, list) => this.#bindList(schema, list),
    })
    host.rendered = this
  }

  get #store(): Store {
    return this.#host.runtime.store
  }

  /** False after a reset, since the server's data may be that of another user. */
  get #isCurrent(): boolean {
    return this.#store.table === this.table
  }

  /**
   * Writes a state: data in use at once and with one notification, the rest on first use. Returns the facts of its
   * responses.
   */
  add(source: object | string, request: HydrationRequest): readonly ResponseInfo[] {
    const { isRendering } = request
    const isNew = typeof source !== 'object' || !this.#dates.has(source)
    const dated = this.#dated(source, request)
    const store = this.#store
    for (const list of dated.lists) if (!this.table.lists.has(list.kind)) wait(this.#lists, list.kind, list)
    const older: TellOlder[] = []
    const changes = this.#changesOf(dated, request, older)
    if (isRendering) {
      this.#addMissing(dated, changes)
      // Listeners must not be called while components render.
      queueMicrotask(() => isNew && this.#tell(dated))
    } else {
      if (isNew) this.#tell(dated)
      store.batch(() => {
        changes.forEach((change, i) => {
          const response = dated.infos[i] as ResponseInfo
          store.commit({ change, response, by: this.#stateOf(response) })
          this.onPlaced?.(response, change)
        })
        for (const result of dated.results) this.#addResult(result)
        for (const tell of older) tell(false)
      })
    }
    return dated.infos
  }

  /** Emits the event of a state, with the number of its first response, which precedes all local ones. */
  #tell({ infos: [first] }: DatedState): void {
    const { events } = this.#host.runtime
    if (first !== undefined) events.emit('action', { id: first.start, type: 'hydrate', key: undefined })
  }

  /** Returns the number of a response's state. */
  #stateOf(info: ResponseInfo): number {
    return this.#firsts.get(info) ?? info.start
  }

  /** Returns a state with dated responses. A state that is hydrated again keeps its position in the order. */
  #dated(source: object | string, request: HydrationRequest): DatedState {
    const before = typeof source === 'object' ? this.#dates.get(source) : undefined
    if (before !== undefined) return before
    const state = request.read()
    if (request.isStored) this.hasStored = true
    else this.rendered?.keep(state)
    const infos = this.#infosOf(state, request)
    for (const info of infos) this.#firsts.set(info, (infos[0] as ResponseInfo).start)
    const date = <Part extends { readonly response: number }>(part: Part): WithInfo<Part> => ({
      ...part,
      info: infos[part.response] as ResponseInfo,
      rival: request.rival,
    })
    const dated: DatedState = {
      rows: state.rows,
      infos,
      lists: state.lists.map(date),
      results: state.results.map(date),
    }
    if (typeof source === 'object') this.#dates.set(source, dated)
    return dated
  }

  #infosOf(
    { responses, madeAt = Infinity }: ReadState,
    { age: stored = 0, since: all = 0, isStored, placeOf }: HydrationRequest,
  ): ResponseInfo[] {
    const { env, isServer } = this.#host.runtime
    const { sequence } = this.#store
    const now = isServer ? UNDATED : env.now()
    const mono = isServer ? UNDATED : env.mono()
    // The clocks of two machines may differ by minutes, which matters little for a prerendered state.
    const before = stored + Math.max(0, now - madeAt)
    return responses.map(({ age, lifetime }, i): ResponseInfo => {
      const { since, done, start = hydratedStart(sequence, since, isStored) } = placeOf?.(i) ?? { since: all, done: 0 }
      const left = lifetime === Infinity && before < Infinity ? Infinity : Math.max(0, lifetime - age - before || 0)
      // The response arrived on another machine, `old` ms ago.
      const old = isServer || before === Infinity ? 0 : age + before
      return { start, done, mutation: done > 0, date: now - old, expiresAt: now + left, at: mono - old, isStored }
    })
  }

  /** Returns the rows and lists by response. Creates all rows first, in order. */
  #changesOf(
    { rows, infos, lists }: DatedState,
    { isRendering, changeOf }: HydrationRequest,
    older: TellOlder[],
  ): Change[] {
    const changes = infos.map((info, response) => changeOf?.(response, info) ?? new Change())
    const isFree = (row: Row): boolean => !isRendering || row.value === undefined
    const { nextRank } = this.table.life
    const untouched = new Set<Kind<EntityRow>>()
    const mayBeDirect = !this.#isFollowed
    for (const group of rows) {
      const { kind: key, response, pks, records } = group
      const kind = this.table.kind(key)
      const info = infos[response] as ResponseInfo
      if (mayBeDirect && isUntouched(kind)) untouched.add(kind)
      // The last row is written in the usual way, which notifies of the change.
      const direct =
        info.mutation || info.start >= 1 || !untouched.has(kind) ? 0 : pks.length - (group === rows.at(-1) ? 1 : 0)
      for (let i = 0; i < pks.length; i++) {
        const row = kind.row(pks[i] as string)
        const record = records === undefined ? TOMBSTONE : freezeInDevelopment(records[i] as RowRecord)
        if (i < direct && row.value === undefined) {
          // The row needs no comparison or merge, and has no dependents.
          row.value = record
          row.read = info
          continue
        }
        if (row.value === undefined && row.rank < nextRank) kind.moveToEnd(row)
        if (isFree(row)) changes[response]?.write(row, record, kind.info)
      }
    }
    for (const list of lists) this.#addList(changes[list.response], list, older, isFree)
    return changes
  }

  /** True if layers, commit listeners, a sweep or predicate lists need to know of each written row. */
  get #isFollowed(): boolean {
    const { layers, record, usage, table } = this.#store
    const isAsked = ({ predicates }: Lists): boolean => predicates.size > 0
    return layers.length > 0 || record !== undefined || usage !== undefined || [...table.lists.values()].some(isAsked)
  }

  /** Writes only missing data, during a render, and notifies observers later. */
  #addMissing({ infos, results }: DatedState, changes: readonly Change[]): void {
    changes.forEach((change, i) => {
      this.#direct(infos[i] as ResponseInfo, change)
    })
    for (const result of results) if (this.#entriesFor(result).length === 0) wait(this.results, result.key, result)
    queueMicrotask(() => {
      this.#host.notify({ entries: new Map(), stale: new Set(), isUnchanged: false, hasChanged: true })
    })
  }

  // — lists —

  /** Adds a list of a Collection that is in use to a change. One that is older than the stored one is left out. */
  #addList(
    change: Change | undefined,
    read: WithInfo<ReadList>,
    older: TellOlder[],
    isFree = (_: Row): boolean => true,
  ): void {
    const { kind, pk, args, members, pages, info, rival } = read
    const lists = this.table.lists.get(kind)
    if (lists?.list === undefined) return
    const row = lists.row(pk)
    if (!isFree(row)) return
    if (row.read === undefined) rival?.onNew(row, info)
    else if (row.read.start > info.start || rival?.isNewer(row, members, info)) {
      older.push((isQuiet) => rival?.onOlder(row, members, isQuiet))
      return
    }
    const listPages = pages.map(
      ({ rank, order, ...page }): ListPage => ({
        ...page,
        order: page.cursor === '{}' ? Number.NEGATIVE_INFINITY : order,
        // The fraction keeps the order of pages and is smaller than the distance to the client's own requests.
        first: info.start + rank / 2 ** 32,
        start: info.start,
      }),
    )
    // A first page joins the further pages that are here.
    const isFurther = listPages.length > 1 || listPages[0]?.cursor !== '{}'
    const hasOthers = (this.#store.base(row)?.pages.length ?? 0) > 1
    const paged = listPages.length > 0 && (isFurther || !hasOthers) ? { pages: listPages } : undefined
    const own = lists.predicates.get(row)
    if (own === undefined) this.#unbound.set(row, read)
    const list = own ?? withoutPredicates(lists.list)
    change?.lists.push({ row, list, args, members, page: undefined, mayRepeat: false, ...paged })
  }

  /** Applies `belongs` and `compare` at a list's first use with its own Collection, possibly during a render. */
  #bindList(schema: ListSchema, met: ListNode): void {
    const row = originOf(met)
    const read = this.#unbound.get(row)
    if (read === undefined) return
    this.#unbound.delete(row)
    const { args, info } = read
    const value = this.#store.base(row)
    // A later response was already written with the list's own Collection.
    if (value === undefined || row.read !== info || (schema.belongs === undefined && schema.compare === undefined))
      return
    const change = new Change()
    const { members, pages } = value
    change.lists.push({ row, list: schema, args, members, page: undefined, mayRepeat: false, pages })
    // A list that a mutation has changed meanwhile is no longer as it came.
    this.#direct(info, change, undefined, equal(members, read.members))
  }

  /** Writes lists at the first use of their Collection's key, possibly during a render. No reader has shown them yet. */
  #placeLists(schema: ListSchema): void {
    const waiting = this.#lists.get(schema.key)
    if (waiting === undefined || !this.#lists.delete(schema.key)) return
    const older: TellOlder[] = []
    for (const list of waiting) {
      if (typeof list === 'function') {
        list()
        continue
      }
      const isThere = [...list.members.values()].every((ref) => {
        const entity = schema.entityOf(ref)
        return entity === undefined || this.table.kind(entity.key).row(pkOfRef(ref)).value !== undefined
      })
      // A list must not be shown without members that it had, like a result.
      if (list.isWhole && !isThere) continue
      const change = new Change()
      this.#addList(change, list, older)
      this.#direct(list.info, change)
    }
    for (const tell of older) tell(true)
  }

  /**
   * Calls `run` when the lists of a Collection that wait are placed, possibly during a render. Returns false if there
   * are none.
   */
  onceListed(key: string, run: () => void): boolean {
    if (!this.#lists.has(key)) return false
    wait(this.#lists, key, run)
    return true
  }

  // — results —

  #entriesFor({ key, form }: ReadResult): readonly Entry[] {
    return this.#store.entriesOf(key).filter((entry) => portableForm(entry.form) === form)
  }

  #addResult(result: WithInfo<ReadResult>): void {
    const entries = this.#entriesFor(result)
    if (entries.length === 0) wait(this.results, result.key, result)
    for (const entry of entries) {
      const { error, info, value } = result
      // The readers of the key need not be judged again.
      if (Math.max(entry.row.read?.start ?? 0, entry.error?.start ?? 0) > info.start) {
        result.rival?.onOlder(entry.row, value, false)
        continue
      }
      if (error !== undefined) this.#store.refuse(entry, keyError(result))
      else {
        const change = new Change()
        change.result = value
        // A result needs only the schema of its endpoint.
        const endpoint = { schema: entry.schema } as never
        this.#store.keepRead(entry, change, info, { endpoint, args: [] })
        this.onPlaced?.(info, change, entry)
      }
    }
  }

  /** Writes results at the first use of a key, possibly during a render. No reader has shown them yet. */
  #placeResults(key: string): void {
    const left = this.results.get(key)?.filter((result) => {
      const entries = this.#entriesFor(result)
      for (const entry of entries) {
        if (result.error !== undefined) entry.error = keyError(result)
        else this.#place(entry, result)
      }
      return entries.length === 0
    })
    if (left?.length === 0) this.results.delete(key)
    else if (left !== undefined) this.results.set(key, left)
  }

  #place(entry: Entry, { value, isWhole, info }: WithInfo<ReadResult>): void {
    const { rowOf } = this.#store
    const isThere = (): boolean => [...rowsBelow(entry.schema, value, rowOf)].every((row) => row.value !== undefined)
    // Unused rows may have been collected, and a result must not be shown without rows that it had.
    if (isWhole && !isThere()) return
    const change = new Change()
    change.result = value
    this.#direct(info, change, entry)
    entry.response = info
  }

  /** Writes data that no reader has shown yet, without a notification. */
  #direct(info: ResponseInfo, change: Change, entry?: Entry, isAsItCame = true): void {
    const store = this.#store
    store.quietly(info, change, entry)
    if (isAsItCame) this.onPlaced?.(info, change, entry)
    if (store.layers.length === 0) return
    // Pending layers may change the data, so they run again.
    queueMicrotask(() => this.#isCurrent && store.commit({ by: this.#stateOf(info) }))
  }

  // — for readers —

  /** Returns the snapshot that a reader showed on the server, or its current one if the server had no data for it. */
  snapshotOf(observer: LiveObserver): unknown {
    const shown = observer.getSnapshot()
    return this.rendered === undefined || !this.#isCurrent ? shown : this.rendered.snapshotOf(observer, shown)
  }

  /** Called when the store was reset or the controller disposed. */
  dispose(): void {
    this.rendered?.dispose()
    this.#host.rendered = undefined
  }
}

/** True if no code has looked up any row of a kind. */
function isUntouched({ rows, everyone, indexes, allRows, aliases }: Kind<EntityRow>): boolean {
  const isWatched = everyone.dependents !== undefined || allRows !== undefined
  return rows.size + aliases.size === 0 && indexes === undefined && !isWatched
}

/** Returns the hydration of a controller's current table. */
export function hydrationOf(host: Registry): Hydration {
  const { rendered } = host
  // No other code sets `rendered`.
  const current = rendered as Hydration | undefined
  return current?.table === host.runtime.store.table ? current : new Hydration(host)
}

function wait<Part>(waiting: Map<string, Part[]>, key: string, part: Part): void {
  const parts = waiting.get(key)
  if (parts === undefined) waiting.set(key, [part])
  else if (!parts.includes(part)) parts.push(part)
  if (waiting.size <= MOST_WAITING) return
  const [oldest] = waiting.keys()
  if (oldest !== undefined) waiting.delete(oldest)
}

function keyError({ error, info }: WithInfo<ReadResult>): KeyError {
  const { date, expiresAt, at, start } = info
  // The error's class exists only on the server; the error here has its public facts.
  const told = Object.assign(new RoundtableError('A request failed on the server.'), error?.facts)
  return { error: told, policy: error?.policy, date, expiresAt, at, start }
}

/** Returns a Collection with the same members, without `belongs` and `compare`. */
function withoutPredicates(list: ListSchema): ListSchema {
  return Object.create(list, { belongs: { value: undefined }, compare: { value: undefined } })
}
