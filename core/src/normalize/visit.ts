import type { RowRecord, Schema } from '../schema/schema.js'
import type { Change } from '../table/change.js'
import type { EntityInfo } from '../table/entity-info.js'
import type { EntityRow } from '../table/row.js'
import { DepthError } from '../util/errors.js'
import type { NormalizeOptions } from './options.js'
import { passesOn } from './passes-on.js'
import { isOverflow } from './problems.js'
import type { Split } from './records.js'
import { Visitor } from './visitor.js'

/**
 * Splits a response by its schema: entities become rows, and the values that contain them refer to primary keys. It writes
 * nothing yet, so a response that does not match has no effect.
 *
 * @throws SchemaError, with the path into the payload; MissingPkError; DepthError
 */
export function normalizeInput(schema: Schema, input: unknown, options: NormalizeOptions): Change {
  const isOwn = options.isTransferred === true && passesOn(schema, options.infos)
  return new Visitor(options, isOwn).begin(schema, input)
}

/**
 * Splits a stored record by new relations of its key. The change contains the rows that were part of the record. Undefined
 * for a record that is too deep, which stays as it is.
 */
export function splitRecord(
  info: EntityInfo,
  row: EntityRow,
  record: RowRecord,
  options: NormalizeOptions,
): Split | undefined {
  try {
    return new Visitor(options, false).split(info, row, record)
  } catch (error) {
    if (error instanceof DepthError || isOverflow(error)) return undefined
    throw error
  }
}
