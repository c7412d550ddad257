import { describeType } from '../util/describe.js'
import { KeyArgError } from '../util/errors.js'

/** Writes search params as a query string; see `searchWriter`. */
export type SearchWriter = (params: object, endpoint: string) => string

/**
 * Returns a function that writes search params as a query string without `?`, sorted by name and encoded like
 * `URLSearchParams`. Its second parameter is the name of the endpoint, for errors.
 *
 * @remarks
 * - `undefined` is omitted, also inside an array
 * - an array repeats its name, in order: `a=1&a=2`; an empty one is omitted
 * - numbers (also `NaN`), booleans, BigInts and `null` are written as text, as `URLSearchParams` does
 * - a Date is its ISO text (its own text would drop the milliseconds and depend on the time zone)
 *
 * @example
 * ```ts
 * searchWriter()({ sort: 'new first', page: 2, tag: ['a', 'b'] }, 'getTodos') // 'page=2&sort=new+first&tag=a&tag=b'
 * ```
 * @param except - names to leave out: the params of the path
 * @throws KeyArgError for a nested object or array, a function, a symbol, an invalid Date, and a lone surrogate
 * (which `URLSearchParams` would replace, so that two values shared one key). Override `searchToString` to write those.
 */
export function searchWriter(except?: ReadonlySet<string>): SearchWriter {
  // Calls of one endpoint usually have the same members, and finding and sorting the names takes longer than writing them.
  let members: readonly string[] = []
  let names: readonly SearchName[] = []
  return (params, endpoint) => {
    // Values may have any type, so each is checked before it is written.
    const record = params as Readonly<Record<string, unknown>>
    const found = Object.keys(record)
    if (found.length !== members.length || found.some((name, i) => name !== members[i])) {
      names = found
        .filter((name) => !except?.has(name))
        .sort()
        .map((name) => ({ name, start: `&${encoded(name, name, endpoint)}=` }))
      members = found
    }
    let text = ''
    for (const search of names) {
      const value = record[search.name]
      if (!Array.isArray(value)) text = append(text, search, value, endpoint)
      else for (const item of value) text = append(text, search, item, endpoint)
    }
    return text
  }
}

/** A name, and the text between the previous pair and its value. */
interface SearchName {
  readonly name: string
  readonly start: string
}

function append(text: string, { name, start }: SearchName, value: unknown, endpoint: string): string {
  if (value === undefined) return text
  const written = isUnreserved(value) ? value : encoded(textOf(value, name, endpoint), name, endpoint)
  return (text === '' ? start.slice(1) : text + start) + written
}

// Matches text that form encoding leaves unchanged. Checking first takes half as long as encoding.
const unreserved = /^[\w*.-]*$/

/** Matches half of a surrogate pair, which `URLSearchParams` would replace. */
const loneSurrogate = /[\ud800-\udfff]/u

function textOf(value: unknown, name: string, endpoint: string): string {
  if (isPrimitiveText(value) || value === null) return `${value}`
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString()
  const hint = process.env.NODE_ENV !== 'production' && typeof value === 'object' && { hint: nested }
  throw new KeyArgError(`$.${name}`, `is ${describeType(value)}`, { endpoint, ...hint })
}

const nested = ". Override the endpoint's searchToString to serialize nested values (the key follows it), or pass text"

/** True for values that are written as their text. */
export function isPrimitiveText(value: unknown): value is string | number | boolean | bigint {
  return (
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
  )
}

/** Returns a name or a value, form-encoded. */
function encoded(text: string, name: string, endpoint: string): string {
  if (unreserved.test(text)) return text
  if (loneSurrogate.test(text)) throw new KeyArgError(`$.${name}`, 'has half of a surrogate pair', { endpoint })
  return `${new URLSearchParams([[text, '']])}`.slice(0, -1)
}

/**
 * Returns true for integers, and for text of only letters, digits, `-` and `_`, which every encoding leaves unchanged. Most
 * values are short, and a regular expression would take several times as long as this loop.
 *
 * @example isUnreserved('page-2') // true
 */
export function isUnreserved(value: unknown): value is string | number {
  if (typeof value !== 'string') return Number.isSafeInteger(value)
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i)
    const lower = code | 32
    if (!((lower > 96 && lower < 123) || (code > 47 && code < 58) || code === 45 || code === 95)) return false
  }
  return true
}
