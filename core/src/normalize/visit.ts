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
 * Takes a response apart by its schema: entities become rows, and the values around them keep their keys. Nothing is written yet, so a
 * response that does not fit leaves no trace.
 *
 * @throws SchemaError, with the path into the payload; MissingPkError; DepthError
 */
export function normalizeInput(schema: Schema, input: unknown, options: NormalizeOptions): Change {
  const isOwn = options.isTransferred === true && passesOn(schema, options.infos)
  return new Visitor(options, isOwn).begin(schema, input)
}

/**
 * Splits a stored record by relations that its key has gained: the change has the rows that were part of it. Undefined for a record that is
 * too deep: it is shown as it is stored.
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
