import type { Cause } from '../cause.js'
import type { OutboxEntry } from '../offline/items.js'

/** A kind of rows: the rows of an entity, or the lists of a Collection. */
export interface InspectedTable {
  readonly kind: string
  readonly isList: boolean
  /** The number of rows, including deleted ones. */
  readonly count: number
}

/** A row with its values by level. */
export interface InspectedRow {
  readonly kind: string
  readonly pk: string
  /** The visible value: a record with primary keys for relations, a list's members, or undefined. */
  readonly value: unknown
  /** True for a deleted row. Its tombstone prevents late responses from restoring it. */
  readonly isTombstone: boolean
  /** Its values from server state up, if optimistic layers write it. `by` is the layer's request; 0 is server state. */
  readonly levels: readonly { readonly by: number; readonly value: unknown }[]
  /** For each field, the request or action that last wrote it to server state. */
  readonly writtenBy: Readonly<Record<string, number>>
  /** The fields that refer to other rows, with the kinds of those rows. */
  readonly links: Readonly<Record<string, string>>
  /** Wall clock in ms after which it is stale. */
  readonly expiresAt: number | undefined
}

/** The result that is stored under a fetch key. */
export interface InspectedResult {
  readonly key: string
  /** The number of its readers. */
  readonly listenerCount: number
  readonly isLoaded: boolean
  /** Wall clock in ms after which it is stale; undefined if there was no response. */
  readonly expiresAt: number | undefined
  /** The action or mutation that made it invalid or stale, if any. */
  readonly mark: Cause | undefined
  readonly error: Error | undefined
  /** The request or action that wrote it; 0 if none did. */
  readonly broughtBy: number
}

/** A request in flight. */
export interface InspectedRequest {
  readonly id: number
  readonly key: string
  readonly cause: Cause
  readonly sideEffect: boolean
  readonly hasLayer: boolean
  /** The number of failed attempts. */
  readonly failureCount: number
}

/** The optimistic layer of a pending mutation. */
export interface InspectedLayer {
  /** The `id` of its request. */
  readonly id: number
  readonly key: string
  readonly written: readonly { readonly kind: string; readonly pk: string; readonly value: unknown }[]
}

/** An observer with subscribers. */
export interface InspectedReader {
  /** The identity of the observer. */
  readonly observer: object
  /** The fetch key that it reads, or the schema and arguments of `controller.view`. */
  readonly key: string
  readonly type: 'watch' | 'peek' | 'view' | 'other'
  readonly listenerCount: number
  /** The components and functions that read it; empty without `stacks`. */
  readonly names: readonly string[]
}

/** The outbox of a controller with `offline()`, with the members of the store that `offline` returns. */
export interface InspectedOutbox {
  /** Returns the waiting mutations in the order of their calls. */
  getSnapshot(): readonly OutboxEntry[]
  subscribe(onChange: () => void): () => void
  retry(id: string): void
  discard(id: string): void
  resume(): void
}
