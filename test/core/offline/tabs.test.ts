import { Controller, Endpoint, expires, type NetworkError, poll, scope } from '@roundtable/core'
import { indexedDbLog, memoryLog, type OfflineLog, offline, outbox } from '@roundtable/core/offline'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { HANGS } from '../../hangs.js'
import { begin } from './tabs-harness.js'
import { openApp, rest, Task, TaskResource, TaskServer } from './todo-server.js'

const { getList, create, partialUpdate } = TaskResource

type App = Awaited<ReturnType<ReturnType<typeof begin>['open']>>

describe('rows travel to other tabs', () => {
  test('when they were read', async () => {
    const { server, open, pass } = begin()
    const [one, other] = [await open(), await open()]
    await one.controller.fetch(getList)
    await pass()
    expect(other.titles()).toEqual(['a', 'b'])
    expect(server.reached).toHaveLength(1)
  })

  test('and are not written to the log again by those who have read them, also after a reset', async () => {
    const { device, open, pass } = begin()
    const [one] = [await open(), await open(), await open()]
    await one.controller.fetch(getList)
    await pass()
    await pass()
    expect(await device.memory.read(0)).toHaveLength(1)
    one.controller.resetEntireStore()
    await pass()
    await one.controller.fetch(getList)
    await pass()
    await pass()
    // The reset, and what was read after it.
    expect(await device.memory.read(0)).toHaveLength(2)
  })

  test('also what a mutation outside of the outbox has changed', async () => {
    const { server, open, pass } = begin({ outbox: outbox({}) })
    const [one, other] = [await open(), await open()]
    const stop = other.list.subscribe(() => {})
    await rest()
    await pass()
    await one.controller.fetch(partialUpdate, { id: 1 }, { title: 'A' })
    await pass()
    expect(other.titles()).toEqual(['A', 'b'])
    await one.controller.fetch(create, { title: 'c' })
    await pass()
    expect(other.titles()).toEqual(['A', 'b', 'c'])
    expect(server.reached.map(({ line }) => line).filter((line) => line !== 'GET /tasks')).toHaveLength(2)
    stop()
  })

  test.each([
    { what: 'in the outbox', mutations: { TaskResource }, isSlow: false },
    { what: 'in the outbox', mutations: { TaskResource }, isSlow: true },
    { what: 'outside of it', mutations: {}, isSlow: false },
    { what: 'outside of it', mutations: {}, isSlow: true },
  ])('by a read that begins when a mutation of its tab is answered, $what (the read is slow: $isSlow)', async (one) => {
    const { server, open, pass } = begin({ outbox: outbox(one.mutations) })
    const [here, other] = [await open(), await open()]
    await here.controller.fetch(getList)
    await pass()
    const read = here.controller.fetch(partialUpdate, { id: 1 }, { title: 'A' }).then(() => {
      // Somebody else changes it before it is read.
      server.change(1, { title: 'B' })
      const release = one.isSlow ? server.hold('GET') : () => {}
      const list = here.controller.fetch(getList)
      return { release, list }
    })
    // The mutation is stored.
    await pass()
    const { release, list } = await read
    release()
    await list
    await pass()
    const next = await open()
    for (const { titles } of [here, other, next]) expect(titles()).toEqual(['B', 'b'])
  })

  test.each([
    { what: 'in the outbox', mutations: { TaskResource } },
    { what: 'outside of it', mutations: {} },
  ])(
    'a list that another tab was reading while a row was created here, $what, does not lose the row',
    async ({ mutations }) => {
      const { server, open, pass } = begin({ outbox: outbox(mutations) })
      const [reader, maker] = [await open(), await open()]
      await maker.controller.fetch(getList)
      await pass()
      const answer = server.hold('GET')
      const late = reader.controller.fetch(getList)
      await pass()
      await maker.controller.fetch(create, { title: 'c' })
      await pass()
      answer()
      await late
      for (const { list } of [maker, reader]) list.subscribe(() => {})
      await pass()
      expect([maker.titles(), reader.titles()]).toEqual([
        ['a', 'b', 'c'],
        ['a', 'b', 'c'],
      ])
    },
  )

  test('a read that started before one of another tab, which knew of it by then, replaces nothing when it comes late', async () => {
    const { server, open, pass } = begin()
    const [one, other] = [await open(), await open()]
    const { get } = TaskResource
    let answer = (): void => {}
    server.beforeAnswer = () =>
      new Promise((resolve) => {
        answer = resolve
      })
    const slow = one.controller.fetch(get, { id: 1 })
    await rest()
    server.beforeAnswer = () => {}
    // The other tab hears of something that is later than that.
    await one.controller.fetch(get, { id: 2 })
    await pass()
    server.change(1, { title: 'new' })
    await other.controller.fetch(get, { id: 1 })
    await pass()
    answer()
    await slow
    await pass()
    for (const { controller } of [one, other]) expect(controller.view(Task, { id: 1 }).getSnapshot()?.title).toBe('new')
  })

  test('and one that came late to another tab replaces nothing that was read here since', async () => {
    const { server, open, pass } = begin()
    const [one, other] = [await open(), await open()]
    const { get } = TaskResource
    let answer = (): void => {}
    server.beforeAnswer = () =>
      new Promise((resolve) => {
        answer = resolve
      })
    const slow = other.controller.fetch(get, { id: 1 })
    await rest()
    server.beforeAnswer = () => {}
    server.change(1, { title: 'new' })
    await one.controller.fetch(get, { id: 1 })
    answer()
    await slow
    await pass()
    expect(one.controller.view(Task, { id: 1 }).getSnapshot()?.title).toBe('new')
  })

  test('what one marks as out of date is out of date in all, and told once', async () => {
    const { server, device, open, pass } = begin()
    const [one, other] = [await open(), await open()]
    const stop = other.list.subscribe(() => {})
    await pass()
    expect(server.reached).toHaveLength(1)
    one.controller.expireBy(Task, 1)
    await pass()
    expect(server.reached).toHaveLength(2)
    one.controller.expireAll(getList)
    await pass()
    expect(server.reached).toHaveLength(3)
    await pass(10_000)
    // Three responses and two marks.
    expect(await device.memory.read(0)).toHaveLength(5)
    stop()
  })

  test('also several endpoints that one marks at a time', async () => {
    const { server, open, pass } = begin()
    const [one, other] = [await open(), await open()]
    const { get } = TaskResource
    await one.controller.fetch(getList)
    await one.controller.fetch(get, { id: 1 })
    await pass()
    other.list.subscribe(() => {})
    other.controller.watch(get, { id: 1 }).subscribe(() => {})
    await pass()
    const { length } = server.reached
    one.controller.expireAll(getList)
    one.controller.expireAll(get)
    await pass()
    expect(server.reached.slice(length).map(({ line }) => line)).toEqual(['GET /tasks', 'GET /tasks/1'])
  })

  const expiring = { parts: [expires(() => [getList])] }
  const rename = partialUpdate.extend(expiring)
  const touch = new Endpoint(async () => null, { name: 'touch', sideEffect: true, ...expiring })
  const lost = new Endpoint(() => Promise.reject(new TypeError('connection lost')), {
    name: 'lost',
    sideEffect: true,
    ...expiring,
  })
  const secret = new Endpoint(async () => null, {
    name: 'secret',
    sideEffect: true,
    parts: [
      ...expiring.parts,
      {
        name: 'no-store',
        read: (_, { response }) => {
          response.noStore = true
        },
      },
    ],
  })

  test.each([
    { what: 'outside of the outbox', mutations: {}, call: (app: App) => app.controller.fetch(rename, { id: 1 }, {}) },
    { what: 'in the outbox', mutations: { rename }, call: (app: App) => app.controller.fetch(rename, { id: 1 }, {}) },
    { what: 'that brings nothing', mutations: {}, call: (app: App) => app.controller.fetch(touch) },
    {
      what: 'whose answer was lost',
      mutations: {},
      call: (app: App) => app.controller.fetch(lost).catch(() => {}),
    },
    { what: 'whose response is not stored', mutations: {}, call: (app: App) => app.controller.fetch(secret) },
  ])('also those that a mutation $what expires, once', async ({ mutations, call }) => {
    const { server, open, pass } = begin({ outbox: outbox(mutations) })
    const [one, other] = [await open(), await open()]
    const reads = () => server.reached.filter(({ line }) => line === 'GET /tasks')
    // Either may be the one that sends the mutations of the outbox.
    for (const [maker, reader] of [
      [one, other],
      [other, one],
    ] as const) {
      const stop = reader.list.subscribe(() => {})
      await pass()
      const { length } = reads()
      await call(maker)
      await pass()
      await pass()
      expect(reads()).toHaveLength(length + 1)
      await pass(10_000)
      expect(reads()).toHaveLength(length + 1)
      stop()
    }
  })

  test('a mark of another tab is not told again with the next one of this tab', async () => {
    const { device, open, pass } = begin()
    const { get } = TaskResource
    const [first] = [await open()]
    await first.controller.fetch(getList)
    await first.controller.fetch(get, { id: 1 })
    await pass()
    // These have not used the keys that are in the log.
    const [one, other] = [await open(), await open()]
    one.controller.expireAll(get)
    await pass()
    other.controller.expireAll(getList)
    await pass()
    const { decode } = await parts()
    const told = (await device.memory.read(0)).map(decode).map(({ keys = [] }) => keys.map(([key]) => key))
    expect(told.slice(-2)).toEqual([['GET https://api.test/tasks/1'], ['GET https://api.test/tasks']])
  })
})

describe('a mutation is one in all tabs', () => {
  test('it shows in the others before it is sent, and its outcome is there without a request of theirs', async () => {
    const { server, open, pass } = begin()
    const [one, other] = [await open(), await open()]
    await one.controller.fetch(getList)
    await pass()
    server.isReachable = false
    const end = one.call(one.controller.fetch(create, { title: 'c' }))
    one.call(one.controller.fetch(partialUpdate, { id: 1 }, { title: 'A' }))
    await rest()
    expect(other.titles()).toEqual(['A', 'b', 'c'])
    expect(other.list.getSnapshot().data?.map(({ id }) => id)).toEqual(one.list.getSnapshot().data?.map(({ id }) => id))
    expect(other.waiting()).toHaveLength(2)
    server.isReachable = true
    await pass(60_000)
    expect(end.value).toMatchObject({ id: 3 })
    expect(other.waiting()).toEqual([])
    expect(other.list.getSnapshot().data?.map(({ id }) => id)).toEqual([1, 2, 3])
    expect([...server.applied].sort()).toEqual(['PATCH /tasks/1 {"title":"A"}', 'POST /tasks {"title":"c"}'])
    expect(server.reached.filter(({ line }) => line.startsWith('GET'))).toHaveLength(1)
  })

  test('its rows are written to the log by the tab that has sent it, and by no other', async () => {
    const { device, open, pass } = begin()
    const one = await open()
    await open()
    await one.controller.fetch(getList)
    await pass()
    one.call(one.controller.fetch(create, { title: 'one of them' }))
    await pass()
    await pass()
    const { decode } = await parts()
    const contents = (await device.memory.read(0)).map(decode)
    expect(contents.filter(({ state }) => JSON.stringify(state?.rows)?.includes('one of them'))).toHaveLength(1)
  })

  test('whoever gets the lock reads first what the one before has written', async () => {
    const memory = memoryLog()
    const { server, open, pass } = begin({
      memory: {
        ...memory,
        async append(entry, isDurable) {
          const record = await memory.append(entry, isDurable)
          // It ends before it can tell the others.
          if (entry.text.includes('["end",')) one.tab.crash()
          return record
        },
      },
    })
    const one = await open()
    const other = await open()
    await rest()
    one.call(one.controller.fetch(create, { title: 'c' }))
    await rest()
    await pass()
    expect(other.waiting()).toEqual([])
    expect(server.reached).toHaveLength(1)
    expect(other.controller.view(Task, { id: 3 }).getSnapshot()?.title).toBe('c')
  })

  const scoped = partialUpdate.extend({ scope: scope('row') })

  test.each([
    ['without a scope', partialUpdate],
    ["with scope('row')", scoped],
  ])(
    'mutations %s that were made at the same time lie in the same order in all, and are sent in it',
    async (_, patch) => {
      const { server, open, pass } = begin({ outbox: outbox({ TaskResource, scoped }) })
      const tabs = [await open(), await open(), await open()]
      await tabs[0]?.controller.fetch(getList)
      await pass()
      server.isReachable = false
      tabs.forEach(({ controller, call }, i) => {
        call(controller.fetch(patch, { id: 1 }, { title: `by ${i}` }))
      })
      await rest()
      const [shown] = tabs.map(({ titles }) => titles()?.[0])
      for (const { titles } of tabs) expect(titles()?.[0]).toBe(shown)
      server.isReachable = true
      await pass(60_000)
      await pass(60_000)
      expect(server.applied).toHaveLength(3)
      expect(server.tasks.get(1)?.title).toBe(shown)
      for (const { titles, waiting } of tabs) expect([titles()?.[0], waiting()]).toEqual([shown, []])
    },
  )

  test('they lie in the order in which they were stored also in a tab that reads a summary of them', async () => {
    const { server, device, open, pass } = begin()
    const [one, other] = [await open(), await open()]
    await one.controller.fetch(getList)
    await pass()
    server.isReachable = false
    other.tab.freeze()
    one.call(one.controller.fetch(partialUpdate, { id: 1 }, { title: 'first' }))
    await rest()
    other.call(other.controller.fetch(partialUpdate, { id: 1 }, { title: 'second' }))
    await rest()
    const { decode, encode, summarize, mergeSteps } = await parts()
    await device.memory.rewrite((records) => encode(summarize(records.map(decode), '', mergeSteps)))
    other.tab.wake()
    await pass()
    for (const { titles } of [one, other]) expect(titles()?.[0]).toBe('second')
    server.isReachable = true
    one.tab.crash()
    await pass(60_000)
    await pass(60_000)
    expect(server.applied).toEqual(['first', 'second'].map((title) => `PATCH /tasks/1 {"title":"${title}"}`))
    expect(other.titles()?.[0]).toBe('second')
  })

  test('an edit of a row that another tab creates is sent with the key that the server has given', async () => {
    const { server, open, pass } = begin()
    const [one, other] = [await open(), await open()]
    await one.controller.fetch(getList)
    await pass()
    server.isReachable = false
    one.call(one.controller.fetch(create, { title: 'c' }))
    await rest()
    const id = other.list.getSnapshot().data?.[2]?.id as number
    const end = other.call(other.controller.fetch(partialUpdate, { id }, { title: 'C' }))
    await rest()
    expect(one.titles()).toEqual(['a', 'b', 'C'])
    const shown: unknown[] = []
    const stop = other.list.subscribe(() => shown.push(other.titles()))
    server.isReachable = true
    // In short steps: the log waits only a second for a response that another tab has reported.
    for (let step = 0; step < 100 && end.value === undefined; step++) await pass(100)
    expect(end.value).toMatchObject({ id: 3, title: 'C' })
    expect(server.applied).toEqual(['POST /tasks {"title":"c"}', 'PATCH /tasks/3 {"title":"C"}'])
    // Nothing else was shown on the way.
    for (const titles of shown) expect(titles).toEqual(['a', 'b', 'C'])
    stop()
  })

  test.each([
    { who: 'the next start', readsBefore: false },
    { who: 'a tab that has read the answer before the edit', readsBefore: true },
  ])('an edit made before its tab has read the answer of the creation is sent by $who', async ({ readsBefore }) => {
    const { server, open, pass } = begin()
    const [one, other] = [await open(), await open()]
    await one.controller.fetch(getList)
    await pass()
    let answer = (): void => {}
    server.beforeAnswer = () =>
      new Promise((resolve) => {
        answer = resolve
      })
    one.call(one.controller.fetch(create, { title: 'c' }))
    await pass()
    const id = other.list.getSnapshot().data?.[2]?.id as number
    other.tab.freeze()
    server.beforeAnswer = () => {}
    answer()
    await pass()
    const reader = readsBefore ? await open() : undefined
    one.tab.crash()
    other.call(other.controller.fetch(partialUpdate, { id }, { title: 'C' }))
    await pass()
    other.tab.crash()
    const sender = reader ?? (await open())
    sender.tab.wake(true)
    await pass()
    expect(server.applied).toEqual(['POST /tasks {"title":"c"}', 'PATCH /tasks/3 {"title":"C"}'])
    expect(sender.waiting()).toEqual([])
  })

  test('a summary from before the end of a creation, read after that, takes the real key from no edit', async () => {
    const memory = memoryLog()
    let reading: Promise<unknown> = Promise.resolve()
    const read: OfflineLog['read'] = async (after) => {
      await reading
      return memory.read(after)
    }
    const { server, open, pass } = begin({ memory: { ...memory, read } })
    const [one, other] = [await open(), await open()]
    await one.controller.fetch(getList)
    await pass()
    const answer = server.hold('POST')
    one.call(one.controller.fetch(create, { title: 'c' }))
    await pass()
    const id = other.list.getSnapshot().data?.[2]?.id as number
    other.call(other.controller.fetch(partialUpdate, { id }, { title: 'C' }))
    await pass()
    let go = (): void => {}
    reading = new Promise<void>((resolve) => {
      go = resolve
    })
    other.call(other.controller.fetch(partialUpdate, { id: 2 }, { title: 'B' }))
    await rest()
    const { decode, encode, summarize, mergeSteps } = await parts()
    await memory.rewrite((records) => encode(summarize(records.map(decode), '', mergeSteps)))
    other.tab.crash()
    answer()
    await rest()
    go()
    await pass()
    expect(server.applied.filter((line) => !line.includes('/2'))).toEqual([
      'POST /tasks {"title":"c"}',
      'PATCH /tasks/3 {"title":"C"}',
    ])
  })

  test('an edit of a row that was new is sent again with its real key after a refusal', async () => {
    const { server, open, pass } = begin()
    const one = await open()
    await one.controller.fetch(getList)
    server.isReachable = false
    one.call(one.controller.fetch(create, { title: 'c' }))
    await rest()
    const id = one.list.getSnapshot().data?.[2]?.id as number
    one.call(one.controller.fetch(partialUpdate, { id }, { title: 'C' }))
    await rest()
    server.refuse = (line) => (line.startsWith('PATCH') ? 409 : undefined)
    server.isReachable = true
    await pass(60_000)
    expect(one.waiting()).toEqual(['partialUpdate refused'])
    server.refuse = () => undefined
    one.store.retry(one.store.outbox.getSnapshot()[0]?.id as string)
    await pass()
    expect(server.applied).toEqual(['POST /tasks {"title":"c"}', 'PATCH /tasks/3 {"title":"C"}'])
  })

  test.each([true, false])('it is sent by one of them: with locks, %s', async (hasLocks) => {
    const { server, open, pass } = begin({ hasLocks })
    const [one, other] = [await open(), await open(), await open()]
    const end = one.call(one.controller.fetch(create, { title: 'c' }))
    await pass()
    expect(end.value).toMatchObject({ id: 3 })
    expect(server.applied).toEqual(['POST /tasks {"title":"c"}'])
    const { length } = server.reached
    expect(length).toBeLessThanOrEqual(hasLocks ? 1 : 3)
    expect(new Set(server.reached.map(({ key }) => key)).size).toBe(1)
    expect(other.waiting()).toEqual([])
    expect(other.controller.view(Task, { id: 3 }).getSnapshot()?.title).toBe('c')
  })

  test('if the tab that sends it ends, another one sends it, and the caller hears of the answer', async () => {
    const { server, open, pass } = begin()
    const [one, other] = [await open(), await open()]
    server.beforeAnswer = () => new Promise(() => {})
    one.call(one.controller.fetch(create, { title: 'c' }))
    await rest()
    const end = other.call(other.controller.fetch(create, { title: 'd' }))
    await rest()
    expect(server.applied).toEqual(['POST /tasks {"title":"c"}'])
    server.beforeAnswer = () => {}
    one.tab.crash()
    await rest()
    expect(end.value).toMatchObject({ id: 4, title: 'd' })
    expect(server.applied).toEqual(['POST /tasks {"title":"c"}', 'POST /tasks {"title":"d"}'])
    await pass()
    expect(other.waiting()).toEqual([])
  })

  test('the lock is held only while something waits', async () => {
    const { server, device, open, pass } = begin()
    const one = await open()
    server.isReachable = false
    one.call(one.controller.fetch(create, { title: 'c' }))
    await rest()
    expect(device.turns).toHaveLength(1)
    server.isReachable = true
    await pass(60_000)
    expect(device.turns).toEqual([])
  })

  test('an answer that nobody may store ends it in the others, too, and they ask for what it has changed', async () => {
    const { server, device, open, pass } = begin()
    const [one, other] = [await open(), await open()]
    const stop = other.list.subscribe(() => {})
    await pass()
    server.refuse = (line) =>
      line.startsWith('PATCH')
        ? Response.json({ id: 1, title: 'secret', note: 'for nobody' }, { headers: { 'cache-control': 'no-store' } })
        : undefined
    server.change(1, { title: 'secret' })
    one.call(one.controller.fetch(partialUpdate, { id: 1 }, { title: 'A' }))
    await pass()
    expect(other.waiting()).toEqual([])
    expect(other.titles()).toEqual(['secret', 'b'])
    expect((await device.memory.read(0)).map(({ text }) => text).join()).not.toContain('for nobody')
    stop()
  })
})

describe('from any tab', () => {
  test('a mutation that is refused is refused in all, and sent again or given up by each', async () => {
    const { server, open, pass } = begin()
    const [one, other] = [await open(), await open()]
    await one.controller.fetch(getList)
    await pass()
    server.refuse = (line) => (line.startsWith('PATCH') ? 422 : undefined)
    const end = one.call(one.controller.fetch(partialUpdate, { id: 1 }, { title: 'A' }))
    const given = other.call(other.controller.fetch(partialUpdate, { id: 2 }, { title: 'B' }))
    await pass()
    expect([end.error, given.error]).toMatchObject([{ status: 422 }, { status: 422 }])
    for (const { waiting, titles } of [one, other]) {
      expect(waiting()).toEqual(['partialUpdate refused', 'partialUpdate refused'])
      expect(titles()).toEqual(['a', 'b'])
    }
    server.refuse = () => undefined
    server.isReachable = false
    const [first, second] = one.store.outbox.getSnapshot()
    other.store.retry(`${first?.id}`)
    one.store.discard(`${second?.id}`)
    await pass()
    for (const { titles } of [one, other]) expect(titles()).toEqual(['A', 'b'])
    for (const { store } of [one, other]) expect(store.outbox.getSnapshot().map(({ id }) => id)).toEqual([first?.id])
    server.isReachable = true
    await pass(60_000)
    expect(server.applied).toEqual(['PATCH /tasks/1 {"title":"A"}'])
    for (const { waiting, titles } of [one, other]) {
      expect(waiting()).toEqual([])
      expect(titles()).toEqual(['A', 'b'])
    }
  })

  test('the tabs that have not sent it show what the server has said of a refusal, and their callers read it', async () => {
    const { server, open, pass } = begin()
    const [one, other] = [await open(), await open()]
    server.refuse = (line) =>
      line.startsWith('POST') ? Response.json({ title: 'Too many' }, { status: 422 }) : undefined
    server.isReachable = false
    one.call(one.controller.fetch(create, { title: 'c' }))
    const end = other.call(other.controller.fetch(create, { title: 'd' }))
    await rest()
    server.isReachable = true
    await pass(60_000)
    await pass(60_000)
    for (const { store } of [one, other])
      for (const { error } of store.outbox.getSnapshot())
        expect(error).toMatchObject({ status: 422, body: { title: 'Too many' } })
    expect(await (end.error as NetworkError).body()).toEqual({ title: 'Too many' })
  })

  test('what waits in another tab is given up, and its caller hears of that', async () => {
    const { server, open, pass } = begin()
    const [one, other] = [await open(), await open()]
    server.isReachable = false
    const end = one.call(one.controller.fetch(create, { title: 'c' }))
    await rest()
    other.store.discard(`${other.store.outbox.getSnapshot()[0]?.id}`)
    await pass()
    expect(end.error?.name).toBe('AbortError')
    expect([one.waiting(), other.waiting()]).toEqual([[], []])
  })

  test('after a 401 all wait, until one resumes', async () => {
    const { server, open, pass } = begin()
    const [one, other] = [await open(), await open()]
    server.refuse = () => 401
    one.call(one.controller.fetch(create, { title: 'c' }))
    await pass()
    other.call(other.controller.fetch(create, { title: 'd' }))
    await pass(60_000)
    expect(server.reached).toHaveLength(1)
    server.refuse = () => undefined
    other.store.resume()
    await pass()
    expect(server.applied).toEqual(['POST /tasks {"title":"c"}', 'POST /tasks {"title":"d"}'])
    expect([one.waiting(), other.waiting()]).toEqual([[], []])
    // The first one has heard of it, too.
    other.tab.crash()
    one.call(one.controller.fetch(create, { title: 'e' }))
    await pass()
    expect(server.applied).toHaveLength(3)
  })

  test('a reset empties all tabs and the rows in the log, and keeps mutations until one resumes', async () => {
    const { server, device, open, pass } = begin()
    const [one, other] = [await open(), await open()]
    await one.controller.fetch(getList)
    await pass()
    server.isReachable = false
    const end = other.call(other.controller.fetch(create, { title: 'c' }))
    await rest()
    one.controller.resetEntireStore()
    await pass()
    expect(end.error?.name).toBe('ResetError')
    expect(other.titles()).toBeUndefined()
    const disk = (await device.memory.read(0)).map(({ text }) => text).join()
    expect(disk).not.toContain('"a"')
    for (const { waiting } of [one, other]) expect(waiting()).toEqual(['create waiting'])
    server.isReachable = true
    await pass(60_000)
    expect(server.applied).toEqual([])
    other.store.resume()
    await pass()
    expect(server.applied).toEqual(['POST /tasks {"title":"c"}'])
    expect([one.waiting(), other.waiting()]).toEqual([[], []])
  })

  test('rows of a tab that has slept through a reset are of nobody', async () => {
    const { device, open, pass } = begin()
    const [one, other] = [await open(), await open()]
    await pass()
    other.tab.freeze()
    other.call(other.controller.fetch(getList))
    await rest()
    one.controller.resetEntireStore()
    await pass()
    other.tab.wake()
    await pass()
    expect([one.titles(), other.titles()]).toEqual([undefined, undefined])
    expect((await device.memory.read(0)).map(({ text }) => text).join()).not.toContain('"a"')
  })

  test('rows that a tab reads after its own reset, before that is in the log, are of nobody', async () => {
    const { open, pass } = begin()
    const [one, other] = [await open(), await open()]
    await pass()
    other.tab.freeze()
    await one.controller.fetch(getList)
    await pass()
    other.tab.wake()
    // The record waits to be read.
    other.controller.resetEntireStore()
    await pass()
    expect([one.titles(), other.titles()]).toEqual([undefined, undefined])
    expect(other.controller.view(Task, { id: 1 }).getSnapshot()).toBeUndefined()
  })

  test('a record that somebody has written without knowing of a reset brings nothing back, here or at the next start', async () => {
    const { device, open, pass } = begin()
    const one = await open()
    await one.controller.fetch(getList)
    await pass()
    const [late] = await device.memory.read(0)
    one.controller.resetEntireStore()
    await pass()
    await device.memory.append(late ?? { text: '' }, false)
    one.controller.set(Task, { id: 9 }, { id: 9, title: 'of the next one' })
    await pass()
    const next = await open()
    for (const { controller } of [one, next]) {
      expect(controller.view(Task, { id: 1 }).getSnapshot()).toBeUndefined()
      expect(controller.view(Task, { id: 9 }).getSnapshot()?.title).toBe('of the next one')
    }
  })

  test('an attempt that another tab tells of after a reset here sends nothing: what was put aside waits', async () => {
    const { server, device, open, pass } = begin()
    const [one, other] = [await open(), await open()]
    server.isReachable = false
    other.call(other.controller.fetch(create, { title: 'c' }))
    await rest()
    const attempt = (await device.memory.read(0)).find(({ text }) => text.includes('"try"'))
    one.controller.resetEntireStore()
    await pass()
    await device.memory.append(attempt ?? { text: '' }, false)
    other.controller.set(Task, { id: 9 }, { id: 9, title: 'x' })
    await pass()
    expect(attempt).toBeDefined()
    expect(one.waiting()).toEqual(['create waiting'])
  })

  test('all is forgotten', async () => {
    const { server, device, open, pass } = begin()
    const [one, other] = [await open(), await open()]
    server.isReachable = false
    const end = one.call(one.controller.fetch(create, { title: 'c' }))
    await rest()
    await other.store.forget()
    await pass()
    expect(end.error?.name).toBe('AbortError')
    expect([one.waiting(), other.waiting()]).toEqual([[], []])
    server.isReachable = true
    await pass(60_000)
    expect(server.applied).toEqual([])
    expect((await device.memory.read(0)).map(({ text }) => text).join()).not.toContain('title')
  })
})

test('the list of what waits is the same one while another tab stores rows', async () => {
  const { open, pass } = begin()
  const [one, other] = [await open(), await open()]
  let changes = 0
  const stop = other.store.outbox.subscribe(() => changes++)
  const before = other.store.outbox.getSnapshot()
  await one.controller.fetch(getList)
  await pass()
  expect(other.titles()).toEqual(['a', 'b'])
  expect(changes).toBe(0)
  expect(other.store.outbox.getSnapshot()).toBe(before)
  stop()
})

describe('after a logout, the log has no response of a mutation', () => {
  test('that was stored', async () => {
    const { server, device, open, pass } = begin()
    server.change(1, { title: 'private' })
    const [one, other] = [await open(), await open()]
    await one.controller.fetch(partialUpdate, { id: 1 }, { done: true })
    await pass()
    one.controller.resetEntireStore()
    await pass()
    await pass()
    expect((await device.memory.read(0)).map(({ text }) => text).join()).not.toContain('private')
    expect([one.waiting(), other.waiting()]).toEqual([[], []])
  })

  test('that waited behind another record', async () => {
    const memory = memoryLog()
    let isHeld = false
    let go = (): void => {}
    const held = new Promise<void>((resolve) => {
      go = resolve
    })
    const { server, device, open, pass } = begin({
      memory: {
        ...memory,
        append: (...args) => (isHeld ? held : Promise.resolve()).then(() => memory.append(...args)),
      },
    })
    const [one, other] = [await open(), await open()]
    server.change(1, { title: 'private' })
    const answer = server.hold('PATCH')
    const edit = one.controller.fetch(partialUpdate, { id: 1 }, { done: true })
    await pass()
    isHeld = true
    one.controller.set(Task, { id: 2 }, { id: 2, title: 'b' })
    await pass()
    answer()
    await edit
    one.controller.resetEntireStore()
    go()
    await pass()
    await pass()
    const left = (await device.memory.read(0)).map(({ text }) => text).join()
    expect(left).toContain('"end"')
    expect(left).not.toContain('private')
    expect([one.waiting(), other.waiting()]).toEqual([[], []])
  })
})

describe('when all is forgotten in one tab', () => {
  test('another one that is just reading it has nothing', async () => {
    const { server, device, clock, open, pass } = begin()
    server.isReachable = false
    const one = await open()
    one.call(one.controller.fetch(create, { title: 'c' }))
    await rest()
    const tab = device.open()
    const opening = openApp(tab.log, server, { env: clock, transport: tab.transport(server.transport) })
    // It has asked for what is in the log, and gets it late.
    tab.freeze()
    await rest()
    await one.store.forget()
    await pass()
    tab.wake()
    const { waiting } = await opening
    await pass()
    expect(waiting()).toEqual([])
  })

  test('what another one is storing does not come back at the next start', async () => {
    const memory = memoryLog()
    let store = (): void => {}
    const held: typeof memory = {
      ...memory,
      append: async (entry, isDurable) => {
        if (entry.text.includes('late'))
          await new Promise<void>((go) => {
            store = go
          })
        return memory.append(entry, isDurable)
      },
    }
    const { server, open, pass } = begin({ memory: held })
    server.isReachable = false
    const [one, other] = [await open(), await open()]
    const end = other.call(other.controller.fetch(create, { title: 'late' }))
    await rest()
    await one.store.forget()
    await rest()
    store()
    await pass()
    expect(end.error?.name).toBe('AbortError')
    expect((await open()).waiting()).toEqual([])
  })
})

test('a tab whose log is slow to open keeps its edit: what another tab has read meanwhile may be older', async () => {
  const { server, device, clock, open, pass } = begin({ outbox: outbox({}) })
  const one = await open()
  let give = (): void => {}
  const opened = new Promise<void>((resolve) => (give = resolve))
  const { log } = device.open()
  const slow: OfflineLog = {
    ...log,
    read: async (after) => {
      const records = await log.read(after)
      await opened
      return records
    },
  }
  const store = offline({ log: slow, outbox: outbox({}) })
  const controller = new Controller({ env: clock, transport: server.transport, managers: [store] })
  await rest()
  await one.controller.fetch(getList)
  await controller.fetch(partialUpdate, { id: 1 }, { title: 'A' })
  await pass()
  give()
  await store.ready
  await pass()
  await pass()
  expect(controller.get(Task, { id: 1 })?.title).toBe('A')
  expect(one.titles()).toEqual(['A', 'b'])
})

describe('a tab that has slept', () => {
  test.each([false, true])('is right after it wakes: after a summary, %s', async (isSummarized) => {
    const { server, device, open, pass } = begin()
    const [one, other] = [await open(), await open()]
    await one.controller.fetch(getList)
    await pass()
    server.isReachable = false
    // It has the lock by then, and until the other sleeps: browsers freeze no tab that has one.
    one.call(one.controller.fetch(partialUpdate, { id: 1 }, { title: 'A' }))
    one.call(one.controller.fetch(TaskResource.delete, { id: 2 }))
    await rest()
    const end = other.call(other.controller.fetch(create, { title: 'c' }))
    await rest()
    other.tab.freeze()
    server.isReachable = true
    await pass(60_000)
    await pass(60_000)
    expect(one.waiting()).toEqual([])
    if (isSummarized) {
      const { decode, encode, summarize, mergeSteps } = await parts()
      await device.memory.rewrite((records) => encode(summarize(records.map(decode), '', mergeSteps)))
      expect(await device.memory.read(0)).toHaveLength(1)
    }
    const { length } = server.reached
    other.tab.wake(true)
    await pass()
    expect(other.waiting()).toEqual([])
    expect(other.titles()).toEqual(['A', 'c'])
    expect(end.value).toMatchObject({ id: 3 })
    expect(server.reached.slice(length)).toEqual([])
  })
})

describe('a log in IndexedDB', () => {
  test('connects the pages that open it by its name; one that ends tells the others of its last record', async () => {
    vi.stubGlobal('indexedDB', new IDBFactory())
    vi.stubGlobal('IDBKeyRange', IDBKeyRange)
    const server = new TaskServer()
    server.add('a')
    const one = await openApp(indexedDbLog('board:42'), server)
    const other = await openApp(indexedDbLog('board:42'), server)
    const stranger = await openApp(indexedDbLog('board:43'), server)
    await one.controller.fetch(getList)
    one.controller.dispose()
    const titlesOf = ({ controller }: typeof one) =>
      controller
        .watch(getList)
        .getSnapshot()
        .data?.map(({ title }) => title)
    await vi.waitFor(() => expect(titlesOf(other)).toEqual(['a']), { timeout: HANGS })
    expect(titlesOf(stranger)).toBeUndefined()
    other.controller.dispose()
    stranger.controller.dispose()
    vi.unstubAllGlobals()
  })
})

describe('a page that the browser freezes', () => {
  /** Locks as a page has them, and its events. */
  function newPage() {
    const turns: { readonly run: () => Promise<void>; readonly signal: AbortSignal | undefined }[] = []
    const next = (): void => {
      const [turn] = turns
      if (turn !== undefined) void turn.run().then(() => leave(turn))
    }
    const leave = (turn: (typeof turns)[number]): void => {
      const isFirst = turns[0] === turn
      turns.splice(turns.indexOf(turn), 1)
      if (isFirst) next()
    }
    const request = async (_: string, { signal }: LockOptions, run: () => Promise<void>): Promise<void> => {
      const turn = { run, signal }
      turns.push(turn)
      if (turns.length === 1) next()
      await new Promise<never>((_, reject) =>
        signal?.addEventListener('abort', () => {
          if (turns[0] !== turn) leave(turn)
          reject(signal.reason as Error)
        }),
      )
    }
    const target = new EventTarget()
    vi.stubGlobal('document', target)
    for (const name of ['addEventListener', 'removeEventListener'] as const)
      vi.stubGlobal(name, target[name].bind(target))
    vi.stubGlobal('navigator', { locks: { request } })
    return (type: string) => void target.dispatchEvent(new Event(type))
  }
  afterEach(() => vi.unstubAllGlobals())

  test.each([
    ['freeze', 'resume'],
    ['pagehide', 'pageshow'],
  ])(
    'leaves the row for the lock at %s, so that no other one waits for it, and asks again at %s',
    async (sleep, wake) => {
      const tell = newPage()
      const { alone } = indexedDbLog('board:42').tabs ?? {}
      const ran: string[] = []
      let release = (): void => {}
      alone?.(
        () =>
          new Promise<void>((go) => {
            ran.push('first')
            release = go
          }),
      )
      const second = indexedDbLog('board:42').tabs
      second?.alone?.(async () => void ran.push('second'))
      tell(sleep)
      release()
      await rest()
      expect(ran).toEqual(['first'])
      tell(wake)
      await rest()
      expect(ran).toEqual(['first', 'second'])
      // It has had its turn.
      tell(sleep)
      tell(wake)
      await rest()
      expect(ran).toEqual(['first', 'second'])
    },
  )
})

describe('polls', () => {
  test('three tabs poll as one, and if it ends another one goes on', async () => {
    const { server, open, pass } = begin()
    const read = getList.extend({ pollFrequency: 10_000 })
    const tabs = [await open(), await open(), await open()]
    await tabs[0]?.controller.fetch(read)
    await pass()
    for (const { controller } of tabs) controller.observe(poll, read).subscribe(() => {})
    const { length } = server.reached
    const polled = async (times: number) => {
      const { length } = server.reached
      for (let time = 0; time < times; time++) await pass(10_000)
      return server.reached.length - length
    }
    expect(await polled(5)).toBe(5)
    server.add('c')
    expect(await polled(1)).toBe(1)
    for (const { titles } of tabs) expect(titles()).toEqual(['a', 'b', 'c'])
    expect(server.reached.length).toBe(length + 6)
    const [first] = tabs
    first?.tab.crash()
    first?.controller.dispose()
    expect(await polled(5)).toBeGreaterThanOrEqual(4)
    for (const { titles } of tabs.slice(1)) expect(titles()).toEqual(['a', 'b', 'c'])
  })
})

describe('a tab that has slept through a summary', () => {
  test('knows that mutations are over of which the summary does not tell the end any more', async () => {
    const { server, device, open, pass } = begin()
    const [one, other] = [await open(), await open()]
    await one.controller.fetch(getList)
    await pass()
    // Until it is answered, this tab has the lock.
    const answer = server.hold('PATCH /tasks/1')
    one.call(one.controller.fetch(partialUpdate, { id: 1 }, { title: 'A' }))
    await pass()
    server.refuse = (line) => (line.startsWith('POST') ? 503 : undefined)
    const end = other.call(other.controller.fetch(create, { title: 'c' }))
    await pass()
    other.tab.freeze()
    server.refuse = () => undefined
    await pass(60_000)
    for (let i = 0; i < 40; i++) {
      one.call(one.controller.fetch(partialUpdate, { id: 2 }, { title: `b${i}` }))
      await rest()
    }
    await pass()
    const { decode, encode, summarize, mergeSteps } = await parts()
    await device.memory.rewrite((records) => encode(summarize(records.map(decode), '', mergeSteps)))
    const { length } = server.reached
    other.tab.wake(true)
    await pass()
    expect(other.waiting()).toEqual(['partialUpdate sending'])
    // Its caller hears that it is done, though not how the server has answered.
    expect(end).toEqual({ value: null })
    expect(other.titles()).toEqual(['A', 'b39', 'c'])
    expect(server.reached).toHaveLength(length)
    answer()
    await pass()
    expect([one.waiting(), other.waiting()]).toEqual([[], []])
  })

  test('asks again for nothing that it had asked for before', async () => {
    const { server, device, open, pass } = begin()
    const [one, other] = [await open(), await open()]
    const stop = other.list.subscribe(() => {})
    await pass()
    one.controller.expireAll(getList)
    await pass()
    server.change(1, { title: 'A' })
    one.controller.expireAll(getList)
    await pass()
    expect(other.titles()).toEqual(['A', 'b'])
    other.tab.freeze()
    await one.controller.fetch(partialUpdate, { id: 2 }, { title: 'B' })
    await pass()
    const { decode, encode, summarize, mergeSteps } = await parts()
    await device.memory.rewrite((records) => encode(summarize(records.map(decode), '', mergeSteps)))
    const { length } = server.reached
    other.tab.wake(true)
    await pass()
    expect(other.titles()).toEqual(['A', 'B'])
    expect(server.reached).toHaveLength(length)
    stop()
  })

  test('knows that a key is out of date', async () => {
    const { server, device, open, pass } = begin()
    const [one, other] = [await open(), await open()]
    const stop = other.list.subscribe(() => {})
    await pass()
    other.tab.freeze()
    one.controller.expireAll(getList)
    await pass()
    const { decode, encode, summarize, mergeSteps } = await parts()
    await device.memory.rewrite((records) => encode(summarize(records.map(decode), '', mergeSteps)))
    server.change(1, { title: 'A' })
    other.tab.wake(true)
    await pass()
    expect(other.titles()).toEqual(['A', 'b'])
    const { length } = server.reached
    await pass()
    expect(server.reached).toHaveLength(length)
    stop()
  })
})

async function parts() {
  const { decode, encode } = await import('../../../core/src/offline/record.js')
  const { summarize } = await import('../../../core/src/offline/summary.js')
  const { mergeSteps } = await import('../../../core/src/offline/steps.js')
  return { decode, encode, summarize, mergeSteps }
}
