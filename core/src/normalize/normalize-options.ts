import type { EntityInfos } from '../table/entity-infos.js'
import type { Row } from '../table/row.js'
import type { Table } from '../table/table.js'

/** What normalizing needs to know beside the answer. */
export interface NormalizeOptions {
  readonly table: Table
  readonly infos: EntityInfos
  readonly args: readonly unknown[]
  /** How rows look to the answer: base for a real one, what is below for an optimistic one. */
  valueOf(row: Row): unknown
  /** The key for what is created without one; a real answer has none to give. */
  readonly placeholder?: string | undefined
  /** What the table keeps in the answer's place; an answer that says the same keeps its reference. */
  readonly before?: unknown
  /** True if nobody else has the answer, so that its records need not be copied. */
  readonly isTransferred?: boolean
}
