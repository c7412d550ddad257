import type { Cause } from '../cause.js'
import type { Flight } from '../engine/flight.js'
import { type Facts, freshness, type Judgement, markOf } from '../freshness.js'
import type { Schema } from '../schema/schema.js'
import type { ResultView } from '../table/result-view.js'
import { guarded } from '../util/thrown.js'
import { warnOfLighter } from './lighter-row.js'
import type { LiveQuery, Observer, QuerySnapshot } from './observer.js'
import { QueryEntry } from './query-entry.js'
import { queryState } from './query-state.js'
import type { HostOf, RoleOf, Subject } from './role.js'

/** How long a read that suspended is held for its component to mount, in ms. */
const HOLD = 30_000
/** How long it is held once it has failed, or on a server once it is over, in ms: enough to show it. */
const HOLD_AFTER = 1_000

export type Role = RoleOf<LiveObserver>
export type Host = HostOf<LiveObserver>

/** An observer is held for a component that suspended, and live while it has subscribers: a microtask after they come or leave. */
type Life = 'idle' | 'held' | 'live' | 'closed'

/** A snapshot that was read during a change: the next one always notifies. */
const UNSEEN = Symbol('UNSEEN')

/** Everything that is observed: a query, a peek, a selection, whether a key is fetching, a poll. The role makes the difference. */
export class LiveObserver
  implements Observer<unknown>, Omit<LiveQuery<unknown>, 'getSnapshot' | 'getServerSnapshot' | 'after'>
{
  readonly host: Host
  readonly role: Role
  /** It changes when its row gets a real key. */
  key: string
  readonly schema: Schema
  subject: Subject
  /** The key that it reads; undefined for other roles. */
  readonly query: QueryEntry | undefined
  /** The view of a role that reads the table alone. */
  #tableView: ResultView | undefined = undefined
  shown: unknown = undefined
  /** The snapshot that listeners know. */
  delivered: unknown
  verdict: Judgement | undefined = undefined
  /** The mark that made the data stale or invalid then; 0 if none did. */
  #mark = 0
  /** True if there was data at that verdict. */
  #hadData = false
  /** True if the snapshot is worked out anew though the view is the same. */
  #isDue = true
  /** Its view when the snapshot was worked out. */
  #built: unknown = undefined
  /** Monotonic ms at which it was last of use. */
  used: number
  readonly #listeners = new Set<() => void>()
  #life: Life = 'idle'
  /** Stops the work that runs while it is held or live. */
  #stop: (() => unknown) | undefined = undefined
  /** True until its subscribers are counted. */
  #isUndecided = false
  /** True if somebody subscribed since its life was decided: all that is to be fetched is requested when it is decided again. */
  #hasNewcomer = false
  /** How many subscribers it had then. */
  #count = 0
  /** True if nothing is fetched because its only reader now uses other arguments. */
  #isGivenUp = false
  /** The reason to fetch once its life is decided, if any: subscribers that leave meanwhile cause no request. */
  #mustFetch: Cause | undefined = undefined
  /** Why data that was never there is fetched. */
  #came: 'mount' | 'args' | 'missing' | 'reset' = 'mount'
  /** Shared by all callers of `load()`. */
  #waiting: Promise<void> | undefined = undefined
  #endWaiting: (() => void) | undefined = undefined

  constructor(host: Host, role: Role, subject: Subject) {
    const { endpoint, key, schema, args } = subject
    this.host = host
    this.role = role
    this.key = key
    this.schema = schema
    this.subject = subject
    if (role.fetches) this.shown = queryState(this, 'pending')
    this.delivered = this.shown
    this.used = host.runtime.clock.mono()
    if (role.reads === 'table') this.#tableView = this.#makeView()
    else if (endpoint !== undefined && role.reads !== undefined)
      this.query = new QueryEntry(host.runtime, { endpoint, args, key }, this.#onDirty)
  }

  /** As a controller's. */
  get __v_skip(): true {
    return true
  }

  get view(): ResultView | undefined {
    return this.query?.view ?? this.#tableView
  }

  /** True while its data and rows are needed. */
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
    // A new subscriber of a query reads it.
    const isRead = this.role.fetches ? this.#life !== 'live' : this.#listeners.size === 0
    if (isRead) this.delivered = this.shown
    else if (this.shown !== before) this.delivered = UNSEEN
    return this.shown
  }

  getServerSnapshot(): unknown {
    return this.host.rendered === undefined ? this.getSnapshot() : this.host.rendered.snapshotOf(this)
  }

  subscribe(onChange: () => void): () => void {
    const { isServer, closed } = this.host.runtime
    if (isServer || closed !== undefined) return () => {}
    this.#revive()
    // A query notifies in the microtask after a change.
    if (!this.role.fetches && this.#listeners.size === 0) this.getSnapshot()
    this.#hasNewcomer = true
    this.#came = 'mount'
    this.#decideSoon()
    const listener = (): void => onChange()
    this.#listeners.add(listener)
    this.host.held.add(this)
    // Data that is not shown may be valid again at the next commit.
    if (!this.role.fetches && this.verdict?.show === 'wait') this.judge(false)
    return () => {
      if (!this.#listeners.delete(listener)) return
      if (this.query !== undefined) this.host.leave(this.query.endpoint, this)
      this.#decideSoon()
    }
  }

  /** `before`: the query that the reader used with other arguments. A framework may keep listening to it until this one has data. */
  load(before?: LiveQuery<unknown>): Promise<void> {
    // A live one is fetched already, and changes nothing without notifying.
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
    return this.host.fetchingOf(this.key)
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

  /** Judges what to show and whether to fetch; `hasArrived`: a response or an error; `cause`: another reason than the facts. */
  judge(hasArrived: boolean, cause?: Cause): void {
    const { query, role } = this
    if (query === undefined) return
    const { isRendering, clock } = this.host.runtime
    if (hasArrived) query.retry()
    const facts = query.facts(hasArrived, isRendering && role.fetches && this.#life !== 'live')
    // A reader that mounts after a deletion fetches.
    const mayShowDeleted = role.fetches && this.#life === 'live' && !facts.hasData && facts.mark?.type !== 'contested'
    const isShown =
      query.deleted !== undefined || (mayShowDeleted && (this.shown as QuerySnapshot<unknown>).data !== undefined)
    const deleted = isShown ? query.deletedFor(mayShowDeleted ? this : undefined) : undefined
    this.verdict = freshness(deleted ? { ...facts, deleted } : facts, clock.now())
    this.#mark = markOf(facts)
    this.#hadData = facts.hasData
    this.#isDue = true
    if (process.env.NODE_ENV !== 'production' && role.fetches && facts.hasData && !this.verdict.fetch)
      warnOfLighter(query, this.host.runtime)
    this.#act(this.verdict, facts, cause)
  }

  postpone(): void {
    this.host.postponed.add(this)
  }

  /** It now depends on rows that were marked before. A mark makes it fetch once: a failed request is not repeated at each change. */
  judgeMark(): void {
    const { query, role } = this
    if (role.fetches && query !== undefined && markOf(query.facts(false)) > this.#mark) this.judge(false)
  }

  #act({ fetch, show }: Judgement, facts: Facts, asked: Cause | undefined): void {
    const { hasData, isInvalid, isStale, justArrived } = facts
    const { role, host, query } = this
    if (!role.fetches) {
      // Its dependencies may be written again unchanged: then only the next commit notifies.
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
      // There is no subscriber to fetch again, so callers that still wait must read again.
      if (query?.flight?.isOver !== false) this.#stopWaiting()
      return
    }
    const cause = asked ?? facts.mark ?? { type: hasData ? 'expired' : this.#came }
    // There is a response, and something hides it, such as a pending deletion: fetching again would bring the same.
    const { response, error } = query?.entry ?? {}
    const isHidden = response !== undefined && !hasData && !isInvalid && error === undefined
    const mayWait = isHidden || (isStale && show === 'data')
    if (mayWait && query?.isUnderLayer()) this.postpone()
    else if (isHidden && justArrived && facts.mark === undefined) return
    else if (this.#life === 'live') {
      this.#mustFetch = cause
      if (!this.#hasNewcomer) this.host.fetchLater(this)
    } else query?.fetch(cause)
  }

  /** Its reader has suspended for something else, though it still listens: nothing is fetched for it, unless it comes back. */
  #giveUp(): void {
    if (this.#mustFetch === undefined || this.#listeners.size > 1) return
    this.#mustFetch = undefined
    this.#isGivenUp = true
  }

  /** Fetches data that was missing or out of date a moment ago, for the subscribers that are still there. */
  fetchNow(): void {
    const cause = this.#mustFetch
    if (cause === undefined || this.#life !== 'live' || this.#listeners.size === 0) return
    this.#mustFetch = undefined
    this.query?.fetch(cause)
  }

  // — showing —

  /** Works out the snapshot again, if anything that it depends on may have changed. */
  reread(): void {
    const { role, view } = this
    // Another read may have built the view anew.
    if (view !== undefined && !this.#isDue && !view.dirty && this.#built === (view.error ?? view.view)) return
    let data: unknown
    if (this.query !== undefined) {
      data = this.query.data()
      if (this.query.key !== this.key) this.host.rename(this, this.query.key)
      // The data was removed, or another response brought the data that was waited for.
      const isError = role.fetches && this.verdict?.show === 'error' && this.query.deleted === undefined
      const isOther = this.#hadData !== (data !== undefined) && !isError
      // Observers that never fetch are not judged when a row gets stale: the rows that they depend on now may be invalid.
      if (this.verdict === undefined || isOther || !role.fetches) this.judge(false)
    } else if (view !== undefined) data = this.host.runtime.store.views.read(view)
    this.#isDue = false
    this.#built = view && (view.error ?? view.view)
    const next = role.show(this, data)
    if (next === this.shown) return
    this.shown = next
    if (!role.fetches || this.isPending) return
    this.#stopWaiting()
    // The read is over, and later readers must not get an old error. On a server no reader mounts that would end the hold.
    const isOver = (next as QuerySnapshot<unknown>).status === 'failed' || this.host.runtime.isRendering
    if (this.#life === 'held' && isOver) this.#hold(HOLD_AFTER)
  }

  get listenerCount(): number {
    return this.#listeners.size
  }

  /** True if listeners were last notified of another snapshot. */
  get isChanged(): boolean {
    return this.shown !== this.delivered
  }

  /** Notifies listeners, unless they know what is shown; also then if that is not all that has changed. */
  notify(isMore?: boolean): void {
    if (!isMore && !this.isChanged) return
    this.delivered = this.shown
    for (const listener of [...this.#listeners]) {
      // One that left while others were notified is not called any more.
      if (!this.#listeners.has(listener)) continue
      guarded(this.host.runtime.report, 'A listener', 'a subscription', listener)
    }
  }

  // — life —

  /** In a microtask: frameworks subscribe twice and leave once, and stores are read by starting and stopping them. */
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
      }
      if (isNewcomer && this.role.fetches) this.#welcome(before === 'held')
      // A listener may have subscribed another one.
      this.#hasNewcomer = this.#isUndecided
      this.#came = 'missing'
      // Earlier subscribers know of the deletion; one that comes now does not.
      if (isNewcomer && isMore && this.query?.deleted !== undefined) this.#mustFetch ??= { type: 'mount' }
      if (isNewcomer) this.fetchNow()
    } else if (this.#life === 'live') {
      this.#endLife('idle')
      this.#rest()
    }
  }

  /** A component that suspended was judged when it did; every other newcomer is judged anew. */
  #welcome(wasHeld: boolean): void {
    if (wasHeld && !this.isPending) return
    const { query, host } = this
    query?.retry()
    // StrictMode unsubscribes, and subscribes again to the same key.
    if (query && (host.left.get(query.endpoint) ?? this) !== this) this.#came = 'args'
    this.judge(false)
    this.reread()
    this.notify()
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
    // Callers that still wait for a request stay subscribed to it, so that it is not aborted when others leave.
    if (this.#waiting === undefined || query?.endpoint.abortOnUnused) query?.leave()
    if (flight?.isOver !== false) this.#stopWaiting()
    this.used = this.host.runtime.clock.mono()
    this.host.runtime.release()
  }

  #stopWaiting(): void {
    this.#waiting = undefined
    this.#endWaiting?.()
  }

  /** Its owner held it for longer than unused observers are retained. */
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
    // Observers that show something else meanwhile, as with `keepPrevious`, are told too.
    if (this.isPending) this.shown = queryState(this, 'pending')
    query?.rebind()
    if (query) query.flight = undefined
    if (this.#tableView !== undefined) this.#tableView = this.#makeView()
    this.#isDue = true
    // The request that was waited for is dropped, and nobody is there to send it again.
    if (this.#life === 'idle') this.#stopWaiting()
    this.#came = 'reset'
    this.judge(false)
    this.#came = 'missing'
  }

  /** Releases everything. If its owner uses it again, it is added again. */
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
    return this.host.runtime.store.resultView(undefined, this.schema, this.subject.args, this.#onDirty)
  }

  readonly #onDirty = (): unknown => this.host.dirty.add(this)
}
