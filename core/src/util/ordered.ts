import type { Edit } from './edits.js'

/**
 * The position among ordered items before which a new one belongs, in O(log n) calls.
 *
 * @param isBefore - True if the item at this position comes first: true up to some position, then false.
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
 * How items become ordered as a stable sort of all would leave them, if only some may be out of order: O(log n) calls for each of
 * these. Undefined if they are in order.
 *
 * @param changed - The positions of those that may be out of order, ascending; undefined for all.
 * @param order - Compares two items by their positions, as the function of `Array.prototype.sort`.
 *
 * @example ordering([1, 9, 3], [1], (a, b) => [1, 9, 3][a]! - [1, 9, 3][b]!) // { removed: [1], added: [{ at: 3, item: 9 }] }
 */
export function ordering<Item>(
  items: readonly Item[],
  changed: readonly number[] | undefined,
  order: (a: number, b: number) => number,
): Edit<Item> | undefined {
  const moving = changed ?? [...items.keys()]
  // A result that is not a number counts as equal, as in a sort.
  const stable = (a: number, b: number): number => order(a, b) || a - b
  const isOrdered = (at: number): boolean => at < 0 || at + 1 >= items.length || stable(at, at + 1) < 0
  // Mostly they stay where they are.
  if (changed?.every((at) => isOrdered(at - 1) && isOrdered(at))) return undefined
  const sorted = [...moving].sort(stable)
  const resting = items.length - moving.length
  let low = 0
  const places = sorted.map((own) => {
    // Not before the place of the previous one, even if an order contradicts itself.
    const from = low
    low += placeAmong(resting - from, (at) => stable(restingAt(from + at, moving), own) < 0)
    return low
  })
  if (sorted.every((own, i) => own === (places[i] as number) + i)) return undefined
  const added = sorted.map((own, i) => ({ at: restingAt(places[i] as number, moving), item: items[own] as Item }))
  return { removed: moving, added }
}

/** The position of the item that is at this position among those that don't move. */
function restingAt(at: number, moving: readonly number[]): number {
  return at + placeAmong(moving.length, (i) => (moving[i] as number) - i <= at)
}

/**
 * The first items of an array in order, as a stable sort and a slice return them. Where few of many are wanted, most items are compared
 * once.
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
