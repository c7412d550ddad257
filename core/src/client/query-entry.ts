import type { Cause } from '../cause.js'
import { newestOf } from '../commit/merge.js'
import type { EndpointInterface } from '../endpoint/options.js'
import { type EndpointResponse, ExpiryStatus } from '../endpoint/result.js'
import type { Entry } from '../engine/entry.js'
import type { Call, Flight, FlightSubscriber } from '../engine/flight.js'
import { expiryOf, type Facts, type Judgement } from '../freshness.js'
import { INVALID } from '../schema/schema.js'
import { rowsBelow, soleRow } from '../table/refs.js'
import type { ResultView } from '../table/result-view.js'
import type { Row } from '../table/row.js'
import { TOMBSTONE } from '../table/value.js'
import { DeletedError } from '../util/errors.js'
import { growingPause } from '../util/pause.js'
import type { Runtime } from './runtime.js'

/** How long a reader goes on to show a row that was deleted, in ms. */
const DELETED_FOR = 1_000
/** The shortest pause before a contested row is requested again, in ms. */
const AGAIN = 1_000

/** The deletion of the row that a reader shows. */
interface Deleted {
  /** The timer after which the last shown data is no longer shown; undefined while the deletion is pending. */
  timer?: unknown
  /** The error that is shown after that. */
  error?: DeletedError
}

/** The observer that a key is requested for. */
interface KeyObserver {
  readonly verdict: Judgement | undefined
  judge(hasArrived: boolean): void
  reread(): void
  notify(): void
  /** Lets it be judged again after the next commit. */
  postpone(): void
}

/** One key as the schema of an endpoint shows it: its data, the facts by which it is judged, and the requests for it. */
export class QueryEntry {
  readonly #runtime: Runtime
  readonly #onDirty: () => void
  key: string
  /** The endpoint that was passed in last makes the next request. */
  endpoint: EndpointInterface
  args: readonly unknown[]
  entry: Entry
  view: ResultView
  /** The request that its reader has joined. */
  flight: Flight | undefined = undefined
  #subscriber: FlightSubscriber | undefined = undefined
  /** How many fetches in a row failed after overlapping writes, and the timer of the next one. */
  failures = 0
  #again: unknown = undefined
  /** The deletion of its row here, while that was shown. */
  deleted: Deleted | undefined = undefined

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

  /** The data of the key; undefined if there is none. */
  data(): unknown {
    const { store, network } = this.#runtime
    const view = store.views.read(this.view)
    if (view !== INVALID && view !== undefined) return view
    // The row that its temporary key named may have a real key by now.
    const call = network.keyReplacer ? network.realCall(this) : this
    if (call === this) return undefined
    this.args = call.args
    this.key = call.key
    this.rebind()
    return this.data()
  }

  /** A view that could not be built is built again: a user's function may have thrown for a reason outside of the table. */
  retry(): void {
    if (this.view.error !== undefined) this.view.dirty = true
  }

  /**
   * The completion of the mutation by which this client deleted the row of the key, 0 while that is pending. Undefined if there was none,
   * or if the server has responded for the key since.
   */
  deletion(): number | undefined {
    const { views, rowOf, base } = this.#runtime.store
    const { schema } = this.endpoint
    const { row, error } = this.entry
    // A result that shows other rows too may have a value without this one.
    const own = soleRow(schema, row.value ?? views.lookupQuietly(schema, this.args), { rowOf })
    if (own?.value !== TOMBSTONE) return undefined
    const done = base(own) === TOMBSTONE ? own.mutated?.done : 0
    return done === undefined || done < (error?.start ?? 0) ? undefined : done
  }

  /** Lets the reader that has shown the row go on for a while once it was deleted here; without one that is over. */
  deletedFor(observer: KeyObserver | undefined): Facts['deleted'] {
    const at = observer && this.deletion()
    if (observer === undefined || at === undefined) {
      this.endDeleted()
      return undefined
    }
    this.deleted ??= {}
    const { deleted } = this
    const end = (): void => {
      deleted.error = new DeletedError(this.key)
      judgeAnew(observer)
    }
    // Its success will change nothing that is shown.
    if (at === 0) observer.postpone()
    else deleted.timer ??= this.#runtime.env.setTimeout(end, DELETED_FOR, true)
    return deleted.error === undefined ? 'recently' : 'before'
  }

  /** From now on the server is asked again. */
  endDeleted(): void {
    if (this.deleted?.timer !== undefined) this.#runtime.env.clearTimeout(this.deleted.timer)
    this.deleted = undefined
  }

  // — requests —

  /** Requests the key, whatever is stored. It resolves when the request has settled, and never rejects. */
  refetch(hasData: boolean): Promise<void> {
    const { network, store } = this.#runtime
    const { signal } = this.endpoint
    return new Promise((resolve) => {
      const settle = (): void => resolve()
      const flight = network.join(this, { settle, fail: settle, signal, cause: { type: 'refetch' } })
      // An error alone makes way for the request that may end it.
      if (flight && !hasData && this.entry.error !== undefined) store.dropError(this.entry, flight.start)
    })
  }

  /** Requests the key for its reader, unless that waits for a request already. */
  fetch(cause: Cause): void {
    const { network, closed } = this.#runtime
    if (closed !== undefined || this.flight?.isOver === false) return
    const { signal } = this.endpoint
    const fail = (error: Error): void => {
      // Its own signal took it off the flight: nobody else records that.
      if (signal?.aborted) network.refuse(this, error, this.#runtime.act('setError', this.key))
    }
    const settle = (): void => {
      this.failures = 0
    }
    const again = this.failures > 0 ? { settle } : undefined
    this.#subscriber = { ...again, fail, signal, joinsAny: true, cause }
    this.flight = network.join(this, this.#subscriber)
  }

  /** Fetches again in growing pauses, as polls do: the data that is shown may be wrong for good, and nothing else would fetch it. */
  askAgain(observer: KeyObserver): void {
    const { env } = this.#runtime
    const ask = (): void => {
      this.#again = undefined
      // Somebody else may have asked meanwhile, and what shows its error stays as it is.
      if (observer.verdict?.show !== 'data' || this.facts(false).mark?.type !== 'contested') return
      this.entry.error = undefined
      judgeAnew(observer)
    }
    this.#again ??= env.setTimeout(ask, growingPause(AGAIN, ++this.failures, env))
  }

  /** Ends the fetches of `askAgain`: nobody reads the key any more. */
  askNoMore(): void {
    this.failures = 0
    this.#runtime.env.clearTimeout(this.#again)
    this.#again = undefined
  }

  /** Leaves the request that its reader has joined. */
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

  /** The facts of the key. `isRendering`: data out of date is of no use, since nobody will see the data that replaces it. */
  facts(justArrived: boolean, isRendering = false): Facts {
    const hasData = this.data() !== undefined
    const { entry, endpoint } = this
    const { clock, store } = this.#runtime
    const mono = clock.mono()
    const { start, expiresAt } = this.#age(hasData, mono)
    const { error, response } = entry
    // Data that was assembled from rows has no response of its own, and so no such end.
    const end = response && expiryOf({ ...response, expiresAt: response.shownUntil ?? Infinity }, mono)
    const { stale, invalid, contested } = store.staleness.of(entry, Math.min(start, error?.start ?? start), this.#rows)
    // To expire is to fetch again: an error from before, which would keep the key from being fetched, does not count then.
    const isErrorNewer = error !== undefined && error.start >= start && error.start > invalid && error.start >= stale
    const isInvalid = invalid > start
    const by = isInvalid ? invalid : stale
    const type = isInvalid ? 'invalidate' : stale === contested ? 'contested' : 'expire'
    return {
      hasData,
      isInvalid,
      isStale: hasData && stale > start,
      expiresAt,
      invalidIfStale: isRendering || endpoint.invalidIfStale === true || (end ?? Infinity) <= clock.now(),
      error: isErrorNewer ? { policy: error.policy, expiresAt: expiryOf(error, mono) } : undefined,
      justArrived,
      mark: start > 0 && by > start ? { type, by } : undefined,
    }
  }

  /** The times at which the data was requested and expires. Data that is assembled from rows is as old as the oldest of them. */
  #age(hasData: boolean, mono: number): { start: number; expiresAt: number } {
    const { response } = this.entry
    if (response !== undefined && !this.view.inferred)
      return { start: response.start, expiresAt: expiryOf(response, mono) }
    if (!hasData) return { start: 0, expiresAt: Infinity }
    const rows = this.#rows()
    // Data without rows of its own, such as `All`, has no age.
    if (rows.size === 0) return { start: 0, expiresAt: 0 }
    let start = Infinity
    let expiresAt = Infinity
    for (const row of rows) {
      const newest = newestOf(row)
      if (newest === undefined) continue
      start = Math.min(start, newest.start)
      expiresAt = Math.min(expiresAt, expiryOf(newest, mono))
    }
    return { start: start === Infinity ? 0 : start, expiresAt }
  }

  /** All rows that the data depends on. */
  readonly #rows = (): ReadonlySet<Row> => {
    const { views, rowOf } = this.#runtime.store
    const { schema } = this.endpoint
    return rowsBelow(schema, this.entry.row.value ?? views.lookupQuietly(schema, this.args), rowOf)
  }
}

/** Time has passed: the observer may show something else, of which no commit notifies. */
function judgeAnew(observer: KeyObserver): void {
  observer.judge(false)
  observer.reread()
  observer.notify()
}

/** The facts of a key's response for users. */
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
