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
  /** True if missing or outdated data is fetched. */
  readonly fetches?: boolean
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
export interface HostOf<LiveObserver> {
  readonly runtime: Runtime
  /** Observers whose view may have changed since the last notification. */
  readonly dirty: Set<LiveObserver>
  /** The snapshots that servers have rendered; set by hydration. */
  readonly rendered: { snapshotOf(observer: LiveObserver): unknown; dispose(): void } | undefined
  /** The endpoints whose readers left in this tick: a reader that comes for another key of one has changed its arguments. */
  readonly left: ReadonlyMap<EndpointInterface, LiveObserver>
  /** A reader of an endpoint has left. */
  leave(endpoint: EndpointInterface, observer: LiveObserver): void
  /** Observers that are judged again after the next commit. */
  readonly postponed: Set<LiveObserver>
  /** Observers that may be held: all that are, and a few that are no more. */
  readonly held: Set<LiveObserver>
  /** Calls the listeners of one commit in a batch of another library, if their stores are of that. */
  together: ((notify: () => void) => void) | undefined
  /** Reads a key once. */
  entryOf(endpoint: EndpointInterface, args: readonly unknown[]): QueryEntry
  /** Lets an observer fetch after frameworks have rendered the change that led to it, if it is still needed then. */
  fetchLater(observer: LiveObserver): void
  /** Adds an observer again that was dropped but is still used by its owner. */
  add(observer: LiveObserver): void
  /** An observer reads another key from now on. */
  rename(observer: LiveObserver, key: string): void
  /** The role of `fetching`, as a part of another observer. */
  fetchingOf(key: string): Observer<boolean>
}
