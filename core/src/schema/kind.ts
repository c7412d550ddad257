import { OptionError } from '../util/errors.js'
import { defineMember } from '../util/plain.js'

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

/**
 * In development: warns once of two classes with one key that have nothing to do with each other, since they mix their rows. Wanted
 * are classes of which one extends the other, or that both got the key from one class; a class of the same name was loaded again.
 */
export function warnOfStrangers(entity: object, first: object): void {
  if (warned.has(entity) || ownerOfKey(entity) === ownerOfKey(first) || extend(entity, first) || extend(first, entity))
    return
  const [name, other] = [nameOf(entity), nameOf(first)]
  if (name === other) return
  warned.add(entity)
  const { key } = entity as { readonly key: string }
  console.warn(
    `${name} and ${other} have the same key '${key}', so they share rows. Give one another static key, or let it extend the other.`,
  )
}

function extend(entity: object, base: object): boolean {
  return Object.prototype.isPrototypeOf.call(base, entity)
}

/** The class that says the key. */
function ownerOfKey(entity: object): unknown {
  for (let at: unknown = entity; typeof at === 'function'; at = Object.getPrototypeOf(at)) {
    if (Object.hasOwn(at, 'key')) return at
  }
  return entity
}

function nameOf(entity: object): unknown {
  return (entity as { readonly name?: unknown }).name
}
