import { defineMember } from '../tools/define-member.js'
import { OptionError } from '../tools/errors.js'

/**
 * The key of a class that declares none: its name.
 *
 * @example kindOf(class Todo {}) // 'Todo'
 * @throws OptionError for a class without a name
 */
export function kindOf(entity: { readonly name: string }): string {
  const { name } = entity
  if (name === '') {
    const hint = process.env.NODE_ENV === 'production' ? '' : " Add static key = 'Todo' to it."
    throw new OptionError('key', `is missing on a class without a name.${hint}`)
  }
  if (process.env.NODE_ENV !== 'production') warnOfName(entity)
  return name
}

/** Gives a class a key of its own, also where a compiler assigns static fields instead of defining them. */
export function setKind(entity: object, key: string): void {
  defineMember(entity, 'key', key)
}

/** Classes that were warned of once. */
const warned = new WeakSet<object>()

function warnOfName(entity: { readonly name: string }): void {
  if (warned.has(entity)) return
  warned.add(entity)
  console.warn(
    `${entity.name} has no static key, so its name stands in. Minifiers rename classes: add static key = '${entity.name}'.`,
  )
}
