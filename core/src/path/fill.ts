import { kindOf } from '../util/describe.js'
import { UrlParamError } from '../util/errors.js'
import { type Group, type Param, type Piece, paramsOf } from './parse.js'

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

function givenValue({ name }: Param, params: Params): unknown {
  return Object.hasOwn(params, name) ? params[name] : undefined // `constructor` is in every object
}

function paramText(param: Param, params: Params, url: string, run: Run): string {
  const value = givenValue(param, params)
  if (!param.wildcard || value === undefined) return encode(value, param.name, url, run)
  if (!Array.isArray(value) || value.length === 0) throw paramError(run, param.name, 'must be a non-empty array')
  return value.map((item) => encode(item, param.name, url, run)).join('/')
}

// What encodeURIComponent leaves as it is, but for dots; to look first costs half of encoding.
const plain = /^[\w-]+$/

function encode(value: unknown, name: string, url: string, run: Run): string {
  if (value === undefined) throw paramError(run, name, 'is missing')
  const isText = typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint'
  if (!isText && !Number.isFinite(value)) throw paramError(run, name, `is ${kindOf(value)}`)
  const text = `${value}`
  if (plain.test(text)) return text
  // Values are encoded, so a `?` in the URL so far is the template's: behind it an empty value does no harm.
  if (text === '' && !url.includes('?')) throw paramError(run, name, 'is an empty string')
  run.mayHoldDots ||= maySpellDots(text)
  try {
    return encodeURIComponent(text)
  } catch (cause) {
    throw paramError(run, name, 'has half of a surrogate pair', { cause })
  }
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

/** `?&` becomes `?`, and a `?` at the end goes. */
function tidyQuery(url: string): string {
  return url.replace(/\?&*(.?)/s, (_, next: string) => next && `?${next}`)
}
