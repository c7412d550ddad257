import { newestOf } from '../commit/merge.js'
import type { EndpointInterface } from '../endpoint/options.js'
import { type EndpointResponse, ExpiryStatus } from '../endpoint/result.js'
import type { Entry } from '../engine/entry.js'
import type { Call } from '../engine/flight.js'
import { expiryOf, type Facts } from '../freshness.js'
import { INVALID } from '../schema/schema.js'
import { rowsBelow, soleRow } from '../table/refs.js'
import type { ResultView } from '../table/result-view.js'
import type { Row } from '../table/row.js'
import { TOMBSTONE } from '../table/value.js'
import type { Runtime } from './runtime.js'

/** One key as the schema of an endpoint shows it, and the facts by which it is judged. */
export class QueryEntry {
  readonly #runtime: Runtime
  readonly #onDirty: () => void
  key: string
  /** The endpoint that was passed in last makes the next request. */
  endpoint: EndpointInterface
  args: readonly unknown[]
  entry: Entry
  view: ResultView

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
    // What its temporary key named may have a real key by now.
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
   * When this client deleted the row of the key: the completion of the mutation, 0 while that is pending. Undefined if it did not, or if
   * the server has told something of the key since.
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

  /** When the data was requested, and when it goes out of date. Assembled from rows, it is as old as the oldest of them. */
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
