import { createRequire } from 'node:module'
import fc from 'fast-check'
import type * as PathToRegexp from 'path-to-regexp'
import { expect, test } from 'vitest'
import { parse } from '../../core/src/path/parse.js'
import { cases } from '../cases.js'

const require = createRequire(new URL('../../core/package.json', import.meta.url))
const peer: typeof PathToRegexp = require('path-to-regexp')

/** Signs that path-to-regexp reserves and that are literal here, where they are not escaped or in a quoted name. */
function escapeReserved(source: string): string {
  return source.replace(/[:*]"(?:\\.|[^\\"])*"?|\\.|[?+![\]]/gs, (sign) => (sign.length > 1 ? sign : `\\${sign}`))
}

function outcomeOf(read: () => unknown): unknown {
  try {
    return read()
  } catch {
    return 'refused'
  }
}

const piece = fc.constantFrom(
  ...('/:*{}()\\"?+![]ab1_$-. \'é😀'.match(/./gsu) ?? []),
  ':id',
  '*path',
  '{/:x}',
  ':"a b"',
  '\ud800',
)
const template = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))

test('a template has the tokens that path-to-regexp 8 reads, or neither reads it', () => {
  fc.assert(
    fc.property(template, (source) => {
      const expected = outcomeOf(() => peer.parse(escapeReserved(source)).tokens)
      expect(outcomeOf(() => parse(source))).toEqual(expected)
    }),
    { numRuns: cases(5_000) },
  )
})
