import { OptionError } from '../tools/errors.js'

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
 * The syntax is that of path-to-regexp 8 with `? + ! [ ]` literal, and the tests hold it to that; the package itself would
 * be half of what an endpoint weighs. A group without params of its own is always written, so it is resolved into its
 * pieces here.
 *
 * @example
 * ```ts
 * parseTemplate('/users/:id') // ['/users/', { type: 'param', name: 'id', wildcard: false }]
 * ```
 * @throws OptionError for a template that cannot be read, for params that touch, and for a name used both as `:name` and
 * `*name`.
 */
export function parseTemplate(source: string): readonly Piece[] {
  const outer: Level[] = []
  const wildcards = new Map<string, boolean>()
  let level: Level = { start: 0, pieces: [], touches: false }
  for (const { index, 0: text, 1: escaped, 2: sigil, 3: word, 4: quoted, 5: sign } of source.matchAll(tokens)) {
    if (sigil) {
      const name = word ?? quoted?.replace(/\\(.)/gs, '$1')
      const wildcard = sigil === '*'
      if (!name) throw unreadable(source, index, `a ${sigil} without a name`)
      if (level.touches)
        throw unreadable(source, index, 'a param right behind another, so nobody could tell them apart,')
      if ((wildcards.get(name) ?? wildcard) !== wildcard) throw unreadable(source, index, `both :${name} and *${name}`)
      wildcards.set(name, wildcard)
      level.pieces.push({ type: 'param', name, wildcard })
      level.touches = true
    } else if (sign === '{') {
      outer.push(level)
      level = { start: index, pieces: [], touches: level.touches }
    } else if (sign === '}' && outer.length > 0) {
      const { pieces, touches } = level
      level = outer.pop() as Level // there is one
      addGroup(level.pieces, pieces)
      level.touches ||= touches
    } else if (sign) {
      throw unreadable(source, index, mistakes[sign] ?? `a ${sign} without a \\ before it`)
    } else {
      addText(level.pieces, escaped ?? text)
      level.touches = false
    }
  }
  if (outer.length > 0) throw unreadable(source, level.start, 'a { without its }')
  return level.pieces
}

/** The template, or an open group: where it starts, what was read of it, and whether that ends (or may end) in a param. */
interface Level {
  readonly start: number
  readonly pieces: Piece[]
  touches: boolean
}

/** An escaped character, or `:` or `*` and a name, plain or quoted, or a sign that stands alone, or text. */
const tokens =
  /\\(.)|([:*])(?:([$_\p{ID_Start}][$\p{ID_Continue}\p{Join_Control}]*)|"((?:[^"\\]|\\.)*)")?|([{}()\\])|[^\\:*{}()]+/gsu

const mistakes: Readonly<Record<string, string>> = { '}': 'a } without its {', '\\': 'a \\ at the end' }

function unreadable(template: string, position: number, what: string): OptionError {
  return new OptionError('path', `has ${what} at position ${position} of '${template}'.`, { template, position })
}

function addText(pieces: Piece[], text: string): void {
  const last = pieces.at(-1)
  if (typeof last === 'string') pieces[pieces.length - 1] = last + text
  else pieces.push(text)
}

function addGroup(pieces: Piece[], members: readonly Piece[]): void {
  const own = members.filter((member) => typeof member === 'object' && member.type === 'param')
  if (own.length > 0) {
    const inner = paramsOf(members).filter((param) => !own.includes(param))
    pieces.push({ type: 'group', pieces: members, own, inner })
  } else for (const member of members) typeof member === 'string' ? addText(pieces, member) : pieces.push(member)
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
