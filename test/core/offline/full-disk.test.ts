import { memoryLog, type OfflineLog } from '@roundtable/core/offline'
import { describe, expect, test } from 'vitest'
import { diskOf } from './restart.js'
import { begin } from './tabs-harness.js'
import { openApp, rest, sendFile, Task, TaskResource, TaskServer } from './todo-server.js'

const { create, get, getList, partialUpdate, delete: remove } = TaskResource

/** A log that a test fills up, or in which some records have no place. */
function fullLog() {
  const memory = memoryLog()
  const disk = { isFull: false, takes: (_text: string) => true }
  const log: OfflineLog = {
    ...memory,
    async append(entry, isDurable) {
      if (disk.isFull || !disk.takes(entry.text)) throw new DOMException('No room.', 'QuotaExceededError')
      return memory.append(entry, isDurable)
    },
    async rewrite(merge) {
      if (disk.isFull) throw new DOMException('No room.', 'QuotaExceededError')
      return memory.rewrite(merge)
    },
  }
  return { log, disk }
}

describe('on a full disk', () => {
  test('mutations that were made meanwhile are stored once there is room, in their order, with one report', async () => {
    const server = new TaskServer()
    server.add('a')
    const { log, disk } = fullLog()
    const first = await openApp(log, server)
    server.isReachable = false
    disk.isFull = true
    for (const title of ['b', 'c']) first.call(first.controller.fetch(partialUpdate, { id: 1 }, { title }))
    await rest()
    disk.isFull = false
    first.call(first.controller.fetch(partialUpdate, { id: 1 }, { title: 'd' }))
    await rest()
    expect(first.reported).toHaveLength(1)
    server.isReachable = true
    const second = await openApp(log, server)
    await rest()
    expect(second.waiting()).toEqual([])
    expect(server.applied).toEqual(['b', 'c', 'd'].map((title) => `PATCH /tasks/1 {"title":"${title}"}`))
  })

  test('what was made meanwhile is stored when there is room, though nothing else is made', async () => {
    const server = new TaskServer()
    const { log, disk } = fullLog()
    const first = await openApp(log, server)
    server.isReachable = false
    disk.isFull = true
    first.call(first.controller.fetch(create, { title: 'Milk' }))
    await rest()
    disk.isFull = false
    await first.clock.advance(10_000)
    await rest()
    server.isReachable = true
    await openApp(log, server)
    await rest()
    expect(server.applied).toEqual(['POST /tasks {"title":"Milk"}'])
  })

  test.each(['is discarded', 'is refused'])(
    'a mutation that %s meanwhile is not sent by the next start',
    async (how) => {
      const server = new TaskServer()
      const { log, disk } = fullLog()
      const first = await openApp(log, server)
      server.isReachable = false
      first.call(first.controller.fetch(create, { title: 'Milk' }))
      await rest()
      disk.isFull = true
      const isDiscarded = how === 'is discarded'
      if (isDiscarded) first.store.discard(first.store.outbox.getSnapshot()[0]?.id ?? '')
      else {
        server.isReachable = true
        server.refuse = () => 422
        await first.clock.advance(61_000)
      }
      await rest()
      disk.isFull = false
      await first.store.flush()
      server.isReachable = true
      server.refuse = () => undefined
      const second = await openApp(log, server)
      await rest()
      expect(server.applied).toEqual([])
      expect(second.waiting()).toEqual(isDiscarded ? [] : ['create refused'])
    },
  )

  test('a reset brings no row back at the next start, and keeps mutations of before if there is room again', async () => {
    const server = new TaskServer()
    server.add('private')
    const { log, disk } = fullLog()
    const first = await openApp(log, server)
    await first.controller.fetch(getList)
    await first.store.flush()
    server.isReachable = false
    first.call(first.controller.fetch(create, { title: 'Milk' }))
    await rest()
    disk.isFull = true
    first.controller.resetEntireStore()
    await rest()
    expect(await diskOf(log)).not.toContain('private')
    const meanwhile = await openApp(log, server)
    expect(meanwhile.controller.watch(getList).getSnapshot().data).toBeUndefined()
    meanwhile.controller.dispose()
    disk.isFull = false
    await first.clock.advance(10_000)
    await rest()
    const second = await openApp(log, server)
    expect(second.controller.get(Task, { id: 1 })).toBeUndefined()
    expect(second.waiting()).toEqual(['create waiting'])
    server.isReachable = true
    await second.clock.advance(60_000)
    await rest()
    expect(server.applied).toEqual(['POST /tasks {"title":"Milk"}'])
  })

  test('a reset empties the other tabs once there is room, and what they have read before is not stored', async () => {
    const { log, disk } = fullLog()
    const { device, server, open, pass } = begin({ memory: log })
    const [one, other] = [await open(), await open()]
    await one.controller.fetch(getList)
    // The response of a mutation contains its row, too.
    await one.controller.fetch(partialUpdate, { id: 1 }, { done: true })
    await pass()
    expect(other.titles()).toEqual(['a', 'b'])
    disk.isFull = true
    one.controller.resetEntireStore()
    await pass()
    disk.isFull = false
    await pass(10_000)
    expect(other.titles()).toBeUndefined()
    server.change(1, { title: 'new' })
    await one.controller.fetch(getList)
    await pass()
    expect(other.titles()).toEqual(['new', 'b'])
    expect(await diskOf(device.memory)).not.toMatch(/\\?"a\\?"/)
  })

  test('an edit of a new row stays behind its creation in a tab that was sending its own one meanwhile', async () => {
    const { log, disk } = fullLog()
    const { server, open, pass } = begin({ memory: log })
    const [one, other] = [await open(), await open()]
    await one.controller.fetch(getList)
    await pass()
    server.beforeAnswer = () => new Promise(() => {})
    disk.isFull = true
    other.call(other.controller.fetch(create, { title: 'c' }))
    await rest()
    one.call(one.controller.fetch(create, { title: 'd' }))
    const id = `optimistic:${one.store.outbox.getSnapshot()[0]?.id}`
    one.call(one.controller.fetch(partialUpdate, { id }, { title: 'D' }))
    await rest()
    disk.isFull = false
    await one.store.flush()
    await rest()
    expect(other.waiting()).toEqual(['create sending', 'create waiting', 'partialUpdate waiting'])
    expect(other.titles()).toEqual(['a', 'b', 'c', 'D'])
    // They also stay there once its own one is stored.
    await other.store.flush()
    other.call(other.controller.fetch(partialUpdate, { id }, { done: true }))
    await pass()
    expect(other.waiting()).toEqual([
      'create sending',
      'create waiting',
      'partialUpdate waiting',
      'partialUpdate waiting',
    ])
    expect(other.titles()).toEqual(['a', 'b', 'c', 'D'])
  })

  test('a row that was created and deleted meanwhile is gone in a tab that was sending the creation, too', async () => {
    const { log, disk } = fullLog()
    const { server, open, pass } = begin({ memory: log, hasLocks: false })
    const one = await open()
    const answers: (() => void)[] = []
    server.beforeAnswer = () => new Promise((resolve) => answers.push(resolve))
    const end = one.call(one.controller.fetch(create, { title: 'c' }))
    await pass()
    disk.isFull = true
    const other = await open()
    expect(other.waiting()).toEqual(['create sending'])
    // As long as this is on its way, the order of what it overlaps matters.
    other.call(other.controller.fetch(get, { id: 1 }))
    one.call(one.controller.fetch(remove, { id: `optimistic:${one.store.outbox.getSnapshot()[0]?.id}` }))
    await rest()
    server.beforeAnswer = () => {}
    answers[0]?.()
    await rest()
    expect(end.value).toMatchObject({ id: 3 })
    expect(server.applied).toEqual(['POST /tasks {"title":"c"}', 'DELETE /tasks/3'])
    disk.isFull = false
    await one.store.flush()
    await pass()
    expect(other.waiting()).toEqual([])
    expect(other.controller.get(Task, { id: 3 })).toBeUndefined()
  })

  test('an edit that waits names the row by its real key, though its creation was never on the disk', async () => {
    const server = new TaskServer()
    const { log, disk } = fullLog()
    const first = await openApp(log, server)
    disk.isFull = true
    server.refuse = (line) => (line.startsWith('PATCH') ? 503 : undefined)
    first.call(first.controller.fetch(create, { title: 'Milk' }))
    const id = first.store.outbox.getSnapshot()[0]?.id
    first.call(first.controller.fetch(partialUpdate, { id: `optimistic:${id}` }, { done: true }))
    await rest()
    disk.isFull = false
    await first.store.flush()
    server.refuse = () => undefined
    await openApp(log, server)
    await rest()
    expect(server.applied).toEqual(['POST /tasks {"title":"Milk"}', 'PATCH /tasks/1 {"done":true}'])
  })
})

test('a body that the disk never takes keeps no other mutation from it', async () => {
  const server = new TaskServer()
  const { log, disk } = fullLog()
  const first = await openApp(log, server)
  server.isReachable = false
  disk.takes = (text) => !text.includes('huge')
  const form = new FormData()
  form.append('photo', 'huge')
  first.call(first.controller.fetch(sendFile, form))
  first.call(first.controller.fetch(create, { title: 'Milk' }))
  await rest()
  first.call(first.controller.fetch(create, { title: 'Tea' }))
  await rest()
  expect(first.waiting()).toHaveLength(3)
  server.isReachable = true
  const second = await openApp(log, server)
  await rest()
  expect(second.waiting()).toEqual([])
  expect(server.applied).toEqual(['POST /tasks {"title":"Milk"}', 'POST /tasks {"title":"Tea"}'])
})
