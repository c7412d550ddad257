import { describeType } from './describe.js'
import { KeyArgError } from './errors.js'

/**
 * Converts arguments to text. Two values have the same text only if they are the same data.
 *
 * @remarks
 * JSON values are written as JSON with the members of objects sorted by name. Beyond that:
 * - a member that is `undefined` does not count: `{ a: undefined }` is `{}`; in an array, and alone, it is `undefined`
 * - `NaN`, `Infinity`, `-Infinity` and `-0` stand for themselves, and differ from `0` and from any string
 * - a BigInt is its decimal with an `n`: `5n` is neither `5` nor `"5"`
 * - a Date is `@` and its ISO text in quotes; any other object with `toJSON` is `~` and the text of what that returns
 * - members named by symbols are not data and do not count
 *
 * @example
 * ```ts
 * stableKey({ page: 2, filter: { done: true, by: 'ann' } }) // '{"filter":{"by":"ann","done":true},"page":2}'
 * ```
 * @throws KeyArgError for a function, a symbol, an invalid Date, a Map, a Set, any other class instance without `toJSON`, an
 * object that contains itself, for more than 500 levels, and for more than 50,000 objects: one that stands in several places
 * counts each time, since the text says it each time.
 */
export function stableKey(value: unknown): string {
  return valueText(value, '$', { parents: [], objects: 0 })
}

const maxDepth = 500
const maxObjects = 50_000

/** The state of a conversion. */
interface Progress {
  /** The objects that contain the current one. */
  readonly parents: object[]
  /** The number of visited objects. */
  objects: number
}

function valueText(value: unknown, path: string, progress: Progress): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : `${value}`
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'object' && value !== null) return objectText(value, path, progress)
  if (typeof value !== 'function' && typeof value !== 'symbol') return `${value}`
  throw new KeyArgError(path, `is ${describeType(value)}`)
}

// JSON.stringify takes several times as long as this test, and most arguments are simple words.
const unescaped = /^[\w .:/-]*$/

function quoted(text: string): string {
  return unescaped.test(text) ? `"${text}"` : JSON.stringify(text)
}

function objectText(value: object, path: string, progress: Progress): string {
  const { parents } = progress
  if (parents.includes(value)) throw new KeyArgError(path, 'contains itself')
  if (parents.length === maxDepth) throw new KeyArgError(path, `is nested deeper than ${maxDepth} levels`)
  if (++progress.objects > maxObjects) throw new KeyArgError(path, `comes after ${maxObjects} other objects`)
  parents.push(value)
  const text = Array.isArray(value)
    ? `[${[...value].map((item, index) => valueText(item, `${path}[${index}]`, progress)).join()}]`
    : typeof (value as Partial<Serialized>).toJSON === 'function'
      ? instanceText(value as Serialized, path, progress)
      : recordText(value, path, progress)
  parents.pop()
  return text
}

function recordText(value: object, path: string, progress: Progress): string {
  const prototype: unknown = Object.getPrototypeOf(value)
  // The second test finds classes, including those of another realm (an iframe, node:vm), which has its own
  // Object.prototype.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw new KeyArgError(path, `is a ${value.constructor?.name || 'class instance'}`)
  }
  const record = value as Readonly<Record<string, unknown>> // as its prototype says
  let text = ''
  for (const name of Object.keys(record).sort()) {
    const member = record[name]
    if (member !== undefined) text += `${text && ','}${quoted(name)}:${valueText(member, `${path}.${name}`, progress)}`
  }
  return `{${text}}`
}

interface Serialized {
  toJSON(): unknown
}

function instanceText(value: Serialized, path: string, progress: Progress): string {
  const text = valueText(value.toJSON(), path, progress)
  if (Object.prototype.toString.call(value) !== '[object Date]') return `~${text}` // by tag: it may be of another realm
  if (text === 'null') throw new KeyArgError(path, 'is an invalid Date')
  return `@${text}`
}
