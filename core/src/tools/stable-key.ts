import { KeyArgError } from './errors.js'

/**
 * Turns arguments into text such that two values have the same text only if they are the same data.
 *
 * @remarks
 * What JSON can say is written as JSON with the members of objects sorted by name. Beyond that:
 * - a member that is `undefined` does not count: `{ a: undefined }` is `{}`; in an array, and alone, it is `undefined`
 * - `NaN`, `Infinity`, `-Infinity` and `-0` stand for themselves, and differ from `0` and from any string
 * - a BigInt is its decimal with an `n`: `5n` is neither `5` nor `"5"`
 * - a Date is `@` and its ISO text; any other object with `toJSON` is `~` and the text of what that returns
 * - members named by symbols are not data and do not count
 *
 * @example
 * ```ts
 * stableKey({ page: 2, filter: { done: true, by: 'ann' } }) // '{"filter":{"by":"ann","done":true},"page":2}'
 * ```
 * @throws KeyArgError for a function, a symbol, an invalid Date, a Map, a Set, any other class instance without
 * `toJSON`, an object that contains itself, and for more than 500 levels.
 */
export function stableKey(value: unknown): string {
  return textOf(value, '$', [])
}

const maxDepth = 500

function textOf(value: unknown, path: string, parents: object[]): string {
  switch (typeof value) {
    case 'string':
      return quoted(value)
    case 'number':
      return Object.is(value, -0) ? '-0' : `${value}`
    case 'boolean':
    case 'undefined':
      return `${value}`
    case 'bigint':
      return `${value}n`
    case 'object':
      return value === null ? 'null' : objectText(value, path, parents)
    default:
      throw new KeyArgError(path, `is a ${typeof value}`)
  }
}

// JSON.stringify costs several times this test, and most arguments are plain words.
const plainWord = /^[\w .:/-]*$/

function quoted(text: string): string {
  return plainWord.test(text) ? `"${text}"` : JSON.stringify(text)
}

function objectText(value: object, path: string, parents: object[]): string {
  if (parents.includes(value)) throw new KeyArgError(path, 'contains itself')
  if (parents.length === maxDepth) throw new KeyArgError(path, `is nested deeper than ${maxDepth} levels`)
  parents.push(value)
  const text = Array.isArray(value)
    ? arrayText(value, path, parents)
    : isPlain(value)
      ? recordText(value, path, parents)
      : instanceText(value, path, parents)
  parents.pop()
  return text
}

function arrayText(items: readonly unknown[], path: string, parents: object[]): string {
  let text = ''
  for (let index = 0; index < items.length; index++) {
    const item = items[index]
    text += `${index ? ',' : ''}${isFlat(item) ? textOf(item, path, parents) : textOf(item, `${path}[${index}]`, parents)}`
  }
  return `[${text}]`
}

function recordText(record: Readonly<Record<string, unknown>>, path: string, parents: object[]): string {
  let text = ''
  for (const name of sortedNames(record)) {
    const member = record[name]
    if (member === undefined) continue
    // The path is for errors only: a string or number cannot fail, so it goes without.
    const memberText = isFlat(member) ? textOf(member, path, parents) : textOf(member, `${path}.${name}`, parents)
    text += `${text && ','}${quoted(name)}:${memberText}`
  }
  return `{${text}}`
}

function instanceText(value: object, path: string, parents: object[]): string {
  if (Object.prototype.toString.call(value) === '[object Date]') return dateText(value as Date, path) // by its tag, of any realm
  if ('toJSON' in value && typeof value.toJSON === 'function') return `~${textOf(value.toJSON(), path, parents)}`
  throw new KeyArgError(path, `is a ${value.constructor?.name || 'class instance'}`)
}

function dateText(date: Date, path: string): string {
  if (Number.isNaN(date.getTime())) throw new KeyArgError(path, 'is an invalid Date')
  return `@${date.toISOString()}`
}

function isFlat(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number'
}

function isPlain(value: object): value is Record<string, unknown> {
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return false // a record may bring its own text
  const prototype: unknown = Object.getPrototypeOf(value)
  // The second test is for objects of another realm (an iframe, node:vm), whose Object.prototype is not ours.
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null
}

function sortedNames(record: object): string[] {
  const names = Object.keys(record)
  for (let index = 1; index < names.length; index++) {
    // Both exist: index runs from 1 to the last one.
    if ((names[index - 1] as string) > (names[index] as string)) return names.sort()
  }
  return names
}
