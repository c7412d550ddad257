/** What a value is, for a sentence in an error: 'an array', 'the text "abc"'. */
export function describe(found: unknown): string {
  if (found === null) return 'null'
  if (Array.isArray(found)) return 'an array'
  if (typeof found === 'string') return `the text ${JSON.stringify(found.slice(0, 40))}`
  if (found === undefined) return 'nothing'
  return typeof found === 'object' ? 'an object' : `${typeof found} ${String(found)}`
}
