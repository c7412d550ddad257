import { filler } from './fill.js'
import { matcher } from './matcher.js'
import { type Param, type Piece, paramsOf, parseTemplate } from './parse.js'

/** A compiled path template. */
export interface Template {
  /** The template as it was written. */
  readonly source: string
  /** The names of all its params: what else is given becomes a search param. */
  readonly names: ReadonlySet<string>
  /** The names among them that are wildcards (`*name`) and take arrays. */
  readonly wildcards: ReadonlySet<string>
  /**
   * Whether a param might reach the origin of the filled URL, so that it must be compared with the expected one. False
   * holds for a `urlPrefix` that is empty or whose last character is none of `/`, `\`, `:`.
   */
  readonly originAtRisk: boolean
  /** True if a param stands outside of groups: nothing can be asked without it. */
  readonly needsParams: boolean
  /** What the written path may begin with: several where groups, which may be left out, come first. */
  readonly starts: readonly (string | Param)[]
  /**
   * Writes the URL for these params; what is not a param of the template is ignored.
   *
   * @throws UrlParamError for a param that is missing or cannot stand in the URL; `endpoint` is named in it.
   */
  fill(params: Readonly<Record<string, unknown>>, endpoint: string): string
  /** Tells whether `fill` could have written this path; both count up to their first `?` only. */
  matches(path: string): boolean
}

/**
 * Compiles a path template; the same text gives the same object as long as it is among the last used (at least 500, at
 * most 1,000 are kept).
 *
 * @remarks
 * `:name`, `*name`, `:"quoted name"`, `{optional group}` and `\` before a literal character, as path-to-regexp 8 has
 * them; `? + ! [ ]` are literal. In development `/:id?`, the optional param of older syntaxes, is warned about.
 *
 * @example
 * ```ts
 * const user = template('/users/:id{/:tab}')
 * user.fill({ id: 5, tab: 'posts' }, 'getUser') // '/users/5/posts'
 * user.matches('/users/5') // true
 * ```
 * @throws OptionError for a template that cannot be read, with its position.
 */
export function template(source: string): Template {
  const found = recent.get(source)
  if (found) return found
  const compiled = older.get(source) ?? compile(source)
  if (recent.size === generation) {
    older = recent
    recent = new Map()
  }
  recent.set(source, compiled)
  return compiled
}

// A bounded pure cache in two generations: a hit costs one look-up, and what is not used for a generation is forgotten.
const generation = 500
let recent = new Map<string, Template>()
let older = new Map<string, Template>()

function compile(source: string): Template {
  const pieces = parseTemplate(source)
  if (process.env.NODE_ENV !== 'production') warnOfOldOptional(source, pieces)
  const params = paramsOf(pieces)
  return {
    source,
    names: new Set(params.map((param) => param.name)),
    wildcards: new Set(params.filter((param) => param.wildcard).map((param) => param.name)),
    originAtRisk: params.length > 0 && !ownPath.test(source),
    needsParams: pieces.some((piece) => typeof piece !== 'string' && piece.type === 'param'),
    starts: startsOf(pieces),
    fill: filler(source, pieces),
    matches: matcher(pieces),
  }
}

/** One slash and then a path: whatever the params are, this never becomes a host. */
const ownPath = /^\/[^/\\\s{}]/

function startsOf(pieces: readonly Piece[]): readonly (string | Param)[] {
  const starts: (string | Param)[] = []
  for (const piece of pieces) {
    if (typeof piece === 'string' || piece.type === 'param') return [...starts, piece]
    // What stands behind a group that may be left out begins the path in some calls only: the URL of each tells.
    if (starts.length === 0) starts.push(...startsOf(piece.pieces))
  }
  return starts
}

function warnOfOldOptional(source: string, pieces: readonly Piece[]): void {
  pieces.forEach((piece, index) => {
    if (typeof piece === 'string') return
    const next = pieces[index + 1]
    if (piece.type === 'group') warnOfOldOptional(source, piece.pieces)
    else if (next === '?' ? index + 2 === pieces.length : typeof next === 'string' && next.startsWith('?/')) {
      console.warn(
        `The '?' after '${piece.name}' in '${source}' is literal. For an optional param write '{/:${piece.name}}'.`,
      )
    }
  })
}
