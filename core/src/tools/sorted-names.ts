/**
 * The names of a record's own members in the order of their text, without those in `except`.
 *
 * @example
 * ```ts
 * sortedNames({ page: 2, id: 5, by: 'ann' }, new Set(['id'])) // ['by', 'page']
 * ```
 */
export function sortedNames(record: object, except?: ReadonlySet<string>): string[] {
  const names: string[] = []
  let last = ''
  let isSorted = true
  for (const name of Object.keys(record)) {
    if (except?.has(name)) continue
    isSorted &&= last <= name
    last = name
    names.push(name)
  }
  // Most come sorted, or alone, and to sort costs as much as all the rest of a key.
  return isSorted ? names : names.sort()
}
