import { Entity, Invalidate } from '@roundtable/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cases } from '../../cases.js'
import { watch } from '../engine/todo-board.js'
import { open } from './open.js'

class Person extends Entity {
  static override key = 'Person'
  static override indexes = ['name', 'age'] as const
  id = ''
  name: string | null = ''
  age = 0
}

const ids = ['1', '2', '3', '4']
const names = ['ann', 'bea', 'constructor', '__proto__']
const ages = [0, 1, 2]

const id = fc.constantFrom(...ids)
const fields = fc.record({ name: fc.constantFrom(...names, null), age: fc.constantFrom(...ages) }, { requiredKeys: [] })
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ op: fc.constant('write' as const), id, fields }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('delete' as const), id }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('soon' as const), id, fields }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('soonGone' as const), id }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('settle' as const), at: fc.nat(5), fails: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('wait' as const) }) },
)

test('a look-up by an index finds the same rows as a scan of all rows, after any writes, layers, deletions and collections', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.boolean(), async (steps, isMounted) => {
      const { clock, controller, server, writer } = open({ retention: { after: 100 } })
      const put = writer('put', Person)
      const drop = writer('drop', new Invalidate(Person))
      const putSoon = put.extend({ getOptimisticResponse: (_, ...[, body]) => body })
      const dropSoon = drop.extend({ getOptimisticResponse: (_, params) => params })
      const pending: (() => Promise<void>)[] = []
      const mounted = new Map<string, { readonly now: Person | undefined }>()
      for (const name of isMounted ? names : []) mounted.set(name, watch(controller.view(Person, { name })))
      for (const next of steps) {
        if (next.op === 'write') controller.set(Person, { id: next.id }, { id: next.id, ...next.fields })
        else if (next.op === 'wait') await clock.advance(500)
        else if (next.op === 'delete') {
          void controller.fetch(drop, { id: next.id })
          await server.requests.at(-1)?.answer(null)
        } else if (next.op === 'settle') {
          const settle = pending.splice(next.at % (pending.length || 1), 1)[0]
          await settle?.()
        } else {
          const body = 'fields' in next ? { id: next.id, ...next.fields } : { id: next.id }
          const sent = controller.fetch(next.op === 'soon' ? putSoon : dropSoon, { id: next.id }, body)
          sent.catch(() => {})
          const request = server.requests.at(-1)
          const fails = steps.length % 2 === 0
          pending.push(async () => (fails ? request?.fail() : request?.answer(body)))
        }
        const rows = ids.map((one) => controller.get(Person, { id: one })).filter((row) => row !== undefined)
        for (const name of names) {
          const scan = rows.filter((row) => row.name === name)
          const found = controller.get(Person, { name })
          expect(scan.length === 0 ? found === undefined : scan.includes(found as Person)).toBe(true)
          if (isMounted) expect(mounted.get(name)?.now).toBe(found)
        }
        for (const age of ages) {
          const scan = rows.filter((row) => row.age === age && Object.hasOwn(row, 'age') && row.name !== undefined)
          const found = controller.get(Person, { age: `${age}` as never })
          if (found !== undefined) expect(scan).toContain(found)
        }
      }
    }),
    { numRuns: cases(300) },
  )
})

test('rows that other responses brought stay found; a changed value is found by the new one only; null and objects by none', async () => {
  const { controller, run } = open()
  await run('list', [Person], [{ id: '1', name: 'ann', age: 5 }])
  await run(
    'list',
    [Person],
    [
      { id: '2', name: 'bea' },
      { id: '3', name: null },
    ],
  )
  expect(controller.get(Person, { name: 'ann' })?.id).toBe('1')
  await run('put', Person, { id: '1', name: 'cleo' })
  expect(controller.get(Person, { name: 'ann' })).toBeUndefined()
  expect(controller.get(Person, { name: 'cleo' })?.id).toBe('1')
  expect(controller.get(Person, { age: '5' })?.id).toBe('1')
  expect(controller.get(Person, { name: null })).toBeUndefined()
})

test('an optimistic response looks up by indexes in the levels below it', async () => {
  const { controller, run, server, writer } = open()
  await run('list', [Person], [{ id: '1', name: 'ann', age: 5 }])
  const older = writer('older', Person).extend({
    getOptimisticResponse: (snapshot, params) => {
      const one = snapshot.get(Person, params as { name: string })
      if (one === undefined) throw snapshot.abort
      return { id: one.id, age: one.age + 1 }
    },
  })
  void controller.fetch(older, { name: 'ann' })
  void controller.fetch(older, { name: 'ann' })
  expect(controller.get(Person, { name: 'ann' })?.age).toBe(7)
  void controller.fetch(older, { name: null })
  expect(controller.get(Person, { id: '1' })?.age).toBe(7)
  await server.one('older', 0).answer({ id: '1', age: 9 })
  expect(controller.get(Person, { name: 'ann' })?.age).toBe(10)
})
