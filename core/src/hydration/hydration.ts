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
import { RoundtableError } from '../util/errors.js'
import { freezeInDevelopment } from '../util/plain.js'
import { portableForm } from './portable-form.js'
import type { ReadList, ReadResult, ReadState } from './read-state.js'
import { UNDATED } from './state.js'

/** How many results, and how many kinds of lists, wait until somebody uses them; of more, the oldest are dropped. */
const MOST_WAITING = 10_000

/** A part of a state, and the facts of the response that it is from. */
type WithInfo<Part> = Part & { readonly info: ResponseInfo }

/** A state, and the facts of its responses. */
interface DatedState extends Pick<ReadState, 'rows'> {
  readonly infos: readonly ResponseInfo[]
  readonly lists: readonly WithInfo<ReadList>[]
  readonly results: readonly WithInfo<ReadResult>[]
}

/** A request to hydrate a state. */
export interface HydrationRequest {
  /** @throws HydrationError if the state cannot be used */
  readonly read: () => ReadState
  /** How long it was stored elsewhere, in ms. */
  readonly age: number
  /** The last sequence number before it was requested. */
  readonly since: number
  readonly isRendering: boolean
  /** True for a state that this device has stored: no server has rendered it, and a rendered state is newer. */
  readonly isStored?: boolean
  /**
   * For a state that another tab has stored: since when each response stands in the order here, or its very start, and when it was a mutation, its
   * completion; else 0.
   */
  readonly placeOf?: (response: number) => {
    readonly since: number
    readonly start?: number | undefined
    readonly done: number
  }
}

/** The states that a server has rendered pages of: their code is imported by `hydrate` alone. */
interface RenderedPages {
  keep(state: ReadState): void
  snapshotOf(observer: LiveObserver, shown: unknown): unknown
  dispose(): void
}

/** The states that were hydrated into a controller. After a reset the next state starts anew. */
export class Hydration {
  readonly #host: Registry
  readonly table: Table
  /** The states that were hydrated, as they were given. */
  readonly #dates = new WeakMap<object, DatedState>()
  /** The number of the first response in the state of each. */
  readonly #firsts = new WeakMap<ResponseInfo, number>()
  /** Results of keys that were never used: the schema by which they are read is not known. */
  readonly results: Map<string, WithInfo<ReadResult>[]> = new Map()
  /** Lists of Collections that were never used, by the Collection's key. */
  readonly #lists = new Map<string, WithInfo<ReadList>[]>()
  /** What is to be done with lists once they are placed, by the Collection's key. */
  readonly #onceListed = new Map<string, (() => void)[]>()
  /** Lists that were placed by the key of their Collection alone: which of several it is, and so `belongs` and `compare`, is not known. */
  readonly #unbound = new WeakMap<Row, WithInfo<ReadList>>()
  /** Hears of each change that was written, some long after their state was added. */
  onPlaced: ((info: ResponseInfo, change: Change, entry?: Entry) => void) | undefined = undefined
  /** Called with lists and results that are older than the data in the store. */
  onOlder: ((row: Row, value: unknown) => void) | undefined = undefined
  /** True if it has what this device has stored. */
  hasStored = false
  /** There once a page was hydrated. */
  rendered: RenderedPages | undefined = undefined

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

  /** False after a reset: the server's data was another user's. */
  get #isCurrent(): boolean {
    return this.#store.table === this.table
  }

  /** Writes a state: data in use at once and with one notification, the rest on first use. Returns the facts of its responses. */
  add(source: object | string, request: HydrationRequest): readonly ResponseInfo[] {
    const { isRendering } = request
    const isNew = typeof source !== 'object' || !this.#dates.has(source)
    const dated = this.#dated(source, request)
    const store = this.#store
    for (const list of dated.lists) if (!this.table.lists.has(list.kind)) wait(this.#lists, list.kind, list)
    const changes = this.#changesOf(dated, isRendering)
    if (isRendering) {
      this.#addMissing(dated, changes)
      // Not while components render.
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
      })
    }
    return dated.infos
  }

  /** Its number is that of its first response, and comes before all local ones. */
  #tell({ infos: [first] }: DatedState): void {
    const { events } = this.#host.runtime
    if (first !== undefined) events.emit('action', { id: first.start, type: 'hydrate', key: undefined })
  }

  /** The number of the state that a response came in. */
  #stateOf(info: ResponseInfo): number {
    return this.#firsts.get(info) ?? info.start
  }

  /** A state that is hydrated again keeps its place in the order. */
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
    })
    const dated = { rows: state.rows, infos, lists: state.lists.map(date), results: state.results.map(date) }
    if (typeof source === 'object') this.#dates.set(source, dated)
    return dated
  }

  #infosOf(
    { responses, madeAt = Infinity }: ReadState,
    { age: stored, since: all, isStored, placeOf }: HydrationRequest,
  ): ResponseInfo[] {
    const { env, isServer } = this.#host.runtime
    const { sequence } = this.#store
    const now = isServer ? UNDATED : env.now()
    const mono = isServer ? UNDATED : env.mono()
    // By two clocks: a few minutes matter little to a state that was made in advance.
    const before = stored + Math.max(0, now - madeAt)
    return responses.map(({ age, lifetime }, i) => {
      const { since, done, start = startOf(sequence, since, isStored) } = placeOf?.(i) ?? { since: all, done: 0 }
      const left = lifetime === Infinity && before < Infinity ? Infinity : Math.max(0, lifetime - age - before || 0)
      // It arrived elsewhere, so long ago.
      const old = isServer || before === Infinity ? 0 : age + before
      return { start, done, mutation: done > 0, date: now - old, expiresAt: now + left, at: mono - old, isStored }
    })
  }

  /** The rows and lists by their response; all rows are there first, in their order. */
  #changesOf({ rows, infos, lists }: DatedState, isRendering: boolean): Change[] {
    const changes = infos.map(() => new Change())
    const isFree = (row: Row): boolean => !isRendering || row.value === undefined
    const { nextRank } = this.table.life
    const untouched = new Set<Kind<EntityRow>>()
    const mayBeDirect = !this.#isFollowed
    for (const group of rows) {
      const { kind: key, response, pks, records } = group
      const kind = this.table.kind(key)
      const info = infos[response] as ResponseInfo
      if (mayBeDirect && isUntouched(kind)) untouched.add(kind)
      // The last one is written as any other, which tells that there is something new.
      const direct =
        info.mutation || info.start >= 1 || !untouched.has(kind) ? 0 : pks.length - (group === rows.at(-1) ? 1 : 0)
      for (let i = 0; i < pks.length; i++) {
        const row = kind.row(pks[i] as string)
        const record = records === undefined ? TOMBSTONE : freezeInDevelopment(records[i] as RowRecord)
        if (i < direct && row.value === undefined) {
          // Nothing is to be compared, merged or marked.
          row.value = record
          row.read = info
          continue
        }
        if (row.value === undefined && row.rank < nextRank) kind.moveToEnd(row)
        if (isFree(row)) changes[response]?.write(row, record, kind.info)
      }
    }
    for (const list of lists) this.#addList(changes[list.response], list, isFree)
    return changes
  }

  /** True if somebody may have to hear of each row that is written, or something depends on rows that are not there yet. */
  get #isFollowed(): boolean {
    const { layers, record, usage, table } = this.#store
    const isAsked = ({ predicates }: Lists): boolean => predicates.size > 0
    return layers.length > 0 || record !== undefined || usage !== undefined || [...table.lists.values()].some(isAsked)
  }

  /** While something renders: only missing data is written, and observers that wait for it are notified later. */
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

  /** A list of a Collection that is in use; an older one is ignored, as that of any response. */
  #addList(change: Change | undefined, read: WithInfo<ReadList>, isFree = (_: Row): boolean => true): void {
    const { kind, pk, args, members, pages, info } = read
    const lists = this.table.lists.get(kind)
    if (lists?.list === undefined) return
    const row = lists.row(pk)
    if (!isFree(row)) return
    if (row.read !== undefined && row.read.start > info.start) {
      this.onOlder?.(row, members)
      return
    }
    const listPages = pages.map(
      ({ rank, order, ...page }): ListPage => ({
        ...page,
        order: page.cursor === '{}' ? Number.NEGATIVE_INFINITY : order,
        // Only their order matters, and that all are older than the requests of this client.
        first: info.start + rank / 2 ** 32,
        start: info.start,
        came: page.members,
      }),
    )
    const paged = listPages.length > 0 ? { pages: listPages } : undefined
    const own = lists.predicates.get(row)
    if (own === undefined) this.#unbound.set(row, read)
    const list = own ?? withoutPredicates(lists.list)
    change?.lists.push({ row, list, args, members, page: undefined, mayRepeat: false, ...paged })
  }

  /** A list is met with its own Collection, maybe while a page renders: `belongs` is now asked which members have come or gone. */
  #bindList(schema: ListSchema, met: ListNode): void {
    const row = originOf(met)
    const read = this.#unbound.get(row)
    if (read === undefined) return
    this.#unbound.delete(row)
    const { args, info } = read
    const value = this.#store.base(row)
    // A later response was written with its own Collection.
    if (value === undefined || row.read !== info || (schema.belongs === undefined && schema.compare === undefined))
      return
    const change = new Change()
    const { members, pages } = value
    change.lists.push({ row, list: schema, args, members, page: undefined, mayRepeat: false, pages })
    this.#direct(info, change)
  }

  /** A Collection is used for the first time, maybe while a page renders: no list of its kind was shown, so nobody is notified. */
  #placeLists(schema: ListSchema): void {
    const waiting = this.#lists.get(schema.key)
    if (waiting === undefined || !this.#lists.delete(schema.key)) return
    for (const list of waiting) {
      const isThere = [...list.members.values()].every((ref) => {
        const entity = schema.entityOf(ref)
        return entity === undefined || this.table.kind(entity.key).row(pkOfRef(ref)).value !== undefined
      })
      // As with a result: a list must not show less than it had.
      if (list.isWhole && !isThere) continue
      const change = new Change()
      this.#addList(change, list)
      this.#direct(list.info, change)
    }
    for (const run of this.#onceListed.get(schema.key) ?? []) run()
    this.#onceListed.delete(schema.key)
  }

  /** Runs something when the lists of a Collection are placed, maybe while a page renders; false if none of them wait. */
  onceListed(key: string, run: () => void): boolean {
    if (!this.#lists.has(key)) return false
    wait(this.#onceListed, key, run)
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
      // Its readers need not be judged again.
      if (Math.max(entry.response?.start ?? 0, entry.error?.start ?? 0) > info.start) {
        this.onOlder?.(entry.row, value)
        continue
      }
      if (error !== undefined) this.#store.refuse(entry, keyError(result))
      else {
        const change = new Change()
        change.result = value
        // Only the schema of an endpoint matters to a result.
        const endpoint = { schema: entry.schema } as never
        this.#store.keepRead(entry, change, info, { endpoint, args: [] })
        this.onPlaced?.(info, change, entry)
      }
    }
  }

  /** A key is used for the first time, maybe while a page renders: nobody has shown it, so nobody is notified. */
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
    // Rows that nobody has used for long are collected, and a result must not show less than it had.
    if (isWhole && !isThere()) return
    const change = new Change()
    change.result = value
    this.#direct(info, change, entry)
    entry.response = info
  }

  /** Writes data to the table that nobody has read yet. */
  #direct(info: ResponseInfo, change: Change, entry?: Entry): void {
    const store = this.#store
    store.quietly(info, change, entry)
    this.onPlaced?.(info, change, entry)
    if (store.layers.length === 0) return
    // Pending layers may change it.
    for (const layer of store.layers) layer.dirty = true
    queueMicrotask(() => this.#isCurrent && store.commit({ by: this.#stateOf(info) }))
  }

  // — for readers —

  /** The snapshot that a reader showed on the server; its present one where the server had no data for it. */
  snapshotOf(observer: LiveObserver): unknown {
    const shown = observer.getSnapshot()
    return this.rendered === undefined || !this.#isCurrent ? shown : this.rendered.snapshotOf(observer, shown)
  }

  /** The store was emptied, or its controller was disposed of. */
  dispose(): void {
    this.rendered?.dispose()
    this.#host.rendered = undefined
  }
}

/** True if nobody has looked for any of its rows. */
function isUntouched({ rows, everyone, indexes, allRows, aliases }: Kind<EntityRow>): boolean {
  const isWatched = everyone.dependents !== undefined || allRows !== undefined
  return rows.size + aliases.size === 0 && indexes === undefined && !isWatched
}

/** So many responses have room in each half between two numbers. */
const HALF = 2 ** 20

/**
 * The start of a hydrated response: between `since` and the next number, in the order of arrival; in the first half those that this device
 * has stored. Of two with one start the later one counts: those of a state that stands before another one, and of more than have room.
 */
function startOf(sequence: Store['sequence'], since: number, isStored = false): number {
  if (since > sequence.hydratedSince) {
    sequence.hydratedSince = since
    sequence.hydrated = 0
  }
  const count = since < sequence.hydratedSince ? HALF - 1 : Math.min(++sequence.hydrated, HALF - 1)
  return since + (isStored ? count : count + HALF) / (2 * HALF)
}

/** True for a response that this device has stored: its start lies in the first half between two numbers. */
export function isStoredStart(start: number): boolean {
  return start % 1 > 0 && start % 1 < 0.5
}

/** The hydration of a controller's table. */
export function hydrationOf(host: Registry): Hydration {
  const { rendered } = host
  // Nothing else sets it.
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
  // Its class exists on the server only; its facts stay.
  const told = Object.assign(new RoundtableError('A request failed on the server.'), error?.facts)
  return { error: told, policy: error?.policy, date, expiresAt, at, start }
}

/** A Collection of the same members without functions that decide on its lists. */
function withoutPredicates(list: ListSchema): ListSchema {
  return Object.create(list, { belongs: { value: undefined }, compare: { value: undefined } })
}
