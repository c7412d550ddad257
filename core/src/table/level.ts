import type { EntityInterface } from '../schema/schema.js'
import type { Verdict } from './order.js'
import type { Answer, RecordRow, Row, Writer } from './row.js'
import type { Kind, Table } from './table.js'

/** How rows look on a level of the store, for whoever asks users' functions about them. */
export interface LevelReader {
  /** The row of an entity, which all classes of its key share. */
  row(entity: EntityInterface, pk: string): RecordRow
  /** The value of a row, with what was written on this level so far. */
  valueOf<R extends Row>(row: R): R['value']
  /** Takes what users' functions throw. */
  report(error: Error): void
}

/** Where a change is written: server state (level 0), or one optimistic layer above it. */
export interface Level extends LevelReader {
  readonly table: Table
  /** The server's response; undefined on a layer. */
  readonly response: Answer | undefined
  /** The optimistic layer; undefined for server state. */
  readonly layer: Writer | undefined
  /** Sequence number at which the request began that writes. */
  readonly start: number
  /** Sequence number from which the write counts: a mutation's completion, a read's start. */
  readonly at: number
  put(row: Row, value: unknown): void
  /** Leaves a row as it is: a layer runs again when the row changes. */
  skip(row: Row): void
  /** How the write of a whole list stands to what is known of it. */
  listVerdict(row: Row): Verdict
  /** Notes the response on a row without numbers of single fields. */
  stampRow(row: Row): void
  /** Results that depend on the row are fetched again if they are older than `at`, by default than the mutation. Not on a layer. */
  markStale(row: Row, at?: number): void
  /** Layers above that depend on the row run again. */
  invalidateLayers(row: Row): void
  /** The layer runs again when anything of the kind changes. */
  watch(kind: Kind): void
  /** True while requests are in flight that may not know of this write. */
  readonly isUnknownToSome: boolean
}
