import type { EntityInterface } from '../schema/schema.js'
import type { Verdict } from './order.js'
import type { RecordRow, ResponseInfo, Row, Writer } from './row.js'
import type { Kind, Table } from './table.js'

/** The values of rows on a level of the store, for users' functions. */
export interface LevelReader {
  /** The row of an entity, which all classes of its key share. */
  row(entity: EntityInterface, pk: string): RecordRow
  /** The value of a row, with what was written on this level so far. */
  valueOf<R extends Row>(row: R): R['value']
  /** Called with errors of users' functions. */
  report(error: Error): void
}

/** Where a change is written: server state (level 0), or one optimistic layer above it. */
export interface Level extends LevelReader {
  readonly table: Table
  /** The server's response; undefined on a layer. */
  readonly response: ResponseInfo | undefined
  /** The optimistic layer; undefined for server state. */
  readonly layer: Writer | undefined
  /** Sequence number of the start of the writing request. */
  readonly start: number
  /** Sequence number of the write: a mutation's completion, or a read's start. */
  readonly at: number
  put(row: Row, value: unknown): void
  /** Skips a row; a layer runs again when the row changes. */
  skip(row: Row): void
  /** False if a later mutation has settled a field of the row. */
  decides(row: Row, field: string): boolean
  /** Compares the write of a whole list with the existing one. */
  listVerdict(row: Row): Verdict
  /** Records the response on a row, without numbers of single fields. */
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
