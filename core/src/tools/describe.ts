import { kindOf } from './kind-of.js'

/** What a value is, for a sentence in an error: 'an array', 'the text "abc"'. */
export function describe(found: unknown): string {
  if (typeof found === 'string') return `the text ${JSON.stringify(found.slice(0, 40))}`
  if (found === undefined) return 'nothing'
  return typeof found === 'object' ? kindOf(found) : `${typeof found} ${String(found)}`
}
