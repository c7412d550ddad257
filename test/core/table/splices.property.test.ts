import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Splice, splicesOf } from '../../../core/src/table/splices.js'
import { cases } from '../../cases.js'

/** What the splices make of an array, with the items that they add. */
function spliced(before: readonly string[], splices: readonly Splice[], now: readonly string[]): string[] {
  const items = [...before]
  for (const { at, removed, added } of splices) items.splice(at, removed, ...now.slice(at, at + added))
  return items
}

test('the splices between two arrays make the one into the other', () => {
  const items = fc.array(fc.constantFrom(...'abcdefghijklmnop'), { maxLength: 60 })
  fc.assert(
    fc.property(items, items, (before, now) => {
      expect(spliced(before, splicesOf(before, now, Object.is), now)).toEqual(now)
    }),
    { numRuns: cases(1_000) },
  )
})

test('what stays among few others that come, leave or move is in no splice', () => {
  const items = Array.from({ length: 1_000 }, (_, i) => i)
  const op = fc.constantFrom('come', 'leave', 'move')
  // Edits that touch make one splice of what stays between them: here each has places of its own.
  const place = fc.uniqueArray(fc.nat(19), { minLength: 8, maxLength: 8 }).map((all) => all.map((slot) => slot * 50))
  fc.assert(
    fc.property(fc.array(op, { maxLength: 4 }), place, (ops, places) => {
      const edits = ops.map((op, i) => ({ op, from: places[2 * i] as number, to: places[2 * i + 1] as number }))
      const now = [...items]
      for (const { from, to, op } of edits) {
        if (op === 'come') now.splice(to, 0, -1 - from)
        else if (op === 'leave') now.splice(from, 1)
        else now.splice(to, 0, ...now.splice(from, 1))
      }
      const added = splicesOf(items, now, Object.is).reduce((sum, splice) => sum + splice.added, 0)
      expect(added).toBeLessThanOrEqual(2 * edits.length)
    }),
    { numRuns: cases(1_000) },
  )
})
