import { UrlParamError } from '../tools/errors.js'
import { type Group, type Param, type Piece, paramsOf } from './parse.js'
import { isPlainText } from './plain-text.js'

/** Values by name; the values are looked at before they are written. */
type Params = Readonly<Record<string, unknown>>

/**
 * Makes the function that fills a template: `(params, endpointName) => url`.
 *
 * @remarks
 * Values are encoded as by `encodeURIComponent`; literal text is written as it stands. A dangling `?` goes, and `?&`
 * becomes `?`.
 *
 * @example
 * ```ts
 * const fill = filler('/users/:id', parseTemplate('/users/:id'))
 * fill({ id: 'a/b' }, 'getUser') // '/users/a%2Fb'
 * ```
 * @throws UrlParamError from the returned function, for a param that cannot stand in the URL.
 */
export function filler(source: string, pieces: readonly Piece[]): (params: Params, endpoint: string) => string {
  const hasQuery = source.includes('?')
  const hasDots = source.split(/[/\\\s{}:*"?#]/).some(maySpellDots)
  const ownDots = dotSegments(pieces.map((piece) => (typeof piece === 'string' ? piece : 'x')).join(''))
  return (params, endpoint) => {
    const run: Run = { endpoint, source, mayHoldDots: hasDots }
    const url = fillPieces(pieces, params, '', run)
    if (run.mayHoldDots && dotSegments(url) > ownDots) throw dotError(pieces, params, run)
    return hasQuery ? tidyQuery(url) : url
  }
}

/** One filling: whose URL it is, for errors, and whether something was written that may be part of a dot segment. */
interface Run {
  readonly endpoint: string
  readonly source: string
  mayHoldDots: boolean
}

/** Appends the filled pieces to `url`. */
function fillPieces(pieces: readonly Piece[], params: Params, url: string, run: Run): string {
  let filled = url
  for (const piece of pieces) {
    if (typeof piece === 'string') filled += piece
    else if (piece.type === 'group') filled = fillGroup(piece, params, filled, run)
    else filled += paramText(piece, params, filled, run)
  }
  return filled
}

function fillGroup(group: Group, params: Params, url: string, run: Run): string {
  const absent = group.own.find((param) => isAbsent(param, params))
  if (!absent) return fillPieces(group.pieces, params, url, run)
  const given = [...group.own, ...group.inner].find((param) => !isAbsent(param, params))
  if (given) throw paramError(run, absent.name, `is missing, but '${given.name}' of the same group is given`)
  return url
}

function isAbsent(param: Param, params: Params): boolean {
  const value = givenValue(param, params)
  return value === undefined || (param.wildcard && Array.isArray(value) && value.length === 0)
}

function givenValue({ name, inherited }: Param, params: Params): unknown {
  return inherited && !Object.hasOwn(params, name) ? undefined : params[name]
}

function paramText(param: Param, params: Params, url: string, run: Run): string {
  const value = givenValue(param, params)
  if (!param.wildcard) return encode(value, param.name, url, run)
  if (value === undefined) throw paramError(run, param.name, 'is missing')
  if (!Array.isArray(value) || value.length === 0) throw paramError(run, param.name, 'must be a non-empty array')
  let text = encode(value[0], param.name, url, run)
  for (let index = 1; index < value.length; index++) text += `/${encode(value[index], param.name, url, run)}`
  return text
}

function encode(value: unknown, name: string, url: string, run: Run): string {
  const text = typeof value === 'string' ? value : scalarText(value, name, run)
  if (text !== '' && isPlainText(text)) return text
  // Values are encoded, so a `?` in the URL so far is the template's: behind it an empty value does no harm.
  if (text === '' && !url.includes('?')) throw paramError(run, name, 'is an empty string')
  run.mayHoldDots ||= maySpellDots(text)
  try {
    return encodeURIComponent(text)
  } catch (cause) {
    throw paramError(run, name, 'has half of a surrogate pair', { cause })
  }
}

function scalarText(value: unknown, name: string, run: Run): string {
  if (Number.isFinite(value) || typeof value === 'boolean' || typeof value === 'bigint') return `${value}`
  throw paramError(run, name, whyNot(value))
}

function whyNot(value: unknown): string {
  if (value === undefined) return 'is missing'
  if (value === null || typeof value === 'number') return `is ${value}`
  if (Array.isArray(value)) return 'is an array where one value is expected'
  return typeof value === 'object' ? 'is an object' : `is a ${typeof value}`
}

function paramError(run: Run, name: string, reason: string, options?: ErrorOptions): UrlParamError {
  return new UrlParamError(run.endpoint, run.source, name, reason, options)
}

// --- dot segments: URL parsers resolve them, so `/users/..` would address another resource

/** Whether this text can be part of a `.` or `..` in any spelling, and is not just part of the letters of `%2e`. */
function maySpellDots(text: string): boolean {
  return /^[.%2e]*[.%][.%2e]*$/i.test(text)
}

/** Counts the segments of a filled path that are `.` or `..`, also spelled `%2e`, also with the `%` encoded by us. */
function dotSegments(url: string): number {
  const path = url.split('?', 1)[0] as string // split gives at least one item
  const segments = path
    .replace(/\s/g, '')
    .replaceAll('%25', '%')
    .split(/[/\\#]/)
  return segments.filter((segment) => /^(?:\.|%2e){1,2}$/i.test(segment)).length
}

function dotError(pieces: readonly Piece[], params: Params, run: Run): UrlParamError {
  const all = paramsOf(pieces)
  const guilty =
    all.find((param) => [givenValue(param, params)].flat().some((value) => maySpellDots(String(value)))) ?? all[0]
  return paramError(run, guilty?.name ?? '', 'makes a path segment of dots, which leads to another resource')
}

function tidyQuery(url: string): string {
  const start = url.indexOf('?') + 1
  if (start === 0) return url
  const query = url.slice(start).replace(/^&+/, '')
  return query === '' ? url.slice(0, start - 1) : url.slice(0, start) + query
}
