/** A part of an array that differs from the previous array. */
export interface Splice {
  /** The position in the new array. */
  readonly at: number
  readonly removed: number
  readonly added: number
}

/** The distance within which a moved member is found. */
const LOOK_AHEAD = 8

/** After this many splices, the rest becomes a single one. */
const MAX_SPLICES = 16

/**
 * Returns the splices that turn one array into another, from left to right. It skips the common start and end, and searches
 * nearby for members that moved, came or left in between.
 *
 * @example
 * ```ts
 * splicesOf(['a', 'b', 'c'], ['b', 'c', 'a'], Object.is)
 * // [{ at: 0, removed: 1, added: 0 }, { at: 2, removed: 0, added: 1 }]
 * ```
 */
export function splicesOf<Item>(
  before: readonly Item[],
  now: readonly Item[],
  same: (a: Item, b: Item) => boolean,
): readonly Splice[] {
  const splices: Splice[] = []
  let i = sameFrom(before, now, same, [0, 0])
  let j = i
  const shared = sameUpTo(before, now, same, i)
  const oldEnd = before.length - shared
  const newEnd = now.length - shared
  while (i < oldEnd || j < newEnd) {
    const [from, to] = [i, j]
    const isSame = (a: number, b: number): boolean =>
      from + a < oldEnd && to + b < newEnd && same(before[from + a] as Item, now[to + b] as Item)
    let removed = oldEnd - i
    let added = newEnd - j
    for (let ahead = 1; ahead <= LOOK_AHEAD && splices.length < MAX_SPLICES; ahead++) {
      const hasLeft = isSame(ahead, 0)
      const hasCome = !hasLeft && isSame(0, ahead)
      if (!hasLeft && !hasCome && !isSame(ahead, ahead)) continue
      removed = hasCome ? 0 : ahead
      added = hasLeft ? 0 : ahead
      break
    }
    splices.push({ at: j, removed, added })
    i += removed
    j += added
    const run = Math.min(sameFrom(before, now, same, [i, j]), oldEnd - i, newEnd - j)
    i += run
    j += run
  }
  return splices
}

/** Counts the equal items from these positions on. */
function sameFrom<Item>(
  before: readonly Item[],
  now: readonly Item[],
  same: (a: Item, b: Item) => boolean,
  [i, j]: readonly [number, number],
): number {
  const most = Math.min(before.length - i, now.length - j)
  let count = 0
  // Most items are identical. A call for each would take ten times as long, and so would a variable shared with a closure.
  while (
    count < most &&
    (before[i + count] === now[j + count] || same(before[i + count] as Item, now[j + count] as Item))
  )
    count++
  return count
}

/** Counts the equal items at the end, without those before `start`. */
function sameUpTo<Item>(
  before: readonly Item[],
  now: readonly Item[],
  same: (a: Item, b: Item) => boolean,
  start: number,
): number {
  const most = Math.min(before.length, now.length) - start
  let count = 0
  const isSame = (a: Item, b: Item): boolean => a === b || same(a, b)
  while (count < most && isSame(before[before.length - 1 - count] as Item, now[now.length - 1 - count] as Item)) count++
  return count
}
