import { describeType } from '../util/describe.js'
import { KeyArgError } from '../util/errors.js'
import { sortedNames } from '../util/stable-key.js'

/**
 * Writes search params as a query string without `?`, sorted by name, just as `URLSearchParams` encodes them.
 *
 * @remarks
 * - `undefined` is left out, also inside an array
 * - an array repeats its name, in order: `a=1&a=2`; an empty one is left out
 * - numbers (also `NaN`), booleans, BigInts and `null` are written as text, as `URLSearchParams` does
 * - a Date is its ISO text (its own text would drop the milliseconds and depend on the time zone)
 *
 * @example
 * ```ts
 * searchToString({ sort: 'new first', page: 2, tag: ['a', 'b'] }, 'getTodos') // 'page=2&sort=new+first&tag=a&tag=b'
 * ```
 * @param endpoint - the name of the endpoint, for errors
 * @param except - names to leave out: the params of the path
 * @throws KeyArgError for a nested object or array, a function, a symbol, an invalid Date, and a lone surrogate
 * (which `URLSearchParams` would replace, so that two values shared one key). Override `searchToString` to write those.
 */
export function searchToString(params: object, endpoint: string, except?: ReadonlySet<string>): string {
  let text = ''
  // Values may have any type: each is checked before it is written.
  const record = params as Readonly<Record<string, unknown>>
  for (const name of sortedNames(record, except)) {
    const value = record[name]
    if (!Array.isArray(value)) text = append(text, name, value, endpoint)
    else for (const item of value) text = append(text, name, item, endpoint)
  }
  return text
}

function append(text: string, name: string, value: unknown, endpoint: string): string {
  if (value === undefined) return text
  const written = typeof value === 'string' ? value : textOf(value, name, endpoint)
  const pair = `${name}=${written}`
  const encoded = plainPair.test(pair) ? pair : encodePair(name, written, endpoint)
  return text === '' ? encoded : `${text}&${encoded}`
}

// Matches a name and a value that form encoding leaves unchanged; checking first costs half as much as encoding, and checking both at
// once half as much as each.
const plainPair = /^[\w*.-]*=[\w*.-]*$/

/** Half of a pair, which `URLSearchParams` would replace. */
const loneSurrogate = /\p{Surrogate}/u

function textOf(value: unknown, name: string, endpoint: string): string {
  if (isPrimitiveText(value) || value === null) return `${value}`
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString()
  const hint = process.env.NODE_ENV === 'production' || typeof value !== 'object' ? undefined : nested
  throw new KeyArgError(`$.${name}`, `is ${describeType(value)}`, { endpoint, hint })
}

const nested = ". Override the endpoint's searchToString to write what is nested (the key follows it), or pass text"

/** True for what is written as its text. */
export function isPrimitiveText(value: unknown): value is string | number | boolean | bigint {
  return (
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
  )
}

function encodePair(name: string, text: string, endpoint: string): string {
  if (loneSurrogate.test(name + text)) throw new KeyArgError(`$.${name}`, 'has half of a surrogate pair', { endpoint })
  return `${new URLSearchParams([[name, text]])}`
}
