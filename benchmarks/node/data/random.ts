/** Numbers from 0 (included) to 1 (excluded), the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const WORDS =
  'amber basin cedar delta ember fjord grove harbor inlet juniper kelp lagoon meadow north oasis pine quartz river spruce tide'.split(
    ' ',
  )

/** So many words in a row. */
export function words(random: () => number, count: number): string {
  const chosen: string[] = []
  for (let i = 0; i < count; i++) chosen.push(pick(random, WORDS))
  return chosen.join(' ')
}

/** One of the items. */
export function pick<Item>(random: () => number, items: readonly Item[]): Item {
  // The index is always within a list that is not empty.
  return items[Math.floor(random() * items.length)] as Item
}
