import type { Contender } from './measure.js'
import { OURS, ours } from './peers/ours.js'
import { type Comparison, comparisons } from './suite.js'

/** The suite with this library alone, but for what is new: what is compared with the same bundle of another commit. */
export function ownComparisons(isQuick: boolean): Comparison[] {
  return comparisons(isQuick, [ours])
    .filter(({ isNew }) => !isNew)
    .map(({ row, on, make }) => ({ row, on, make: () => make().filter(isOwn) }))
}

function isOwn({ name }: Contender): boolean {
  return name.startsWith(OURS)
}
