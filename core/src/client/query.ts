import type { EndpointInterface } from '../endpoint/options.js'
import type { Flight, Passenger } from '../engine/flight.js'
import { freshness, outlivesError, type Verdict } from '../freshness.js'
import { Microtask } from '../util/microtask.js'
import type { Desk } from './desk.js'
import { KeyView } from './key-view.js'
import { Lease } from './lease.js'
import { Listeners } from './listeners.js'
import type { Observer, QuerySnapshot } from './observer.js'
import type { Back, Shelved } from './shelf.js'
import { Waiting } from './waiting.js'
import type { Watcher } from './watchers.js'

/**
 * A read that stays true while somebody subscribes.
 *
 * @example
 * ```ts
 * const todos = controller.query(getTodos, { userId: 1 })
 * const stop = todos.subscribe(() => console.log(todos.getSnapshot().data))
 * ```
 */
export interface Query<Data> extends Observer<QuerySnapshot<Data>> {
  /** Fetches what is missing; settles when no longer pending and never rejects. A new promise for each attempt. */
  load(): Promise<void>
}

type Snapshot = QuerySnapshot<unknown>

const IDLE: Snapshot = Object.freeze({ status: 'idle', data: undefined, error: undefined })
const PENDING: Snapshot = Object.freeze({ status: 'pending', data: undefined, error: undefined })

/** A key as somebody watches it: what it shows, and what must be done to keep that true. */
export class LiveQuery implements Query<unknown>, Watcher, Shelved {
  readonly #desk: Desk
  readonly #back: Back<LiveQuery>
  readonly #at: KeyView
  readonly #listeners: Listeners
  #verdict: Verdict | undefined = undefined
  /** Whether there was data when that was judged. */
  #hadData = false
  /** Whether it stays beside an error. */
  #outlivesError = false
  shown: Snapshot = PENDING
  /** True while somebody subscribes, as decided in the microtask after. */
  #isLive = false
  /** True if somebody subscribed since that was decided. */
  #hasNewcomer = false
  /** True if it is to be fetched once that is decided: not for who leaves in the same tick. */
  #isWanting = false
  /** Holds the read for a component that suspended and has not mounted. */
  readonly #lease: Lease
  readonly #life: Microtask = new Microtask(() => this.#decideLife())
  #flight: Flight | undefined = undefined
  #passenger: Passenger | undefined = undefined
  readonly #waiting: Waiting = new Waiting()

  constructor(desk: Desk, endpoint: EndpointInterface, args: readonly unknown[], key: string, back: Back<LiveQuery>) {
    this.#desk = desk
    this.#back = back
    this.#at = new KeyView(desk, endpoint, args, key)
    this.#listeners = new Listeners(desk.report)
    this.#lease = new Lease(desk.env, desk.isServer, () => {
      if (!this.isHeld) this.#rest()
    })
    desk.watchers.add(this.#at.view, this)
  }

  get key(): string {
    return this.#at.key
  }

  get schema(): unknown {
    return this.#at.endpoint.schema
  }

  /** As a controller's. */
  get __v_skip(): true {
    return true
  }

  /** True while the query, its data and its rows are needed. */
  get isHeld(): boolean {
    return this.#isLive || this.#lease.isHeld || this.#listeners.size > 0 || this.#waiting.isWanted
  }

  /** Monotonic ms at which it was last of use. */
  get used(): number {
    return this.#at.entry.used
  }

  /** The rows that it shows. */
  get view(): KeyView {
    return this.#at
  }

  /** The endpoint handed in last makes the next fetch. */
  renew(endpoint: EndpointInterface, args: readonly unknown[]): void {
    this.#at.endpoint = endpoint
    this.#at.args = args
  }

  getSnapshot(): Snapshot {
    this.#return()
    if (!this.isHeld) {
      this.#at.entry.used = this.#desk.clock.mono()
      this.judge(false)
    }
    this.reread()
    return this.shown
  }

  subscribe(onChange: () => void): () => void {
    if (this.#desk.isServer || this.#desk.closed) return () => {}
    this.#return()
    this.#hasNewcomer = true
    this.#life.ask()
    return this.#listeners.add(onChange, () => this.#life.ask())
  }

  load(): Promise<void> {
    // A live one has asked already, and changes nothing without telling.
    if (this.getSnapshot().status === 'pending' && !this.#isLive) {
      this.#lease.take()
      this.judge(false)
      this.reread()
    }
    return this.shown.status === 'pending' ? this.#waiting.join() : Promise.resolve()
  }

  /**
   * Lets stores of another library stand on several queries: the listeners of one commit are told within `together`. Returns what keeps
   * a throwing listener of such a store from the others.
   */
  bridge(together: (notify: () => void) => void): Desk['guarded'] {
    this.#desk.watchers.together = this.#desk.guarded(together)
    return (listener) => this.#desk.guarded(listener)
  }

  // — what a commit asks —

  judge(hasArrived: boolean): void {
    this.#isWanting = false
    if (hasArrived) this.#at.retry()
    const facts = this.#at.facts(hasArrived, this.#desk.isRendering && !this.#isLive)
    const now = this.#desk.clock.now()
    const verdict = freshness(facts, now)
    this.#verdict = verdict
    this.#outlivesError = outlivesError(facts, now)
    this.#hadData = facts.hasData
    if (!verdict.fetch || this.#desk.closed) return
    if (!this.#isLive && !this.#lease.isHeld) {
      // Nobody is there to ask again, so whoever still waits shall look for himself.
      if (this.#flight === undefined || this.#flight.isOver) this.#waiting.end()
      return
    }
    // There is an answer, and something hides it, such as a pending deletion: asking again would bring the same.
    const { answer, error } = this.#at.entry
    const isHidden = answer !== undefined && !facts.hasData && !facts.isInvalid && error === undefined
    const mayWait = isHidden || (facts.isStale && verdict.show === 'data')
    if (mayWait && this.#isUnderLayer()) this.#desk.watchers.postpone(this)
    else if (isHidden && hasArrived) return
    else if (this.#isLive) {
      this.#isWanting = true
      this.#life.ask()
    } else this.#fetch()
  }

  reread(): boolean {
    const next = this.#show()
    const before = this.shown
    if (next.status === before.status && next.data === before.data && next.error === before.error) return false
    this.shown = next
    if (next.status !== 'pending') this.#waiting.end()
    // On a server nobody mounts who would end it.
    if (next.status === 'failed' || (next.status !== 'pending' && this.#desk.isRendering)) this.#lease.settled()
    return true
  }

  tell(): void {
    this.#listeners.tell()
  }

  /** Starts anew after a reset of the store. */
  restart(): void {
    this.#desk.watchers.remove(this.#at.view, this)
    this.#at.rebind()
    this.#desk.watchers.add(this.#at.view, this)
    this.#flight = undefined
    this.#passenger = undefined
    // What was waited for is dropped, and nobody is there to ask for it again.
    if (!this.#isLive && !this.#lease.isHeld) this.#waiting.end()
    this.judge(false)
  }

  /** Somebody had kept it for longer than what nobody uses is kept. */
  #return(): void {
    if (!this.#at.view.isGone || this.#desk.closed !== undefined) return
    this.restart()
    this.#back(this)
  }

  dispose(): void {
    this.#lease.end()
    this.#leaveFlight()
    this.#waiting.end()
    this.#desk.watchers.remove(this.#at.view, this)
    this.#at.view.isGone = true
  }

  // — what is shown —

  #show(): Snapshot {
    const data = this.#at.data()
    const { error } = this.#at.view
    if (error !== undefined) return same(this.shown, 'failed', undefined, error)
    let verdict = this.#verdict
    // What there was is gone, or what was waited for came with something else.
    if (verdict === undefined || (verdict.show !== 'error' && this.#hadData !== (data !== undefined))) {
      this.judge(false)
      verdict = this.#verdict
    }
    if (verdict?.show === 'error') {
      const failure = this.#at.entry.error?.error
      if (failure !== undefined) return same(this.shown, 'failed', this.#outlivesError ? data : undefined, failure)
    }
    if (verdict?.show === 'data' && data !== undefined) return same(this.shown, 'ready', data, undefined)
    // Nothing comes any more after the end: whoever waits must hear of it, or would ask again and again.
    const { closed } = this.#desk
    return closed === undefined ? PENDING : same(this.shown, 'failed', undefined, closed)
  }

  #isUnderLayer(): boolean {
    const { store } = this.#desk
    return store.layers.some((layer) => store.resultsAbove(layer.writes).has(this.#at.view))
  }

  // — life —

  /** Decided in a microtask: frameworks subscribe twice and leave once, and stores are looked at by starting and stopping them. */
  #decideLife(): void {
    const isWanted = this.#listeners.size > 0
    const isNewcomer = this.#hasNewcomer
    this.#hasNewcomer = false
    if (isWanted) {
      const hadLease = this.#lease.isHeld
      this.#isLive = true
      this.#lease.end()
      if (isNewcomer) this.#welcome(hadLease)
      if (this.#isWanting) this.#fetch()
    } else if (this.#isLive) {
      this.#isLive = false
      this.#rest()
    }
  }

  /** A component that suspended was judged when it did; every other newcomer asks anew. */
  #welcome(hadLease: boolean): void {
    if (hadLease && this.shown.status !== 'pending') return
    this.#at.retry()
    this.judge(false)
    if (this.reread()) this.tell()
  }

  #rest(): void {
    const flight = this.#flight
    // Whoever still waits for a request stays with it, so that nobody else's leaving ends it.
    if (!this.#waiting.isWanted || this.#at.endpoint.abortOnUnused) this.#leaveFlight()
    if (flight === undefined || flight.isOver) this.#waiting.end()
    this.#at.entry.used = this.#desk.clock.mono()
    this.#desk.release()
  }

  // — fetching —

  #fetch(): void {
    this.#isWanting = false
    if (this.#desk.closed || (this.#flight !== undefined && !this.#flight.isOver)) return
    const { endpoint, args, key } = this.#at
    const passenger: Passenger = {
      land: () => {},
      fail: (error) => {
        // Its own signal took it off the flight: nobody else records that.
        if (endpoint.signal?.aborted) this.#desk.network.refuse(endpoint, key, error, this.#desk.store.sequence.next())
      },
      signal: endpoint.signal,
      dispose: () => {},
    }
    this.#passenger = passenger
    this.#flight = this.#desk.network.board(endpoint, args, key, passenger, true)
  }

  #leaveFlight(): void {
    const flight = this.#flight
    const passenger = this.#passenger
    this.#flight = undefined
    this.#passenger = undefined
    if (flight !== undefined && passenger !== undefined) this.#desk.network.leave(flight, passenger, false)
  }
}

function same(before: Snapshot, status: 'ready' | 'failed', data: unknown, error: Error | undefined): Snapshot {
  if (before.status === status && before.data === data && before.error === error) return before
  // The two shapes differ in whether there is an error, and so do the two callers.
  return Object.freeze({ status, data, error }) as Snapshot
}

/** The query of those who ask for nothing yet. */
export const IDLE_QUERY: Query<unknown> = Object.freeze({
  getSnapshot: () => IDLE,
  subscribe: () => () => {},
  load: () => Promise.resolve(),
})

/** The query of what cannot be asked for. */
export function failedQuery(error: Error): Query<never> {
  const snapshot: QuerySnapshot<never> = Object.freeze({ status: 'failed', data: undefined, error })
  return Object.freeze({ ...IDLE_QUERY, getSnapshot: () => snapshot })
}
