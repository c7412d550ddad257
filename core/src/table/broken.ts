import { describe } from '../util/describe.js'
import { RoundtableError, SchemaError } from '../util/errors.js'
import { BROKEN, type Row, sideOf } from './row.js'

/** Notes that a row cannot be shown, since a class or a function of a user's threw. */
export function breakRow(row: Row, thrown: unknown): void {
  row.view = BROKEN
  sideOf(row).failure = failureIn(row, thrown)
}

/** Runs what builds a row's view; what it throws is told with the row. */
export function made<View>(row: Row, build: () => View): View {
  try {
    return build()
  } catch (thrown) {
    throw failureIn(row, thrown)
  }
}

function failureIn({ home, pk }: Row, cause: unknown): Error {
  // Where a row below is the one that cannot be shown, that is told.
  if (cause instanceof RoundtableError) return cause
  const what = `${home.key} ${pk === '' ? 'without a row' : pk} cannot be shown: `
  const message = `${what}its constructor, fromJS, createIfValid or a field's function threw ${thrownText(cause)}. See cause.`
  return new SchemaError('$', `data that ${home.key} can be made of`, 'data that made it throw', { cause, message })
}

/** What was thrown, as an Error. */
export function errorOf(cause: unknown): Error {
  if (cause instanceof Error) return cause
  return new SchemaError('$', 'data that the schema can show', `data that made it throw ${thrownText(cause)}`, {
    cause,
  })
}

function thrownText(cause: unknown): string {
  return cause instanceof Error ? `"${cause.message}"` : describe(cause)
}
