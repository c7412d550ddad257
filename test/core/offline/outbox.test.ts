import { LogoutManager, type NetworkError } from '@roundtable/core'
import { memoryLog, type OfflineLog, outbox } from '@roundtable/core/offline'
import { describe, expect, test } from 'vitest'
import { HandClock } from '../engine/clock.js'
import { diskOf } from './restart.js'
import { CarefulTasks, openApp, rest, sendFile, Task, TaskResource, TaskServer } from './todo-server.js'

const { create, partialUpdate, getList, get } = TaskResource

describe('a mutation of the outbox', () => {
  test('is on the disk, durably, before its first byte is sent, and leaves it in the record of its rows', async () => {
    const server = new TaskServer()
    const memory = memoryLog()
    const appended: [text: string, isDurable: boolean, reached: number][] = []
    const log: OfflineLog = {
      ...memory,
      append(entry, isDurable) {
        appended.push([entry.text, isDurable, server.reached.length])
        return memory.append(entry, isDurable)
      },
    }
    const { controller, waiting } = await openApp(log, server)
    const task = await controller.fetch(create, { title: 'Milk' })
    await rest()
    expect(task?.title).toBe('Milk')
    const added = appended.findIndex(([text]) => text.includes('"add"'))
    expect(appended[added]?.slice(1)).toEqual([true, 0])
    // That it is sent is noted while it is on its way, so that it waits for one write only.
    expect(appended.filter(([text]) => text.includes('"try"')).map(([, ...rest]) => rest)).toEqual([[false, 1]])
    const [ended] = appended.filter(([text]) => text.includes('"end"'))
    expect(ended?.[0]).toContain('Milk')
    expect(waiting()).toEqual([])
    expect(server.reached.map(({ key }) => key?.length)).toEqual([36])
  })

  test.each([
    // A resource's `create` is the `push` of its list, and is stored under that name.
    { accessor: 'push', name: 'TaskResource.create', applied: 'POST /tasks {"title":"Bread"}' },
    { accessor: 'unshift', name: 'TaskResource.getList.unshift', applied: 'POST /tasks {"title":"Bread"}' },
    { accessor: 'move', name: 'TaskResource.getList.move', applied: 'PATCH /tasks/1 {"title":"Bread"}' },
  ] as const)('may be getList.$accessor of a resource, and is sent after a restart, too', async (of) => {
    const server = new TaskServer()
    server.add('Milk')
    server.isReachable = false
    const log = memoryLog()
    const first = await openApp(log, server)
    const body = { title: 'Bread' }
    const { unshift, push, move } = getList
    if (of.accessor === 'move') void first.call(first.controller.fetch(move, { id: 1 }, body))
    else void first.call(first.controller.fetch(of.accessor === 'push' ? push : unshift, body))
    await rest()
    expect(first.store.outbox.getSnapshot()).toMatchObject([{ name: of.name, status: 'waiting' }])
    first.controller.dispose()
    server.isReachable = true
    const second = await openApp(log, server)
    await rest()
    expect(server.applied).toEqual([of.applied])
    expect(second.waiting()).toEqual([])
  })

  test('waits for one write before its first byte is sent, and its response for the count of the attempt', async () => {
    const server = new TaskServer()
    const memory = memoryLog()
    let write = (): void => {}
    const written = new Promise<void>((resolve) => {
      write = resolve
    })
    const log: OfflineLog = {
      ...memory,
      async append(entry, isDurable) {
        if (entry.text.includes('"try"')) await written
        return memory.append(entry, isDurable)
      },
    }
    const { controller, waiting } = await openApp(log, server)
    const answer = controller.fetch(create, { title: 'Milk' })
    await rest()
    expect(server.applied).toEqual(['POST /tasks {"title":"Milk"}'])
    expect(waiting()).toEqual(['create sending'])
    write()
    expect((await answer)?.title).toBe('Milk')
  })

  test('after a restart, waits for the count of its attempt before it is sent', async () => {
    const server = new TaskServer()
    server.isReachable = false
    const memory = memoryLog()
    const first = await openApp(memory, server)
    void first.controller.fetch(create, { title: 'Milk' })
    await rest()
    server.isReachable = true
    const reachedAt: number[] = []
    const log: OfflineLog = {
      ...memory,
      append(entry, isDurable) {
        if (entry.text.includes('"try"') && isDurable) reachedAt.push(server.reached.length)
        return memory.append(entry, isDurable)
      },
    }
    await openApp(log, server)
    await rest()
    expect(reachedAt).toEqual([0])
    expect(server.reached).toHaveLength(1)
  })

  test('is sent after a restart with the same key, so that one that was applied is not applied again', async () => {
    const server = new TaskServer()
    const log = memoryLog()
    const first = await openApp(log, server)
    server.beforeAnswer = () => new Promise(() => {})
    void first.controller.fetch(create, { title: 'Milk' })
    await rest()
    expect(first.waiting()).toEqual(['create sending'])
    // The page is closed while the answer is on its way.
    server.beforeAnswer = () => {}
    const second = await openApp(log, server)
    await rest()
    expect(server.applied).toEqual(['POST /tasks {"title":"Milk"}'])
    expect(new Set(server.reached.map(({ key }) => key)).size).toBe(1)
    expect(second.controller.get(Task, { id: 1 })?.title).toBe('Milk')
    const third = await openApp(log, server)
    expect(third.waiting()).toEqual([])
    expect(server.reached).toHaveLength(2)
  })

  test('offline: what was created, edited and deleted shows after each restart, and is sent in order with the key that the server gave', async () => {
    const server = new TaskServer()
    const kept = server.add('Kept')
    const gone = server.add('Gone')
    const log = memoryLog()
    let app = await openApp(log, server)
    await app.controller.fetch(getList)
    await rest()
    server.isReachable = false
    const creating = app.call(app.controller.fetch(create, { title: 'new' }))
    await rest()
    const titlesOf = ({ controller }: typeof app) =>
      controller
        .watch(getList)
        .getSnapshot()
        .data?.map(({ title }) => title)
    const temporary = app.controller.watch(getList).getSnapshot().data?.at(-1)?.id as number
    app.call(app.controller.fetch(partialUpdate, { id: temporary }, { title: 'New' }))
    app.call(app.controller.fetch(partialUpdate, { id: kept.id }, { title: 'Kept!' }))
    app.call(app.controller.fetch(TaskResource.delete, { id: gone.id }))
    await rest()
    expect(titlesOf(app)).toEqual(['Kept!', 'New'])
    for (let start = 0; start < 5; start++) {
      app = await openApp(log, server)
      expect(titlesOf(app)).toEqual(['Kept!', 'New'])
      expect(app.controller.watch(getList).getSnapshot().data?.at(-1)?.id).toBe(temporary)
    }
    expect(creating).toEqual({})
    server.isReachable = true
    await app.clock.advance(60_000)
    await rest()
    await app.clock.advance(1_000)
    expect(app.waiting()).toEqual([])
    expect([...server.tasks.values()]).toEqual([
      { ...kept, title: 'Kept!' },
      { id: 3, title: 'New', done: false },
    ])
    expect([...server.applied].sort()).toEqual([
      'DELETE /tasks/2',
      'PATCH /tasks/1 {"title":"Kept!"}',
      'PATCH /tasks/3 {"title":"New"}',
      'POST /tasks {"title":"new"}',
    ])
    expect(server.applied.indexOf('POST /tasks {"title":"new"}')).toBeLessThan(
      server.applied.indexOf('PATCH /tasks/3 {"title":"New"}'),
    )
    expect(titlesOf(app)).toEqual(['Kept!', 'New'])
  })

  test('that names a row whose creation was answered before the page was closed is sent with the real key', async () => {
    const server = new TaskServer()
    const log = memoryLog()
    const first = await openApp(log, server)
    server.isReachable = false
    first.call(first.controller.fetch(create, { title: 'Milk' }))
    await rest()
    const temporary = first.store.outbox.getSnapshot()[0]?.id
    first.call(first.controller.fetch(partialUpdate, { id: `optimistic:${temporary}` }, { done: true }))
    await rest()
    server.isReachable = true
    // The edit never reaches it in this session.
    server.refuse = (line) => (line.startsWith('PATCH') ? 503 : undefined)
    await first.clock.advance(5_000)
    await rest()
    expect(first.waiting()).toEqual(['partialUpdate waiting'])
    expect(await diskOf(log)).toContain('"end"')
    server.refuse = () => undefined
    await openApp(log, server)
    await rest()
    expect(server.tasks.get(1)).toMatchObject({ title: 'Milk', done: true })
  })

  test('of one URL waits for the one before, whatever its method; other URLs go on', async () => {
    const server = new TaskServer()
    for (const title of ['a', 'b']) server.add(title)
    const { controller, clock, call } = await openApp(memoryLog(), server)
    server.refuse = (line) => (line.includes('/tasks/1') && server.reached.length < 3 ? 503 : undefined)
    call(controller.fetch(partialUpdate, { id: 1 }, { title: 'A' }))
    call(controller.fetch(TaskResource.delete, { id: 1 }))
    call(controller.fetch(partialUpdate, { id: 2 }, { title: 'B' }))
    await rest()
    expect(server.applied).toEqual(['PATCH /tasks/2 {"title":"B"}'])
    await clock.advance(5_000)
    await rest()
    await clock.advance(5_000)
    expect(server.applied).toEqual(['PATCH /tasks/2 {"title":"B"}', 'PATCH /tasks/1 {"title":"A"}', 'DELETE /tasks/1'])
  })

  test('a server of which no answer comes is asked again after pauses that grow to a minute, without an end', async () => {
    const server = new TaskServer()
    const { controller, clock, waiting, call, store } = await openApp(memoryLog(), server)
    server.isReachable = false
    const end = call(controller.fetch(create, { title: 'Milk' }))
    await rest()
    await clock.advance(60 * 60_000)
    expect(waiting()).toEqual(['create waiting'])
    expect(store.outbox.getSnapshot()[0]).toMatchObject({ attempts: 0, error: { name: 'TransportError' } })
    server.isReachable = true
    await clock.advance(60_000)
    await rest()
    expect(end.value?.title).toBe('Milk')
  })

  test('a response that never comes holds up its own URL until the timeout, and is sent again with the same key', async () => {
    const server = new TaskServer()
    server.add('a')
    const slow = partialUpdate.extend({ timeout: 5_000 })
    const { controller, clock, waiting, call, reported } = await openApp(memoryLog(), server, {
      offlineOptions: { outbox: outbox({ TaskResource, slow }) },
    })
    server.beforeAnswer = (line) => (line.startsWith('PATCH') ? new Promise(() => {}) : undefined)
    const end = call(controller.fetch(slow, { id: 1 }, { title: 'A' }))
    const other = call(controller.fetch(create, { title: 'Milk' }))
    await rest()
    expect(other.value?.title).toBe('Milk')
    expect(waiting()).toEqual(['slow sending'])
    server.beforeAnswer = () => {}
    await clock.advance(10_000)
    await rest()
    expect(end.value?.title).toBe('A')
    const keys = server.reached.filter(({ line }) => line.startsWith('PATCH')).map(({ key }) => key)
    expect(keys).toEqual([keys[0], keys[0]])
    expect(server.applied).toHaveLength(2)
    expect([waiting(), reported]).toEqual([[], []])
  })

  test('an answer without a body ends it: the row keeps what was changed, in every start', async () => {
    const server = new TaskServer()
    for (const title of ['a', 'b']) server.add(title)
    const log = memoryLog()
    const { controller, call, waiting, reported } = await openApp(log, server, {
      transport: async (input, init, endpoint) => {
        const answer = await server.transport(input, init, endpoint)
        return init.method === 'GET' ? answer : new Response(null, { status: 200 })
      },
    })
    await controller.fetch(getList)
    const ends = [
      call(controller.fetch(partialUpdate, { id: 1 }, { title: 'A' })),
      call(controller.fetch(TaskResource.delete, { id: 2 })),
    ]
    await rest()
    expect(ends.map(({ error }) => error)).toEqual([undefined, undefined])
    expect([waiting(), reported]).toEqual([[], []])
    const again = await openApp(log, server)
    expect(again.controller.get(Task, { id: 1 })?.title).toBe('A')
    expect(again.controller.get(Task, { id: 2 })).toBeUndefined()
    expect(server.reached).toHaveLength(3)
  })

  test('a creation that is answered without a body is done once, and what names its row is refused', async () => {
    const server = new TaskServer()
    const log = memoryLog()
    const first = await openApp(log, server, {
      transport: async (input, init, endpoint) => {
        const answer = await server.transport(input, init, endpoint)
        return init.method === 'GET' ? answer : new Response(null, { status: 201 })
      },
    })
    const list = first.controller.watch(getList)
    const stop = list.subscribe(() => {})
    await rest()
    first.call(first.controller.fetch(create, { title: 'Milk' }))
    const id = first.store.outbox.getSnapshot()[0]?.id
    const end = first.call(first.controller.fetch(partialUpdate, { id: `optimistic:${id}` }, { done: true }))
    await rest()
    expect(end.error?.name).toBe('CreationError')
    // The list has asked for the row that it cannot name.
    expect(list.getSnapshot().data?.map((task) => [task.id, task.title])).toEqual([[1, 'Milk']])
    stop()
    const [edit] = first.store.outbox.getSnapshot()
    first.store.retry(edit?.id ?? '')
    await rest()
    for (const { waiting, reported } of [first, await openApp(log, server)])
      expect([waiting(), reported]).toEqual([['partialUpdate refused'], []])
    expect(server.applied).toEqual(['POST /tasks {"title":"Milk"}'])
  })

  test('waits for the network without an attempt, and for as long as Retry-After says', async () => {
    const server = new TaskServer()
    const { controller, clock, call } = await openApp(memoryLog(), server)
    clock.announce({ online: false })
    call(controller.fetch(create, { title: 'Milk' }))
    await clock.advance(60_000)
    expect(server.reached).toEqual([])
    server.refuse = () => new Response(null, { status: 429, headers: { 'retry-after': '300' } })
    clock.announce({ online: true })
    await rest()
    expect(server.reached).toHaveLength(1)
    server.refuse = () => undefined
    await clock.advance(299_000)
    expect(server.reached).toHaveLength(1)
    await clock.advance(2_000)
    await rest()
    expect(server.applied).toHaveLength(1)
  })

  test('a 409 with Retry-After is no refusal: it is sent again with the same key when that says, as often as other attempts', async () => {
    const server = new TaskServer()
    const { controller, clock, call, waiting, store } = await openApp(memoryLog(), server, {
      offlineOptions: { outbox: outbox({ TaskResource }, { maxAttempts: 2 }) },
    })
    server.refuse = () => new Response(null, { status: 409, headers: { 'retry-after': '120' } })
    const end = call(controller.fetch(create, { title: 'Milk' }))
    await rest()
    expect(waiting()).toEqual(['create waiting'])
    expect(store.outbox.getSnapshot()[0]).toMatchObject({ attempts: 1, error: { status: 409 } })
    await clock.advance(119_000)
    expect(server.reached).toHaveLength(1)
    await clock.advance(2_000)
    await rest()
    expect(server.reached.map(({ key }) => key)).toEqual([server.reached[0]?.key, server.reached[0]?.key])
    expect(end.error).toMatchObject({ status: 409 })
    expect(waiting()).toEqual(['create refused'])
    server.refuse = () => undefined
    store.retry(store.outbox.getSnapshot()[0]?.id ?? '')
    await rest()
    expect(server.applied).toEqual(['POST /tasks {"title":"Milk"}'])
  })

  test.each([400, 403, 404, 409, 413, 422])(
    'is refused with %s: its change goes, the entry stays, and is discarded or sent again',
    async (status) => {
      const server = new TaskServer()
      const task = server.add('a')
      const log = memoryLog()
      const first = await openApp(log, server)
      await first.controller.fetch(get, { id: 1 })
      server.refuse = (line) => (line.startsWith('PATCH') ? status : undefined)
      const end = first.call(first.controller.fetch(partialUpdate, { id: 1 }, { title: 'b' }))
      await rest()
      expect(end.error).toMatchObject({ status })
      expect(first.controller.get(Task, { id: 1 })?.title).toBe('a')
      const second = await openApp(log, server)
      const [entry] = second.store.outbox.getSnapshot()
      expect(entry).toMatchObject({ status: 'refused', name: 'TaskResource.partialUpdate', error: { status } })
      expect(second.controller.get(Task, { id: 1 })?.title).toBe('a')
      server.refuse = () => undefined
      second.store.retry(entry?.id ?? '')
      expect(second.controller.get(Task, { id: 1 })?.title).toBe('b')
      await rest()
      expect(server.tasks.get(1)).toEqual({ ...task, title: 'b' })
      expect(second.waiting()).toEqual([])
      server.refuse = () => status
      second.call(second.controller.fetch(partialUpdate, { id: 1 }, { title: 'c' }))
      await rest()
      second.store.discard(second.store.outbox.getSnapshot()[0]?.id ?? '')
      await rest()
      expect((await openApp(log, server)).waiting()).toEqual([])
    },
  )

  test('401: all wait, and a sign-in sends them; nothing is lost by a restart or a logout in between', async () => {
    const server = new TaskServer()
    server.add('a')
    const log = memoryLog()
    const managers = [new LogoutManager()]
    const first = await openApp(log, server, { managers })
    server.refuse = () => 401
    const end = first.call(first.controller.fetch(partialUpdate, { id: 1 }, { title: 'b' }))
    await rest()
    first.call(first.controller.fetch(create, { title: 'Milk' }))
    await first.clock.advance(600_000)
    expect(server.reached).toHaveLength(1)
    expect(first.waiting()).toEqual(['partialUpdate waiting', 'create waiting'])
    first.controller.resetEntireStore()
    await rest()
    expect(end.error?.name).toBe('ResetError')
    expect(first.waiting()).toEqual(['partialUpdate waiting', 'create waiting'])
    server.refuse = () => undefined
    first.store.resume()
    await rest()
    expect([...server.tasks.values()].map(({ title }) => title)).toEqual(['b', 'Milk'])
    expect((await openApp(log, server)).waiting()).toEqual([])
  })

  test('401: LogoutManager logs out, once, though the mutation has not settled', async () => {
    const server = new TaskServer()
    server.add('a')
    const logouts: string[] = []
    const managers = [
      new LogoutManager({
        shouldLogout: ({ status }) => status === 401,
        handleLogout: () => logouts.push('logout'),
      }),
    ]
    const app = await openApp(memoryLog(), server, { managers })
    const retries: unknown[] = []
    app.controller.on('retry', ({ key, error, isPaused }) => retries.push([key, error.status, isPaused]))
    server.refuse = () => 503
    app.call(app.controller.fetch(partialUpdate, { id: 1 }, { title: 'b' }))
    await rest()
    expect([logouts.length, retries]).toEqual([0, [[expect.stringMatching(/^PATCH/), 503, false]]])
    server.refuse = () => 401
    await app.clock.advance(2_000)
    await rest()
    app.call(app.controller.fetch(create, { title: 'Milk' }))
    await app.clock.advance(600_000)
    expect(app.waiting()).toEqual(['partialUpdate waiting', 'create waiting'])
    expect(retries.slice(1)).toEqual([[expect.stringMatching(/^PATCH/), 401, true]])
    expect(logouts).toEqual(['logout'])
  })

  test('a refused creation takes those with it that name its row, and retry sends them in order', async () => {
    const server = new TaskServer()
    const log = memoryLog()
    const first = await openApp(log, server)
    server.refuse = () => 422
    first.call(first.controller.fetch(create, { title: 'Milk' }))
    await Promise.resolve()
    const id = first.store.outbox.getSnapshot()[0]?.id ?? ''
    const end = first.call(first.controller.fetch(partialUpdate, { id: `optimistic:${id}` }, { done: true }))
    await rest()
    expect(end.error?.name).toBe('CreationError')
    expect(first.waiting()).toEqual(['create refused', 'partialUpdate refused'])
    server.refuse = () => undefined
    const second = await openApp(log, server)
    second.store.retry(second.store.outbox.getSnapshot()[1]?.id ?? '')
    await rest()
    await second.clock.advance(1_000)
    expect(server.applied).toEqual(['POST /tasks {"title":"Milk"}', 'PATCH /tasks/1 {"done":true}'])
    expect(second.waiting()).toEqual([])
    // Also within one session.
    server.refuse = () => 422
    second.call(second.controller.fetch(create, { title: 'Tea' }))
    const other = second.store.outbox.getSnapshot()[0]?.id ?? ''
    second.call(second.controller.fetch(partialUpdate, { id: `optimistic:${other}` }, { done: true }))
    await rest()
    expect(second.waiting()).toEqual(['create refused', 'partialUpdate refused'])
    server.refuse = () => undefined
    second.store.retry(other)
    await rest()
    expect(server.applied.slice(2)).toEqual(['POST /tasks {"title":"Tea"}', 'PATCH /tasks/2 {"done":true}'])
    server.refuse = () => 422
    second.call(second.controller.fetch(create, { title: 'Rum' }))
    const third = second.store.outbox.getSnapshot()[0]?.id ?? ''
    second.call(second.controller.fetch(partialUpdate, { id: `optimistic:${third}` }, { done: true }))
    await rest()
    second.store.discard(third)
    expect(second.waiting()).toEqual([])
  })

  test('one that the server cannot take is refused after ten attempts, and holds up no other URL', async () => {
    const server = new TaskServer()
    server.add('a')
    const { controller, clock, waiting, call } = await openApp(memoryLog(), server)
    server.refuse = (line) => (line.startsWith('PATCH') ? 500 : undefined)
    const end = call(controller.fetch(partialUpdate, { id: 1 }, { title: 'poison' }))
    call(controller.fetch(create, { title: 'Milk' }))
    await rest()
    expect(server.applied).toEqual(['POST /tasks {"title":"Milk"}'])
    await clock.advance(20 * 60_000)
    await rest()
    expect(end.error).toMatchObject({ status: 500 })
    expect(server.reached.filter(({ line }) => line.startsWith('PATCH'))).toHaveLength(10)
    expect(waiting()).toEqual(['partialUpdate refused'])
  })

  test('one that ends the page whenever it is sent is not sent again after ten starts', async () => {
    const server = new TaskServer()
    server.add('a')
    const log = memoryLog()
    server.beforeAnswer = () => new Promise(() => {})
    const first = await openApp(log, server)
    first.call(first.controller.fetch(partialUpdate, { id: 1 }, { title: 'b' }))
    await rest()
    for (let start = 0; start < 15; start++) await openApp(log, server)
    expect(server.reached).toHaveLength(10)
    expect((await openApp(log, server)).waiting()).toEqual(['partialUpdate refused'])
  })

  test.each([
    [
      'data',
      Response.json({ title: 'Too many tasks', limit: 3 }, { status: 422 }),
      { title: 'Too many tasks', limit: 3 },
    ],
    ['its text', new Response('Too many tasks', { status: 422 }), 'Too many tasks'],
    [
      'what must not be stored',
      Response.json('secret', { status: 422, headers: { 'cache-control': 'no-store' } }),
      undefined,
    ],
    ['nothing', new Response(null, { status: 422 }), undefined],
  ])(
    'tells after a restart why it was refused as it did before, with what the server has said: %s',
    async (_, refusal, body) => {
      const server = new TaskServer()
      server.refuse = () => refusal.clone()
      const log = memoryLog()
      const { controller, store, call } = await openApp(log, server)
      const end = call(controller.fetch(create, { title: 'Milk' }))
      await rest()
      const { name, message, code, status } = end.error as NetworkError
      const [before] = store.outbox.getSnapshot()
      expect(before).toMatchObject({ status: 'refused', error: { name, message, code, status } })
      expect(before?.error?.body).toEqual(body)
      const [after] = (await openApp(log, server)).store.outbox.getSnapshot()
      expect(after?.error).toEqual(before?.error)
      expect(await diskOf(log)).not.toContain('secret')
    },
  )

  test('that is not registered is sent as ever, with no key, and is not stored', async () => {
    const server = new TaskServer()
    const log = memoryLog()
    const { controller } = await openApp(log, server, { offlineOptions: { outbox: outbox({}) } })
    server.beforeAnswer = () => new Promise(() => {})
    void controller.fetch(create, { title: 'Milk' })
    await rest()
    expect(server.reached).toMatchObject([{ key: null }])
    expect(await diskOf(log)).not.toContain('Milk')
  })

  test('whose definition has gone waits for a version that has it, with one report', async () => {
    const server = new TaskServer()
    const log = memoryLog()
    const first = await openApp(log, server)
    server.isReachable = false
    first.call(first.controller.fetch(create, { title: 'Milk' }))
    await rest()
    server.isReachable = true
    const second = await openApp(log, server, { offlineOptions: { outbox: outbox({}) } })
    expect(second.waiting()).toEqual(['create refused'])
    expect(second.reported.map(({ message }) => message)).toEqual([expect.stringContaining('TaskResource.create')])
    const third = await openApp(log, server, { offlineOptions: { version: '8' } })
    await rest()
    expect(third.waiting()).toEqual([])
    expect(server.tasks.get(1)?.title).toBe('Milk')
  })

  test('with arguments that cannot be stored, or with a log that takes nothing, is sent all the same, with one report', async () => {
    const server = new TaskServer()
    const { controller, reported } = await openApp(memoryLog(), server)
    await controller.fetch(create, { title: 'Milk', made: Symbol('odd') } as never)
    expect(reported.map(({ message }) => message)).toEqual([expect.stringContaining('lacks a mutation')])
    const refuse = () => Promise.reject(new Error('full'))
    const other = await openApp({ append: refuse, read: refuse, rewrite: refuse, clear: refuse }, server)
    await other.controller.fetch(create, { title: 'Tea' })
    await other.controller.fetch(create, { title: 'Rum' })
    await rest()
    expect([...server.tasks.values()].map(({ title }) => title)).toEqual(['Milk', 'Tea', 'Rum'])
    expect(other.reported).toHaveLength(2)
  })

  test('with a form and a file is sent after a restart', async () => {
    const server = new TaskServer()
    const log = memoryLog()
    const first = await openApp(log, server)
    server.isReachable = false
    const form = new FormData()
    form.append('title', 'Milk')
    form.append('photo', new File(['pixels'], 'milk.png', { type: 'image/png' }))
    first.call(first.controller.fetch(sendFile, form))
    await rest()
    server.isReachable = true
    let sent: FormData | undefined
    await openApp(log, server, {
      transport: (input, init, endpoint) => {
        sent = init.body as FormData
        return server.transport(input, { ...init, body: null }, endpoint)
      },
    })
    await rest()
    const photo = sent?.get('photo') as File
    expect([sent?.get('title'), photo.name, photo.type, await photo.text()]).toEqual([
      'Milk',
      'milk.png',
      'image/png',
      'pixels',
    ])
  })

  test('that is discarded while it waits rejects with an AbortError, and its change goes', async () => {
    const server = new TaskServer()
    server.add('a')
    const log = memoryLog()
    const { controller, store, call } = await openApp(log, server)
    await controller.fetch(get, { id: 1 })
    server.isReachable = false
    const end = call(controller.fetch(partialUpdate, { id: 1 }, { title: 'b' }))
    await rest()
    expect(controller.get(Task, { id: 1 })?.title).toBe('b')
    store.discard(store.outbox.getSnapshot()[0]?.id ?? '')
    await rest()
    expect(end.error?.name).toBe('AbortError')
    expect(controller.get(Task, { id: 1 })?.title).toBe('a')
    expect((await openApp(log, server)).waiting()).toEqual([])
  })

  test('forget takes it off the disk and ends it', async () => {
    const server = new TaskServer()
    const log = memoryLog()
    const { controller, store, call, waiting } = await openApp(log, server)
    server.isReachable = false
    const end = call(controller.fetch(create, { title: 'Milk' }))
    await rest()
    await store.forget()
    await rest()
    expect(end.error?.name).toBe('AbortError')
    expect(waiting()).toEqual([])
    expect(await diskOf(log)).toBe('')
  })

  test('stays through a summary of the log', async () => {
    const server = new TaskServer()
    const log = memoryLog()
    const first = await openApp(log, server)
    server.isReachable = false
    first.call(first.controller.fetch(create, { title: 'Milk' }))
    await rest()
    for (let i = 0; i < 100; i++) {
      first.controller.setResponse(get, { id: 5 }, { id: 5, title: 'x'.repeat(1_000 + i), done: false } as never)
      await first.clock.advance(50)
    }
    expect((await diskOf(log)).length).toBeLessThan(20_000)
    server.isReachable = true
    await openApp(log, server)
    await rest()
    expect(server.applied).toEqual(['POST /tasks {"title":"Milk"}'])
  })
})

describe('with If-Match', () => {
  const { get: getTask, partialUpdate: update } = CarefulTasks

  async function editedOffline(server: TaskServer, log: OfflineLog) {
    const first = await openApp(log, server)
    await first.controller.fetch(getTask, { id: 1 })
    server.isReachable = false
    first.call(first.controller.fetch(update, { id: 1 }, { title: 'mine' }))
    await rest()
    server.isReachable = true
  }

  test('an edit that waits over a restart is sent for the version that its user has seen', async () => {
    const server = new TaskServer()
    server.add('a')
    const log = memoryLog()
    await editedOffline(server, log)
    await openApp(log, server)
    await rest()
    expect(server.reached.at(-1)).toMatchObject({ line: 'PATCH /tasks/1 {"title":"mine"}', ifMatch: '"1-1"' })
    expect(server.tasks.get(1)?.title).toBe('mine')
  })

  test('somebody else has changed another field meanwhile: both changes are kept', async () => {
    const server = new TaskServer()
    server.add('a')
    const log = memoryLog()
    await editedOffline(server, log)
    server.change(1, { done: true })
    const app = await openApp(log, server)
    await rest()
    expect(server.tasks.get(1)).toEqual({ id: 1, title: 'mine', done: true })
    expect(app.controller.get(Task, { id: 1 })).toMatchObject({ title: 'mine', done: true })
    expect(app.waiting()).toEqual([])
  })

  test('somebody else has changed the same field meanwhile: nothing is overwritten, and the edit is refused with both versions', async () => {
    const server = new TaskServer()
    server.add('a')
    const log = memoryLog()
    await editedOffline(server, log)
    server.change(1, { title: 'theirs' })
    const app = await openApp(log, server)
    await rest()
    expect(server.tasks.get(1)?.title).toBe('theirs')
    expect(app.waiting()).toEqual(['partialUpdate refused'])
    expect(app.store.outbox.getSnapshot()[0]?.error?.code).toBe('CONFLICT')
    expect(app.controller.get(Task, { id: 1 })?.title).toBe('theirs')
  })

  test('the page has read the newer version before the edit is sent: that is no reason to overwrite it', async () => {
    const server = new TaskServer()
    server.add('a')
    const log = memoryLog()
    await editedOffline(server, log)
    server.change(1, { title: 'theirs' })
    const env = new HandClock()
    env.online = false
    const app = await openApp(log, server, { env })
    await app.controller.fetch(getTask, { id: 1 })
    expect(app.controller.get(Task, { id: 1 })?.title).toBe('mine')
    env.announce({ online: true })
    await rest()
    expect(server.tasks.get(1)?.title).toBe('theirs')
    expect(app.waiting()).toEqual(['partialUpdate refused'])
  })

  test('two edits of one row: the second is sent for the version that the first has made, also by the next start', async () => {
    const server = new TaskServer()
    server.add('a')
    const log = memoryLog()
    const first = await openApp(log, server)
    await first.controller.fetch(getTask, { id: 1 })
    server.isReachable = false
    first.call(first.controller.fetch(update, { id: 1 }, { title: 'one' }))
    first.call(first.controller.fetch(update, { id: 1 }, { done: true }))
    await rest()
    server.isReachable = true
    server.refuse = (line) => (line.includes('done') ? 503 : undefined)
    await first.clock.advance(5_000)
    await rest()
    expect(server.applied).toEqual(['PATCH /tasks/1 {"title":"one"}'])
    server.refuse = () => undefined
    const { length } = server.reached
    await openApp(log, server)
    await rest()
    // At once: what it was made on is no reason to compare it with what the first has changed.
    expect(server.reached.slice(length)).toMatchObject([{ line: 'PATCH /tasks/1 {"done":true}', ifMatch: '"1-2"' }])
    expect(server.tasks.get(1)).toEqual({ id: 1, title: 'one', done: true })
  })
})

test('of 25 mutations that have waited, the snapshots of the outbox tell how many are done', async () => {
  const server = new TaskServer()
  const memory = memoryLog()
  const { controller, store, call, clock } = await openApp(memory, server)
  server.isReachable = false
  for (let i = 0; i < 25; i++) call(controller.fetch(create, { title: `task ${i}` }))
  await rest()
  expect(store.outbox.getSnapshot()).toHaveLength(25)
  // As in the guide.
  const shown: string[] = []
  const batch = new Set<string>()
  const stop = store.outbox.subscribe(() => {
    const left = store.outbox.getSnapshot().filter(({ status }) => status !== 'refused')
    for (const { id } of left) batch.add(id)
    shown.push(`${batch.size - left.length} of ${batch.size}`)
  })
  server.isReachable = true
  // One URL: they are sent one after the other.
  while (store.outbox.getSnapshot().length > 0) {
    await clock.advance(60_000)
    await rest()
  }
  stop()
  expect([...new Set(shown)]).toEqual(Array.from({ length: 26 }, (_, done) => `${done} of 25`))
  expect(server.applied).toHaveLength(25)
})
