/**
 * Returns true if two values are deeply equal: primitives, arrays, plain objects, dates and maps. Anything else is equal
 * only to itself. Values with cycles are equal if no path into them leads to a difference.
 *
 * @example
 * ```ts
 * equal({ tags: ['a'] }, { tags: ['a'] }) // true
 * ```
 */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true
  // Only NaN is not equal to itself.
  if (!isObject(a) || !isObject(b)) return Number.isNaN(a) && Number.isNaN(b)
  const open = compare(a, b, undefined, 0)
  return open === undefined || (open !== false && equalDeep(open))
}

/**
 * Returns true if two arrays have the same items, compared by identity.
 *
 * @example
 * ```ts
 * sameItems([1, 2], [1, 2]) // true
 * sameItems([{}], [{}]) // false
 * ```
 */
export function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** The depth up to which objects are compared at once. Deeper pairs are recorded, in case they are repeated. */
const NEAR_DEPTH = 3

/** Pairs of objects that remain to be compared, in a flat list; usually none. */
type OpenPairs = object[] | undefined

function equalDeep(open: object[]): boolean {
  const met: Met = new Map()
  for (let right = open.pop(); right !== undefined; right = open.pop()) {
    // Objects are added and removed in pairs.
    const left = open.pop() as object
    const { length } = open
    if (compare(left, right, open, NEAR_DEPTH) === false) return false
    if (open.length === length) continue
    // A pair that is already being compared adds no difference.
    if (hasMet(met, left, right)) open.length = length
  }
  return true
}

/** The objects with which each object was compared. */
type Met = Map<object, object[]>

/** Compares two objects. Adds nested objects to the open pairs, and returns these; false if the objects differ. */
function compare(a: object, b: object, open: OpenPairs, depth: number): OpenPairs | false {
  const prototype: unknown = Object.getPrototypeOf(a)
  if (isBare(prototype)) return isBare(Object.getPrototypeOf(b)) && compareRecords(a, b, open, depth)
  if (prototype !== Object.getPrototypeOf(b)) return false
  if (Array.isArray(a)) return compareArrays(a, b as unknown[], open, depth)
  if (a instanceof Date) return a.getTime() === (b as Date).getTime() && open
  return a instanceof Map && compareMaps(a, b as Map<unknown, unknown>, open, depth)
}

function compareArrays(
  a: readonly unknown[],
  b: readonly unknown[],
  open: OpenPairs,
  depth: number,
): OpenPairs | false {
  if (a.length !== b.length) return false
  let pairs: OpenPairs | false = open
  for (let i = 0; i < a.length && pairs !== false; i++)
    if (a[i] !== b[i]) pairs = compareItems(a[i], b[i], pairs, depth)
  return pairs
}

function compareRecords(a: object, b: object, open: OpenPairs, depth: number): OpenPairs | false {
  const left = a as Record<string, unknown>
  const right = b as Record<string, unknown>
  const fields = Object.keys(left)
  if (fields.length !== Object.keys(right).length) return false
  let pairs: OpenPairs | false = open
  for (const field of fields) {
    if (!Object.hasOwn(right, field)) return false
    if (left[field] !== right[field]) pairs = compareItems(left[field], right[field], pairs, depth)
    if (pairs === false) return false
  }
  return pairs
}

/** Compares two maps, also by order, since users see it. */
function compareMaps(
  a: Map<unknown, unknown>,
  b: Map<unknown, unknown>,
  open: OpenPairs,
  depth: number,
): OpenPairs | false {
  if (a.size !== b.size) return false
  const others = b.entries()
  let pairs: OpenPairs | false = open
  for (const [key, value] of a) {
    const other = others.next().value
    if (other === undefined || other[0] !== key) return false
    if (value !== other[1]) pairs = compareItems(value, other[1], pairs, depth)
    if (pairs === false) return false
  }
  return pairs
}

function compareItems(a: unknown, b: unknown, open: OpenPairs, depth: number): OpenPairs | false {
  if (!isObject(a) || !isObject(b)) return Number.isNaN(a) && Number.isNaN(b) && open
  if (depth < NEAR_DEPTH) return compare(a, b, open, depth + 1)
  const pairs = open ?? []
  pairs.push(a, b)
  return pairs
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

/** Returns true for any object other than a function. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
