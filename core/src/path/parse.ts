import { type Parameter, parse, type Token, type Wildcard } from 'path-to-regexp'
import { OptionError } from '../util/errors.js'

/** One piece of a template: literal text, a param, or an optional group. */
export type Piece = string | Param | Group

/** `:name`, or `*name` when `wildcard` is true. */
export interface Param {
  readonly type: 'param'
  readonly name: string
  readonly wildcard: boolean
}

/** `{…}`: written when all of `own` (its params outside inner groups) are given; `inner` are the params of inner groups. */
export interface Group {
  readonly type: 'group'
  readonly pieces: readonly Piece[]
  readonly own: readonly Param[]
  readonly inner: readonly Param[]
}

/**
 * Cuts a path template into its pieces.
 *
 * @remarks
 * A group without params of its own is always written, so it is resolved into its pieces here.
 *
 * @example
 * ```ts
 * parseTemplate('/users/:id') // ['/users/', { type: 'param', name: 'id', wildcard: false }]
 * ```
 * @throws OptionError for a template that does not parse, for an unescaped `(` or `)`, for params that touch, and for a
 * name used both as `:name` and `*name`.
 */
export function parseTemplate(source: string): readonly Piece[] {
  const { escaped, inserted, starts } = escapeLiterals(source)
  const pieces = toPieces(tokensOf(source, escaped, inserted))
  const positions = starts.values()
  refuseTouching(pieces, false, () => positions.next().value ?? 0, source)
  refuseTwoKinds(pieces, source)
  return pieces
}

/**
 * Lists the params among pieces, those of groups included, in the order in which they are written.
 *
 * @example
 * ```ts
 * paramsOf(parseTemplate('/a/:b{/:c}')).map((param) => param.name) // ['b', 'c']
 * ```
 */
export function paramsOf(pieces: readonly Piece[]): readonly Param[] {
  return pieces.flatMap((piece) =>
    typeof piece === 'string' ? [] : piece.type === 'param' ? piece : paramsOf(piece.pieces),
  )
}

/** A param's sign with its quoted name, an escape, a character that is literal here, and parentheses: what needs a look. */
const signs = /[:*](?:"(?:\\.|[^\\"])*"?)?|\\.|[?+![\]()]/gs

/**
 * path-to-regexp reserves `? + ! [ ]`; here they are literal, so each gets a backslash, except in quoted names and where
 * one is already. `inserted` tells where, `starts` where params start (both in `source`).
 */
function escapeLiterals(source: string): { escaped: string; inserted: readonly number[]; starts: readonly number[] } {
  const inserted: number[] = []
  const starts: number[] = []
  const escaped = source.replace(signs, (sign, at: number) => {
    if ('()'.includes(sign)) throw badTemplate(source, at, `Unexpected ${sign}`)
    if (/^[:*]/.test(sign)) starts.push(at)
    if (!'?+![]'.includes(sign)) return sign
    inserted.push(at)
    return `\\${sign}`
  })
  return { escaped, inserted, starts }
}

function tokensOf(source: string, escaped: string, inserted: readonly number[]): readonly Token[] {
  try {
    return parse(escaped).tokens
  } catch (cause) {
    // It says "Unexpected } at index 5: …", counted in code points of the escaped text.
    const [, what = 'Unexpected text', index = '0'] =
      /^(.+?) at index (\d+)/.exec(String((cause as Error).message)) ?? []
    const end = [...escaped].slice(0, Number(index)).join('').length
    throw badTemplate(source, end - inserted.filter((at, before) => at + before < end).length, what, { cause })
  }
}

function badTemplate(template: string, position: number, what: string, options?: ErrorOptions): OptionError {
  const reason = `cannot be read: ${what} at position ${position} of '${template}'.`
  const hint =
    process.env.NODE_ENV === 'production' ? '' : ' A character with a meaning needs a backslash to be literal.'
  return new OptionError('path', reason + hint, { ...options, template, position })
}

function toPieces(tokens: readonly Token[]): readonly Piece[] {
  const pieces: Piece[] = []
  for (const token of tokens) {
    if (token.type === 'text') addText(pieces, token.value)
    else if (token.type === 'group') addGroup(pieces, toPieces(token.tokens))
    else pieces.push(toParam(token))
  }
  return pieces
}

function toParam({ name, type }: Parameter | Wildcard): Param {
  return { type: 'param', name, wildcard: type === 'wildcard' }
}

function addText(pieces: Piece[], text: string): void {
  const last = pieces.at(-1)
  if (typeof last === 'string') pieces[pieces.length - 1] = last + text
  else pieces.push(text)
}

function addGroup(pieces: Piece[], members: readonly Piece[]): void {
  const own: Param[] = []
  const inner: Param[] = []
  for (const member of members) {
    if (typeof member === 'string') continue
    if (member.type === 'param') own.push(member)
    else inner.push(...member.own, ...member.inner)
  }
  if (own.length > 0) pieces.push({ type: 'group', pieces: members, own, inner })
  else for (const member of members) typeof member === 'string' ? addText(pieces, member) : pieces.push(member)
}

/** Returns whether a param may end these pieces; `afterParam` tells whether one may stand right before them. */
function refuseTouching(pieces: readonly Piece[], afterParam: boolean, next: () => number, source: string): boolean {
  let touches = afterParam
  for (const piece of pieces) {
    if (typeof piece === 'string') touches = false
    else if (piece.type === 'group') touches = refuseTouching(piece.pieces, touches, next, source) || touches
    else {
      const position = next()
      if (touches) {
        const reason = `has two params without text between them at position ${position} of '${source}'`
        const hint = process.env.NODE_ENV === 'production' ? '' : ': where one ends nobody could tell'
        throw new OptionError('path', `${reason}${hint}.`, { template: source, position })
      }
      touches = true
    }
  }
  return touches
}

function refuseTwoKinds(pieces: readonly Piece[], source: string): void {
  const kinds = new Map<string, boolean>()
  for (const { name, wildcard } of paramsOf(pieces)) {
    if ((kinds.get(name) ?? wildcard) !== wildcard) {
      throw new OptionError('path', `has both :${name} and *${name} in '${source}'. Rename one.`, { template: source })
    }
    kinds.set(name, wildcard)
  }
}
