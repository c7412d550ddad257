import type { EndpointInterface } from '../endpoint/options.js'
import type { Call } from '../engine/flight.js'
import type { Mark } from '../engine/staleness.js'
import type { Notification } from '../engine/store.js'
import type { Schema } from '../schema/schema.js'
import type { Row } from '../table/row.js'
import { stableKey } from '../util/stable-key.js'
import { toError } from '../util/thrown.js'
import { checkRead, checkSchema, keyOf, readOnce } from './arguments.js'
import { type Host, LiveObserver, type Role } from './live-observer.js'
import type { Marker } from './markers/marker.js'
import type { LiveQuery, Observer, ObserverKind } from './observer.js'
import type { QueryEntry } from './query-entry.js'
import type { Subject } from './role.js'
import { FETCHING, IDLE_QUERY, NOTHING, PEEK, QUERY, SELECTION, stillQuery } from './roles.js'
import { Runtime, type RuntimeObservers, type RuntimeOptions } from './runtime.js'

/** The internal form of an `ObserverKind`: a function that returns the subject and the role of an observer. */
export interface ObserverMaker<Shown> extends ObserverKind<Shown> {
  (endpoint: EndpointInterface | undefined, args: readonly unknown[]): Subject & { readonly role: Role }
}

/** Returns a controller's registry, for managers and for entry points of their own. */
export function hostOf(controller: { readonly '~host': unknown }): Registry {
  // The host of a controller is always a registry.
  return controller['~host'] as Registry
}

/** All observers of a controller. Equal calls share an observer, and each commit notifies those that it affects. */
export class Registry implements Host, RuntimeObservers {
  readonly runtime: Runtime
  /** The observers by fetch key; selections by their arguments. */
  readonly observers: Map<string, LiveObserver[]> = new Map()
  readonly dirty: Set<LiveObserver> = new Set()
  readonly postponed: Set<LiveObserver> = new Set()
  readonly held: Set<LiveObserver> = new Set()
  rendered: Host['rendered']
  readonly left: Map<EndpointInterface, LiveObserver> = new Map()
  together: Host['together']
  readonly #notifications: Notification[] = []
  /** Observers of `fetching` whose request began in this tick. */
  readonly #begun = new Set<LiveObserver>()
  /** Observers that fetch after frameworks have rendered. */
  readonly #due = new Set<LiveObserver>()
  #isNotifying = false
  /** In development, called at each read, with its observer. */
  declare onRead: Set<(observer: LiveObserver) => void> | undefined
  /** Observers that only other observers use: developer tools show both as one. */
  readonly parts: WeakSet<LiveObserver> = new WeakSet()
  /** Queries for calls that cannot be made, by their error. */
  readonly #mistakes = new Map<string, LiveQuery<never>>()

  constructor(options: RuntimeOptions) {
    this.runtime = new Runtime(options, this)
  }

  // — what is observed —

  watch(endpoint: EndpointInterface, rawArgs: readonly unknown[]): LiveQuery<unknown> {
    if (rawArgs[0] === null) return IDLE_QUERY
    const derived = (endpoint as Partial<Marker> | undefined)?.['~query']?.((of) => this.watch(of, rawArgs))
    // The role QUERY shows snapshots of queries.
    return derived ?? (this.#read(QUERY, endpoint, rawArgs) as LiveObserver & LiveQuery<unknown>)
  }

  /** Like `watch`, but a call that cannot be made returns a failed query: the same one for the same mistake. */
  watchOrError(endpoint: EndpointInterface, args: readonly unknown[]): LiveQuery<unknown> {
    try {
      return this.watch(endpoint, args)
    } catch (thrown) {
      // An undefined endpoint is one of the mistakes, which types cannot exclude.
      const error = toError(thrown, endpoint?.name ?? 'an endpoint')
      const failed = this.#mistakes.get(error.message) ?? stillQuery('failed', error)
      // A program has few mistakes, but a message may contain user input, so the number is limited.
      if (this.#mistakes.size > 100) this.#mistakes.clear()
      this.#mistakes.set(error.message, failed)
      return failed
    }
  }

  peek(endpoint: EndpointInterface, rawArgs: readonly unknown[]): Observer<unknown> {
    return rawArgs[0] === null ? NOTHING : this.#read(PEEK, endpoint, rawArgs)
  }

  view(schema: Schema, rawArgs: readonly unknown[]): Observer<unknown> {
    if (rawArgs[0] === null) return NOTHING
    checkSchema(schema)
    const args = readOnce(rawArgs)
    return this.#observer(SELECTION, { key: stableKey(args), schema, args })
  }

  fetching(key: string, isPart = false): Observer<boolean> {
    const observer = this.#observer(FETCHING, { key, args: [] }, isPart)
    if (!isPart) this.parts.delete(observer)
    // The role FETCHING shows booleans.
    return observer as Observer<unknown> as Observer<boolean>
  }

  observe<Shown>(
    kind: ObserverKind<Shown>,
    endpoint: EndpointInterface | undefined,
    rawArgs: readonly unknown[],
  ): Observer<Shown | undefined> {
    if (rawArgs[0] === null) return NOTHING
    // Every kind is an `ObserverMaker`, whose role shows values of this type.
    const { role, ...subject } = (kind as ObserverMaker<Shown>)(endpoint, readOnce(rawArgs))
    const observer: LiveObserver = this.#observer(role, subject)
    observer.subject = subject
    return observer as Observer<unknown> as Observer<Shown>
  }

  #read(role: Role, endpoint: EndpointInterface, rawArgs: readonly unknown[]): LiveObserver {
    const { args, key } = this.callOf(endpoint, rawArgs)
    const existing = this.#find(role, key, endpoint.schema)
    if (process.env.NODE_ENV !== 'production' && existing !== undefined) this.#tellRead(existing)
    // Check each endpoint only once, since deriving `sideEffect` from its method takes as long as making the key.
    if (existing?.query?.endpoint !== endpoint) checkRead(endpoint)
    if (existing?.query === undefined) return this.#observer(role, { key, schema: endpoint.schema, endpoint, args })
    existing.query.endpoint = endpoint
    existing.query.args = args
    return existing
  }

  /** Returns the call of an endpoint, with real keys in place of temporary ones as far as they are known. */
  callOf(endpoint: EndpointInterface, rawArgs: readonly unknown[]): Call {
    const args = readOnce(rawArgs)
    const call = { endpoint, args, key: keyOf(endpoint, args) }
    const { network } = this.runtime
    return network.keyReplacer ? network.realCall(call) : call
  }

  #observer(role: Role, subject: Subject, isPart = false): LiveObserver {
    const existing = this.#find(role, subject.key, subject.schema)
    const observer = existing ?? new LiveObserver(this, role, subject)
    if (process.env.NODE_ENV !== 'production' && !isPart) this.#tellRead(observer)
    if (existing !== undefined) return existing
    if (isPart) this.parts.add(observer)
    this.add(observer)
    return observer
  }

  #tellRead(observer: LiveObserver): void {
    for (const listener of this.onRead ?? []) listener(observer)
  }

  #find(role: Role, key: string, schema: Schema): LiveObserver | undefined {
    for (const observer of this.observers.get(key) ?? []) {
      if (observer.role === role && observer.subject.schema === schema) return observer
    }
    return undefined
  }

  add(observer: LiveObserver): void {
    const sameKey = this.observers.get(observer.key)
    if (sameKey === undefined) this.observers.set(observer.key, [observer])
    else sameKey.push(observer)
    // An observer that is never used must be removed, too.
    this.runtime.retention?.scheduleSweep()
  }

  rename(observer: LiveObserver, key: string): void {
    const before = this.observers.get(observer.key)?.filter((other) => other !== observer)
    if (before) this.observers.set(observer.key, before)
    observer.key = key
    this.add(observer)
  }

  /** Yields all observers, used or not. */
  *all(): Generator<LiveObserver, void> {
    for (const observers of this.observers.values()) yield* observers
  }

  /** Returns the entry of a call without observing it. */
  entryOf(endpoint: EndpointInterface, rawArgs: readonly unknown[]): QueryEntry {
    const { args, key } = this.callOf(endpoint, rawArgs)
    const { schema } = endpoint
    const observer = this.#find(QUERY, key, schema) ?? this.#observer(PEEK, { key, schema, endpoint, args })
    // Both roles read a key, so the observer has a query.
    return observer.query as QueryEntry
  }

  /** Marks all keys of an endpoint: observed keys now, all others when they are read. */
  markAll(mark: Mark): void {
    const { store } = this.runtime
    store.staleness.add(mark, store.entries.values())
    store.batch(() => {
      for (const observer of this.held) {
        const { isHeld, query } = observer
        if (!isHeld) this.held.delete(observer)
        else if (query !== undefined && store.staleness.judge(query.entry)) store.touch(query.entry, mark.at)
      }
    })
  }

  /** Removes an error from all keys, and rebuilds views that failed with it. */
  dropError(error: unknown): void {
    const { store } = this.runtime
    const by = this.runtime.act('dropError')
    store.batch(() => {
      for (const entry of store.entries.values()) if (entry.error?.error === error) store.dropError(entry, by)
      for (const observer of this.all()) {
        const { query } = observer
        if (query === undefined || (query.view.error !== error && query.deleted?.error !== error)) continue
        query.endDeleted()
        query.retry()
        store.touch(query.entry, by)
      }
    })
  }

  // — what is notified —

  /** Notifies the observers that a commit affects. If a listener commits, that notification follows after this one. */
  readonly notify = (notification: Notification): void => {
    this.#notifications.push(notification)
    if (this.#isNotifying) return
    this.#isNotifying = true
    try {
      for (let next = this.#notifications.shift(); next !== undefined; next = this.#notifications.shift()) {
        this.#round(next)
      }
    } finally {
      this.#isNotifying = false
    }
  }

  /** Lets all affected observers read again, then calls all listeners. */
  #round(notification: Notification): void {
    const { entries, stale } = notification
    // Observers that are postponed in this round are judged in the next.
    const concerned = new Set(this.postponed)
    this.postponed.clear()
    for (const observer of concerned) observer.judge(false)
    for (const [entry, hasArrived] of entries) {
      for (const observer of this.observers.get(entry.key) ?? []) {
        if (observer.query?.entry !== entry || !observer.isHeld) continue
        observer.judge(hasArrived, entry.cause)
        concerned.add(observer)
      }
      entry.cause = undefined
    }
    this.#takeDirty(concerned)
    for (const observer of concerned) observer.reread()
    const { marked } = this.runtime.store.views
    if (stale.size + marked.size > 0) {
      // This comes late, since observers registered their dependencies when they read again.
      const late = this.#above(stale)
      for (const observer of late) observer.judge(false)
      const others = this.#above(marked)
      marked.clear()
      for (const observer of others) if (!late.has(observer)) observer.judgeMark()
      for (const observer of new Set([...late, ...others])) {
        observer.reread()
        concerned.add(observer)
      }
    }
    const changed: LiveObserver[] = []
    for (const observer of concerned) if (observer.isChanged) changed.push(observer)
    if (this.together === undefined) for (const observer of changed) observer.notify()
    else if (changed.length > 0)
      this.together(() => {
        for (const observer of changed) observer.notify()
      })
    this.runtime.committed(notification, changed)
  }

  /** Returns the observers that depend on any of these rows. */
  #above(rows: ReadonlySet<Row>): Set<LiveObserver> {
    const observers = new Set<LiveObserver>()
    if (rows.size === 0) return observers
    for (const view of this.runtime.store.resultsAbove(rows)) view.onDirty?.(view)
    this.#takeDirty(observers)
    return observers
  }

  #takeDirty(into: Set<LiveObserver>): void {
    for (const observer of this.dirty) if (observer.isHeld) into.add(observer)
    this.dirty.clear()
  }

  requested(key: string, hasBegun: boolean): void {
    const observer = this.#find(FETCHING, key, undefined)
    if (observer === undefined || observer.listenerCount === 0) return
    // A request may start while a component renders, when others must not be notified.
    if (hasBegun) addFor(this.#begun, observer, queueMicrotask, showRequest)
    else showRequest(observer)
  }

  fetchLater(observer: LiveObserver): void {
    addFor(
      this.#due,
      observer,
      (run) => this.runtime.env.afterRender(run),
      (one) => one.fetchNow(),
    )
  }

  leave(endpoint: EndpointInterface, observer: LiveObserver): void {
    // Observers with new subscribers are judged in a microtask of this tick, so the map lasts one microtask longer.
    if (this.left.size === 0) queueMicrotask(() => queueMicrotask(() => this.left.clear()))
    this.left.set(endpoint, observer)
  }

  restart(): void {
    this.rendered?.dispose()
    const observers = [...this.all()].filter(({ view }) => view !== undefined)
    this.runtime.store.batch(() => {
      for (const observer of observers) observer.restart()
    })
    for (const observer of observers) observer.update()
  }

  dispose(): void {
    this.rendered?.dispose()
    for (const observer of this.all()) observer.dispose()
    this.observers.clear()
  }
}

/** Adds an observer to a set whose elements `work` is called with later, all together. */
function addFor(
  observers: Set<LiveObserver>,
  observer: LiveObserver,
  later: (run: () => void) => void,
  work: (observer: LiveObserver) => void,
): void {
  if (observers.size === 0)
    later(() => {
      const all = [...observers]
      observers.clear()
      all.forEach(work)
    })
  observers.add(observer)
}

/** Notifies listeners even if a request is still in flight, since they may show its failures. */
function showRequest(observer: LiveObserver): void {
  observer.update(true)
}
