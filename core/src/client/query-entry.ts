import type { Cause } from '../cause.js'
import { newestOf } from '../commit/merge.js'
import type { EndpointInterface } from '../endpoint/options.js'
import { type EndpointResponse, ExpiryStatus } from '../endpoint/result.js'
import type { Entry } from '../engine/entry.js'
import { type Call, type Flight, type FlightSubscriber, requestKeyOf } from '../engine/flight.js'
import { expiryOf, type Facts, type Judgement } from '../freshness.js'
import { listIn } from '../rest/accessors.js'
import { INVALID } from '../schema/schema.js'
import { eachRow, rowsBelow, soleRow } from '../table/refs.js'
import type { ResultView } from '../table/result-view.js'
import { changedAt, type Row } from '../table/row.js'
import { type ResponseInfo, TOMBSTONE } from '../table/value.js'
import { DeletedError } from '../util/errors.js'
import { growingPause } from '../util/pause.js'
import type { Runtime } from './runtime.js'

/** How long readers still show a deleted row, in ms. */
const DELETED_FOR = 1_000
/** The shortest pause before a contested row is fetched again, in ms. */
const AGAIN = 1_000

/** The deletion of a row that a reader shows. */
interface Deleted {
  /** The timer that ends showing the last data; undefined while the deletion is pending. */
  timer?: unknown
  /** The error that is shown after the timer has fired. */
  error?: DeletedError
}

/** The observer for which a key is requested. */
interface KeyObserver {
  readonly verdict: Judgement | undefined
  judge(hasArrived: boolean): void
  update(): void
  /** Schedules another judgement after the next commit. */
  postpone(): void
}

/** One key with the schema of an endpoint: its data, the facts for its judgement, and its requests. */
export class QueryEntry {
  readonly #runtime: Runtime
  readonly #onDirty: () => void
  key: string
  /** The endpoint that was passed in last. It makes the next request. */
  endpoint: EndpointInterface
  args: readonly unknown[]
  entry: Entry
  view: ResultView
  /** The request that the reader has joined. */
  flight: Flight | undefined
  #subscriber: FlightSubscriber | undefined
  /** The number of consecutive failed fetches of contested rows, and the timer of the next fetch. */
  failures = 0
  #again: unknown
  /** The deletion of its row by this client, if a reader showed the row. */
  deleted: Deleted | undefined

  constructor(runtime: Runtime, { endpoint, args, key }: Call, onDirty: () => void) {
    this.#runtime = runtime
    this.#onDirty = onDirty
    this.endpoint = endpoint
    this.args = args
    this.key = key
    this.entry = runtime.store.entry(key, endpoint.schema)
    this.view = runtime.store.resultView(this.entry.row, endpoint.schema, args, onDirty)
  }

  /** Starts over after a reset of the store. */
  rebind(): void {
    const { store } = this.#runtime
    this.entry = store.entry(this.key, this.endpoint.schema)
    this.view = store.resultView(this.entry.row, this.endpoint.schema, this.args, this.#onDirty)
  }

  /** Returns the data of the key; undefined if there is none. */
  data(): unknown {
    const { store, network } = this.#runtime
    const view = store.views.read(this.view)
    if (view !== INVALID && view !== undefined) return view
    // The temporary key in the arguments may have become a real one.
    const call = network.keyReplacer ? network.realCall(this) : this
    if (call === this) return undefined
    this.args = call.args
    this.key = call.key
    this.rebind()
    return this.data()
  }

  /** Lets a view that failed be built again: a user's function may have thrown for a reason outside of the table. */
  retry(): void {
    if (this.view.error !== undefined) this.view.dirty = true
  }

  /**
   * Returns the sequence number at which this client's deletion of the key's row ended, or 0 while the deletion is pending.
   * Undefined if there was none, or if the server has responded for the key since.
   */
  deletion(): number | undefined {
    const { views, rowOf, base } = this.#runtime.store
    const { schema } = this.endpoint
    const { row, error } = this.entry
    // Only a result that is a single row is deleted with it.
    const own = soleRow(schema, row.value ?? views.lookupQuietly(schema, this.args), { rowOf })
    if (own?.value !== TOMBSTONE) return undefined
    const done = base(own) === TOMBSTONE ? own.mutated?.done : 0
    return done === undefined || done < (error?.start ?? 0) ? undefined : done
  }

  /** True if a row of the result was deleted after its request had started: only the server knows whether it is back. */
  isDeletedSince({ start }: ResponseInfo): boolean {
    return [...this.#rows()].some((row) => row.value === TOMBSTONE && changedAt(row) > start)
  }

  /** Tells how long ago an observer's row was deleted, and starts its timer. Without an observer, ends the deletion. */
  deletedFor(observer: KeyObserver | undefined): Facts['deleted'] {
    const at = observer && this.deletion()
    if (observer === undefined || at === undefined) {
      this.endDeleted()
      return undefined
    }
    if (this.deleted?.error !== undefined) return 'before'
    // The end of a pending deletion changes no visible value, nor does a row that comes back below one.
    observer.postpone()
    if (at === 0) this.endDeleted()
    this.deleted ??= {}
    const { deleted } = this
    const end = (): void => {
      deleted.error = new DeletedError(this.key)
      judgeAnew(observer)
    }
    if (at > 0) deleted.timer ??= this.#runtime.env.setTimeout(end, DELETED_FOR, true)
    return 'recently'
  }

  /** Ends the deletion: the key may be fetched again. */
  endDeleted(): void {
    if (this.deleted?.timer !== undefined) this.#runtime.env.clearTimeout(this.deleted.timer)
    this.deleted = undefined
  }

  // — requests —

  /** Requests the key, even if its data is fresh. The promise resolves when the request has settled, and never rejects. */
  refetch(hasData: boolean): Promise<void> {
    const { network, store } = this.#runtime
    const { signal } = this.endpoint
    return new Promise((resolve) => {
      const settle = (): void => resolve()
      const flight = network.join(this, { settle, fail: settle, signal, cause: { type: 'refetch' } })
      // Readers without data show the pending request in place of the error.
      if (flight && !hasData && this.entry.error !== undefined) store.dropError(this.entry, flight.start)
    })
  }

  /** Requests the key for the reader, unless it already waits for a request. */
  fetch(cause: Cause): void {
    const { network, closed } = this.#runtime
    if (closed !== undefined || this.flight?.isOver === false) return
    const { signal } = this.endpoint
    const fail = (error: Error): void => {
      // The endpoint's signal removed the subscriber from the flight, which therefore does not store this error.
      if (signal?.aborted) network.refuse(this, error, this.#runtime.act('setError', this.key))
    }
    const settle = (): void => {
      this.failures = 0
    }
    const again = this.failures > 0 ? { settle } : undefined
    this.#subscriber = { ...again, fail, signal, joinsAny: true, cause }
    this.flight = network.join(this, this.#subscriber)
  }

  /** Fetches contested data again after growing pauses: it may be wrong, and nothing else would fetch it. */
  askAgain(observer: KeyObserver): void {
    const { env } = this.#runtime
    const ask = (): void => {
      this.#again = undefined
      // Another request may have settled the doubt, and a reader that shows the error keeps it.
      if (observer.verdict?.show !== 'data' || this.facts(false).mark?.type !== 'contested') return
      this.entry.error = undefined
      judgeAnew(observer)
    }
    this.#again ??= env.setTimeout(ask, growingPause(AGAIN, ++this.failures, env))
  }

  /** Ends the fetches of `askAgain`, when the last reader leaves. */
  askNoMore(): void {
    this.failures = 0
    this.#runtime.env.clearTimeout(this.#again)
    this.#again = undefined
  }

  /** Leaves the request that the reader has joined. */
  leave(): void {
    const { flight } = this
    this.flight = undefined
    if (flight?.isOver === false && this.#subscriber) this.#runtime.network.leave(flight, this.#subscriber, false)
  }

  // — facts —

  /** True if an optimistic layer writes a row that the data depends on. */
  isUnderLayer(): boolean {
    const { store } = this.#runtime
    return store.layers.length > 0 && store.resultsAbove(store.pending()).has(this.view)
  }

  /** Returns the facts of the key. With `isRendering`, stale data is unusable, since no later render would replace it. */
  facts(justArrived: boolean, isRendering = false): Facts {
    const hasData = this.data() !== undefined
    const { entry, endpoint } = this
    const { clock, store } = this.#runtime
    const mono = clock.mono()
    const { start, expiresAt } = this.#age(hasData, mono)
    const { error, response } = entry
    // Data that was assembled from rows has no response, and therefore no `shownUntil`.
    const end = response && expiryOf({ ...response, expiresAt: response.shownUntil ?? Infinity }, mono)
    const { stale, invalid, contested } = store.staleness.of(entry, Math.min(start, error?.start ?? start), this.#rows)
    // An error older than a mark is ignored, since it would prevent the fetch that the mark demands.
    const isErrorNewer = error !== undefined && error.start >= start && error.start > invalid && error.start >= stale
    const isInvalid = invalid > start
    const by = isInvalid ? invalid : stale
    const type = isInvalid ? 'invalidate' : stale === contested ? 'contested' : 'expire'
    return {
      hasData,
      isInvalid,
      isStale: hasData && (stale > start || (store.table.hasPages && this.lacksFirst())),
      expiresAt,
      invalidIfStale: isRendering || endpoint.invalidIfStale === true || (end ?? Infinity) <= clock.now(),
      error: isErrorNewer ? { policy: error.policy, expiresAt: expiryOf(error, mono) } : undefined,
      justArrived,
      mark: by > start && (start > 0 || type === 'contested') ? { type, by } : undefined,
    }
  }

  /** Returns the first list in the data. */
  get list(): Row['list'] {
    const { views, rowOf } = this.#runtime.store
    const { schema } = this.endpoint
    let found: Row['list']
    eachRow(schema, this.entry.row.value ?? views.lookupQuietly(schema, this.args), { rowOf }, (row) => {
      found ??= row.list
    })
    return found
  }

  /** True for a list of which pages are there without the first one, unless the endpoint requests only a page. */
  lacksFirst(): boolean {
    const schema = listIn(this.endpoint.schema)
    return schema !== undefined && !schema.pageOf && this.list?.lacksFirst === true
  }

  /** Returns when the data was requested and when it expires. Data assembled from rows is as old as the oldest row. */
  #age(hasData: boolean, mono: number): { start: number; expiresAt: number } {
    const { response } = this.entry
    if (response !== undefined && !this.view.inferred) {
      const own = this.endpoint.requestKey && this.#ownPage()
      const newest = own && own.start > response.start ? own : response
      return { start: newest.start, expiresAt: expiryOf(newest, mono) }
    }
    if (!hasData) return { start: 0, expiresAt: Infinity }
    const rows = this.#rows()
    // Data without rows in its result, such as that of `All`, has no age.
    if (rows.size === 0) return { start: 0, expiresAt: 0 }
    let start = Infinity
    let expiresAt = Infinity
    for (const row of rows) {
      const newest = newestOf(row)
      if (newest === undefined) continue
      // A later response without all fields has not settled which mutation came last.
      start = Math.min(start, newest.start, (row.marks?.open ?? Infinity) - 1)
      expiresAt = Math.min(expiresAt, expiryOf(newest, mono))
    }
    return { start: start === Infinity ? 0 : start, expiresAt }
  }

  /** Returns the response of the page that the endpoint requests: its reader cannot renew the other pages of the list. */
  #ownPage(): ResponseInfo | undefined {
    const own = requestKeyOf(this, '')
    for (const request of this.entry.pages?.values() ?? [])
      if (requestKeyOf(request, '') === own) return request.response
    return undefined
  }

  /** Returns all rows that the data contains. */
  readonly #rows = (): ReadonlySet<Row> => {
    const { views, rowOf } = this.#runtime.store
    const { schema } = this.endpoint
    return rowsBelow(schema, this.entry.row.value ?? views.lookupQuietly(schema, this.args), rowOf)
  }
}

/** Judges an observer outside of a commit, and notifies it. */
function judgeAnew(observer: KeyObserver): void {
  observer.judge(false)
  observer.update()
}

/** Returns the response of a key, as `controller.getResponse` returns it. */
export function responseOf(query: QueryEntry): EndpointResponse<unknown> {
  const facts = query.facts(false)
  const { error } = query.entry
  const isHidden = facts.error === undefined || (facts.error.policy === 'soft' && facts.hasData && !facts.isInvalid)
  const response = {
    data: query.data(),
    expiryStatus: expiryStatusOf(facts),
    expiresAt: facts.isStale || !facts.hasData ? 0 : facts.expiresAt,
  }
  return isHidden || error === undefined ? response : { ...response, error: error.error }
}

function expiryStatusOf(facts: Facts): ExpiryStatus {
  if (!facts.hasData || facts.isInvalid) return ExpiryStatus.Invalid
  return facts.invalidIfStale ? ExpiryStatus.InvalidIfStale : ExpiryStatus.Valid
}
