import { isPlain } from './plain.js'

/** Describes a value for a sentence in an error: 'an array', 'the text "abc"', 'function Todo' for a class. */
export function describe(found: unknown): string {
  if (typeof found === 'string') return `the text ${JSON.stringify(found.slice(0, 40))}`
  if (found === undefined) return 'nothing'
  // The source of a function or class would hide what the error says.
  if (process.env.NODE_ENV !== 'production' && typeof found === 'function')
    return found.name === '' ? 'a function' : `function ${found.name}`
  return typeof found === 'object' ? describeType(found) : `${typeof found} ${String(found)}`
}

/**
 * Describes the type of a value for an error: `null`, `NaN`, `an array`, `an object`, `a Blob`, `a function` …; never the
 * content of a string.
 *
 * @example
 * ```ts
 * describeType(['a']) // 'an array'
 * describeType(new Map()) // 'a Map'
 * ```
 */
export function describeType(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'number') return `${value}`
  if (Array.isArray(value)) return 'an array'
  if (typeof value !== 'object') return `a ${typeof value}`
  const name = isPlain(value) ? 'object' : constructorName(value as object)
  return `${/^[aeio]/i.test(name) ? 'an' : 'a'} ${name}`
}

/** Returns the name of an object's constructor; a field named `constructor` may have any value. */
function constructorName(value: { readonly constructor?: unknown }): string {
  const Class = value.constructor
  return typeof Class === 'function' && Class.name !== '' ? Class.name : 'object'
}
