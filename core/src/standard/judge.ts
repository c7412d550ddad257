import { type EntityInterface, isEntity, type Judgement, type Schema } from '../schema/schema.js'
import { equal } from '../util/equal.js'
import { copyPlain, isPlain } from '../util/plain.js'
import { warnOfChanges } from './changes.js'
import {
  messageOf,
  type Path,
  pathOf,
  pathText,
  resultOf,
  type StandardResult,
  type StandardSchema,
} from './standard-schema.js'

/** Returns the `judge` of a class: it finds the first issue of the schema about data that the server has sent. */
export function judgeBy(schema: StandardSchema, isKept: boolean): EntityInterface['judge'] & object {
  /** The fields whose issues, and whose changes, were already reported. */
  const reported = new Set<string>()
  const changed = new Set<string>()
  return function (this: EntityInterface, input, record, stored): Judgement | undefined {
    // The row already contains the whole record, so the record was judged before: rows that refer to it contain parts of it.
    if (stored !== undefined && Object.keys(record).every((field) => equal(stored[field], record[field])))
      return undefined
    // A copy reveals a schema that modifies its input.
    const value = process.env.NODE_ENV === 'production' ? input : copyPlain(input)
    const result = isKept ? quiet(schema, value, this.key) : resultOf(schema, value, this.key)
    if (result.issues === undefined) {
      if (process.env.NODE_ENV !== 'production') warnOfChanges(this, input, result.value, changed)
      return undefined
    }
    for (const issue of result.issues) {
      const path = pathOf(issue)
      if (!concerns(this.schema, input, path)) continue
      const field = path.filter((step) => typeof step === 'string').join('.')
      if (isKept && reported.size === reported.add(field).size) return undefined
      return { path: pathText(path, ''), message: messageOf(issue), isKept }
    }
    return undefined
  }
}

/** Like `resultOf`, but an error that the schema throws becomes an issue, so that the row is stored. */
function quiet(schema: StandardSchema, value: object, owner: string): StandardResult {
  try {
    return resultOf(schema, value, owner)
  } catch (error) {
    return { issues: [{ message: `its schema threw ${String(error)}` }] }
  }
}

/**
 * False for fields missing from the record, since rows may be partial. Also false for values that JSON lacks, which
 * come from the page, such as a Date in a row passed to `controller.set`.
 */
function concerns(schemas: EntityInterface['schema'], input: object, path: Path): boolean {
  const [field = ''] = path
  const isRow = Object.hasOwn(schemas, field) && !isConversion(schemas[field])
  let value: unknown = input
  for (const [depth, step] of path.entries()) {
    if (typeof value !== 'object' || value === null) return true
    // The steps of the path are names of fields.
    value = (value as Readonly<Record<string, unknown>>)[step]
    if (value === undefined && (depth === 0 || isRow)) return false
  }
  return typeof value !== 'object' || value === null || isPlain(value)
}

/** True for a function that converts a field; all other schemas of fields are relations. */
function isConversion(schema: Schema): boolean {
  return typeof schema === 'function' && !isEntity(schema)
}
