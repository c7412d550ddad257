import type { Transport } from '@roundtable/core'
import { outbox } from '@roundtable/core/offline'
import { describe, expect, test } from 'vitest'
import { decode, encode } from '../../../core/src/offline/record.js'
import { summarize } from '../../../core/src/offline/summary.js'
import { begin } from './tabs-harness.js'
import { openApp, Task, TaskResource } from './todo-server.js'

const { get, partialUpdate } = TaskResource
const remove = TaskResource.delete

describe('a deletion came after each PATCH of another tab that it has overlapped, since that creates no row', () => {
  test('the row stays deleted, here and at the next start, and nobody asks', async () => {
    const { device, server, clock, open, pass } = begin({ outbox: outbox({}) })
    const one = await open()
    const other = device.open()
    let send = (): void => {}
    const slow: Transport = async (input, init, next) => {
      if (init.method === 'DELETE')
        await new Promise<void>((resolve) => {
          send = resolve
        })
      return server.transport(input, init, next)
    }
    const { controller } = await openApp(other.log, server, {
      ...{ env: clock, transport: other.transport(slow), offlineOptions: { outbox: outbox({}) } },
    })
    await one.controller.fetch(get, { id: 1 })
    await pass()
    const deleted = controller.fetch(remove, { id: 1 })
    await pass()
    // The PATCH knows a record that the other tab has read since it began to delete.
    await one.controller.fetch(get, { id: 2 })
    await pass()
    await one.controller.fetch(partialUpdate, { id: 1 }, { title: 'A' })
    send()
    await deleted
    const row = controller.view(Task, { id: 1 })
    const shown: (string | undefined)[] = []
    row.subscribe(() => shown.push(row.getSnapshot()?.title))
    await pass()
    expect(shown).toEqual([])
    const before = server.reached.length
    for (const tab of [one.controller, controller, (await open()).controller])
      expect(tab.get(Task, { id: 1 })).toBeUndefined()
    controller.watch(get, { id: 2 }).subscribe(() => {})
    await pass()
    expect(server.reached).toHaveLength(before)
  })

  test.each([
    { what: 'a PATCH', mark: -1, isThere: false },
    { what: 'a PATCH of the outbox', mark: '-id', isThere: false },
    { what: 'a PUT', mark: 1, isThere: true },
    { what: 'a PUT of the outbox', mark: 'id', isThere: true },
  ] as const)('in a summary: of $what by a tab that did not know of it', ({ mark, isThere }) => {
    const record = (number: number, response: readonly [0, 60_000, 0, typeof mark], titles: readonly string[]) => {
      const rows = [['Task', 0, titles.length > 0 ? 0 : null, ['1'], titles.map((title) => [title])] as const]
      const state = { responses: [response], shapes: [['title']], rows, lists: [], results: [] }
      return { ...decode({ ...encode({ version: '', at: 0, knew: 0, own: [], state }), number }) }
    }
    const { state } = summarize([record(1, [0, 60_000, 0, 1], []), record(2, [0, 60_000, 0, mark], ['A'])], '')
    expect(state?.rows.map(([, , shape]) => shape !== null)).toEqual([isThere])
  })
})
