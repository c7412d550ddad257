import { OptionError } from '../util/errors.js'
import { defineMember } from '../util/plain.js'

/**
 * Returns the key of a class without a declared one: its name.
 *
 * @example keyOfClass(class Todo {}) // 'Todo'
 * @throws OptionError for a class without a name
 */
export function keyOfClass(entity: { readonly name: string }): string {
  const { name } = entity
  if (name === '') {
    const hint = process.env.NODE_ENV === 'production' ? '' : " Add static key = 'Todo' to it."
    throw new OptionError('key', `is missing on a class without a name.${hint}`)
  }
  if (process.env.NODE_ENV !== 'production') warnOfName(entity)
  return name
}

/** Sets the key of a class, also if a compiler assigns static fields instead of defining them. */
export function setKey(entity: object, key: string): void {
  defineMember(entity, 'key', key)
}

/** Classes for which a warning was already printed. */
const warned = new WeakSet<object>()

function warnOfName(entity: { readonly name: string }): void {
  if (warned.has(entity)) return
  warned.add(entity)
  console.warn(
    `${entity.name} has no static key, so its class name is used. Minifiers rename classes: add static key = '${entity.name}'.`,
  )
}

/**
 * Warns once, in development, of two unrelated classes with the same key, since their rows mix. Classes are related if one
 * extends the other or if they inherit the key from one class. A class of the same name was reloaded.
 */
export function warnOfSharedKey(entity: object, first: object): void {
  const isReloaded = classNameOf(ownerOfKey(entity)) === classNameOf(ownerOfKey(first))
  if (warned.has(entity) || isReloaded || extend(entity, first) || extend(first, entity)) return
  warned.add(entity)
  const { key } = entity as { readonly key: string }
  console.warn(
    `${classNameOf(entity)} and ${classNameOf(first)} have the same key '${key}', so they share rows. Give one of them another static key, or let it extend the other.`,
  )
}

function extend(entity: object, base: object): boolean {
  return Object.prototype.isPrototypeOf.call(base, entity)
}

/** Returns the class that declares the key. */
function ownerOfKey(entity: object): object {
  for (let at: unknown = entity; typeof at === 'function'; at = Object.getPrototypeOf(at)) {
    if (Object.hasOwn(at, 'key')) return at
  }
  return entity
}

function classNameOf(entity: object): unknown {
  return (entity as { readonly name?: unknown }).name
}
