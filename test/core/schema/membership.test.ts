import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withMore, without } from '../../../core/src/lists/edits.js'
import { distinct, placeIn, refKey, sameRef, unshift } from '../../../core/src/lists/members.js'
import type { Member, MembershipChange } from '../../../core/src/schema/schema.js'

/** A list with more members. */
function applyAdd(
  members: readonly Member[],
  refs: readonly Member[],
  at: MembershipChange['at'],
  isLater?: (ref: Member) => boolean,
): readonly Member[] {
  const entering = refs.map((ref) => [ref, undefined] as const)
  return withMore(members, entering, at, false, isLater) as readonly Member[]
}

/** A list without some members. */
function applyRemove(members: readonly Member[], refs: readonly Member[]): readonly Member[] {
  return without(members, refs, false) as readonly Member[]
}

const user = (id: string): Member => ({ id, schema: 'user' })

describe('identity of members', () => {
  test('no two references have the same key, whatever they contain', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '|', ':', '1') })
    const ref = fc.record({ id: text, schema: text })
    fc.assert(
      fc.property(ref, ref, (a, b) => {
        expect(refKey(a) === refKey(b)).toBe(a.id === b.id && a.schema === b.schema)
        expect(sameRef(a, b)).toBe(refKey(a) === refKey(b))
      }),
    )
  })

  test('a primary key is its own key', () => {
    expect(refKey('A|B')).toBe('A|B')
    expect(sameRef('1', user('1'))).toBe(false)
  })
})

describe('adding', () => {
  test('new members go to the end or to the start, in their order', () => {
    expect(applyAdd(['1'], ['2', '3'], 'end')).toEqual(['1', '2', '3'])
    expect(applyAdd(['1'], ['2', '3'], 'start')).toEqual(['2', '3', '1'])
  })

  test('a member that comes twice gets one place, also in a union', () => {
    expect(applyAdd(['1', '2'], ['3', '3'], 'start')).toEqual(['3', '1', '2'])
    expect(applyAdd([user('1')], [user('2'), user('2')], 'end')).toEqual([user('1'), user('2')])
  })

  test('a list knows the places of its members', () => {
    const members = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? `${at}` : user(`${at}`)))
    for (const [at, ref] of members.entries()) expect(placeIn(members, ref)).toBe(at)
    expect(placeIn(members, user('2'))).toBe(-1)
    expect(placeIn(members, '1')).toBe(-1)
  })

  test('members that an earlier operation adds precede those that a later one has added', () => {
    const isLater = (ref: Member): boolean => ref === 'late' || ref === 'later'
    expect(applyAdd(['1', 'late', 'later'], ['2'], 'end', isLater)).toEqual(['1', '2', 'late', 'later'])
    expect(applyAdd(['late', '1', 'later'], ['2'], 'end', isLater)).toEqual(['late', '1', '2', 'later'])
    expect(applyAdd(['later', 'late', '1'], ['2'], 'start', isLater)).toEqual(['later', 'late', '2', '1'])
    expect(applyAdd(['late'], ['2'], 'end', isLater)).toEqual(['2', 'late'])
  })

  test('responses in any order end in the order in which the operations started', () => {
    const starts = fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 10 })
    fc.assert(
      fc.property(starts, (order) => {
        let members: readonly Member[] = ['old']
        for (const start of order) members = applyAdd(members, [`${start}`], 'end', (ref) => Number(ref) > start)
        const sorted = order.toSorted((a, b) => a - b).map(String)
        expect(members).toEqual(['old', ...sorted])
      }),
    )
  })

  test('a merge of your own decides, and cannot list a member twice', () => {
    expect(applyAdd(['1', '2'], ['2', '3'], (existing, incoming) => [...incoming, ...existing])).toEqual([
      '2',
      '3',
      '1',
    ])
  })

  test('unshift puts the new ones first, also in front of where they were', () => {
    expect(applyAdd(['1', '2'], ['2', '3'], unshift)).toEqual(['2', '3', '1'])
  })

  test('adding many at once needs no search for each', () => {
    const members = Array.from({ length: 50_000 }, (_, i) => `${i}`)
    const more = Array.from({ length: 50_000 }, (_, i) => `${i + 25_000}`)
    expect(applyAdd(members, more, 'end')).toHaveLength(100_000)
    expect(applyRemove(members, more)).toHaveLength(25_000)
  })
})

describe('removing', () => {
  test('goes by identity and leaves the order', () => {
    expect(applyRemove(['1', '2', '3'], ['2'])).toEqual(['1', '3'])
    expect(applyRemove([user('1'), { id: '1', schema: 'group' }], [user('1')])).toEqual([{ id: '1', schema: 'group' }])
  })

  test('keeps the array if nothing was removed', () => {
    const members = ['1', '2']
    expect(applyRemove(members, ['3'])).toBe(members)
    expect(distinct(members)).toBe(members)
  })

  test('agrees with a naive list', () => {
    const refs = fc.array(fc.oneof(fc.constantFrom('1', '2', '3'), fc.constantFrom(user('1'), user('2'))), {
      maxLength: 20,
    })
    fc.assert(
      // A list has each member once.
      fc.property(refs.map(distinct), refs, (members, gone) => {
        const keys = gone.map(refKey)
        expect(applyRemove(members, gone)).toEqual(members.filter((member) => !keys.includes(refKey(member))))
      }),
    )
  })
})
