import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MemberDraft } from '../../../core/src/lists/member-draft.js'
import { MemberPlaces } from '../../../core/src/lists/member-places.js'
import { sameRef } from '../../../core/src/lists/membership.js'
import type { Member } from '../../../core/src/schema/schema.js'
import { ordering } from '../../../core/src/util/ordered.js'
import { cases } from '../../cases.js'

const refs: readonly Member[] = Array.from({ length: 40 }, (_, at) =>
  at % 3 === 0 ? { id: `${at}`, schema: 'user' } : `${at}`,
)

const edit = fc.oneof(
  fc.record({ op: fc.constantFrom('push', 'unshift', 'remove'), refs: fc.subarray([...refs], { maxLength: 4 }) }),
  fc.record({ op: fc.constant('sort'), refs: fc.subarray([...refs], { minLength: 1, maxLength: 3 }) }),
)

test('after any edits each member is found where it is, and no other', () => {
  fc.assert(
    fc.property(fc.subarray([...refs]), fc.array(edit, { maxLength: 120 }), (first, edits) => {
      const places = new MemberPlaces()
      let members: readonly Member[] = first
      const placeIn = (ref: Member): number => places.find(members, ref)
      // From then on they are noted.
      for (let i = 0; i <= 16; i++) placeIn('1')
      for (const { op, refs: some } of edits) {
        const draft = new MemberDraft(members)
        if (op === 'remove') draft.remove(some, placeIn)
        else if (op === 'sort') {
          const moving = some.map(placeIn).filter((at) => at >= 0)
          const rank = (at: number): number => (moving.includes(at) ? moving.indexOf(at) * 20 : at)
          const made = ordering(
            members,
            moving.toSorted((a, b) => a - b),
            (a, b) => rank(a) - rank(b),
          )
          if (made !== undefined) draft.edit(made)
        } else {
          const entering = some.filter((ref) => placeIn(ref) < 0).map((ref) => [ref, undefined] as const)
          draft.add(entering, op === 'push' ? 'end' : 'start')
        }
        for (const step of draft.steps ?? []) places.moveOn(step)
        members = draft.members as readonly Member[]
        for (const ref of refs) expect(placeIn(ref)).toBe(members.findIndex((member) => sameRef(member, ref)))
      }
    }),
    { numRuns: cases(300) },
  )
})
