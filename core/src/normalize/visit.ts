import { schemasIn } from '../schema/below.js'
import { isEntity, isSchemaObject, type RowRecord, type Schema } from '../schema/schema.js'
import type { Change } from '../table/change.js'
import type { EntityInfo } from '../table/entity-info.js'
import type { EntityInfos } from '../table/entity-infos.js'
import type { EntityRow } from '../table/row.js'
import { DepthError } from '../util/errors.js'
import type { NormalizeOptions } from './options.js'
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

/**
 * True if no user code lies between a response and the table: no class with its own `process` and no schema that may pass on
 * other data. Then no other code has parts of a transferred response.
 */
function passesOn(schema: Schema, infos: EntityInfos): boolean {
  for (const each of schemasIn(schema)) {
    if (isSchemaObject(each) && each.passesOn !== true) return false
    if (!isEntity(each)) continue
    const { info, splits } = infos.of(each)
    // Relations of the key's other classes are not visited here, so they count as user code.
    if (!info.inheritsProcess || splits !== info) return false
  }
  return true
}
