import { Controller, RestEndpoint } from '@roundtable/core'
import { memoryLog, type OfflineLog, offline, outbox } from '@roundtable/core/offline'
import { describe, expect, test } from 'vitest'
import { decode } from '../../../core/src/offline/record.js'
import { stepsOf } from '../../../core/src/offline/steps.js'
import { HandClock } from '../engine/clock.js'
import { diskOf } from './restart.js'
import { CarefulTasks, openApp, rest, Task, TaskResource, TaskServer } from './todo-server.js'

const { create, partialUpdate, get, getList } = TaskResource

/** A log that does what it is asked for when it is told to, in order. */
function slowLog(memory: OfflineLog) {
  const waiting: (() => void)[] = []
  let isSlow = false
  const later =
    <Args extends readonly unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      if (isSlow) await new Promise<void>((go) => waiting.push(go))
      return work(...args)
    }
  const log: OfflineLog = {
    append: later(memory.append),
    read: later(memory.read),
    rewrite: later(memory.rewrite),
    clear: later(memory.clear),
  }
  const slow = (): void => {
    isSlow = true
  }
  const quick = async (): Promise<void> => {
    isSlow = false
    for (const go of waiting.splice(0)) {
      go()
      await rest()
    }
  }
  return { log, slow, quick }
}

describe('a mutation', () => {
  test('P6: of a row that came with no-store is stored without what its user has seen of it, and overwrites nobody', async () => {
    const server = new TaskServer()
    server.add('secret')
    const log = memoryLog()
    const transport: typeof server.transport = async (...args) => {
      const response = await server.transport(...args)
      response.headers.set('cache-control', 'no-store')
      return response
    }
    const first = await openApp(log, server, { transport })
    await first.controller.fetch(CarefulTasks.get, { id: 1 })
    server.isReachable = false
    first.call(first.controller.fetch(CarefulTasks.partialUpdate, { id: 1 }, { title: 'mine' }))
    await rest()
    expect(await diskOf(log)).toContain('mine')
    expect(await diskOf(log)).not.toContain('secret')
    server.isReachable = true
    server.change(1, { title: 'theirs' })
    const second = await openApp(log, server, { transport })
    await rest()
    expect(server.reached.find(({ line }) => line.startsWith('PATCH'))?.ifMatch).toBe('"1-1"')
    expect(second.store.outbox.getSnapshot()).toMatchObject([{ status: 'refused', error: { name: 'ConflictError' } }])
    expect(server.tasks.get(1)?.title).toBe('theirs')
  })

  test.each([
    ['another version of the application sends', {}, { version: '8' }],
    ['is of a row that is not stored', { include: () => false }, { include: () => false }],
  ])('that %s overwrites nobody, though the row is not read', async (_, before, after) => {
    const server = new TaskServer()
    server.add('a')
    const log = memoryLog()
    const first = await openApp(log, server, { offlineOptions: before })
    await first.controller.fetch(CarefulTasks.get, { id: 1 })
    server.isReachable = false
    first.call(first.controller.fetch(CarefulTasks.partialUpdate, { id: 1 }, { title: 'mine' }))
    await rest()
    server.isReachable = true
    server.change(1, { title: 'theirs' })
    const second = await openApp(log, server, { offlineOptions: after })
    await rest()
    expect(second.store.outbox.getSnapshot()).toMatchObject([{ status: 'refused', error: { name: 'ConflictError' } }])
    expect(server.tasks.get(1)?.title).toBe('theirs')
  })

  test('whose row was to be created by what a damaged record had is refused: no temporary key is sent', async () => {
    const server = new TaskServer()
    const memory = memoryLog()
    const first = await openApp(memory, server)
    server.isReachable = false
    first.call(first.controller.fetch(create, { title: 'Milk' }))
    await rest()
    const id = first.store.outbox.getSnapshot()[0]?.id
    first.call(first.controller.fetch(partialUpdate, { id: `optimistic:${id}` }, { done: true }))
    await rest()
    const read: OfflineLog['read'] = async (after) =>
      (await memory.read(after)).map((record) =>
        record.text.includes('tasks.create') || /"add".*Milk/.test(record.text) ? { ...record, text: '[1' } : record,
      )
    server.isReachable = true
    const second = await openApp({ ...memory, read }, server)
    await rest()
    expect(server.reached).toEqual([])
    expect(second.store.outbox.getSnapshot()).toMatchObject([{ status: 'refused', error: { name: 'CreationError' } }])
    const [entry] = second.store.outbox.getSnapshot()
    second.store.retry(entry?.id ?? '')
    await rest()
    expect(server.reached).toEqual([])
    second.store.discard(entry?.id ?? '')
    expect(second.waiting()).toEqual([])
  })

  test('or a read that names a new row of an earlier page fails, and is neither sent nor stored', async () => {
    const server = new TaskServer()
    const log = memoryLog()
    const first = await openApp(log, server)
    first.call(first.controller.fetch(create, { title: 'Milk' }))
    const id = first.store.outbox.getSnapshot()[0]?.id
    await rest()
    const second = await openApp(log, server)
    const end = second.call(second.controller.fetch(partialUpdate, { id: `optimistic:${id}` }, { done: true }))
    const read = second.call(second.controller.fetch(get, { id: `optimistic:${id}` } as never))
    await rest()
    for (const { error } of [end, read])
      expect(error).toMatchObject({ name: 'CreationError', temporaryKey: `optimistic:${id}` })
    const watched = second.controller.watch(get, { id: `optimistic:${id}` } as never)
    watched.subscribe(() => {})
    await rest()
    expect(watched.getSnapshot().error).toMatchObject({ name: 'CreationError' })
    expect(server.reached).toHaveLength(1)
    expect(second.waiting()).toEqual([])
    expect(server.applied).toEqual(['POST /tasks {"title":"Milk"}'])
  })

  test('of a URL whose earlier one a reset has put aside is sent after that', async () => {
    const server = new TaskServer()
    server.add('a')
    const { controller, store, call, waiting } = await openApp(memoryLog(), server)
    server.refuse = () => 401
    call(controller.fetch(partialUpdate, { id: 1 }, { title: 'first' }))
    await rest()
    controller.resetEntireStore()
    server.refuse = () => undefined
    call(controller.fetch(partialUpdate, { id: 1 }, { title: 'second' }))
    call(controller.fetch(partialUpdate, { id: 2 }, { title: 'elsewhere' }))
    await rest()
    expect(waiting().slice(0, 2)).toEqual(['partialUpdate waiting', 'partialUpdate waiting'])
    store.resume()
    await rest()
    expect(server.applied).toEqual(['PATCH /tasks/1 {"title":"first"}', 'PATCH /tasks/1 {"title":"second"}'])
  })

  test('that is sent again is not sent beside a later one of its URL', async () => {
    const server = new TaskServer()
    server.add('a')
    const { controller, store, call } = await openApp(memoryLog(), server)
    server.refuse = () => 409
    call(controller.fetch(partialUpdate, { id: 1 }, { title: 'b' }))
    await rest()
    let answer = (): void => {}
    server.refuse = () => undefined
    server.beforeAnswer = () =>
      new Promise((go) => {
        answer = go
      })
    call(controller.fetch(partialUpdate, { id: 1 }, { title: 'c' }))
    await rest()
    store.retry(store.outbox.getSnapshot()[0]?.id ?? '')
    await rest()
    expect(server.applied).toEqual(['PATCH /tasks/1 {"title":"c"}'])
    server.beforeAnswer = () => {}
    answer()
    await rest()
    expect(server.applied).toEqual(['PATCH /tasks/1 {"title":"c"}', 'PATCH /tasks/1 {"title":"b"}'])
  })
})

describe('a change that waits while a later one of its row, by another URL, is answered', () => {
  const finish = new RestEndpoint({
    urlPrefix: 'https://api.test',
    path: '/tasks/:id/finish',
    method: 'POST',
    body: undefined,
    schema: Task,
  })

  async function begin() {
    const server = new TaskServer()
    server.add('a')
    const { transport } = server
    const app = await openApp(memoryLog(), server, {
      offlineOptions: { outbox: outbox({ TaskResource, finish }) },
      transport: (input, init, endpoint) => {
        if (!String(input).endsWith('/finish')) return transport(input, init, endpoint)
        return transport('https://api.test/tasks/1', { ...init, method: 'PUT', body: '{"done":true}' }, endpoint)
      },
    })
    await app.controller.fetch(get, { id: 1 })
    const shown = () => {
      const { title, done } = app.controller.get(Task, { id: 1 }) ?? {}
      return [title, done]
    }
    return { ...app, server, shown }
  }

  test('shows, and is the last word once it is answered', async () => {
    const { controller, call, clock, server, shown, waiting } = await begin()
    server.refuse = (line) => (line.startsWith('PATCH') ? 503 : undefined)
    call(controller.fetch(partialUpdate, { id: 1 }, { title: 'mine' }))
    await rest()
    await controller.fetch(finish, { id: 1 })
    expect(shown()).toEqual(['mine', true])
    server.refuse = () => undefined
    await clock.advance(5_000)
    await rest()
    expect(waiting()).toEqual([])
    expect(server.tasks.get(1)).toEqual({ id: 1, title: 'mine', done: true })
    expect(shown()).toEqual(['mine', true])
    expect(server.reached.filter(({ line }) => line.startsWith('GET'))).toHaveLength(1)
  })

  test('is not the last word if an attempt without an answer was applied before: its answer is as old as that', async () => {
    const { controller, call, clock, server, shown, waiting } = await begin()
    server.beforeAnswer = (line) =>
      line.startsWith('PATCH') ? Promise.reject(new TypeError('fetch failed')) : undefined
    call(controller.fetch(partialUpdate, { id: 1 }, { title: 'mine' }))
    await rest()
    await controller.fetch(finish, { id: 1 })
    expect(shown()).toEqual(['mine', true])
    server.beforeAnswer = () => {}
    await clock.advance(5_000)
    await rest()
    expect(waiting()).toEqual([])
    expect(shown()).toEqual(['mine', true])
  })

  test('shows again when no answer has come, though it was on its way with that one', async () => {
    const { controller, call, server, shown, waiting } = await begin()
    let refuse = (): void => {}
    server.beforeAnswer = (line) =>
      line.startsWith('PATCH')
        ? new Promise((_, reject) => {
            refuse = () => reject(new TypeError('fetch failed'))
          })
        : undefined
    call(controller.fetch(partialUpdate, { id: 1 }, { title: 'mine' }))
    await rest()
    server.change(1, { title: 'a' })
    await controller.fetch(finish, { id: 1 })
    refuse()
    await rest()
    expect(waiting()).toEqual(['partialUpdate waiting'])
    expect(shown()).toEqual(['mine', true])
  })
})

describe('a mutation that is sent again', () => {
  test('shows its change also when a later one, which was on its way then, is answered first', async () => {
    const server = new TaskServer()
    server.add('a')
    const { controller, store, call } = await openApp(memoryLog(), server)
    await controller.fetch(get, { id: 1 })
    server.refuse = () => 409
    call(controller.fetch(partialUpdate, { id: 1 }, { title: 'b' }))
    await rest()
    server.refuse = () => undefined
    const answers: (() => void)[] = []
    server.beforeAnswer = () => new Promise((go) => answers.push(go))
    call(controller.fetch(partialUpdate, { id: 1 }, { title: 'c', done: true }))
    await rest()
    store.retry(store.outbox.getSnapshot()[0]?.id ?? '')
    const shown = () => controller.get(Task, { id: 1 })
    expect(shown()).toMatchObject({ title: 'b', done: true })
    for (const _ of ['c', 'b']) {
      answers.shift()?.()
      await rest()
      expect(shown()).toMatchObject({ title: 'b', done: true })
    }
    expect(server.tasks.get(1)?.title).toBe('b')
  })
})

test('the edit of a new row shows when both are sent again, though another creation is on its way', async () => {
  const server = new TaskServer()
  const { controller, store, call } = await openApp(memoryLog(), server)
  await controller.fetch(TaskResource.getList)
  server.refuse = () => 409
  call(controller.fetch(create, { title: 'a' }))
  const id = `optimistic:${store.outbox.getSnapshot()[0]?.id}`
  call(controller.fetch(partialUpdate, { id }, { title: 'b' }))
  await rest()
  server.refuse = () => undefined
  const answers: (() => void)[] = []
  server.beforeAnswer = () => new Promise((go) => answers.push(go))
  call(controller.fetch(create, { title: 'c' }))
  await rest()
  store.retry(store.outbox.getSnapshot()[0]?.id ?? '')
  const titles = () =>
    controller
      .get(TaskResource.getList.schema)
      ?.map(({ title }) => title)
      .sort()
  expect(titles()).toEqual(['b', 'c'])
  for (let sent = 0; sent < 3; sent++) {
    answers.shift()?.()
    await rest()
    expect(titles()).toEqual(['b', 'c'])
  }
  expect(server.applied).toHaveLength(3)
})

test('mutations that are sent again in another order than they were made are stored once they are answered', async () => {
  const server = new TaskServer()
  for (const title of ['a', 'b', 'c']) server.add(title)
  const log = memoryLog()
  const env = new HandClock()
  const { controller, store, call } = await openApp(log, server, { env })
  for (const id of [1, 2, 3]) await controller.fetch(get, { id })
  server.refuse = () => 409
  for (const id of [1, 2]) call(controller.fetch(partialUpdate, { id }, { title: 'new' }))
  await rest()
  server.refuse = () => undefined
  env.online = false
  env.announce({ online: false })
  call(controller.fetch(partialUpdate, { id: 3 }, { title: 'new' }))
  await rest()
  for (const { id } of store.outbox.getSnapshot().slice(0, 2).reverse()) store.retry(id)
  await rest()
  env.announce({ online: true })
  await rest()
  await store.flush()
  server.isReachable = false
  const second = await openApp(log, server)
  expect([1, 2, 3].map((id) => second.controller.get(Task, { id })?.title)).toEqual(['new', 'new', 'new'])
})

test('a log of an earlier format has its mutations sent, and its rows fetched anew, with no report', async () => {
  const server = new TaskServer()
  for (const title of ['a', 'b']) server.add(title)
  const log = memoryLog()
  const first = await openApp(log, server)
  await first.controller.fetch(TaskResource.getList)
  server.isReachable = false
  first.call(first.controller.fetch(partialUpdate, { id: 1 }, { title: 'new' }))
  await rest()
  await first.store.flush()
  const old = memoryLog()
  for (const { text } of await log.read(0)) {
    const [, ...content] = JSON.parse(text) as unknown[]
    // Where the rows are.
    if (content[5] !== 0) content[5] = { v: 1, rows: 'in another form' }
    await old.append({ text: JSON.stringify([1, ...content]) }, true)
  }
  server.isReachable = true
  const { controller, reported } = await openApp(old, server)
  await rest()
  expect(controller.get(Task, { id: 2 })).toBeUndefined()
  expect(server.tasks.get(1)?.title).toBe('new')
  expect(reported).toEqual([])
})

describe('with a slow disk', () => {
  test('what is learned after forget stays stored, and nothing of before comes back', async () => {
    const server = new TaskServer()
    for (const title of ['before', 'after']) server.add(title)
    const memory = memoryLog()
    const { log, slow, quick } = slowLog(memory)
    const { controller, store, clock, call } = await openApp(log, server)
    await controller.fetch(get, { id: 1 })
    await clock.advance(1_000)
    slow()
    void store.flush()
    call(controller.fetch(partialUpdate, { id: 1 }, { done: true }))
    await rest()
    const forgotten = store.forget()
    call(controller.fetch(get, { id: 2 }))
    call(controller.fetch(create, { title: 'new' }))
    await rest()
    await quick()
    await forgotten
    clock.announce({ visible: false })
    await rest()
    const disk = await diskOf(memory)
    expect(disk).toContain('after')
    expect(disk).toContain('new')
    expect(disk).not.toContain('before')
  })

  test('what an earlier page has left is forgotten, also before it is read', async () => {
    const server = new TaskServer()
    server.isReachable = false
    const memory = memoryLog()
    const earlier = await openApp(memory, server)
    earlier.call(earlier.controller.fetch(create, { title: 'Milk' }))
    await rest()
    earlier.controller.dispose()
    const { log, slow, quick } = slowLog(memory)
    slow()
    const store = offline({ log, outbox: outbox({ TaskResource }) })
    new Controller({ managers: [store], env: new HandClock(), transport: server.transport })
    await rest()
    const forgotten = store.forget()
    server.isReachable = true
    await quick()
    await forgotten
    expect(store.outbox.getSnapshot()).toEqual([])
    expect(await diskOf(memory)).not.toContain('Milk')
    expect(server.applied).toEqual([])
  })

  test('what an earlier page has left leaves the screen when it is forgotten, even if the disk is busy', async () => {
    const server = new TaskServer()
    server.add('a')
    const memory = memoryLog()
    const earlier = await openApp(memory, server)
    await earlier.controller.fetch(getList)
    server.isReachable = false
    earlier.call(earlier.controller.fetch(create, { title: 'Milk' }))
    await rest()
    await earlier.store.flush()
    earlier.controller.dispose()
    const appended: string[] = []
    const append: OfflineLog['append'] = ({ text }) => {
      appended.push(text)
      return new Promise(() => {})
    }
    const store = offline({ log: { ...memory, append }, outbox: outbox({ TaskResource }) })
    const controller = new Controller({ managers: [store], env: new HandClock(), transport: server.transport })
    // What it has to read is still to come.
    await store.forget()
    await rest()
    const { data } = controller.watch(getList).getSnapshot()
    expect(data?.map(({ title }) => title)).toEqual(['a'])
    expect(store.outbox.getSnapshot()).toEqual([])
    expect(appended.join()).not.toContain('try')
  })

  test('what is learned after a reset stays stored, and mutations of before too', async () => {
    const server = new TaskServer()
    for (const title of ['before', 'after']) server.add(title)
    const memory = memoryLog()
    const { log, slow, quick } = slowLog(memory)
    const { controller, store, call } = await openApp(log, server)
    await controller.fetch(get, { id: 1 })
    slow()
    void store.flush()
    await rest()
    call(controller.fetch(create, { title: 'waits' }))
    await rest()
    controller.resetEntireStore()
    call(controller.fetch(get, { id: 2 }))
    await rest()
    await quick()
    await store.flush()
    const disk = await diskOf(memory)
    expect(disk).toContain('after')
    expect(disk).not.toContain('before')
    const added = (await memory.read(0))
      .flatMap((record) => stepsOf([decode(record)]))
      .filter(([type]) => type === 'add')
    expect(added).toHaveLength(1)
  })
})

test('forget: a page that is hidden afterwards stores nothing of what it shows', async () => {
  const server = new TaskServer()
  server.add('private')
  const log = memoryLog()
  const { controller, store, clock } = await openApp(log, server)
  await controller.fetch(get, { id: 1 })
  await store.forget()
  clock.announce({ visible: false })
  await rest()
  expect(await diskOf(log)).toBe('')
})
