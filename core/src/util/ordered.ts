import type { Edit } from './edits.js'

/**
 * Returns the position among ordered items before which a new item belongs, with O(log n) calls.
 *
 * @param isBefore - returns true if the item at a position comes before the new item: true up to some position, then false
 *
 * @example placeAmong(3, (at) => [1, 2, 4][at]! < 3) // 2
 */
export function placeAmong(length: number, isBefore: (at: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Returns the edit that orders items like a stable sort, if only some may be out of order, with O(log n) calls for each of
 * these. Undefined if they are in order.
 *
 * @param changed - the positions of items that may be out of order, ascending; undefined for all
 * @param order - compares two items by their positions, like the function of `Array.prototype.sort`
 *
 * @example ordering([1, 9, 3], [1], (a, b) => [1, 9, 3][a]! - [1, 9, 3][b]!) // { removed: [1], added: [{ at: 3, item: 9 }] }
 */
export function ordering<Item>(
  items: readonly Item[],
  changed: readonly number[] | undefined,
  order: (a: number, b: number) => number,
): Edit<Item> | undefined {
  const moving = changed ?? [...items.keys()]
  // NaN counts as equal, as in a sort.
  const stable = (a: number, b: number): number => order(a, b) || a - b
  const isOrdered = (at: number): boolean => at < 0 || at + 1 >= items.length || stable(at, at + 1) < 0
  // Usually the items stay at their positions.
  if (changed?.every((at) => isOrdered(at - 1) && isOrdered(at))) return undefined
  const sorted = [...moving].sort(stable)
  const resting = items.length - moving.length
  let low = 0
  const places = sorted.map((own) => {
    // Never before the previous item, even if `order` is inconsistent.
    const from = low
    low += placeAmong(resting - from, (at) => stable(restingAt(from + at, moving), own) < 0)
    return low
  })
  if (sorted.every((own, i) => own === (places[i] as number) + i)) return undefined
  const added = sorted.map((own, i) => ({ at: restingAt(places[i] as number, moving), item: items[own] as Item }))
  return { removed: moving, added }
}

/** Returns the position in the array of an item, from its position among the items that do not move. */
function restingAt(at: number, moving: readonly number[]): number {
  return at + placeAmong(moving.length, (i) => (moving[i] as number) - i <= at)
}

/**
 * Returns the first items of an array in order, like a stable sort followed by a slice. If they are few of many, most items
 * are compared only once.
 *
 * @example firstOf([3, 1, 2], 2, (a, b) => a - b) // [1, 2]
 */
export function firstOf<Item>(items: readonly Item[], count: number, compare: (a: Item, b: Item) => number): Item[] {
  const first: Item[] = []
  let last: Item | undefined
  for (const item of items) {
    if (last !== undefined && compare(last, item) <= 0) continue
    first.push(item)
    if (first.length < 2 * count) continue
    first.sort(compare).length = count
    last = first[count - 1]
  }
  return first.sort(compare).slice(0, count)
}
