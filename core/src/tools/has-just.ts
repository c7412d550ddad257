/**
 * True if a record has these fields in this order, and no others.
 *
 * @example hasJust({ id: '5', title: 'a' }, ['id', 'title']) // true
 */
export function hasJust(record: Readonly<Record<string, unknown>>, fields: readonly string[]): boolean {
  let at = 0
  for (const field in record) if (field !== fields[at++]) return false
  return at === fields.length
}
