import type { Parameter, Token, Wildcard } from 'path-to-regexp'

/** `:name` or, of type 'wildcard', `*name`. */
export type Param = Parameter | Wildcard

/** True for the params of a level itself: if one of them is missing, its group is left out. */
export function isParam(token: Token): token is Param {
  return token.type === 'param' || token.type === 'wildcard'
}

/** True if the rest of the template can be written from `at` to the end of the path. */
type Matches = (path: string, at: number, tried: Tried) => boolean

/**
 * The positions at which the end of each param's value has been tried, so that none is tried twice. After the path has
 * matched, the encoded values of its params.
 */
export type Tried = Map<Param, Uint8Array | string>

/**
 * Returns a function that returns true if a path could have been filled from these tokens.
 *
 * @remarks
 * Only the path part counts: the text up to its first `?`, the template up to its first literal `?`. Case and a
 * trailing slash matter. `tried` receives the value of each param of a matching path. The time is linear in the length
 * of the path, even for malicious paths.
 *
 * @example
 * ```ts
 * matcher(parse('/users/:id').tokens)('/users/5?page=2') // true
 * ```
 */
export function matcher(tokens: readonly Token[]): (path: string, tried?: Tried) => boolean {
  const matches = sequence(tokens, isEnd)
  return (path, tried = new Map()) => matches(pathPart(path), 0, tried)
}

function pathPart(text: string): string {
  const query = text.indexOf('?')
  return query < 0 ? text : text.slice(0, query)
}

const isEnd: Matches = (path, at) => at === path.length

function sequence(tokens: readonly Token[], end: Matches): Matches {
  return tokens.reduceRight((next: Matches, token) => {
    if (token.type === 'text') return text(token.value, next)
    if (token.type !== 'group') return value(token, next)
    const whole = sequence(token.tokens, next)
    const isOptional = token.tokens.some(isParam)
    return isOptional ? (path, at, tried) => next(path, at, tried) || whole(path, at, tried) : whole
  }, end)
}

function text(literal: string, next: Matches): Matches {
  const part = pathPart(literal)
  const rest = part === literal ? next : isEnd
  return (path, at, tried) => path.startsWith(part, at) && rest(path, at + part.length, tried)
}

// A value encoded by `encodeURIComponent`, and several of these separated by slashes.
const segment = /[\w.!~*'()%-]+/y
const segments = /[\w.!~*'()%-]+(?:\/[\w.!~*'()%-]+)*/y

function value(param: Param, next: Matches): Matches {
  const longest = param.type === 'wildcard' ? segments : segment
  return (path, at, tried) => {
    // Values exist only after the whole path has matched.
    const ends = (tried.get(param) as Uint8Array | undefined) ?? new Uint8Array(path.length + 1)
    tried.set(param, ends)
    longest.lastIndex = at
    // If one end of a value was tried, all later ends were tried, too.
    if (ends[at + 1] === 1 || !longest.test(path)) return false
    const last = longest.lastIndex
    for (let end = at + 1; end <= last && ends[end] === 0; end++) {
      ends[end] = 1
      if (path[end - 1] !== '/' && next(path, end, tried)) {
        tried.set(param, path.slice(at, end))
        return true
      }
    }
    return false
  }
}
