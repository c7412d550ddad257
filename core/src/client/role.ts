import type { EndpointInterface } from '../endpoint/options.js'
import type { Call } from '../engine/flight.js'
import type { Schema } from '../schema/schema.js'
import type { Observer } from './observer.js'
import type { QueryEntry } from './query-entry.js'
import type { Runtime } from './runtime.js'

/** Defines the snapshot of an observer, and how it is kept up to date. */
export interface RoleOf<LiveObserver> {
  /** The source of the snapshot: the facts of a key, the table alone, or neither. */
  readonly reads?: 'key' | 'table'
  /** True if missing or stale data is fetched. */
  readonly fetches?: boolean
  /** Returns the current snapshot. `data` is the value of the observer's view. */
  show(observer: LiveObserver, data: unknown): unknown
  /** Runs while there are subscribers; the returned function ends it. */
  start?(observer: LiveObserver): (() => unknown) | undefined
}

/** The key or schema that is observed. */
export interface Subject extends Partial<Call> {
  readonly key: string
  readonly schema?: Schema
  readonly args: readonly unknown[]
}

/** The registry of a controller's observers, as they use it. */
export interface HostOf<LiveObserver> {
  readonly runtime: Runtime
  /** Observers whose view may have changed since the last notification. */
  readonly dirty: Set<LiveObserver>
  /** The snapshots that servers have rendered; set by hydration. */
  readonly rendered: { snapshotOf(observer: LiveObserver): unknown; dispose(): void } | undefined
  /** The observers that readers left in this tick, by endpoint: a reader of another key has then changed its arguments. */
  readonly left: ReadonlyMap<EndpointInterface, LiveObserver>
  /** Notes that a reader of an endpoint has left. */
  leave(endpoint: EndpointInterface, observer: LiveObserver): void
  /** Observers that are judged again after the next commit. */
  readonly postponed: Set<LiveObserver>
  /** All held observers, and a few that are not held any more. */
  readonly held: Set<LiveObserver>
  /** Runs the listeners of one commit in a batch of another library, if it is in use. */
  together: ((notify: () => void) => void) | undefined
  /** Returns the entry of a call without observing it. */
  entryOf(endpoint: EndpointInterface, args: readonly unknown[]): QueryEntry
  /** Lets an observer fetch after frameworks have rendered the last change, if it is still needed then. */
  fetchLater(observer: LiveObserver): void
  /** Adds an observer again that was dropped although its owner still uses it. */
  add(observer: LiveObserver): void
  /** Moves an observer to another key. */
  rename(observer: LiveObserver, key: string): void
  /** Returns the `fetching` of a key; `isPart` is true for that of another observer. */
  fetching(key: string, isPart?: boolean): Observer<boolean>
}
