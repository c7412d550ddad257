import fc from 'fast-check'
import { expect, test } from 'vitest'
import { equal } from '../../core/src/util/equal.js'
import { sameFields } from '../../core/src/util/inline-caches.js'
import { cases } from '../cases.js'

const names = [...'abcdefghijklmnop']
const value = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<unknown>(1, 2, 'x', 'y', null, undefined, Number.NaN, true) },
  { weight: 1, arbitrary: fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 2 }) },
  { weight: 1, arbitrary: fc.record({ in: fc.integer({ min: 0, max: 1 }) }) },
)

/** Records of few forms, narrow and wide, so that many are alike. */
const record = fc
  .tuple(fc.constantFrom(3, 8, 12, 14, 16), fc.array(value, { minLength: 16, maxLength: 16 }), fc.boolean())
  .map(([width, values, isTurned]) => {
    const fields = names.slice(0, width)
    const entries = fields.map((field, i) => [field, values[i]] as const)
    return Object.fromEntries(isTurned ? entries.reverse() : entries)
  })

/** The comparison in its plainest form: fields in another order are left to the merge. */
function same(a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>): boolean {
  return equal(a, b) && equal(Object.keys(a), Object.keys(b))
}

test('compares like a plain loop, whatever records came before', () => {
  const changed = fc.tuple(record, fc.nat(15), value, fc.integer({ min: 0, max: 3 })).map(([from, at, next, how]) => {
    const copy = structuredClone(from)
    const field = names[at] ?? 'a'
    if (how === 0) copy[field] = next
    if (how === 1) delete copy[field]
    return [from, copy] as const
  })
  fc.assert(
    fc.property(fc.array(fc.oneof(changed, fc.tuple(record, record)), { minLength: 1, maxLength: 60 }), (pairs) => {
      const scratch = { fields: [], values: [] }
      for (const [a, b] of pairs) expect(sameFields(a, b, scratch)).toBe(same(a, b))
    }),
    { numRuns: cases(300) },
  )
})
