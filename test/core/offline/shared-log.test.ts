import { describe, expect, test } from 'vitest'
import { begin } from './tabs-harness.js'
import { Task, TaskResource } from './todo-server.js'

const { partialUpdate } = TaskResource
const finish = partialUpdate.extend({ path: '/tasks/:id/done' })

describe('the next start shows what several tabs have shown', () => {
  test('an edit that was made earlier than one of another tab, and answered later', async () => {
    const { server, open, pass } = begin({ outbox: { TaskResource, finish } })
    const [sender, waiter] = [await open(), await open()]
    let isRefusing = true
    server.refuse = (line) => (isRefusing && line.includes('done') ? 503 : undefined)
    await sender.controller.fetch(TaskResource.getList)
    await pass()
    sender.call(sender.controller.fetch(finish, { id: 1 }, { done: true }))
    await pass()
    sender.call(sender.controller.fetch(partialUpdate, { id: 1 }, { title: 'A' }))
    await pass()
    expect(waiter.titles()).toEqual(['A', 'b'])
    sender.tab.crash()
    isRefusing = false
    await pass(60_000)
    await pass()
    const shown = waiter.controller.get(Task, { id: 1 })
    expect(shown).toMatchObject({ title: 'A', done: true })
    const next = await open()
    expect(next.controller.get(Task, { id: 1 })).toEqual(shown)
  })
})
