import type { Param, Piece } from './parse.js'

/**
 * Makes the function that tells whether a path could have been filled from these pieces.
 *
 * @remarks
 * Only the path part counts: the given text up to its first `?`, the template up to its first literal `?`. Case and a
 * trailing slash make a difference. Nothing is tried twice: all places where the pieces so far can end are carried
 * along, so the time grows with the length of the path, also if somebody wrote it to be slow.
 *
 * @example
 * ```ts
 * matcher(parseTemplate('/users/:id'))('/users/5?page=2') // true
 * ```
 */
export function matcher(pieces: readonly Piece[]): (path: string) => boolean {
  const head = typeof pieces[0] === 'string' ? pathPart(pieces[0]) : ''
  const rest = head !== '' && head === pieces[0] ? pieces.slice(1) : pieces
  return (text) => {
    if (!text.startsWith(head)) return false // most keys are another endpoint's
    const path = pathPart(text)
    const match: Match = { path, endsAtQuery: false }
    const start = noPlaces(path)
    start[rest === pieces ? 0 : head.length] = sure
    return holds(afterPieces(match, rest, start), path, path.length) || match.endsAtQuery
  }
}

interface Match {
  readonly path: string
  /** Whether the template can end here, at a literal `?`. */
  endsAtQuery: boolean
}

/**
 * Tells for each `n` whether the pieces so far can end before the character `n`: 0 (no), `sure`, or `behindValue` (if a
 * value character is before it). What goes through places or path uses the platform's own searches: a loop over
 * 100 kB that runs for the first time, not yet compiled, takes longer than all the rest.
 */
type Places = Uint8Array<ArrayBuffer>

const sure = 1
const behindValue = 2

function noPlaces(path: string): Places {
  return new Uint8Array((path.length + 4) & ~3) // one more than characters, and whole words for `union`
}

function holds(places: Places, path: string, place: number): boolean {
  const state = places[place] ?? 0
  return (state & sure) > 0 || (state > 0 && isValue(path.charCodeAt(place - 1)))
}

function pathPart(text: string): string {
  const query = text.indexOf('?')
  return query < 0 ? text : text.slice(0, query)
}

function afterPieces(match: Match, pieces: readonly Piece[], start: Places): Places {
  let places = start
  for (let index = 0; index < pieces.length; index++) {
    const piece = pieces[index] as Piece // index is below the length
    if (typeof piece === 'string') places = afterText(match, piece, pieces[index + 1], places)
    else if (piece.type === 'group') places = union(places, afterPieces(match, piece.pieces, places))
    else places = afterParam(match.path, piece, places)
  }
  return places
}

function afterText(match: Match, text: string, next: Piece | undefined, places: Places): Places {
  const part = pathPart(text)
  if (part === text) return afterFound(match.path, text, next, places)
  const ends = part === '' ? places : afterFound(match.path, part, undefined, places)
  // A literal `?` ends the path part: whoever has read all of it by now matches, and nobody goes on.
  match.endsAtQuery ||= holds(ends, match.path, match.path.length)
  return noPlaces(match.path)
}

function afterFound(path: string, text: string, next: Piece | undefined, places: Places): Places {
  const ends = noPlaces(path)
  const param = typeof next === 'object' && next.type === 'param' ? next : undefined
  const last = Math.max(places.lastIndexOf(sure), places.lastIndexOf(behindValue))
  let found = path.indexOf(text)
  while (found >= 0 && found <= last) {
    let from = found + 1
    if (holds(places, path, found)) {
      const end = found + text.length
      const valueEnd = param ? endOfValue(path, end, param) : end
      if (!param || valueEnd > end) ends[end] = sure
      // A value that starts further on in the run of this one reaches nothing more: the search goes on behind that run.
      from = Math.max(from, valueEnd + 1 - text.length)
    }
    found = path.indexOf(text, from)
  }
  return ends
}

/** Params do not touch, so one starts only where text has ended (or at the start): all its places are `sure`. */
function afterParam(path: string, param: Param, places: Places): Places {
  const ends = noPlaces(path)
  let start = places.indexOf(sure)
  while (start >= 0) {
    const end = endOfValue(path, start, param)
    ends.fill(behindValue, start + 1, end + 1)
    start = places.indexOf(sure, end + 1) // one in between reaches nothing more
  }
  return ends
}

/** The last place where a value that starts at `start` can end: `start` if no value is there. */
function endOfValue(path: string, start: number, param: Param): number {
  if (!isValue(path.charCodeAt(start))) return start
  const end = param.wildcard ? endOfSegments : endOfSegment
  end.lastIndex = start
  return end.test(path) ? end.lastIndex - 1 : path.length
}

// What `encodeURIComponent` writes, and where that, or a row of that and single slashes, ends.
const valueCharacter = /[\w.!~*'()%-]/
const endOfSegment = /[^\w.!~*'()%-]/g
const endOfSegments = /[^\w.!~*'()%/-]|\/(?![\w.!~*'()%-])/g

const valueCodes = Uint8Array.from({ length: 128 }, (_, code) => Number(valueCharacter.test(String.fromCharCode(code))))

function isValue(code: number): boolean {
  return code < 128 && valueCodes[code] === 1
}

function union(some: Places, more: Places): Places {
  const all = some.slice()
  const words = new Uint32Array(all.buffer)
  const others = new Uint32Array(more.buffer)
  for (let at = 0; at < words.length; at++) words[at] = (words[at] as number) | (others[at] as number) // equally long
  return all
}
