import { memoryLog, type OfflineLog } from '@roundtable/core/offline'
import { describe, expect, test } from 'vitest'
import { openApp, rest, sendFile, TaskResource, TaskServer } from './todo-server.js'

const { create, partialUpdate } = TaskResource

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
