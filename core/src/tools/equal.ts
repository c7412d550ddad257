/** Values nested deeper than this count as different: replacing them is right, only not free. */
const DEEPEST = 200

/**
 * True if two plain values hold the same: primitives, arrays, plain objects, dates and maps, deeply. Anything else is equal
 * only to itself.
 *
 * @example
 * ```ts
 * equal({ tags: ['a'] }, { tags: ['a'] }) // true
 * ```
 */
export function equal(a: unknown, b: unknown, depth = 0): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    // NaN is the one value that is not equal to itself.
    return Number.isNaN(a) && Number.isNaN(b)
  }
  const prototype = Object.getPrototypeOf(a)
  if (prototype !== Object.getPrototypeOf(b) || depth > DEEPEST) return false
  if (Array.isArray(a)) return equalArrays(a, b as unknown[], depth + 1)
  if (prototype === Object.prototype || prototype === null) return equalRecords(a, b, depth + 1)
  if (a instanceof Date) return a.getTime() === (b as Date).getTime()
  if (a instanceof Map) return equalMaps(a, b as Map<unknown, unknown>, depth + 1)
  return false
}

function equalArrays(a: readonly unknown[], b: readonly unknown[], depth: number): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (!equal(a[i], b[i], depth)) return false
  return true
}

function equalRecords(a: object, b: object, depth: number): boolean {
  const left = a as Record<string, unknown>
  const right = b as Record<string, unknown>
  const fields = Object.keys(left)
  if (fields.length !== Object.keys(right).length) return false
  for (const field of fields) {
    if (!Object.hasOwn(right, field) || !equal(left[field], right[field], depth)) return false
  }
  return true
}

/** Maps are equal only in the same order: it is what a user sees. */
function equalMaps(a: Map<unknown, unknown>, b: Map<unknown, unknown>, depth: number): boolean {
  if (a.size !== b.size) return false
  const others = b.entries()
  for (const [key, value] of a) {
    const other = others.next().value
    if (other === undefined || other[0] !== key || !equal(value, other[1], depth)) return false
  }
  return true
}
