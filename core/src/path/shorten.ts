import type { IsKnown } from './params.js'

/**
 * Returns the list path of a template: everything up to its last param, without that param's group or segment.
 *
 * @remarks
 * Of nested groups, only the innermost is removed: `/x{/:a{/:b}}` becomes `/x{/:a}`. A template without params stays
 * unchanged, and an empty result becomes `/`. `ShortenPath` is the type of the result.
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
  return (list ?? source) || '/'
}

/** Returns the end of the quoted name at `at`, or `at` if there is none. */
function skipQuote(source: string, at: number): number {
  if (source[at + 1] !== '"') return at
  let end = at + 2
  while (end < source.length && source[end] !== '"') end += source[end] === '\\' ? 2 : 1
  return end
}

/**
 * The type of a template's list path, which `shortenPath` computes at run time.
 *
 * @example
 * ```ts
 * const list: ShortenPath<'/boards/:board/cards{/:id}'> = '/boards/:board/cards'
 * ```
 */
export type ShortenPath<Path extends string> = IsKnown<Path> extends true ? Shorten<Path, '', '', Path, []> : string

// --- the list path: `Done` is the text read so far, `Segment` the text up to the last segment outside of groups, `List` the
// result so far, `Open` the text before each open group, innermost first

type Shorten<
  Text,
  Done extends string,
  Segment extends string,
  List extends string,
  Open extends string[],
> = Text extends `${infer Char}${infer Rest}`
  ? Char extends ':' | '*'
    ? Rest extends `"${infer Quoted}`
      ? SkipQuoted<Quoted, `${Done}${Char}"`> extends [infer After, infer Read extends string]
        ? Shorten<After, Read, Segment, ListBefore<Segment, Open>, Open>
        : List
      : Shorten<Rest, `${Done}${Char}`, Segment, ListBefore<Segment, Open>, Open>
    : Char extends '{'
      ? Shorten<Rest, `${Done}{`, Segment, List, [Done, ...Open]>
      : Char extends '}'
        ? Shorten<Rest, `${Done}}`, Segment, List, Open extends [string, ...infer Outer extends string[]] ? Outer : []>
        : Char extends '\\'
          ? Rest extends `${infer Escaped}${infer After}`
            ? Shorten<After, `${Done}\\${Escaped}`, SegmentAt<Escaped, Done, Segment, Open>, List, Open>
            : List
          : Shorten<Rest, `${Done}${Char}`, SegmentAt<Char, Done, Segment, Open>, List, Open>
  : List extends ''
    ? '/'
    : List

type SegmentAt<Char, Done extends string, Segment extends string, Open> = Char extends '/'
  ? Open extends []
    ? Done
    : Segment
  : Segment

type ListBefore<Segment extends string, Open extends string[]> = Open extends [
  infer Start extends string,
  ...infer Outer,
]
  ? `${Start}${Closers<Outer>}`
  : Segment

type Closers<Outer> = Outer extends [unknown, ...infer More] ? `}${Closers<More>}` : ''

type SkipQuoted<Text, Read extends string> = Text extends `${infer Char}${infer Rest}`
  ? Char extends '"'
    ? [Rest, `${Read}"`]
    : Char extends '\\'
      ? Rest extends `${infer Escaped}${infer After}`
        ? SkipQuoted<After, `${Read}\\${Escaped}`>
        : [Text, Read]
      : SkipQuoted<Rest, `${Read}${Char}`>
  : [Text, Read]
