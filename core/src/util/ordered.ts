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
 * The items as a stable sort of all would leave them, if only some may be out of order: O(log n) calls for each of these, and one copy.
 * The same array if it is in order.
 *
 * @param changed - The positions of those that may be out of order, ascending; undefined for all.
 * @param order - Compares two items by their positions, as the function of `Array.prototype.sort`.
 *
 * @example reorder([1, 9, 3], [1], (a, b) => [1, 9, 3][a]! - [1, 9, 3][b]!) // [1, 3, 9]
 */
export function reorder<Item>(
  items: readonly Item[],
  changed: readonly number[] | undefined,
  order: (a: number, b: number) => number,
): readonly Item[] {
  const moving = changed ?? [...items.keys()]
  // What is not a number counts as equal, as in a sort.
  const stable = (a: number, b: number): number => order(a, b) || a - b
  const sorted = [...moving].sort(stable)
  const resting = items.length - moving.length
  let low = 0
  const places = sorted.map((own) => {
    // Not before the place of the one before, whatever an order says that contradicts itself.
    const from = low
    low += placeAmong(resting - from, (at) => stable(restingAt(from + at, moving), own) < 0)
    return low
  })
  const isInPlace = sorted.every((own, i) => own === (places[i] as number) + i)
  if (isInPlace) return items
  if (moving.length > FEW_MOVES) return merge(items, moving, sorted, places)
  // Engines move the rest of an array at once.
  const moved = [...items]
  for (let i = moving.length - 1; i >= 0; i--) moved.splice(moving[i] as number, 1)
  sorted.forEach((own, i) => void moved.splice((places[i] as number) + i, 0, items[own] as Item))
  return moved
}

/** Up to so many, splicing each costs less than copying what is between. */
const FEW_MOVES = 4

/** The position of the item that is at this position among those that don't move. */
function restingAt(at: number, moving: readonly number[]): number {
  return at + placeAmong(moving.length, (i) => (moving[i] as number) - i <= at)
}

/** The items with the moving ones at their places among the others; outside of where they come from and go to, nothing changes. */
function merge<Item>(
  items: readonly Item[],
  moving: readonly number[],
  sorted: readonly number[],
  places: readonly number[],
): readonly Item[] {
  const merged = [...items]
  const last = moving.length - 1
  const end = Math.max(moving[last] as number, (places[last] as number) + last)
  let from = Math.min(moving[0] as number, places[0] as number)
  let skipped = 0
  let placed = 0
  for (let at = from; at <= end; at++) {
    if (places[placed] === at - placed) merged[at] = items[sorted[placed++] as number] as Item
    else {
      for (; moving[skipped] === from; skipped++) from++
      merged[at] = items[from++] as Item
    }
  }
  return merged
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
