import type { EntityInfos } from '../table/entity-infos.js'
import type { Row } from '../table/row.js'
import type { Table } from '../table/table.js'
import type { Views } from '../table/views.js'
import type { SchemaError } from '../util/errors.js'

/** The input of normalizing besides the response. */
export interface NormalizeOptions {
  readonly table: Table
  readonly infos: EntityInfos
  readonly views: Views
  readonly args: readonly unknown[]
  /** Returns the value of a row: server state for a real response, the value below the layer for an optimistic one. */
  valueOf<R extends Row>(row: R): R['value']
  /** The temporary key of rows that an optimistic response creates; undefined for a real response. */
  readonly placeholder?: string | undefined
  /** Receives the problems of records that are stored anyway. Undefined for optimistic responses, which are not judged. */
  readonly report?: ((error: SchemaError) => void) | undefined
  /** True if no other code has the response, so that its records need not be copied. */
  readonly isTransferred?: boolean
  /** True if the rows that it creates already have their rank, because a layer runs again. */
  readonly isPlaced?: boolean
}
