import type { Cause } from '../cause.js'
import type { Flight } from '../engine/flight.js'
import { type Facts, freshness, type Judgement, markOf } from '../freshness.js'
import type { ResultView } from '../table/result-view.js'
import { guarded } from '../util/thrown.js'
import { warnOfLighter } from './lighter-row.js'
import type { LiveQuery, Observer, QuerySnapshot } from './observer.js'
import { QueryEntry } from './query-entry.js'
import { queryState } from './query-state.js'
import type { HostOf, RoleOf, Subject } from './role.js'

/** How long a read that suspended is held for its component to mount, in ms. */
const HOLD = 30_000
/** How long a read is held after it has failed, or on a server after it has settled, in ms: enough to show it. */
const HOLD_AFTER = 1_000

export type Role = RoleOf<LiveObserver>
export type Host = HostOf<LiveObserver>

/** `held` for a component that suspended, `live` with subscribers. Changes in a microtask after they come or leave. */
type Life = 'idle' | 'held' | 'live' | 'closed'

/** Stands for a snapshot that was read during a change, so that the next snapshot always notifies. */
const UNSEEN = Symbol('UNSEEN')

/** The observer of a query, a peek, a selection, a `fetching` or a poll. Its role defines the differences. */
export class LiveObserver
  implements Observer<unknown>, Omit<LiveQuery<unknown>, 'getSnapshot' | 'getServerSnapshot' | 'after'>
{
  readonly host: Host
  readonly role: Role
  /** The fetch key. It changes when the row in it gets its real key. */
  key: string
  subject: Subject
  /** The entry that it reads; undefined for roles that read no key. */
  readonly query: QueryEntry | undefined
  /** The view of a role that reads only the table. */
  #tableView: ResultView | undefined
  shown: unknown
  /** The snapshot of which listeners were last notified. */
  delivered: unknown
  verdict: Judgement | undefined
  /** The facts of the last verdict. */
  #facts: Facts | undefined
  /** True if the snapshot must be computed again although the view is the same. */
  #isDue = true
  /** The view from which the snapshot was computed. */
  #built: unknown
  /** Monotonic ms at which it was last used. */
  used: number
  /** An object for each subscription, since one function may subscribe twice. */
  readonly #listeners = new Set<{ readonly onChange: () => void }>()
  #life: Life = 'idle'
  /** Stops the work that runs while it is held or live. */
  #stop: (() => unknown) | undefined
  /** True while a microtask to decide its life is scheduled. */
  #isUndecided = false
  /** True if it has got a subscriber since its life was decided: its fetches wait until its life is decided again. */
  #hasNewcomer = false
  /** The number of subscribers when its life was decided. */
  #count = 0
  /** True if it must not fetch because its only reader now uses other arguments. */
  #isGivenUp = false
  /** The cause of the fetch that follows the decision about its life. Subscribers that leave before it cause no request. */
  #mustFetch: Cause | undefined
  /** The cause of a fetch without previous data. */
  #came: 'mount' | 'args' | 'missing' | 'reset' = 'mount'
  /** The promise that all callers of `load()` share. */
  #waiting: Promise<void> | undefined
  #endWaiting: (() => void) | undefined

  constructor(host: Host, role: Role, subject: Subject) {
    const { endpoint, key, args } = subject
    this.host = host
    this.role = role
    this.key = key
    this.subject = subject
    if (role.fetches) this.shown = queryState(this, 'pending')
    this.delivered = this.shown
    this.used = host.runtime.clock.mono()
    if (role.reads === 'table') this.#tableView = this.#makeView()
    else if (endpoint !== undefined && role.reads !== undefined)
      this.query = new QueryEntry(host.runtime, { endpoint, args, key }, this.#onDirty)
  }

  /** Keeps Vue from making a proxy of the observer, which could not reach private members. */
  get __v_skip(): true {
    return true
  }

  get view(): ResultView | undefined {
    return this.query?.view ?? this.#tableView
  }

  /** True while it needs its data and rows. */
  get isHeld(): boolean {
    const life = this.#life
    return life !== 'closed' && (life !== 'idle' || this.#listeners.size > 0 || this.#waiting !== undefined)
  }

  getSnapshot(): unknown {
    this.#revive()
    if (!this.isHeld) {
      this.used = this.host.runtime.clock.mono()
      this.judge(false)
    }
    const before = this.shown
    this.reread()
    // New subscribers of a query read it before it becomes live.
    const isRead = this.role.fetches ? this.#life !== 'live' : this.#listeners.size === 0
    if (isRead) this.delivered = this.shown
    else if (this.shown !== before) this.delivered = UNSEEN
    return this.shown
  }

  getServerSnapshot(): unknown {
    const { rendered } = this.host
    return rendered ? rendered.snapshotOf(this) : this.getSnapshot()
  }

  subscribe(onChange: () => void): () => void {
    const { isServer, closed } = this.host.runtime
    if (isServer || closed !== undefined) return () => {}
    this.#revive()
    // A query reads its snapshot in the microtask after the subscription.
    if (!this.role.fetches && this.#listeners.size === 0) this.getSnapshot()
    this.#hasNewcomer = true
    this.#came = 'mount'
    this.#decideSoon()
    const listener = { onChange }
    this.#listeners.add(listener)
    this.host.held.add(this)
    // Hidden data may have become valid again.
    if (!this.role.fetches && this.verdict?.show === 'wait') this.judge(false)
    return () => {
      if (!this.#listeners.delete(listener)) return
      if (this.query !== undefined) this.host.leave(this.query.endpoint, this)
      this.#decideSoon()
    }
  }

  /** `before` is the reader's query with its previous arguments. Some frameworks listen to it until this one has data. */
  load(before?: LiveQuery<unknown>): Promise<void> {
    // This judges an observer that is not held; a live one is up to date.
    this.getSnapshot()
    const other = before?.root ?? before
    if (other instanceof LiveObserver && other !== this) other.#giveUp()
    if (this.isPending && (this.#life !== 'live' || this.#isGivenUp)) {
      if (this.#life !== 'live' && this.#life !== 'held') this.#hold(HOLD)
      this.#came = before === undefined ? 'mount' : 'args'
      this.judge(false)
      this.reread()
    }
    if (!this.isPending) return Promise.resolve()
    this.#waiting ??= new Promise((resolve) => {
      this.#endWaiting = resolve
    })
    return this.#waiting
  }

  readonly refetch = (): Promise<void> => {
    const { query, host } = this
    if (query === undefined || host.runtime.closed !== undefined) return Promise.resolve()
    return query.refetch((this.getSnapshot() as QuerySnapshot<unknown>).data !== undefined)
  }

  get fetching(): Observer<boolean> {
    return this.host.fetching(this.key, true)
  }

  get flight(): Flight | undefined {
    return this.host.runtime.network.flightOf(this.key)
  }

  after(): this {
    return this
  }

  /** True for a query that has neither data nor an error. */
  get isPending(): boolean | undefined {
    return this.role.fetches && (this.shown as QuerySnapshot<unknown>).status === 'pending'
  }

  // — judging —

  /** Judges what to show and whether to fetch. `hasArrived`: with a new response or error. `cause` overrides the facts'. */
  judge(hasArrived: boolean, cause?: Cause): void {
    const { query, role } = this
    if (query === undefined) return
    const { isRendering, clock } = this.host.runtime
    if (hasArrived) query.retry()
    const facts = query.facts(hasArrived, isRendering && role.fetches && this.#life !== 'live')
    // Only readers that showed the row before its deletion keep showing it; later ones fetch.
    const mayShowDeleted = role.fetches && this.#life === 'live' && !facts.hasData && facts.mark?.type !== 'contested'
    const isShown =
      query.deleted !== undefined || (mayShowDeleted && (this.shown as QuerySnapshot<unknown>).data !== undefined)
    const deleted = isShown ? query.deletedFor(mayShowDeleted ? this : undefined) : undefined
    this.verdict = freshness(deleted ? { ...facts, deleted } : facts, clock.now())
    this.#facts = facts
    this.#isDue = true
    if (process.env.NODE_ENV !== 'production' && role.fetches && facts.hasData && !this.verdict.fetch)
      warnOfLighter(query, this.host.runtime)
    this.#act(this.verdict, facts, cause)
  }

  postpone(): void {
    this.host.postponed.add(this)
  }

  /** Judges an observer that now depends on marked rows, once per mark, so that a failed request is not repeated. */
  judgeMark(): void {
    const { query, role } = this
    if (role.fetches && query !== undefined && markOf(query.facts(false)) > markOf(this.#facts)) this.judge(false)
  }

  #act({ fetch, show }: Judgement, facts: Facts, asked: Cause | undefined): void {
    const { hasData, isInvalid, isStale, justArrived } = facts
    const { role, host, query } = this
    if (!role.fetches) {
      // A write without a change makes hidden data valid again, but notifies nobody: judge after the next commit.
      if (hasData && show !== 'data' && this.isHeld) this.postpone()
      return
    }
    this.#mustFetch = undefined
    this.#isGivenUp = false
    if (host.runtime.closed !== undefined) return
    const isRead = this.#life === 'live' || this.#life === 'held'
    if (!fetch) {
      const isDoubtful = show === 'data' && facts.error !== undefined && facts.mark?.type === 'contested'
      if (isDoubtful && isRead) query?.askAgain(this)
      return
    }
    if (!isRead) {
      // Without subscribers nothing fetches again, so waiting callers must read again.
      if (query?.flight?.isOver !== false) this.#stopWaiting()
      return
    }
    const cause = asked ?? facts.mark ?? { type: hasData ? 'expired' : this.#came }
    // Something hides the response, such as a pending deletion: fetching again would return the same.
    const { response, error } = query?.entry ?? {}
    const isHidden = response !== undefined && !hasData && !isInvalid && error === undefined
    const mayWait = isHidden || (isStale && show === 'data' && !query?.lacksFirst())
    if (mayWait && query?.isUnderLayer()) this.postpone()
    else if (isHidden && justArrived && facts.mark === undefined && !query?.isDeletedSince(response)) return
    else if (this.#life === 'live') {
      this.#mustFetch = cause
      if (!this.#hasNewcomer) this.host.fetchLater(this)
    } else query?.fetch(cause)
  }

  /** Drops the pending fetch of a reader that has suspended for another query, although it still listens. */
  #giveUp(): void {
    if (this.#mustFetch === undefined || this.#listeners.size > 1) return
    this.#mustFetch = undefined
    this.#isGivenUp = true
  }

  /** Sends the pending fetch, if there still are subscribers. */
  fetchNow(): void {
    const cause = this.#mustFetch
    if (cause === undefined || this.#life !== 'live' || this.#listeners.size === 0) return
    this.#mustFetch = undefined
    this.query?.fetch(cause)
  }

  // — showing —

  /** Computes the snapshot again if any of its sources may have changed. */
  reread(): void {
    const { role, view } = this
    // Another read may have rebuilt the view.
    if (view !== undefined && !this.#isDue && !view.dirty && this.#built === (view.error ?? view.view)) return
    let data: unknown
    if (this.query !== undefined) {
      data = this.query.data()
      if (this.query.key !== this.key) this.host.rename(this, this.query.key)
      // The data was removed, or has arrived with another key's response.
      const isError = role.fetches && this.verdict?.show === 'error' && this.query.deleted === undefined
      const isOther = this.#facts?.hasData !== (data !== undefined) && !isError
      // Observers that never fetch are judged at each read: rows on which they now depend may be invalid.
      if (this.verdict === undefined || isOther || !role.fetches) this.judge(false)
    } else if (view !== undefined) data = this.host.runtime.store.views.read(view)
    this.#isDue = false
    this.#built = view && (view.error ?? view.view)
    const next = role.show(this, data)
    if (next === this.shown) return
    this.shown = next
    if (!role.fetches || this.isPending) return
    this.#stopWaiting()
    // Later readers must not get an old error. On a server, no reader mounts and ends the hold.
    const isOver = (next as QuerySnapshot<unknown>).status === 'failed' || this.host.runtime.isRendering
    if (this.#life === 'held' && isOver) this.#hold(HOLD_AFTER)
  }

  get listenerCount(): number {
    return this.#listeners.size
  }

  /** True if listeners have not been notified of the current snapshot. */
  get isChanged(): boolean {
    return this.shown !== this.delivered
  }

  /** Notifies listeners if the snapshot has changed, or in any case with `isMore`, when other state has. */
  notify(isMore?: boolean): void {
    if (!isMore && !this.isChanged) return
    this.delivered = this.shown
    for (const listener of [...this.#listeners]) {
      // An earlier listener may have removed this one.
      if (!this.#listeners.has(listener)) continue
      guarded(this.host.runtime.report, 'A listener', 'a subscription', listener.onChange)
    }
  }

  /** Computes the snapshot again and notifies. */
  update(isMore?: boolean): void {
    this.reread()
    this.notify(isMore)
  }

  // — life —

  /** Decides in a microtask, since frameworks subscribe twice and leave once, or subscribe and leave to read a value. */
  #decideSoon(): void {
    if (this.#isUndecided) return
    this.#isUndecided = true
    queueMicrotask(() => this.#decideLife())
  }

  #decideLife(): void {
    this.#isUndecided = false
    const isNewcomer = this.#hasNewcomer
    const isMore = this.#listeners.size > this.#count
    this.#count = this.#listeners.size
    if (this.host.runtime.closed !== undefined) return
    if (this.#listeners.size > 0) {
      const before = this.#life
      if (before !== 'live') {
        this.#endLife('live')
        this.#stop = this.role.start?.(this)
        // Its state may have changed between subscribing and now.
        if (this.role.start) this.update()
      }
      if (isNewcomer && this.role.fetches) this.#welcome(before === 'held')
      // A listener may have added another subscriber.
      this.#hasNewcomer = this.#isUndecided
      this.#came = 'missing'
      // Earlier subscribers saw the row before its deletion; a new one must fetch.
      if (isNewcomer && isMore && this.query?.deleted !== undefined) this.#mustFetch ??= { type: 'mount' }
      if (isNewcomer) this.fetchNow()
    } else if (this.#life === 'live') {
      this.#endLife('idle')
      this.#rest()
    }
  }

  /** Judges the observer for a new subscriber, unless it was held for a component that suspended. */
  #welcome(wasHeld: boolean): void {
    if (wasHeld && !this.isPending) return
    const { query, host } = this
    query?.retry()
    // A reader of the endpoint that left another key in this tick has changed its arguments; StrictMode returns to the same
    // key.
    if (query && (host.left.get(query.endpoint) ?? this) !== this) this.#came = 'args'
    this.judge(false)
    this.update()
  }

  #hold(ms: number): void {
    this.#endLife('held')
    this.host.held.add(this)
    const { env, isServer } = this.host.runtime
    // A server has no timers.
    if (isServer) return
    const end = (): void => {
      this.#life = 'idle'
      if (!this.isHeld) this.#rest()
    }
    const timer = env.setTimeout(end, ms, true)
    this.#stop = () => env.clearTimeout(timer)
  }

  #endLife(next: Life): void {
    const stop = this.#stop
    this.#life = next
    this.#stop = undefined
    if (this.query?.failures) this.query.askNoMore()
    stop?.()
  }

  #rest(): void {
    const { query } = this
    const flight = query?.flight
    query?.endDeleted()
    // Waiting callers keep the request, unless `abortOnUnused` is set.
    if (this.#waiting === undefined || query?.endpoint.abortOnUnused) query?.leave()
    if (flight?.isOver !== false) this.#stopWaiting()
    this.used = this.host.runtime.clock.mono()
    this.host.runtime.retention?.scheduleSweep()
  }

  #stopWaiting(): void {
    this.#waiting = undefined
    this.#endWaiting?.()
  }

  /** Restarts an observer whose owner kept it longer than unused observers are retained. */
  #revive(): void {
    if (this.#life !== 'closed' || this.host.runtime.closed !== undefined) return
    this.#life = 'idle'
    this.restart()
    this.host.add(this)
  }

  /** Starts over after a reset of the store. */
  restart(): void {
    const { query } = this
    query?.endDeleted()
    // A new snapshot also notifies derived queries that show other data meanwhile, as with `keepPrevious`.
    if (this.isPending) this.shown = queryState(this, 'pending')
    query?.rebind()
    if (query) query.flight = undefined
    if (this.#tableView !== undefined) this.#tableView = this.#makeView()
    this.#isDue = true
    // The reset has dropped the request, and without subscribers nothing sends it again.
    if (this.#life === 'idle') this.#stopWaiting()
    this.#came = 'reset'
    this.judge(false)
    this.#came = 'missing'
  }

  /** Releases everything. The next use by its owner adds it to the registry again. */
  dispose(): void {
    const { view, host, query } = this
    query?.endDeleted()
    this.#endLife('closed')
    this.#isDue = true
    query?.leave()
    this.#stopWaiting()
    for (const observers of [host.dirty, host.postponed, host.held]) observers.delete(this)
    if (view !== undefined) view.isRemoved = true
  }

  #makeView(): ResultView {
    const { schema, args } = this.subject
    return this.host.runtime.store.resultView(undefined, schema, args, this.#onDirty)
  }

  readonly #onDirty = (): unknown => this.host.dirty.add(this)
}
