import { INVALID } from '../schema/schema.js'
import { describe } from '../util/describe.js'
import { RoundtableError, SchemaError } from '../util/errors.js'
import type { Row } from './row.js'

/** The view of a row whose class threw while its instance was built. */
export class Failure {
  readonly error: Error

  constructor(error: Error) {
    this.error = error
  }
}

/** Creates the failure of a row from the thrown value. */
export function failureOf({ home: { key }, pk }: Row, cause: unknown): Failure {
  if (cause instanceof RoundtableError) return new Failure(cause)
  const who =
    process.env.NODE_ENV === 'production' ? 'it' : "its constructor, fromJS, createIfValid or a field's function"
  const message = `${key} ${pk || 'without a row'} cannot be shown: ${who} threw ${thrownText(cause)}. See cause.`
  return new Failure(
    new SchemaError('$', `data that ${key} can be made of`, 'data that made it throw', { cause, message }),
  )
}

/** Returns a view. Throws the error of one that could not be built. */
export function viewOrThrow(view: unknown): unknown {
  if (view instanceof Failure) throw view.error
  return view
}

/** False for the view of a row that is missing, deleted, or cannot be shown. */
export function isShown(view: unknown): boolean {
  return view !== undefined && view !== INVALID && !(view instanceof Failure)
}

/** Returns the thrown value as an Error. */
export function errorOf(cause: unknown): Error {
  if (cause instanceof Error) return cause
  return new SchemaError('$', 'data that the schema can show', `data that made it throw ${thrownText(cause)}`, {
    cause,
  })
}

function thrownText(cause: unknown): string {
  return cause instanceof Error ? `"${cause.message}"` : describe(cause)
}
