import type { EntityInterface, RowRecord } from '../schema/schema.js'
import type { EntityInfo, Relation } from '../table/entity-info.js'
import type { EntityRow } from '../table/row.js'
import { SchemaError } from '../util/errors.js'

/**
 * For developers: warns once per class if `validate` accepts a record in the response but not in its stored form, because
 * its row would silently vanish from the screen.
 */
export function warnOfSecondLook(info: EntityInfo, { pk }: EntityRow, came: RowRecord, stored: RowRecord): void {
  if (info.isWarnedOf) return
  const { entity, relations } = info
  const problem = problemOf(entity, stored)
  if (problem === undefined) return
  info.isWarnedOf = true
  const isAtFault = ({ field }: Relation): boolean =>
    problemOf(entity, { ...stored, [field]: came[field] }) === undefined
  const names = relations.filter(isAtFault).map(({ field }) => `'${field}'`)
  const where = names.length > 0 ? ` in ${names.join(' and ')}` : ''
  console.warn(
    `${entity.key} ${pk} is valid in the response, but not in its stored form, with primary keys${where} instead of entities (${problem}), so it will not be shown. validate() is called with both forms: let it accept both.`,
  )
}

/** Returns the problem that `validate` finds in a record. Errors that it throws appear when the row is shown. */
function problemOf(entity: EntityInterface, record: RowRecord): string | undefined {
  try {
    return entity.validate(record)
  } catch {
    return undefined
  }
}

/** Returns the names of an object's fields that pass a test: the expected data may be there. */
export function fieldsHolding(found: unknown, is: (value: unknown) => boolean): string {
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return ''
  return Object.entries(found)
    .flatMap(([name, value]) => (is(value) ? [`'${name}'`] : []))
    .join(' or ')
}

/** True for an object with an `id`. */
export function hasId(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'id' in value
}

/** True for the error of a call stack overflow: a RangeError, or in Firefox an InternalError. */
export function isOverflow(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.name === 'InternalError' || (error instanceof RangeError && error.message.includes('call stack'))
}

/** Returns the error of a record that its class rejects. */
export function invalid({ key, judge }: EntityInterface, path: string, problem: string): SchemaError {
  const hint =
    process.env.NODE_ENV === 'production' ? '' : ` Correct the response, or ${judge ? 'the schema' : 'validate()'}.`
  const message = `${key} at ${path} is not valid: ${problem}.${hint}`
  return new SchemaError(path, `a valid ${key}`, problem, { message })
}
