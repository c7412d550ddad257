import { isPlain, put } from '../util/plain.js'

/** The field of an object that represents another value. */
const TAG = '~'

/**
 * Returns a stored value in a form that JSON can represent: maps and undefined become tagged objects. A value without such
 * parts is returned unchanged.
 *
 * @example encodeValue(new Map([['a', 1]])) // { '~': [['a', 1]] }
 */
export function encodeValue(value: unknown): unknown {
  // Most values are texts and numbers.
  if (typeof value !== 'object') return value === undefined ? { [TAG]: 0 } : value
  if (value instanceof Map) return { [TAG]: Array.from(value, ([key, item]) => [key, encodeValue(item)]) }
  if (!isPlain(value)) return value
  if (Array.isArray(value)) return encodeItems(value)
  const entries = Object.entries(value)
  let isSame = true
  const record: Record<string, unknown> = {}
  for (const [field, item] of entries) {
    // JSON omits undefined fields, which are equal to missing ones.
    const encoded = item === undefined ? undefined : encodeValue(item)
    if (encoded !== item) isSame = false
    put(record, field, encoded)
  }
  if (Object.hasOwn(value, TAG)) return { [TAG]: record }
  return isSame ? value : record
}

function encodeItems(items: readonly unknown[]): readonly unknown[] {
  // Most lists contain keys.
  if (!items.includes(undefined) && items.every(isText)) return items
  // A sparse list is copied without gaps.
  const encoded = Array.from(items, encodeValue)
  return encoded.every((item, i) => item === items[i]) ? items : encoded
}

/** True for a text. */
export function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/**
 * Returns a function that shortens parts of an encoded list: items that follow one another in the list become a pair of
 * their places. No item is an array.
 *
 * @example shortener(['a', 'b', 'c'])(['a', 'b', 'x']) // [[0, 2], 'x']
 */
export function shortener(list: unknown): (part: unknown) => unknown {
  const places = new Map(Array.isArray(list) ? list.map((item, at) => [item, at]) : [])
  return (part) => {
    if (!Array.isArray(part)) return part
    const short: unknown[] = []
    let run: [from: number, to: number] | undefined
    for (const item of part) {
      const at = places.get(item)
      if (at === undefined) short.push(item)
      else if (run?.[1] === at) run[1]++
      else {
        run = [at, at + 1]
        short.push(run)
      }
    }
    return short
  }
}

/** Returns the part of an encoded list that `shortener` has shortened. Places that the list does not have are undefined. */
export function lengthen(short: unknown, list: unknown): unknown {
  const itemsOf = (item: unknown): unknown => {
    if (!Array.isArray(item)) return item
    const [from, to] = item
    const isRun = Array.isArray(list) && Number.isInteger(from) && from >= 0 && from < to && to <= list.length
    return isRun ? list.slice(from, to) : undefined
  }
  return Array.isArray(short) ? short.flatMap(itemsOf) : short
}

/** Returns a copy of the value that `encodeValue` has encoded. */
export function decodeValue(value: unknown): unknown {
  if (!isPlain(value)) return value
  if (Array.isArray(value)) return value.map(decodeValue)
  if (!Object.hasOwn(value, TAG)) return decodeFields(value)
  const tagged = (value as { readonly [TAG]: unknown })[TAG]
  if (Array.isArray(tagged)) return new Map(tagged.map(([key, item]) => [`${key}`, decodeValue(item)]))
  return isPlain(tagged) ? decodeFields(tagged) : undefined
}

function decodeFields(value: object): object {
  const record: Record<string, unknown> = {}
  for (const [field, item] of Object.entries(value)) put(record, field, decodeValue(item))
  return record
}

/** True for a value that JSON can represent after `encodeValue`. */
export function isStorable(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return true
    case 'number':
      return Number.isFinite(value)
    case 'object':
      return value === null || areStorable(value)
    default:
      return false
  }
}

function areStorable(value: object): boolean {
  if (value instanceof Map || Array.isArray(value)) {
    const items = [...value.values()]
    return items.every(isText) || items.every(isStorable)
  }
  return isPlain(value) && Object.values(value).every(isStorable)
}
