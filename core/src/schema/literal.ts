import { OptionError } from '../util/errors.js'
import { isPlain } from '../util/plain.js'
import { isEntity } from './schema.js'

/**
 * Makes sure that a schema's literals can be read: an array says what one of its members is, `[Todo]`.
 *
 * @param owner What has the schema, for the error.
 * @throws OptionError for an array that holds none, or several
 */
export function checkLiterals(schema: unknown, owner: string): void {
  check(schema, '$', owner, new Set())
}

function check(schema: unknown, path: string, owner: string, seen: Set<unknown>): void {
  const held = isEntity(schema) ? ownSchema(schema) : schema
  if (!isPlain(held) || seen.has(held)) return
  seen.add(held)
  if (Array.isArray(held)) {
    if (held.length !== 1) throw refused(held.length, path, owner)
    check(held[0], `${path}[0]`, owner, seen)
    return
  }
  const at = isEntity(schema) ? schema.key : path
  for (const [field, inner] of Object.entries(held)) check(inner, `${at}.${field}`, owner, seen)
}

/** A class's schema, unless that is worked out at each look: classes which it names may not be there yet. */
function ownSchema(entity: object): unknown {
  for (let at: unknown = entity; typeof at === 'function'; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, 'schema')
    if (found !== undefined) return found.value
  }
  return undefined
}

function refused(length: number, path: string, owner: string): OptionError {
  const found = length === 0 ? 'an empty array' : `${length} schemas in an array`
  const hint = length === 0 ? ', or leave it out: what a schema does not name is kept as it came' : ''
  const cure = process.env.NODE_ENV === 'production' ? '' : ` Write what one member is, as in [Todo]${hint}.`
  return new OptionError('schema', `of ${owner} has ${found} at ${path}.${cure}`)
}
