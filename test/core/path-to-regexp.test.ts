import { createRequire } from 'node:module'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { type Piece, parseTemplate } from '../../core/src/path/parse.js'
import { OptionError } from '../../core/src/tools/errors.js'
import { corpus } from './path-corpus.js'

// On a busy machine thousands of runs take their time.
vi.setConfig({ testTimeout: 60_000 })

type Token =
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'param' | 'wildcard'; readonly name: string }
  | { readonly type: 'group'; readonly tokens: readonly Token[] }

interface PathToRegexp {
  parse(path: string): { readonly tokens: readonly Token[] }
}

const requireOfCore = createRequire(new URL('../../core/package.json', import.meta.url))
// The package that defines the syntax; what it exports is written down above.
const { parse } = requireOfCore('path-to-regexp') as PathToRegexp

/** Its syntax reserves `? + ! [ ]`; ours takes them literally. */
function escaped(source: string): string {
  return source.replace(/\\.|[:*]"(?:[^"\\]|\\.)*"|[?+![\]]/gsu, (part) =>
    /^[?+![\]]$/.test(part) ? `\\${part}` : part,
  )
}

function pieces(tokens: readonly Token[]): readonly unknown[] {
  const all: unknown[] = []
  for (const token of tokens) {
    if (token.type === 'group') {
      const inner = pieces(token.tokens)
      if (inner.some((piece) => typeof piece === 'object' && piece !== null && 'name' in piece))
        all.push({ group: inner })
      else for (const piece of inner) add(all, piece)
    } else if (token.type === 'text') add(all, token.value)
    else all.push({ name: token.name, wildcard: token.type === 'wildcard' })
  }
  return all
}

function add(all: unknown[], piece: unknown): void {
  const last = all.at(-1)
  if (typeof last === 'string' && typeof piece === 'string') all[all.length - 1] = last + piece
  else all.push(piece)
}

function shape(piece: Piece): unknown {
  if (typeof piece === 'string') return piece
  if (piece.type === 'group') return { group: piece.pieces.map(shape) }
  return { name: piece.name, wildcard: piece.wildcard }
}

/** The pieces by that package, or undefined where it refuses. */
function expected(source: string): readonly unknown[] | undefined {
  try {
    return pieces(parse(escaped(source)).tokens)
  } catch {
    return undefined
  }
}

/** Ours, or the reason why not. */
function found(source: string): readonly unknown[] | string {
  try {
    return parseTemplate(source).map(shape)
  } catch (error) {
    expect(error).toBeInstanceOf(OptionError)
    return (error as OptionError).reason
  }
}

test.each(corpus)('%j is cut as by path-to-regexp', (source) => {
  expect(found(source)).toEqual(expected(source))
})

test('random templates are cut as by path-to-regexp', () => {
  const part = fc.constantFrom(
    ...['/', 'a', 'b1', 'é', '·', '\u200d', '😀', '𝒳', '-', '.', '?', '+', '!', '[', ']', ' ', '$', '_', '1', '\n'],
    ...[
      ':',
      ':id',
      '*',
      '*rest',
      ':"',
      ':"a-b"',
      '*"x y"',
      '"',
      '\\',
      '\\\\',
      '\\:',
      '\\"',
      '{',
      '}',
      '{/',
      '{}',
      '(',
      ')',
    ],
  )
  let both = 0
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const source = parts.join('')
      const theirs = expected(source)
      const ours = found(source)
      if (typeof ours !== 'string') both++
      // What we refuse beyond its syntax: params that touch, and a name used both ways.
      if (typeof ours === 'string' && /right behind|both :/.test(ours)) return
      expect(typeof ours === 'string' ? undefined : ours, `${ours}`).toEqual(theirs)
    }),
    { numRuns: 30_000 },
  )
  expect(both).toBeGreaterThan(1_000)
})
