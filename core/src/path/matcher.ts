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
  return (text) => {
    if (!text.startsWith(head)) return false // most keys are another endpoint's
    const path = pathPart(text)
    const match: Match = { path, endsAtQuery: false }
    const start = noPlaces(path)
    start[0] = 1
    return holds(afterPieces(match, pieces, start), path, path.length) || match.endsAtQuery
  }
}

interface Match {
  readonly path: string
  /** Whether the template can end here, at a literal `?`. */
  endsAtQuery: boolean
}

/**
 * Tells whether the pieces so far can end before the character `n`: 1 (yes), 2 (yes, unless behind a slash), 3 (one way and
 * the other) or 0. What goes through places or path uses the platform's own searches: a loop over 100 kB that runs for the
 * first time, not yet compiled, takes longer than all the rest.
 */
type Places = Uint8Array<ArrayBuffer>

function holds(places: Places, path: string, place: number): boolean {
  return places[place] === 2 ? path[place - 1] !== '/' : places[place] !== 0
}

function noPlaces(path: string): Places {
  return new Uint8Array((path.length + 4) & ~3) // one more than characters, and whole words for `union`
}

function pathPart(text: string): string {
  const query = text.indexOf('?')
  return query < 0 ? text : text.slice(0, query)
}

function afterPieces(match: Match, pieces: readonly Piece[], start: Places): Places {
  let places = start
  pieces.forEach((piece, index) => {
    if (typeof piece === 'string') places = afterText(match, piece, pieces[index + 1], places)
    else if (piece.type === 'group') places = union(places, afterPieces(match, piece.pieces, places))
    else places = afterParam(match.path, piece, places)
  })
  return places
}

function afterText(match: Match, text: string, next: Piece | undefined, places: Places): Places {
  const part = pathPart(text)
  if (part === text) return afterFound(match.path, text, next, places)
  // A literal `?` ends the path part: whoever has read all of it by now matches, and nobody goes on.
  const ends = part ? afterFound(match.path, part, undefined, places) : places
  match.endsAtQuery ||= holds(ends, match.path, match.path.length)
  return noPlaces(match.path)
}

function afterFound(path: string, text: string, next: Piece | undefined, places: Places): Places {
  const ends = noPlaces(path)
  const param = typeof next === 'object' && next.type === 'param' && next
  const last = Math.max(...[1, 2, 3].map((state) => places.lastIndexOf(state)))
  let found = path.indexOf(text)
  while (found >= 0 && found <= last) {
    let from = found + 1
    if (holds(places, path, found)) {
      const end = found + text.length
      const valueEnd = param ? endOfValue(path, end, param) : end
      if (!param || valueEnd > end) ends[end] = 1
      // A value that starts further on in the run of this one reaches nothing more: the search goes on behind that run.
      from = Math.max(from, valueEnd + 1 - text.length)
    }
    found = path.indexOf(text, from)
  }
  return ends
}

/** Text is between params, so one starts only where text has ended: all its places are 1. */
function afterParam(path: string, param: Param, places: Places): Places {
  const ends = noPlaces(path)
  for (let start = places.indexOf(1); start >= 0; ) {
    const end = endOfValue(path, start, param)
    ends.fill(param.wildcard ? 2 : 1, start + 1, end + 1)
    start = places.indexOf(1, end + 1) // one in between reaches nothing more
  }
  return ends
}

/** The last place where a value that starts at `start` can end: `start` if no value is there. */
function endOfValue(path: string, start: number, { wildcard }: Param): number {
  const run = wildcard ? segments : segment
  run.lastIndex = start
  run.test(path)
  return run.lastIndex
}

// What `encodeURIComponent` writes, and several of that with slashes between.
const segment = /[\w.!~*'()%-]*/y
const segments = /(?:[\w.!~*'()%-]+(?:\/[\w.!~*'()%-]+)*)?/y

function union(some: Places, more: Places): Places {
  const all = some.slice()
  const words = new Uint32Array(all.buffer)
  new Uint32Array(more.buffer).forEach((word, at) => {
    words[at] = word | (words[at] as number) // both are equally long
  })
  return all
}
