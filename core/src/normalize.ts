import type { NormalizeOptions } from './normalize/normalize-options.js'
import { isOverflow } from './normalize/overflow.js'
import { passesOn } from './normalize/passes-on.js'
import { Walk } from './normalize/walk.js'
import { isArraySchema, isSchemaObject, type Schema } from './schema/schema.js'
import type { Change } from './table/change.js'
import { DepthError } from './util/errors.js'

/**
 * Takes an answer apart by its schema: entities become rows, what contains them keeps their keys. Nothing is written yet, so an
 * answer that does not fit leaves no trace.
 *
 * @throws SchemaError, with the path into the payload; MissingPkError; DepthError
 */
export function normalize(schema: Schema, input: unknown, options: NormalizeOptions): Change {
  const isOwn = options.isTransferred === true && passesOn(schema, options.infos)
  const walk = new Walk(options, isOwn)
  try {
    checkRoot(schema, input, walk)
    walk.outcome.result = walk.begin(schema, input)
    return walk.outcome
  } catch (error) {
    // How much fits on the call stack is the engine's affair: less than the walk's own limit where frames are large.
    throw isOverflow(error) ? new DepthError(walk.depth.deepest) : error
  }
}

function checkRoot(schema: Schema, input: unknown, walk: Walk): void {
  if (schema === undefined || schema === null || typeof schema === 'string') return
  if (isSchemaObject(schema) || (typeof input === 'object' && input !== null)) return
  walk.fail(isArraySchema(schema) ? 'an array' : 'an object', input)
}
