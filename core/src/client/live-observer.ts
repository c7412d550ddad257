import type { Cause } from '../cause.js'
import type { EndpointInterface } from '../endpoint/options.js'
import type { Call, Flight, FlightSubscriber } from '../engine/flight.js'
import { type Facts, freshness, type Judgement } from '../freshness.js'
import type { Schema } from '../schema/schema.js'
import type { ResultView } from '../table/result-view.js'
import { CallbackError, DeletedError } from '../util/errors.js'
import { growingPause } from '../util/pause.js'
import { warnOfLighter } from './lighter-row.js'
import type { LiveQuery, Observer, QuerySnapshot } from './observer.js'
import { QueryEntry } from './query-entry.js'
import { queryState } from './query-state.js'
import type { Runtime } from './runtime.js'

/** How long a read that suspended is held for its component to mount, in ms. */
const HOLD = 30_000
/** How long it is held once it has failed, or on a server once it is over, in ms: enough to show it. */
const HOLD_AFTER = 1_000

/** The shortest pause before the server is asked again what it has, in ms. */
const AGAIN = 1_000

/** Tells what an observer shows, and what it takes to keep that true. */
export interface Role {
  /** Whether the snapshot depends on the facts of a key, on the table alone, or on neither. */
  readonly reads?: 'key' | 'table'
  /** True if what is missing or out of date is fetched. */
  readonly fetches?: boolean
  /** True if the snapshot is of requests: of those of its key, or of all. */
  readonly showsRequests?: boolean
  /** The snapshot now. `data` is what its view shows. */
  show(observer: LiveObserver, data: unknown): unknown
  /** Runs while there are subscribers; the returned function ends it. */
  start?(observer: LiveObserver): () => unknown
}

/** A key or a schema that is observed, and by which role. */
export interface Subject extends Partial<Call> {
  readonly key: string
  readonly schema?: Schema
  readonly args: readonly unknown[]
}

/** All observers of a controller. */
export interface Host {
  readonly runtime: Runtime
  /** Observers whose view may have changed since the last notification. */
  readonly dirty: Set<LiveObserver>
  /** Knows what servers have rendered; set by hydration. */
  readonly rendered: { snapshotOf(observer: LiveObserver): unknown; dispose(): void } | undefined
  /** Endpoints that a reader left in this tick, and which: who comes for another one of them has changed its arguments. */
  readonly left: ReadonlyMap<EndpointInterface, LiveObserver>
  /** A reader of an endpoint has left. */
  leave(endpoint: EndpointInterface, observer: LiveObserver): void
  /** Observers that are judged again after the next commit. */
  readonly postponed: Set<LiveObserver>
  /** Subscribed observers that show requests of any key. */
  readonly ofAllRequests: Set<LiveObserver>
  /** Observers that may be held: all that are, and a few that are no more. */
  readonly held: Set<LiveObserver>
  /** Calls the listeners of one commit in a batch of another library, if their stores are of that. */
  together: ((notify: () => void) => void) | undefined
  /** Reads a key once. */
  entryOf(endpoint: EndpointInterface, args: readonly unknown[]): QueryEntry
  /** Lets an observer fetch once frameworks have shown what has led to that, if it is still needed then. */
  fetchLater(observer: LiveObserver): void
  /** Adds an observer again that was dropped but is still used by its owner. */
  add(observer: LiveObserver): void
  /** An observer reads another key from now on. */
  rename(observer: LiveObserver, key: string): void
  /** Whether a request of a key is in flight, as a part of what an observer shows. */
  fetchingOf(key: string): Observer<boolean>
}

/** How long a reader goes on to show a row that was deleted, for callers that leave its page then, in ms. */
const DELETED_FOR = 1_000

/** The deletion of the row that a reader shows. */
interface Deleted {
  /** Ends the time for which what was shown last is shown; undefined while the deletion is pending. */
  timer?: unknown
  /** The error that it shows after that. */
  error?: DeletedError
}

/**
 * Whether anybody needs an observer: it is held for a component that suspended and has not mounted, and live while it has subscribers,
 * which are counted in the microtask after they come or leave.
 */
type Life = 'idle' | 'held' | 'live' | 'closed'

/** A snapshot that was read during a change: the next one always notifies. */
const UNSEEN = Symbol('UNSEEN')

/** Everything that is observed: a query, a peek, a selection, whether a key is fetching, a poll. The role makes the difference. */
export class LiveObserver
  implements Observer<unknown>, Omit<LiveQuery<unknown>, 'getSnapshot' | 'getServerSnapshot' | 'after'>
{
  readonly host: Host
  readonly role: Role
  /** It becomes another when its row gets a real key. */
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
  /** Whether there was data at that verdict. */
  #hadData = false
  /** True if the snapshot is worked out anew though the view is the same. */
  #isDue = true
  /** Its view when the snapshot was worked out. */
  #built: unknown = undefined
  /** Monotonic ms at which it was last of use. */
  used: number
  readonly #listeners = new Set<() => void>()
  #life: Life = 'idle'
  /** Ends what goes on while it is held or live. */
  #stop: (() => unknown) | undefined = undefined
  /** True until its subscribers are counted. */
  #isUndecided = false
  /** True if somebody subscribed since its life was decided. */
  #hasNewcomer = false
  /** How many subscribers it had then. */
  #count = 0
  /** If its row was deleted here while it was shown. */
  deleted: Deleted | undefined = undefined
  /** True if nothing is fetched since its only reader reads with other arguments now. */
  #isGivenUp = false
  /** Why it is fetched once that is decided, if it is: not for who leaves meanwhile. */
  #mustFetch: Cause | undefined = undefined
  /** Why data that was never there is fetched. */
  #came: 'mount' | 'args' | 'missing' | 'reset' = 'mount'
  #flight: Flight | undefined = undefined
  #subscriber: FlightSubscriber | undefined = undefined
  /** How often in a row the server could not be asked for what writes that overlapped have left, and when it is asked again. */
  #failures = 0
  #again: unknown = undefined
  /** For all who wait in `load()`. */
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
    const { rendered } = this.host
    return rendered === undefined ? this.getSnapshot() : rendered.snapshotOf(this)
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

  /** `before`: what the reader has read with other arguments. A framework may let it go on listening to that until this is there. */
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

  readonly refetch = (): Promise<void> =>
    new Promise((resolve) => {
      const { query } = this
      const { network, store, closed } = this.host.runtime
      const settle = (): void => resolve()
      if (query === undefined || closed !== undefined) return settle()
      const { data } = this.getSnapshot() as QuerySnapshot<unknown>
      const { signal } = query.endpoint
      const flight = network.join(query, { settle, fail: settle, signal, cause: { type: 'refetch' } })
      // An error alone makes way for the request that may end it.
      if (flight && data === undefined && query.entry.error !== undefined) store.dropError(query.entry, flight.start)
    })

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

  /**
   * Judges anew what to show and whether to fetch; `hasArrived` at the moment of a response or an error, `cause` if something else
   * than the data's own facts is the reason.
   */
  judge(hasArrived: boolean, cause?: Cause): void {
    const { query, role } = this
    if (query === undefined) return
    const { isRendering, clock } = this.host.runtime
    if (hasArrived) query.retry()
    const facts = query.facts(hasArrived, isRendering && role.fetches && this.#life !== 'live')
    const deleted = role.fetches ? this.#deletedSince(facts) : undefined
    this.verdict = freshness(deleted ? { ...facts, deleted } : facts, clock.now())
    this.#mark = markOf(facts)
    this.#hadData = facts.hasData
    this.#isDue = true
    if (process.env.NODE_ENV !== 'production' && role.fetches && facts.hasData && !this.verdict.fetch)
      warnOfLighter(query, this.host.runtime)
    this.#act(this.verdict, facts, cause)
  }

  /** It has come to depend on rows that were marked before. A mark makes it fetch once: what fails then is not asked for at each change. */
  judgeMark(): void {
    const { query, role } = this
    if (role.fetches && query !== undefined && markOf(query.facts(false)) > this.#mark) this.judge(false)
  }

  /** Whether what is shown is of a row that was deleted here. Whoever comes later asks the server. */
  #deletedSince({ hasData, mark }: Facts): Facts['deleted'] {
    const { query } = this
    const isShown = this.deleted !== undefined || (this.shown as QuerySnapshot<unknown>).data !== undefined
    const isReader = !hasData && isShown && this.#life === 'live' && mark?.type !== 'contested'
    const at = isReader ? query?.deletion() : undefined
    if (at === undefined) {
      if (this.deleted !== undefined) this.endDeleted()
      return undefined
    }
    this.deleted ??= {}
    // Its success will change nothing that is shown.
    if (at === 0) this.host.postponed.add(this)
    else this.deleted.timer ??= this.host.runtime.env.setTimeout(this.#tellDeleted, DELETED_FOR, true)
    return this.deleted.error === undefined ? 'recently' : 'before'
  }

  readonly #tellDeleted = (): void => {
    if (this.deleted !== undefined) this.deleted.error = new DeletedError(this.key)
    this.judge(false)
    this.reread()
    this.notify()
  }

  /** From now on the server is asked again. */
  endDeleted(): void {
    if (this.deleted?.timer !== undefined) this.host.runtime.env.clearTimeout(this.deleted.timer)
    this.deleted = undefined
  }

  #act({ fetch, show }: Judgement, facts: Facts, asked: Cause | undefined): void {
    const { hasData, isInvalid, isStale, justArrived } = facts
    const { role, host } = this
    if (!role.fetches) {
      // Its dependencies may be written again unchanged: then only the next commit notifies.
      if (hasData && show !== 'data' && this.isHeld) host.postponed.add(this)
      return
    }
    this.#mustFetch = undefined
    this.#isGivenUp = false
    if (!fetch || host.runtime.closed !== undefined) return
    if (this.#life !== 'live' && this.#life !== 'held') {
      // There is no subscriber to fetch again, so callers that still wait must read again.
      if (this.#flight === undefined || this.#flight.isOver) this.#stopWaiting()
      return
    }
    const cause = asked ?? facts.mark ?? { type: hasData ? 'expired' : this.#came }
    // There is a response, and something hides it, such as a pending deletion: fetching again would bring the same.
    const { response, error } = this.query?.entry ?? {}
    const isHidden = response !== undefined && !hasData && !isInvalid && error === undefined
    const mayWait = isHidden || (isStale && show === 'data')
    if (mayWait && this.#isUnderLayer()) host.postponed.add(this)
    else if (isHidden && justArrived && facts.mark === undefined) return
    else if (this.#life === 'live') {
      this.#mustFetch = cause
      this.host.fetchLater(this)
    } else this.#fetch(cause)
  }

  #isUnderLayer(): boolean {
    const { store } = this.host.runtime
    const { view } = this
    return view !== undefined && store.layers.length > 0 && store.resultsAbove(store.pending()).has(view)
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
      const isError = role.fetches && this.verdict?.show === 'error' && this.deleted === undefined
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
    // The read is over, and whoever comes later must not meet an old error. On a server nobody mounts who would end the hold.
    const isOver = (next as QuerySnapshot<unknown>).status === 'failed' || this.host.runtime.isRendering
    if (this.#life === 'held' && isOver) this.#hold(HOLD_AFTER)
  }

  /** The number of its listeners. */
  get listenerCount(): number {
    return this.#listeners.size
  }

  /** Whether listeners know another snapshot. */
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
      try {
        listener()
      } catch (cause) {
        this.host.runtime.report(new CallbackError('A listener', 'a subscription', { cause }))
      }
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
    this.#hasNewcomer = false
    this.#count = this.#listeners.size
    if (this.host.runtime.closed !== undefined) return
    if (this.#listeners.size > 0) {
      const before = this.#life
      if (before !== 'live') {
        this.#endLife('live')
        this.#stop = this.role.start?.(this)
      }
      if (isNewcomer && this.role.fetches) this.#welcome(before === 'held')
      this.#came = 'missing'
      // Those who were there before know; one who comes does not.
      if (isNewcomer && isMore && this.deleted !== undefined) this.#mustFetch ??= { type: 'mount' }
      if (isNewcomer && this.#mustFetch) this.#fetch(this.#mustFetch)
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
    // StrictMode leaves, and comes for the same.
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
    this.#failures = 0
    this.host.runtime.env.clearTimeout(this.#again)
    stop?.()
  }

  #rest(): void {
    this.endDeleted()
    const flight = this.#flight
    // Callers that still wait for a request stay subscribed to it, so that it is not aborted when others leave.
    if (this.#waiting === undefined || this.query?.endpoint.abortOnUnused) this.#leaveFlight()
    if (flight === undefined || flight.isOver) this.#stopWaiting()
    this.used = this.host.runtime.clock.mono()
    this.host.runtime.release()
  }

  #stopWaiting(): void {
    this.#waiting = undefined
    this.#endWaiting?.()
  }

  /** Its owner held it for longer than unused observers are stored. */
  #revive(): void {
    if (this.#life !== 'closed' || this.host.runtime.closed !== undefined) return
    this.#life = 'idle'
    this.restart()
    this.host.add(this)
  }

  /** Starts over after a reset of the store. */
  restart(): void {
    this.endDeleted()
    // Observers that show something else meanwhile, as with `keepPrevious`, are told too.
    if (this.isPending) this.shown = queryState(this, 'pending')
    this.query?.rebind()
    if (this.#tableView !== undefined) this.#tableView = this.#makeView()
    this.#isDue = true
    this.#flight = undefined
    this.#subscriber = undefined
    // The request that was waited for is dropped, and nobody is there to send it again.
    if (this.#life === 'idle') this.#stopWaiting()
    this.#came = 'reset'
    this.judge(false)
    this.#came = 'missing'
  }

  /** Releases everything. If its owner uses it again, it is added again. */
  dispose(): void {
    const { view, host } = this
    this.endDeleted()
    this.#endLife('closed')
    this.#isDue = true
    this.#leaveFlight()
    this.#stopWaiting()
    host.dirty.delete(this)
    host.postponed.delete(this)
    host.held.delete(this)
    if (view !== undefined) view.isRemoved = true
  }

  #makeView(): ResultView {
    return this.host.runtime.store.resultView(undefined, this.schema, this.subject.args, this.#onDirty)
  }

  readonly #onDirty = (): void => {
    this.host.dirty.add(this)
  }

  // — fetching —

  /** Its reader has suspended for something else, though it still listens: nothing is fetched for it, unless it comes back. */
  #giveUp(): void {
    if (this.#mustFetch === undefined || this.#listeners.size > 1) return
    this.#mustFetch = undefined
    this.#isGivenUp = true
  }

  /** Fetches what was missing or out of date a moment ago, for who is still there. */
  fetchNow(): void {
    if (this.#mustFetch && this.#life === 'live' && this.#listeners.size > 0) this.#fetch(this.#mustFetch)
  }

  #fetch(cause: Cause): void {
    const { query } = this
    const { runtime } = this.host
    const { network, closed } = runtime
    this.#mustFetch = undefined
    if (query === undefined || closed || (this.#flight !== undefined && !this.#flight.isOver)) return
    const { signal } = query.endpoint
    const fail = (error: Error): void => {
      // Its own signal took it off the flight: nobody else records that.
      if (signal?.aborted) network.refuse(query, error, runtime.act('setError', query.key))
      else if (cause.type === 'contested' && this.verdict?.show === 'data') this.#askAgain()
    }
    const settle = (): void => {
      this.#failures = 0
    }
    const again = this.#failures > 0 ? { settle } : undefined
    this.#subscriber = { ...again, fail, signal, joinsAny: true, cause }
    this.#flight = network.join(query, this.#subscriber)
  }

  /** What is shown may be wrong for good, and nothing else would ask: in pauses that grow as those of polls do. */
  #askAgain(): void {
    const { env } = this.host.runtime
    const ask = (): void => {
      const { query } = this
      // Somebody else may have asked meanwhile.
      if (query?.facts(false).mark?.type !== 'contested') return
      query.entry.error = undefined
      this.judge(false)
    }
    this.#again = env.setTimeout(ask, growingPause(AGAIN, ++this.#failures, env))
  }

  #leaveFlight(): void {
    const flight = this.#flight
    const subscriber = this.#subscriber
    this.#flight = undefined
    this.#subscriber = undefined
    if (flight?.isOver === false && subscriber !== undefined) this.host.runtime.network.leave(flight, subscriber, false)
  }
}

function markOf({ mark }: Facts): number {
  return (mark !== undefined && 'by' in mark && mark.by) || 0
}
