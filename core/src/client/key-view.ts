import { type EndpointInterface, type EndpointResponse, ExpiryStatus } from '../endpoint/options.js'
import type { Entry } from '../engine/entry.js'
import { newestOf } from '../engine/merge.js'
import { expiryOf, type Facts } from '../freshness.js'
import { INVALID } from '../schema/schema.js'
import type { Kept } from '../table/refs.js'
import { rowsBelow } from '../table/refs.js'
import type { ResultView } from '../table/result-view.js'
import type { Row } from '../table/row.js'
import type { Desk } from './desk.js'

/** One key as an endpoint's schema shows it, and the facts by which it is judged. */
export class KeyView {
  readonly #desk: Desk
  endpoint: EndpointInterface
  args: readonly unknown[]
  readonly key: string
  entry: Entry
  view: ResultView

  constructor(desk: Desk, endpoint: EndpointInterface, args: readonly unknown[], key: string) {
    this.#desk = desk
    this.endpoint = endpoint
    this.args = args
    this.key = key
    this.entry = desk.store.entry(key, endpoint.schema)
    this.entry.used = desk.clock.mono()
    this.view = desk.store.resultView(this.entry, endpoint.schema, args)
  }

  /** What it leads to. */
  root(): Kept {
    const { schema } = this.endpoint
    return { schema, value: this.entry.row.value ?? this.#desk.store.views.lookupQuietly(schema, this.args) }
  }

  /** Starts anew after a reset. */
  rebind(): void {
    const { store } = this.#desk
    this.entry = store.entry(this.key, this.endpoint.schema)
    this.view = store.resultView(this.entry, this.endpoint.schema, this.args)
  }

  /** What there is to show; undefined if nothing. */
  data(): unknown {
    const shown = this.#desk.store.views.read(this.view)
    return shown === INVALID ? undefined : shown
  }

  /** What could not be built is tried again: a user's function may have thrown for a reason outside of the table. */
  retry(): void {
    if (this.view.error !== undefined) this.view.dirty = true
  }

  /** What is known of the key. `isRendering`: data out of date is of no use, since nobody will see what replaces it. */
  facts(justArrived: boolean, isRendering = false): Facts {
    const { entry, endpoint } = this
    const hasData = this.data() !== undefined
    const { start, expiresAt } = this.#age(hasData)
    const { error } = entry
    const invalidSince = Math.max(entry.invalid, this.#markedSince(start, 'invalid'))
    // To expire is to ask anew: an error from before, which would keep it from being asked for, does not count then.
    const isOutlived = error !== undefined && this.staleSince(error.start) > error.start
    const isErrorNewer = error !== undefined && error.start >= start && error.start > invalidSince && !isOutlived
    return {
      hasData,
      isInvalid: invalidSince > start,
      isStale: hasData && this.staleSince(start) > start,
      expiresAt,
      invalidIfStale: isRendering || endpoint.invalidIfStale === true,
      error: isErrorNewer ? { policy: error.policy, expiresAt: expiryOf(error, this.#desk.clock.mono()) } : undefined,
      justArrived,
    }
  }

  /** When the data was asked for, and when it goes out of date. Assembled from rows, it is as old as the oldest of them. */
  #age(hasData: boolean): { start: number; expiresAt: number } {
    const { answer } = this.entry
    const mono = this.#desk.clock.mono()
    if (answer !== undefined && !this.view.inferred) {
      return { start: answer.start, expiresAt: expiryOf(answer, mono) }
    }
    let start = Infinity
    let expiresAt = Infinity
    if (!hasData) return { start: 0, expiresAt }
    const rows = this.rows()
    // What leads to no rows by itself, such as everything of a kind, does not tell its age.
    if (rows.size === 0) return { start: 0, expiresAt: 0 }
    for (const row of rows) {
      const newest = newestOf(row)
      if (newest === undefined) continue
      start = Math.min(start, newest.start)
      expiresAt = Math.min(expiresAt, expiryOf(newest, mono))
    }
    return { start: start === Infinity ? 0 : start, expiresAt }
  }

  /** The moment since when an answer of this start is out of date, 0 if it is not. */
  staleSince(start: number): number {
    return Math.max(this.entry.stale, this.#markedSince(start, 'stale'))
  }

  /** When a row that the data stands on was marked; 0 if not since this start. */
  #markedSince(start: number, mark: 'stale' | 'invalid'): number {
    if (this.#desk.store.lastStale <= start) return 0
    let since = this.entry.row.side?.[mark] ?? 0
    for (const { side, home } of this.rows()) since = Math.max(since, side?.[mark] ?? 0, (home.origin ?? home)[mark])
    return since
  }

  /** All rows that the data stands on. */
  rows(): ReadonlySet<Row> {
    const { schema, value } = this.root()
    return rowsBelow(schema, value, this.#desk.store.rowOf)
  }
}

/** What is known of a key's answer, as users ask for it. */
export function responseOf(at: KeyView): EndpointResponse<unknown> {
  const facts = at.facts(false)
  const { error } = at.entry
  const isHidden = facts.error === undefined || (facts.error.policy === 'soft' && facts.hasData && !facts.isInvalid)
  const response = {
    data: at.data(),
    expiryStatus: statusOf(facts),
    expiresAt: facts.isStale ? 0 : facts.expiresAt,
  }
  return isHidden || error === undefined ? response : { ...response, error: error.error }
}

function statusOf(facts: Facts): ExpiryStatus {
  if (!facts.hasData || facts.isInvalid) return ExpiryStatus.Invalid
  return facts.invalidIfStale ? ExpiryStatus.InvalidIfStale : ExpiryStatus.Valid
}
