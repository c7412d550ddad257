/** The number of rows by the name of their group. */
export type Counts = Readonly<Record<string, number>>

/** Counts as they are shown: in the order of the names, so that the same rows always give the same object. */
export function countsOf(counts: ReadonlyMap<string, number>): Counts {
  // Without a prototype, a group named `constructor` is only there if it was counted.
  const shown: Record<string, number> = Object.create(null)
  for (const group of [...counts.keys()].sort()) shown[group] = counts.get(group) ?? 0
  return Object.freeze(shown)
}
