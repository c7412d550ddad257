import { memoryLog, type OfflineLog, outbox } from '@roundtable/core/offline'
import { expect, test } from 'vitest'
import { contentsOf } from '../../../core/src/offline/reader.js'
import { encode } from '../../../core/src/offline/record.js'
import { mergeSteps } from '../../../core/src/offline/steps.js'
import { summarize } from '../../../core/src/offline/summary.js'
import { begin } from './tabs-harness.js'
import { rest, Task, TaskResource } from './todo-server.js'

const { create, delete: remove, partialUpdate } = TaskResource

/** A log that another tab summarizes right before a record that ends a mutation. */
function summarizedBeforeEnds(): OfflineLog {
  const memory = memoryLog()
  return {
    ...memory,
    async append(entry, isDurable) {
      if (entry.text.includes('["end",')) {
        await memory.append(encode({ version: '', at: 0, knew: 0 }), false)
        await memory.rewrite((records) =>
          encode(
            summarize(
              contentsOf(records, () => {}),
              '',
              mergeSteps,
            ),
          ),
        )
      }
      return memory.append(entry, isDurable)
    },
  }
}

test('a mutation that was answered is not sent again because of a summary that was written before its end', async () => {
  const { server, open, pass } = begin({ memory: summarizedBeforeEnds() })
  const tab = await open()
  const end = tab.call(tab.controller.fetch(create, { title: 'c' }))
  await pass()
  await pass(60_000)
  expect(end.value).toMatchObject({ id: 3, title: 'c' })
  expect(tab.waiting()).toEqual([])
  expect(server.reached).toHaveLength(1)
})

test('a mutation that was discarded is not sent because of a summary that was written before its end', async () => {
  const { server, open, pass } = begin({ memory: summarizedBeforeEnds() })
  const tab = await open()
  server.isReachable = false
  const end = tab.call(tab.controller.fetch(create, { title: 'c' }))
  await pass()
  const [entry] = tab.store.outbox.getSnapshot()
  tab.store.discard(entry?.id ?? '')
  await pass()
  server.isReachable = true
  await pass(60_000)
  expect(end.error).toMatchObject({ name: 'AbortError' })
  expect(tab.waiting()).toEqual([])
  expect(server.applied).toEqual([])
})

test('an edit that is made while another tab forgets all is stored again, and sent', async () => {
  const memory = memoryLog()
  let clear = (): void => {}
  const { server, open, pass } = begin({
    memory: {
      ...memory,
      async clear() {
        await new Promise<void>((go) => {
          clear = go
        })
        return memory.clear()
      },
    },
  })
  const [one, other] = [await open(), await open()]
  server.isReachable = false
  const before = other.call(other.controller.fetch(create, { title: 'before' }))
  await pass()
  const isForgotten = one.store.forget()
  await pass()
  const after = other.call(other.controller.fetch(partialUpdate, { id: 1 }, { title: 'after' }))
  await pass()
  clear()
  await isForgotten
  await pass()
  expect(before.error).toMatchObject({ name: 'AbortError' })
  for (const { waiting } of [one, other, await open()]) expect(waiting()).toEqual(['partialUpdate waiting'])
  server.isReachable = true
  await pass(60_000)
  expect(after.value).toMatchObject({ id: 1, title: 'after' })
  expect(server.applied).toEqual(['PATCH /tasks/1 {"title":"after"}'])
})

test('what another tab has forgotten does not come back by a record from before the deletion', async () => {
  const memory = memoryLog()
  let clear = (): void => {}
  const { server, open, pass } = begin({
    memory: { ...memory, clear: () => new Promise<void>((go) => (clear = go)).then(memory.clear) },
  })
  const [one, other] = [await open(), await open()]
  server.isReachable = false
  const edit = other.call(other.controller.fetch(partialUpdate, { id: 1 }, { title: 'before' }))
  await pass()
  const added = (await memory.read(0)).find(({ text }) => text.includes('"add"'))
  const isForgotten = one.store.forget()
  await pass()
  // A third tab, which has not heard of it yet, tells it once more.
  await memory.append(added ?? { text: '' }, false)
  other.controller.set(Task, { id: 9 }, { id: 9, title: 'x' })
  await pass()
  expect(added).toBeDefined()
  expect(other.waiting()).toEqual([])
  clear()
  await isForgotten
  await pass()
  expect(edit.error).toMatchObject({ name: 'AbortError' })
  expect([one.waiting(), other.waiting()]).toEqual([[], []])
  server.isReachable = true
  await pass(60_000)
  expect(server.applied).toEqual([])
})

test('what a logout has put aside of a new row is sent before what was changed since', async () => {
  const { server, open, pass } = begin()
  const { controller, store, call, waiting } = await open()
  server.refuse = (line) => (line.startsWith('PATCH') ? 503 : undefined)
  call(controller.fetch(create, { title: 'c' }))
  const [entry] = store.outbox.getSnapshot()
  call(controller.fetch(partialUpdate, { id: `optimistic:${entry?.id}` as never }, { title: 'C' }))
  await pass()
  expect(waiting()).toEqual(['partialUpdate waiting'])
  controller.resetEntireStore()
  await pass()
  call(controller.fetch(remove, { id: 3 }))
  await pass()
  expect(waiting()).toEqual(['partialUpdate waiting', 'delete waiting'])
  server.refuse = () => undefined
  store.resume()
  await pass(60_000)
  await pass(60_000)
  expect(waiting()).toEqual([])
  expect(server.applied.slice(1)).toEqual(['PATCH /tasks/3 {"title":"C"}', 'DELETE /tasks/3'])
})

test('an edit of a new row is not refused by a tab in which a logout has put the creation aside', async () => {
  const { server, open, pass } = begin()
  const one = await open()
  server.isReachable = false
  one.call(one.controller.fetch(create, { title: 'c' }))
  await pass()
  one.controller.resetEntireStore()
  await pass()
  const other = await open()
  const [creation] = other.store.outbox.getSnapshot()
  const end = other.call(
    other.controller.fetch(partialUpdate, { id: `optimistic:${creation?.id}` as never }, { title: 'C' }),
  )
  await pass()
  for (const { waiting } of [one, other]) expect(waiting()).toEqual(['create waiting', 'partialUpdate waiting'])
  server.isReachable = true
  await pass(60_000)
  await pass(60_000)
  expect(end.value).toMatchObject({ id: 3, title: 'C' })
  expect(server.applied).toEqual(['POST /tasks {"title":"c"}', 'PATCH /tasks/3 {"title":"C"}'])
  for (const { waiting } of [one, other]) expect(waiting()).toEqual([])
})

test('an edit that is given up while it waits for the creation of its row is gone when that is answered', async () => {
  const { server, device, open, pass } = begin()
  const { controller, store, call, waiting } = await open()
  let answer = (): void => {}
  server.beforeAnswer = () =>
    new Promise((resolve) => {
      answer = resolve
    })
  call(controller.fetch(create, { title: 'c' }))
  const [creation] = store.outbox.getSnapshot()
  const end = call(controller.fetch(partialUpdate, { id: `optimistic:${creation?.id}` as never }, { title: 'C' }))
  await pass()
  const edit = store.outbox.getSnapshot().at(-1)?.id ?? ''
  store.discard(edit)
  answer()
  await pass()
  expect(end.error?.name).toBe('AbortError')
  expect(waiting()).toEqual([])
  expect(controller.get(Task, { id: 3 })?.title).toBe('c')
  expect(server.applied).toEqual(['POST /tasks {"title":"c"}'])
  const texts = (await device.memory.read(0)).map(({ text }) => text).join()
  expect(texts).not.toContain(`["try","${edit}"`)
})

test('a tab that forgets all does not wait for a response of another tab that a function of the application delays', async () => {
  let gate = Promise.resolve()
  const slow = partialUpdate.extend({
    async getHeaders(headers) {
      await gate
      return headers
    },
  })
  const { server, open, pass } = begin({ outbox: outbox({ slow }) })
  const [sender, other] = [await open(), await open()]
  let answer = (): void => {}
  server.beforeAnswer = () =>
    new Promise((resolve) => {
      answer = resolve
    })
  sender.call(sender.controller.fetch(slow, { id: 1 }, { title: 'A' }))
  await pass()
  expect(other.waiting()).toEqual(['slow sending'])
  gate = new Promise(() => {})
  answer()
  await rest()
  const forgotten = other.call(other.store.forget().then(() => 'forgotten'))
  await rest()
  expect(forgotten.value).toBe('forgotten')
})
