import { describe } from '../util/describe.js'
import { RoundtableError, SchemaError } from '../util/errors.js'
import { BROKEN, extrasOf, type Row } from './row.js'

/** Records that a row cannot be shown, because a user's class or function threw. */
export function breakRow(row: Row, thrown: unknown): void {
  row.view = BROKEN
  extrasOf(row).failure = failureIn(row, thrown)
}

/** Runs the build of a row's view; an error is recorded with the row. */
export function made<View>(row: Row, build: () => View): View {
  try {
    return build()
  } catch (thrown) {
    throw failureIn(row, thrown)
  }
}

function failureIn({ home, pk }: Row, cause: unknown): Error {
  // If a row below cannot be shown, its error is reported.
  if (cause instanceof RoundtableError) return cause
  const what = `${home.key} ${pk === '' ? 'without a row' : pk} cannot be shown: `
  const who =
    process.env.NODE_ENV === 'production' ? 'it' : "its constructor, fromJS, createIfValid or a field's function"
  const message = `${what}${who} threw ${thrownText(cause)}. See cause.`
  return new SchemaError('$', `data that ${home.key} can be made of`, 'data that made it throw', { cause, message })
}

/** The thrown value as an Error. */
export function errorOf(cause: unknown): Error {
  if (cause instanceof Error) return cause
  return new SchemaError('$', 'data that the schema can show', `data that made it throw ${thrownText(cause)}`, {
    cause,
  })
}

function thrownText(cause: unknown): string {
  return cause instanceof Error ? `"${cause.message}"` : describe(cause)
}
