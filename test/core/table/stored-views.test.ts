import { Controller, Endpoint, Entity, type EntityInterface, Invalidate } from '@roundtable/core'
import { dehydrate, dehydrateParts } from '@roundtable/core/hydration'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hostOf } from '../../../core/src/client/registry.js'

type Fields = Readonly<Record<string, unknown>>

class Note extends Entity {
  static override key = 'Note'
  id = ''
  text = ''
  stars = 0
}

const nothing = async (): Promise<never> => {
  throw new Error('Nothing is fetched.')
}
const listOf = (schema: EntityInterface, name = 'list') => new Endpoint(nothing, { name, schema: [schema] })
const getNotes = listOf(Note)
const remove = new Endpoint(nothing, { name: 'remove', schema: new Invalidate(Note), sideEffect: true })
const getOthers = listOf(Note, 'others')

describe('an instance is stored in the place of a record', () => {
  const isStored = (schema: EntityInterface, record: object): boolean => {
    const controller = new Controller()
    controller.setResponse(listOf(schema), [record])
    const [shown] = controller.watch(listOf(schema)).getSnapshot().data as readonly unknown[]
    return hostOf(controller).runtime.store.table.kind(schema.key).row('1').value === shown
  }

  test('with the same fields in the same order', () => {
    expect(isStored(Note, { id: '1', text: 'a', stars: 1 })).toBe(true)
    expect(isStored(Note, { id: '1', text: 'a', stars: 1, more: true })).toBe(true)
  })

  test.each([
    ['fewer fields', { id: '1', text: 'a' }],
    ['another order', { text: 'a', id: '1', stars: 1 }],
  ])('not if the record has %s', (_, record) => {
    expect(isStored(Note, record)).toBe(false)
  })

  test('not if its class says more than its fields', () => {
    class Short extends Note {
      static override key = 'Short'
      get short(): string {
        return this.text.slice(0, 1)
      }
    }
    class Checked extends Note {
      static override key = 'Checked'
      static override validate = (): undefined => undefined
    }
    class Merged extends Note {
      static override key = 'Merged'
      static override merge = (existing: Fields, incoming: Fields): Fields => ({ ...existing, ...incoming })
    }
    class Dated extends Note {
      static override key = 'Dated'
      static override schema = { text: (text: string) => text.toUpperCase() }
    }
    for (const schema of [Short, Checked, Merged, Dated])
      expect(isStored(schema, { id: '1', text: 'a', stars: 1 })).toBe(false)
  })
})

test('reading makes no difference to what is stored', () => {
  const value = { text: fc.constantFrom('a', 'b'), stars: fc.nat(2), more: fc.boolean() }
  const fields = fc.record(value, { requiredKeys: [] })
  const note = fc.tuple(fc.constantFrom('1', '2', '3'), fields).map(([id, rest]) => ({ id, ...rest }))
  const whole = note.map(({ id, text = 'a', stars = 0 }) => ({ id, text, stars }))
  const step = fc.oneof(
    fc.record({ does: fc.constant('list' as const), notes: fc.array(fc.oneof(note, whole), { maxLength: 3 }) }),
    fc.record({ does: fc.constant('others' as const), notes: fc.array(whole, { maxLength: 3 }) }),
    fc.record({ does: fc.constant('set' as const), notes: fc.array(note, { maxLength: 1 }) }),
    fc.record({ does: fc.constant('remove' as const), notes: fc.array(note, { maxLength: 1 }) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
      const run = (isRead: boolean): unknown => {
        const controller = new Controller()
        const queries = [controller.watch(getNotes), controller.watch(getOthers)]
        const shown = (): unknown[] => queries.map((query) => query.getSnapshot().data)
        for (const { does, notes } of steps) {
          if (does === 'list') controller.setResponse(getNotes, notes)
          else if (does === 'others') controller.setResponse(getOthers, notes)
          else
            for (const { id, ...rest } of notes)
              if (does === 'set') controller.set(Note, { id }, rest)
              else controller.setResponse(remove, { id })
          if (isRead) shown()
        }
        const { rows, shapes, results } = dehydrate(controller)
        return { shown: shown(), rows, shapes, results }
      }
      expect(run(true)).toStrictEqual(run(false))
    }),
    { numRuns: 300 },
  )
})

test('what was dehydrated is not dehydrated again because it was read', () => {
  const controller = new Controller({ server: true })
  const next = dehydrateParts(controller)
  controller.setResponse(getNotes, [{ id: '1', text: 'a', stars: 1 }])
  expect(next()?.rows).toHaveLength(1)
  controller.watch(getNotes).getSnapshot()
  expect(next()).toBeUndefined()
  controller.setResponse(getNotes, [{ id: '1', text: 'b', stars: 1 }])
  expect(next()?.rows).toHaveLength(1)
})
