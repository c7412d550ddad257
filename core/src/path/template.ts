import { parse, type Token } from 'path-to-regexp'
import { describeType } from '../util/describe.js'
import { OptionError, UrlParamError } from '../util/errors.js'
import { isParam, matcher, type Param, type Tried } from './matcher.js'
import { isPrimitiveText, isUnreserved, type SearchWriter, searchWriter } from './search.js'

/** A compiled path template. */
export interface Template {
  /** The text of the template. */
  readonly source: string
  /** The names of all its params; any other member of the params becomes a search param. */
  readonly names: ReadonlySet<string>
  /**
   * True if a param may affect the origin of the filled URL, which must then be compared with the expected one. False
   * applies to a `urlPrefix` that is empty or does not end in `/`, `\` or `:`.
   */
  readonly originAtRisk: boolean
  /** True if there is a param outside of groups, so that the path cannot be filled without params. */
  readonly needsParams: boolean
  /** The parsed parts of the template. */
  readonly tokens: readonly Token[]
  /**
   * Fills the path; members of `params` that are not params of the template are ignored.
   *
   * @throws UrlParamError for a param that is missing or cannot be part of the URL; it names the endpoint.
   */
  fill(params: ParamValues, endpoint: string): string
  /** Writes the members of `params` that are not params of the template as a query string. */
  readonly search: SearchWriter
  /**
   * Returns true if `fill` could have written this path. Both are compared only up to their first `?`. `tried` receives the
   * values of a matching path.
   */
  matches(path: string, tried?: Tried): boolean
}

/** Params by name; any value is accepted until it becomes part of a URL. */
type ParamValues = Readonly<Record<string, unknown>>

/**
 * Compiles a path template. The same text results in the same object while it is among the 1,000 most recently used.
 *
 * @remarks
 * `:name`, `*name`, `:"quoted name"`, `{optional group}` and `\` before a literal character, as in path-to-regexp 8;
 * `? + ! [ ]` are literal. A group without params of its own is always written. In development, `/:id?`, the
 * optional param of older syntaxes, causes a warning.
 *
 * @example
 * ```ts
 * const user = template('/users/:id{/:tab}')
 * user.fill({ id: 5, tab: 'posts' }, 'getUser') // '/users/5/posts'
 * user.matches('/users/5') // true
 * ```
 * @throws OptionError for a template that does not parse, with the position; in development also for params without text
 * between them, and for a name that is both a param and a wildcard.
 */
export function template(source: string): Template {
  const compiled = recent.get(source) ?? compile(source)
  recent.delete(source)
  recent.set(source, compiled)
  if (recent.size > 1_000) recent.delete(recent.keys().next().value as string) // the one that was not used for the longest time
  return compiled
}

/** A bounded pure cache of the most recently used templates, in the order of their use. */
const recent = new Map<string, Template>()

function compile(source: string): Template {
  const tokens = tokensOf(source)
  if (process.env.NODE_ENV !== 'production') checkParams(source, tokens)
  const params = paramsIn(tokens)
  const names = new Set(params.map((param) => param.name))
  let matches: Template['matches'] | undefined
  return {
    source,
    names,
    originAtRisk: params.length > 0 && !ownPath.test(source),
    needsParams: tokens.some(isParam),
    tokens,
    fill: filler(source, tokens),
    search: searchWriter(names),
    // Created on first use, since few endpoints need it.
    matches: (path, tried) => {
      matches ??= matcher(tokens)
      return matches(path, tried)
    },
  }
}

/** Matches one slash and then a path, which no params can turn into a host. */
const ownPath = /^\/[^/\\\s{}]/

/** Returns the texts and params with which the filled path may begin: several if it begins with an optional group. */
export function startsOf(tokens: readonly Token[]): readonly (string | Param)[] {
  const starts: (string | Param)[] = []
  for (const token of tokens) {
    if (token.type !== 'group') return [...starts, token.type === 'text' ? token.value : token]
    if (starts.length === 0) starts.push(...startsOf(token.tokens))
    if (!token.tokens.some(isParam)) break
  }
  return starts
}

function paramsIn(tokens: readonly Token[]): readonly Param[] {
  return tokens.flatMap((token) => (token.type === 'group' ? paramsIn(token.tokens) : isParam(token) ? token : []))
}

// --- parse

/** Matches characters that path-to-regexp reserves and that are literal here, unless escaped or in a quoted name. */
const reserved = /[:*]"(?:\\.|[^\\"])*"?|\\.|[?+![\]]/gs

function tokensOf(source: string): readonly Token[] {
  try {
    return parse(escapeReserved(source)).tokens
  } catch (cause) {
    if (process.env.NODE_ENV === 'production') {
      throw new OptionError('path', `'${source}' cannot be read. See cause.`, { cause, template: source })
    }
    const [, host, rest] = /^((?:[a-z][\w+.-]*:\/\/[^/]*|[\w.-]+:\d+(?=\/|$)))(.*)/is.exec(source) ?? []
    if (host !== undefined) {
      const prefix = host.includes('//') ? host : `http://${host}`
      const reason = `'${source}' has a host, which belongs into urlPrefix: { urlPrefix: '${prefix}', path: '${rest}' }.`
      throw new OptionError('path', reason, { cause, template: source, position: 0 })
    }
    // The parser's message is "Unexpected } at index 5: …", counted in code points of the escaped text.
    const [, what, index] = /^(.+?) at index (\d+)/.exec(`${(cause as Error).message}`) ?? []
    const before = [...escapeReserved(source)].slice(0, Number(index)).join('')
    let position = 0
    while (escapeReserved(source.slice(0, position)).length < before.length) position++
    const reason = `cannot be read: ${what} at position ${position} of '${source}'. A character with a meaning needs a backslash to be literal.`
    throw new OptionError('path', reason, { cause, template: source, position })
  }
}

function escapeReserved(source: string): string {
  return source.replace(reserved, (sign) => (sign.length > 1 ? sign : `\\${sign}`))
}

// --- fill

/** The state of a filling: the endpoint, for errors, and the first param whose value may be part of a dot segment. */
interface Filling {
  readonly endpoint: string
  readonly source: string
  dotted: string | undefined
}

/** Returns the function that fills a template. It keeps literal text and encodes values like `encodeURIComponent`. */
function filler(source: string, tokens: readonly Token[]): Template['fill'] {
  const hasQuery = source.includes('?')
  const hasDots = /[.%]/.test(source)
  return (params, endpoint) => {
    const filling: Filling = { endpoint, source, dotted: undefined }
    const path = filled(tokens, '', params, filling)
    if ((hasDots || filling.dotted !== undefined) && dotSegments(path) > ownDots(tokens)) {
      const name = filling.dotted ?? paramsIn(tokens)[0]?.name ?? ''
      throw paramError(filling, name, 'makes a path segment of dots, which leads to another resource')
    }
    // A trailing `?` is removed, and `?&` becomes `?`.
    return hasQuery ? path.replace(/\?&*(.?)/s, (_, next: string) => next && `?${next}`) : path
  }
}

/** Appends tokens to the path. */
function filled(tokens: readonly Token[], start: string, params: ParamValues, filling: Filling): string {
  let path = start
  for (const token of tokens) {
    if (token.type === 'text') path += token.value
    else if (isParam(token)) path += paramText(token, params, path, filling)
    else if (isWritten(token.tokens, params, filling)) path = filled(token.tokens, path, params, filling)
  }
  return path
}

/** True if all params of a group itself have values. */
function isWritten(tokens: readonly Token[], params: ParamValues, filling: Filling): boolean {
  const absent = tokens.find((token) => isParam(token) && isAbsent(token, params)) as Param | undefined
  if (absent === undefined) return true
  const other = paramsIn(tokens).find((param) => !isAbsent(param, params))
  if (other) throw paramError(filling, absent.name, `is missing, but '${other.name}' of the same group is given`)
  return false
}

function isAbsent(param: Param, params: ParamValues): boolean {
  const value = paramValue(param, params)
  return value === undefined || (param.type === 'wildcard' && Array.isArray(value) && value.length === 0)
}

function paramValue({ name }: Param, params: ParamValues): unknown {
  const value = params[name]
  // Every object has `constructor`. Checking for own members takes longer than reading.
  return typeof value === 'string' || typeof value === 'number' || Object.hasOwn(params, name) ? value : undefined
}

function paramText(param: Param, params: ParamValues, path: string, filling: Filling): string {
  const value = paramValue(param, params)
  if (param.type === 'param' || value === undefined) return encodeSegment(value, param.name, path, filling)
  if (!Array.isArray(value) || value.length === 0) throw paramError(filling, param.name, 'must be a non-empty array')
  return value.map((item) => encodeSegment(item, param.name, path, filling)).join('/')
}

function encodeSegment(value: unknown, name: string, path: string, filling: Filling): string {
  if (isUnreserved(value) && value !== '') return `${value}`
  if (value === undefined) throw paramError(filling, name, 'is missing')
  if (typeof value === 'number' ? !Number.isFinite(value) : !isPrimitiveText(value)) {
    throw paramError(filling, name, `is ${describeType(value)}`)
  }
  const text = `${value}`
  // Values are encoded, so a `?` in the path so far belongs to the template, and an empty value after it does no harm.
  if (text === '' && !path.includes('?')) throw paramError(filling, name, 'is an empty string')
  if (spellsDots.test(text)) filling.dotted ??= name
  try {
    return encodeURIComponent(text)
  } catch (cause) {
    throw paramError(filling, name, 'has half of a surrogate pair', { cause })
  }
}

function paramError(filling: Filling, name: string, reason: string, options?: ErrorOptions): UrlParamError {
  return new UrlParamError(filling.endpoint, filling.source, name, reason, options)
}

/** Matches a segment `.` or `..`, also as `%2e`, or with the `%` encoded, since URL parsers resolve these. */
const dotSegment = /(?:^|[/\\#])\s*(?:(?:\.|%(?:25)?2e)\s*){1,2}(?=[/\\#]|$)/gi

/** Matches text that is a dot segment or a part of one. */
const spellsDots = /^[.%2e]+$/i

/** Counts the dot segments in the template itself. */
function ownDots(tokens: readonly Token[]): number {
  return dotSegments(tokens.map((token) => (token.type === 'text' ? token.value : 'x')).join(''))
}

/** Counts the dot segments of a filled path: with `..`, `/users/:id` would address another resource. */
function dotSegments(path: string): number {
  return path.replace(/\?.*/s, '').match(dotSegment)?.length ?? 0
}

// --- checks in development, where the author of the template sees their errors

function checkParams(source: string, tokens: readonly Token[]): void {
  const positions = [...source.matchAll(/[:*](?:"(?:\\.|[^\\"])*")?|\\./gs)].filter(([sign]) => !sign.startsWith('\\'))
  refuseTouching(source, tokens, positions.values(), false)
  refuseTwoKinds(source, tokens)
  warnOfOldOptional(source, tokens)
}

/** Returns true if a param may end these tokens; `afterParam` is true if a param may directly precede them. */
function refuseTouching(
  source: string,
  tokens: readonly Token[],
  positions: Iterator<RegExpExecArray>,
  afterParam: boolean,
): boolean {
  let touches = afterParam
  for (const token of tokens) {
    if (token.type === 'text') touches = false
    else if (token.type === 'group') {
      const endsInParam = refuseTouching(source, token.tokens, positions, touches)
      touches = endsInParam || (touches && token.tokens.some(isParam))
    } else {
      const position = positions.next().value?.index ?? 0
      if (touches) {
        const reason = `has two params without text between them at position ${position} of '${source}'`
        throw new OptionError('path', `${reason}: their boundary is ambiguous.`, { template: source, position })
      }
      touches = true
    }
  }
  return touches
}

function refuseTwoKinds(source: string, tokens: readonly Token[]): void {
  const types = new Map<string, string>()
  for (const { name, type } of paramsIn(tokens)) {
    if ((types.get(name) ?? type) !== type) {
      throw new OptionError('path', `has both :${name} and *${name} in '${source}'. Rename one.`, { template: source })
    }
    types.set(name, type)
  }
}

function warnOfOldOptional(source: string, tokens: readonly Token[]): void {
  tokens.forEach((token, index) => {
    const next = tokens[index + 1]
    if (token.type === 'group') warnOfOldOptional(source, token.tokens)
    if (!isParam(token) || next?.type !== 'text') return
    const isOptional = next.value === '?' ? index + 2 === tokens.length : next.value.startsWith('?/')
    if (isOptional) {
      console.warn(
        `The '?' after '${token.name}' in '${source}' is literal. For an optional param write '{/:${token.name}}'.`,
      )
    }
  })
}
