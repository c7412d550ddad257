/** An item to insert into an array before the item at the position. */
export interface Addition<Item> {
  readonly at: number
  readonly item: Item
}

/** The items to remove from an array and to add to it. */
export interface Edit<Item> {
  /** The positions of items to remove, in ascending order. */
  readonly removed: readonly number[]
  /** The items to add, in ascending order of their positions, which also refer to the previous array. */
  readonly added: readonly Addition<Item>[]
}

/** Up to this number of changes, each one moves the rest of the array; above it, one pass is cheaper. */
const FEW_EDITS = 16

/**
 * Returns an array after an edit: the same array if the changes are few, or else a new one.
 *
 * @example edited(['a', 'b', 'c'], { removed: [0], added: [{ at: 3, item: 'd' }] }) // ['b', 'c', 'd']
 */
export function edited<Item>(items: Item[], { removed, added }: Edit<Item>): Item[] {
  if (removed.length + added.length > FEW_EDITS) return merged(items, removed, added)
  let r = removed.length - 1
  let a = added.length - 1
  while (r >= 0 || a >= 0) {
    const out = removed[r] ?? -1
    const into = added[a]
    if (into === undefined || into.at < out) {
      items.splice(out, 1)
      r--
      continue
    }
    if (into.at === out) {
      items[out] = into.item
      r--
    } else items.splice(into.at, 0, into.item)
    a--
  }
  return items
}

/**
 * Returns a new array after an edit.
 *
 * @example editedCopy(['a', 'b'], { removed: [], added: [{ at: 2, item: 'c' }] }) // ['a', 'b', 'c']
 */
export function editedCopy<Item>(items: readonly Item[], edit: Edit<Item>): readonly Item[] {
  // An array that grows is copied once more. Shortening this one keeps the room of the added items.
  const copy = items.concat(edit.added.map(({ item }) => item))
  copy.length = items.length
  return edited(copy, edit)
}

function merged<Item>(items: Item[], removed: readonly number[], added: readonly Addition<Item>[]): Item[] {
  // Mostly all comes behind what is there.
  let i = Math.min(removed[0] ?? items.length, added[0]?.at ?? items.length)
  const merged = items.slice(0, i)
  let r = 0
  let a = 0
  for (; i <= items.length; i++) {
    for (; added[a]?.at === i; a++) merged.push((added[a] as Addition<Item>).item)
    if (removed[r] === i) r++
    else if (i < items.length) merged.push(items[i] as Item)
  }
  return merged
}
