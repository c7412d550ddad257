import fc from 'fast-check'
import { expect, test } from 'vitest'
import { derivations, edit, findIn, withMore, without } from '../../../core/src/lists/edits.js'
import type { ListMembers } from '../../../core/src/schema/schema.js'
import { cases } from '../../cases.js'

const long = Array.from({ length: 200 }, (_, i) => `${i}`)

/** What the splices of a list make of the members that it came from. */
function derived(members: readonly unknown[]): unknown[] | undefined {
  const { before, splices } = derivations.get(members as readonly string[]) ?? {}
  if (before === undefined || splices === undefined) return undefined
  const items: unknown[] = [...before]
  for (const { at, removed, added } of splices) items.splice(at, removed, ...members.slice(at, at + added))
  return items
}

test('an edit is known by splices that make the members before into those after', () => {
  const positions = fc.uniqueArray(fc.nat(19), { maxLength: 6 }).map((all) => all.sort((a, b) => a - b))
  const added = fc.array(fc.nat(20), { maxLength: 6 }).map((all) => all.sort((a, b) => a - b))
  fc.assert(
    fc.property(positions, added, (removed, places) => {
      const before = long.slice(0, 20)
      const change = { removed, added: places.map((at, i) => ({ at, item: `new ${i}` })) }
      const after = edit(before, change, false)
      expect(derived(after)).toEqual(after)
    }),
    { numRuns: cases(1_000) },
  )
})

test('members that come and go are found where they are, however often they are searched', () => {
  const id = fc.nat(249).map(String)
  const step = fc.record({ does: fc.constantFrom('add', 'first', 'remove', 'move', 'layer'), id, to: fc.nat(150) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let members: ListMembers = long
      for (let i = 0; i < 20; i++) findIn(members as readonly string[], '5')
      for (const { does, id: ref, to } of steps) {
        const before = members as readonly string[]
        const at = before.indexOf(ref)
        if (does === 'layer') withMore(without(before, ['7'], true), [['of a layer', undefined]], 'start', true)
        else if (does === 'move' && at >= 0)
          members = edit(before, { removed: [at], added: [{ at: Math.min(to, before.length), item: ref }] }, false)
        else if (does === 'remove') members = without(before, [ref], false)
        else if (at < 0) members = withMore(before, [[ref, undefined]], does === 'add' ? 'end' : 'start', false)
        const now = members as readonly string[]
        for (const wanted of [ref, '5', '199', 'nobody']) expect(findIn(now, wanted)).toBe(now.indexOf(wanted))
      }
    }),
    { numRuns: cases(500) },
  )
})
