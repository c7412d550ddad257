import { errorPage } from '../util/error-page.js'
import { RoundtableError } from '../util/errors.js'
import { safeUrl } from '../util/safe-url.js'

/** A row as the table stores it: fields by name, relations as primary keys. */
export type StoredFields = Readonly<Record<string, unknown>>

/**
 * Another user has changed the same fields of a row since it was read, so a change was not written.
 *
 * @remarks
 * `base` is the common base version, `theirs` the server's current version (both in the table's form), `mine` the body that
 * was sent; undefined for a deletion. `status` is 412, and `cause` the `NetworkError`. The table contains `theirs`. Logs of
 * the error contain none of them.
 *
 * @example
 * ```ts
 * const ask = (error: ConflictError) => (confirm(`Overwrite ${JSON.stringify(error.theirs)}?`) ? 'retry' : 'drop')
 * ```
 */
export class ConflictError extends RoundtableError {
  override readonly name: string = 'ConflictError'
  override readonly code: string = 'CONFLICT'
  readonly status: number = 412
  declare readonly url: string
  declare readonly method: string
  declare readonly base: StoredFields
  declare readonly mine: unknown
  declare readonly theirs: StoredFields

  constructor(
    method: string,
    url: string,
    versions: { readonly base: StoredFields; readonly mine: unknown; readonly theirs: StoredFields },
    options?: ErrorOptions,
  ) {
    const hint =
      process.env.NODE_ENV === 'production'
        ? ''
        : ` Show both versions, or decide in onConflict.${errorPage('CONFLICT')}`
    super(`${method} ${safeUrl(url)} was refused: somebody else has changed the same fields.${hint}`, options)
    Object.assign(this, { method, url: safeUrl(url) })
    // Not enumerable, since consoles and loggers would write the data of users.
    const { base, mine, theirs } = versions
    Object.defineProperties(this, { base: { value: base }, mine: { value: mine }, theirs: { value: theirs } })
  }
}
