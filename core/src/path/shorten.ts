/**
 * Gives the list path of a template: all up to its last param, without that param's group or segment.
 *
 * @remarks
 * In nested groups only the innermost goes: `/x{/:a{/:b}}` gives `/x{/:a}`. A template without params stays as it is, and
 * when nothing is left the list is at `/`. `ShortenPath` says the same in types.
 *
 * @example
 * ```ts
 * shortenPath('/boards/:board/cards{/:id}') // '/boards/:board/cards'
 * ```
 */
export function shortenPath(source: string): string {
  const groups: number[] = [] // where the open groups start
  let segment = 0 // where the last segment outside of groups starts
  let list: string | undefined
  for (let at = 0; at < source.length; at++) {
    const char = source[at]
    const outside = groups.length === 0
    if (outside && (char === '/' || source.startsWith('\\/', at))) segment = at
    if (char === '\\') at++
    else if (char === '{') groups.push(at)
    else if (char === '}') groups.pop()
    else if (char === ':' || char === '*') {
      list = source.slice(0, outside ? segment : groups.at(-1)) + '}'.repeat(outside ? 0 : groups.length - 1)
      at = skipQuote(source, at)
    }
  }
  return list === undefined ? source : list || '/'
}

/** Returns where the quoted name behind `at` ends, or `at` if there is none. */
function skipQuote(source: string, at: number): number {
  if (source[at + 1] !== '"') return at
  let end = at + 2
  while (end < source.length && source[end] !== '"') end += source[end] === '\\' ? 2 : 1
  return end
}
