/** A part of an array that differs from the array before. */
export interface Splice {
  /** Its position in the new array. */
  readonly at: number
  readonly removed: number
  readonly added: number
}

/** How far a member is searched that is not where it was. */
const LOOK_AHEAD = 8

/** After so many splices all the rest is one. */
const MAX_SPLICES = 16

/**
 * Returns what makes one array into another, from left to right: the common start and end are left out, and what moved, came or left
 * in between is found nearby.
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
  let oldEnd = before.length
  let newEnd = now.length
  const isSame = (i: number, j: number): boolean => i < oldEnd && j < newEnd && same(before[i] as Item, now[j] as Item)
  let i = 0
  let j = 0
  const skipSame = (): void => {
    // Mostly they are identical: a call for each would cost ten times as much.
    while ((i < oldEnd && j < newEnd && before[i] === now[j]) || isSame(i, j)) {
      i++
      j++
    }
  }
  skipSame()
  while (oldEnd > i && newEnd > j && (before[oldEnd - 1] === now[newEnd - 1] || isSame(oldEnd - 1, newEnd - 1))) {
    oldEnd--
    newEnd--
  }
  while (i < oldEnd || j < newEnd) {
    let removed = oldEnd - i
    let added = newEnd - j
    for (let ahead = 1; ahead <= LOOK_AHEAD && splices.length < MAX_SPLICES; ahead++) {
      const hasLeft = isSame(i + ahead, j)
      const hasCome = !hasLeft && isSame(i, j + ahead)
      if (!hasLeft && !hasCome && !isSame(i + ahead, j + ahead)) continue
      removed = hasCome ? 0 : ahead
      added = hasLeft ? 0 : ahead
      break
    }
    splices.push({ at: j, removed, added })
    i += removed
    j += added
    skipSame()
  }
  return splices
}
