import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editedCopy } from '../../core/src/util/edits.js'
import { ordering, placeAmong } from '../../core/src/util/ordered.js'
import { cases } from '../cases.js'

const byRank = (a: { readonly rank: number }, b: { readonly rank: number }) => a.rank - b.rank

/** The items in order: the same array if they are. */
function reorder<Item>(
  items: readonly Item[],
  changed: readonly number[] | undefined,
  order: (a: number, b: number) => number,
): readonly Item[] {
  const edit = ordering(items, changed, order)
  return edit === undefined ? items : editedCopy(items, edit)
}

/** Items in order, of which some then get other ranks. */
const changedItems = fc
  .record({
    ranks: fc.array(fc.nat(6), { maxLength: 40 }),
    changes: fc.array(fc.record({ at: fc.nat(39), rank: fc.nat(7) }), { maxLength: 12 }),
  })
  .map(({ ranks, changes }) => {
    const items = ranks.toSorted((a, b) => a - b).map((rank, id) => ({ id, rank }))
    const inside = changes.filter(({ at }) => at < items.length)
    for (const { at, rank } of inside) items[at] = { id: at, rank }
    return { items, changed: [...new Set(inside.map(({ at }) => at))].sort((a, b) => a - b) }
  })

test('changed items go where a stable sort of all would put them; the same array if nothing moves', () => {
  fc.assert(
    fc.property(changedItems, fc.boolean(), ({ items, changed }, isAll) => {
      const order = (a: number, b: number) => byRank(items[a] as (typeof items)[0], items[b] as (typeof items)[0])
      const before = Object.freeze([...items])
      const sorted = reorder(before, isAll ? undefined : changed, order)
      expect(sorted).toEqual(items.toSorted(byRank))
      expect(sorted === before).toBe(items.every((item, i) => item === sorted[i]))
    }),
    { numRuns: cases(3_000) },
  )
})

test('whatever an order says that contradicts itself, each item stays, once', () => {
  fc.assert(
    fc.property(changedItems, fc.array(fc.constantFrom(-1, 0, 1, Number.NaN), { minLength: 1 }), (given, answers) => {
      const { items, changed } = given
      let calls = 0
      const sorted = reorder(items, changed, () => answers[calls++ % answers.length] as number)
      expect(new Set(sorted).size).toBe(items.length)
      expect(sorted).toHaveLength(items.length)
    }),
    { numRuns: cases(1_000) },
  )
})

test.each([1_000, 100_000])('of %i items one that changed is compared about log n times', (size) => {
  const items = Array.from({ length: size }, (_, i) => i)
  items[7] = size * 0.6
  let calls = 0
  const sorted = reorder(items, [7], (a, b) => {
    calls++
    return (items[a] as number) - (items[b] as number)
  })
  expect(sorted[size * 0.6 - 1]).toBe(size * 0.6)
  expect(sorted).toEqual(items.toSorted((a, b) => a - b))
  expect(calls).toBeLessThanOrEqual(Math.ceil(Math.log2(size)) + 3)
})

test('the place of a new item, after those equal to it', () => {
  const ranks = [1, 3, 3, 5]
  expect([0, 3, 4, 9].map((rank) => placeAmong(ranks.length, (at) => (ranks[at] as number) <= rank))).toEqual([
    0, 3, 3, 4,
  ])
})
