import { OptionError } from '../util/errors.js'
import { isPlain } from '../util/plain.js'
import { safeUrl } from '../util/safe-url.js'
import { isEntity } from './schema.js'

/**
 * Checks, for developers, that a schema's literals are valid: an array must contain the schema of one member, `[Todo]`, and
 * none may be an endpoint. Literals are part of the program, so its author sees the error. An empty array, whose members
 * stay unchanged, only causes a warning, since other libraries accept it as a list of any values.
 *
 * @param owner the owner of the schema, for the error
 * @param isTold true if the warning was already printed
 * @throws OptionError for an array with several schemas, and for an endpoint
 */
export function checkLiterals(schema: unknown, owner: string, isTold = false): void {
  check(schema, '$', { owner, isTold }, new Set())
}

interface Checked {
  readonly owner: string
  readonly isTold: boolean
}

function check(schema: unknown, path: string, checked: Checked, seen: Set<unknown>): void {
  // The value of a getter is not checked: the classes that it refers to may not be defined yet.
  const held = isEntity(schema) ? schemaMember(schema)?.value : schema
  if (isEndpoint(held)) throw endpointError(held, path, checked.owner)
  if (!isPlain(held) || seen.has(held)) return
  seen.add(held)
  if (Array.isArray(held)) {
    if (held.length > 1) throw arrayError(held.length, path, checked.owner)
    if (held.length === 1) check(held[0], `${path}[0]`, checked, seen)
    else if (!checked.isTold) {
      console.warn(
        `The schema of ${checked.owner} has an empty array at ${path}, so data there is stored unchanged. Write the schema of a member, as in [Todo], or omit it.`,
      )
    }
    return
  }
  const at = isEntity(schema) ? schema.key : path
  for (const [field, inner] of Object.entries(held)) check(inner, `${at}.${field}`, checked, seen)
}

/** Returns the declaration of `schema` in a class or one that it extends. */
export function schemaMember(entity: object): PropertyDescriptor | undefined {
  for (let at: unknown = entity; typeof at === 'function'; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, 'schema')
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * Returns true for an endpoint. Entities also have a `key`, which is a text.
 *
 * @example isEndpoint(getTodo) // true
 */
export function isEndpoint(value: unknown): value is { readonly name?: string } {
  return typeof value === 'function' && typeof (value as { readonly key?: unknown }).key === 'function'
}

function endpointError({ name = '' }: { readonly name?: string }, path: string, owner: string): OptionError {
  const found = `has the endpoint ${safeUrl(name)} at ${path}`
  return new OptionError('schema', `of ${owner} ${found}. Use the schema of its data, as in Todo.`)
}

function arrayError(length: number, path: string, owner: string): OptionError {
  const found = `${length} schemas in an array`
  return new OptionError('schema', `of ${owner} has ${found} at ${path}. Write the schema of one member, as in [Todo].`)
}
