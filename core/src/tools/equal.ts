/**
 * True if two plain values hold the same: primitives, arrays, plain objects, dates and maps, deeply. Anything else is equal
 * only to itself. Values that contain themselves are equal if no way into them tells a difference.
 *
 * @example
 * ```ts
 * equal({ tags: ['a'] }, { tags: ['a'] }) // true
 * ```
 */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true
  // NaN is the one value that is not equal to itself.
  if (!isObject(a) || !isObject(b)) return Number.isNaN(a) && Number.isNaN(b)
  /** Pairs of objects that are still to be compared, one after the other. */
  const open: object[] = []
  if (!equalHere(a, b, open)) return false
  if (open.length === 0) return true
  const met: Met = new Map([[a, [b]]])
  for (let right = open.pop(); right !== undefined; right = open.pop()) {
    // They come and go in pairs.
    const left = open.pop() as object
    const { length } = open
    if (!equalHere(left, right, open)) return false
    // What is being compared already is the same unless something else differs.
    if (open.length > length && hasMet(met, left, right)) open.length = length
  }
  return true
}

/** With which objects an object was compared. */
type Met = Map<object, object[]>

/** Compares two objects but for the objects in them, which become pairs to compare. */
function equalHere(a: object, b: object, open: object[]): boolean {
  const prototype: unknown = Object.getPrototypeOf(a)
  if (isBare(prototype)) return isBare(Object.getPrototypeOf(b)) && equalRecords(a, b, open)
  if (prototype !== Object.getPrototypeOf(b)) return false
  if (Array.isArray(a)) return equalArrays(a, b as unknown[], open)
  if (a instanceof Date) return a.getTime() === (b as Date).getTime()
  return a instanceof Map && equalMaps(a, b as Map<unknown, unknown>, open)
}

function equalArrays(a: readonly unknown[], b: readonly unknown[], open: object[]): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (!equalOrOpen(a[i], b[i], open)) return false
  return true
}

function equalRecords(a: object, b: object, open: object[]): boolean {
  const left = a as Record<string, unknown>
  const right = b as Record<string, unknown>
  const fields = Object.keys(left)
  if (fields.length !== Object.keys(right).length) return false
  for (const field of fields) {
    if (!Object.hasOwn(right, field) || !equalOrOpen(left[field], right[field], open)) return false
  }
  return true
}

/** Maps are equal only in the same order: it is what a user sees. */
function equalMaps(a: Map<unknown, unknown>, b: Map<unknown, unknown>, open: object[]): boolean {
  if (a.size !== b.size) return false
  const others = b.entries()
  for (const [key, value] of a) {
    const other = others.next().value
    if (other === undefined || other[0] !== key || !equalOrOpen(value, other[1], open)) return false
  }
  return true
}

function equalOrOpen(a: unknown, b: unknown, open: object[]): boolean {
  if (a === b) return true
  if (!isObject(a) || !isObject(b)) return Number.isNaN(a) && Number.isNaN(b)
  open.push(a, b)
  return true
}

function hasMet(met: Met, a: object, b: object): boolean {
  const others = met.get(a)
  if (others?.includes(b)) return true
  if (others === undefined) met.set(a, [b])
  else others.push(b)
  return false
}

function isBare(prototype: unknown): boolean {
  return prototype === Object.prototype || prototype === null
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
