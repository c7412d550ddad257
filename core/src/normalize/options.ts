import type { EntityInfos } from '../table/entity-infos.js'
import type { Row } from '../table/row.js'
import type { Table } from '../table/table.js'
import type { Views } from '../table/views.js'
import type { SchemaError } from '../util/errors.js'

/** Everything that normalizing needs besides the response. */
export interface NormalizeOptions {
  readonly table: Table
  readonly infos: EntityInfos
  readonly views: Views
  readonly args: readonly unknown[]
  /** Returns a row's value for the response: server state for a real one, the values below for an optimistic one. */
  valueOf<R extends Row>(row: R): R['value']
  /** The key of a row that is created without one; a real response has none to give. */
  readonly placeholder?: string | undefined
  /** Takes the problems of records that are kept all the same. Only what a server says is judged, so only its responses have this. */
  readonly report?: ((error: SchemaError) => void) | undefined
  /** True if nobody else has the response, so that its records need not be copied. */
  readonly isTransferred?: boolean
  /** True if rows that it creates have their places already: an optimistic response that is made again. */
  readonly isPlaced?: boolean
}
