import { memoryLog, type OfflineLog } from '@roundtable/core/offline'
import { expect, test } from 'vitest'
import { diskOf } from './restart.js'
import { openApp, rest, sendFile, Task, TaskResource, TaskServer } from './todo-server.js'

const { create, partialUpdate, get } = TaskResource

/** A page of a version that stores no mutations. */
const openPlain = (log: OfflineLog, server: TaskServer) =>
  openApp(log, server, { offlineOptions: { outbox: undefined } })

/** Rows that are so long that the log is summarized. */
async function fill({ controller, store }: Awaited<ReturnType<typeof openPlain>>): Promise<void> {
  for (let i = 0; i < 40; i++) {
    controller.setResponse(get, { id: 1 }, { id: 1, title: `${i}`.padEnd(2_000, '.'), done: false } as never)
    await store.flush()
  }
}

function formOf(title: string): FormData {
  const form = new FormData()
  form.append('photo', new File([title], `${title}.png`))
  return form
}

test('a page without an outbox sends mutations itself, and nothing of them is on the disk', async () => {
  const server = new TaskServer()
  server.add('a')
  const log = memoryLog()
  const app = await openPlain(log, server)
  await app.controller.fetch(get, { id: 1 })
  await app.controller.fetch(partialUpdate, { id: 1 }, { title: 'b' })
  await app.store.flush()
  expect(server.reached.map(({ key }) => key)).toEqual([null, null])
  expect(await diskOf(log)).not.toMatch(/"(add|try|end)"/)
  expect(app.waiting()).toEqual([])
  expect(app.store.retry('nothing')).toBeUndefined()
  const next = await openPlain(log, server)
  expect(next.controller.get(Task, { id: 1 })?.title).toBe('b')
})

test('what an earlier version has left in the outbox outlives summaries, and a later version sends it, with its files', async () => {
  const server = new TaskServer()
  server.add('a')
  const log = memoryLog()
  const first = await openApp(log, server)
  server.isReachable = false
  // Two records, each with a file.
  for (const title of ['one', 'two']) {
    first.call(first.controller.fetch(sendFile, formOf(title)))
    await rest()
  }
  first.call(first.controller.fetch(create, { title: 'Milk' }))
  await rest()
  first.controller.dispose()

  server.isReachable = true
  const second = await openPlain(log, server)
  await fill(second)
  expect(second.reported).toEqual([])
  expect((await diskOf(log)).length).toBeLessThan(20 * 2_000)
  expect(server.applied).toEqual([])
  second.controller.dispose()

  const sent: string[] = []
  const third = await openApp(log, server, {
    async transport(input, init, endpoint) {
      const photo = init.body instanceof FormData ? (init.body.get('photo') as File) : undefined
      if (photo !== undefined) sent.push(`${photo.name} ${await photo.text()}`)
      return server.transport(input, photo === undefined ? init : { ...init, body: null }, endpoint)
    },
  })
  await rest()
  expect(third.reported).toEqual([])
  expect(sent).toEqual(['one.png one', 'two.png two'])
  expect(server.applied).toEqual(['POST /tasks', 'POST /tasks', 'POST /tasks {"title":"Milk"}'])
  expect(third.waiting()).toEqual([])
})

test('a record with steps that are none is left out, with one report', async () => {
  const server = new TaskServer()
  server.add('a')
  const memory = memoryLog()
  const first = await openApp(memory, server)
  await first.controller.fetch(get, { id: 1 })
  await first.store.flush()
  first.controller.dispose()
  const log: OfflineLog = {
    ...memory,
    read: async (after) =>
      (await memory.read(after)).map((record) => {
        const parts = JSON.parse(record.text) as unknown[]
        parts[7] = [5]
        return { ...record, text: JSON.stringify(parts) }
      }),
  }
  const second = await openApp(log, server)
  expect(second.reported.map(({ message }) => message)).toEqual([expect.stringContaining('has a damaged record')])
  expect(second.controller.get(Task, { id: 1 })).toBeUndefined()
  expect(second.waiting()).toEqual([])
})
