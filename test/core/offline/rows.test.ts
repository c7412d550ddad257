import { Collection, Controller, Endpoint, Entity, RestEndpoint, resource, TransportError } from '@roundtable/core'
import { dehydrate, hydrate } from '@roundtable/core/hydration'
import { type LogRecord, memoryLog, type OfflineLog, offline, outbox, StorageError } from '@roundtable/core/offline'
import { describe, expect, test } from 'vitest'
import { decode, encode } from '../../../core/src/offline/record.js'
import { summarize } from '../../../core/src/offline/summary.js'
import { HandClock, settle } from '../engine/clock.js'
import { openBoard, Todo, titles, User, watch } from '../engine/todo-board.js'
import { diskOf, restarted, seenLog, start } from './restart.js'

const row = (id: string, title: string, more?: object) => ({ id, title, userId: '1', votes: 0, ...more })
const PAUSE = 50

/** What an application has stored that has read a list of two. */
async function stored(log: OfflineLog, todos: readonly object[] = [row('1', 'a'), row('2', 'b')]): Promise<void> {
  const { controller, getTodos, store } = await restarted(log)
  controller.setResponse(getTodos, {}, todos as never)
  await store.flush()
  controller.dispose()
}

describe('at the next start', () => {
  test('rows, lists and results are there, without a request', async () => {
    const log = memoryLog()
    const before = await restarted(log)
    before.controller.setResponse(before.getTodos, {}, [
      row('1', 'a', { user: { id: '7', name: 'Ann' } }),
      row('2', 'b'),
    ])
    before.controller.setResponse(before.getPlain, { id: '1' }, { total: 2, pages: [undefined, 1] })
    await before.clock.advance(PAUSE)
    const { controller, getTodos, getTodo, getPlain, server } = await restarted(log)
    const list = watch(controller.watch(getTodos, {}))
    expect(titles(list.now)).toEqual(['a', 'b'])
    expect(list.now.data?.[0]?.user?.name).toBe('Ann')
    expect(controller.watch(getTodo, { id: '2' }).getSnapshot().data?.title).toBe('b')
    expect(controller.watch(getPlain, { id: '1' }).getSnapshot().data).toEqual({ total: 2, pages: [undefined, 1] })
    await settle()
    expect(server.requests).toEqual([])
  })

  test('a reader that was there before what is stored shows it as soon as that is read', async () => {
    const log = memoryLog()
    await stored(log)
    const { controller, getTodos, store } = start(log)
    const list = watch(controller.watch(getTodos, {}))
    expect(list.now.status).toBe('pending')
    await store.ready
    expect(titles(list.now)).toEqual(['a', 'b'])
  })

  test('a move that is answered before what is stored is read moves the row in the stored lists', async () => {
    const log = memoryLog()
    const before = await restarted(log)
    before.controller.setResponse(before.getTodos, { userId: '1' }, [row('1', 'a'), row('2', 'b')])
    before.controller.setResponse(before.getTodos, { userId: '2' }, [row('3', 'c', { userId: '2' })])
    await before.store.flush()
    let read = (): void => {}
    const isRead = new Promise<void>((resolve) => {
      read = resolve
    })
    const { controller, server, move, getTodos, store } = start({
      ...log,
      read: (after) => isRead.then(() => log.read(after)),
    })
    void controller.fetch(move, { id: '1' }, { userId: '2' })
    await settle()
    await server.one('move').answer(row('1', 'a', { userId: '2' }))
    read()
    await store.ready
    const lists = ['1', '2'].map((userId) => watch(controller.watch(getTodos, { userId })))
    expect(lists.map((list) => titles(list.now))).toEqual([['b'], ['c', 'a']])
  })

  test('what is out of date by then is shown, and fetched once', async () => {
    const log = memoryLog()
    await stored(log)
    const clock = new HandClock()
    clock.wallOffset += 120_000
    const { controller, getTodos, server } = await restarted(log, { env: clock })
    const list = watch(controller.watch(getTodos, {}))
    expect(titles(list.now)).toEqual(['a', 'b'])
    await settle()
    expect(server.requests.map(({ name }) => name)).toEqual(['getTodos'])
  })

  test.each([
    ['no response', new TransportError('/todos', 'GET'), 'ready'],
    ['a server that is not ready', Object.assign(new Error('busy'), { status: 503 }), 'ready'],
    ['a server that refuses', Object.assign(new Error('not yours'), { status: 403 }), 'failed'],
  ])('what is out of date stays on the screen while the server says nothing of it: %s', async (_, error, status) => {
    const log = memoryLog()
    await stored(log)
    const clock = new HandClock()
    clock.wallOffset += 120_000
    const { controller, getTodos, server } = await restarted(log, { env: clock })
    const list = watch(controller.watch(getTodos, {}))
    await settle()
    await server.one('getTodos').fail(error)
    expect(list.now.status).toBe(status)
    expect(titles(list.now)).toEqual(['a', 'b'])
  })

  test('a list of several pages is refreshed by all of them', async () => {
    const log = memoryLog()
    const before = await restarted(log)
    const { server } = before
    const pagesOn = (of: typeof server) =>
      new RestEndpoint({
        path: '/todos',
        searchParams: {} as { userId?: string },
        schema: new Collection([Todo]),
        paginationField: 'page',
      }).extend({ fetch: of.on<[object]>('page') as never })
    const list = pagesOn(server)
    before.controller.setResponse(list, { userId: '1' }, [row('1', 'a'), row('2', 'b')])
    before.controller.setResponse(list.getPage, { userId: '1', page: 2 }, [row('3', 'c'), row('4', 'd')])
    await before.store.flush()

    const after = await restarted(log)
    const endpoint = pagesOn(after.server)
    const shown = watch(after.controller.watch(endpoint, { userId: '1' }))
    expect(titles(shown.now)).toEqual(['a', 'b', 'c', 'd'])
    void after.controller.fetch(endpoint, { userId: '1' })
    await settle()
    await after.server.requests[0]?.answer([row('1', 'a'), row('3', 'c')])
    expect(after.server.requests.map(({ args }) => args[0])).toEqual([{ userId: '1' }, { userId: '1', page: 2 }])
    await after.server.requests[1]?.answer([row('4', 'e')])
    expect(titles(shown.now)).toEqual(['a', 'c', 'e'])
  })

  test('a clock that was set back makes nothing fresh for longer than its lifetime', async () => {
    const log = memoryLog()
    await stored(log)
    const clock = new HandClock()
    clock.wallOffset -= 1_000_000_000
    const { controller, getTodos } = await restarted(log, { env: clock })
    expect(controller.getResponse(getTodos, {}).expiresAt - clock.now()).toBeLessThanOrEqual(60_000)
    expect(controller.getResponse(getTodos, {}).expiresAt - clock.now()).toBeGreaterThan(0)
  })

  test('the last word of each row counts: what was changed, deleted, put into lists and taken out of them', async () => {
    const log = memoryLog()
    await stored(log, [row('1', 'a'), row('2', 'b'), row('3', 'c')])
    // In the next session, on what was stored.
    const { controller, getTodos, patch, remove, create, server, store } = await restarted(log)
    controller.watch(getTodos, {}).getSnapshot()
    const all = [
      controller.fetch(patch, { id: '1' }, { title: 'A' }),
      controller.fetch(remove, { id: '2' }),
      controller.fetch(create, {}, { title: 'd' }),
    ]
    await server.one('patch').answer(row('1', 'A'))
    await server.one('remove').answer({ id: '2' })
    await server.one('create').answer(row('4', 'd'))
    await Promise.all(all)
    await store.flush()
    const after = await restarted(log)
    expect(titles(after.controller.watch(after.getTodos, {}).getSnapshot())).toEqual(['A', 'c', 'd'])
    expect(after.controller.get(Todo, { id: '2' })).toBeUndefined()
  })

  test('what was read or changed here before the log was read stays, and the rest of it is there', async () => {
    const log = memoryLog()
    await stored(log, [row('1', 'old'), row('2', 'old'), row('3', 'old')])
    let read = (): void => {}
    const slow: OfflineLog = {
      ...log,
      read: async (after) => {
        await new Promise<void>((resolve) => {
          read = resolve
        })
        return log.read(after)
      },
    }
    const { controller, getTodo, getTodos, remove, server, store } = start(slow)
    controller.setResponse(getTodo, { id: '1' }, row('1', 'live') as never)
    const removing = controller.fetch(remove, { id: '2' })
    await server.one('remove').answer({ id: '2' })
    await removing
    read()
    await store.ready
    expect(titles(controller.watch(getTodos, {}).getSnapshot())).toEqual(['live', 'old'])
    // And so it is at the start after that.
    await store.flush()
    const after = await restarted(log)
    expect(titles(after.controller.watch(after.getTodos, {}).getSnapshot())).toEqual(['live', 'old'])
  })

  test('a row of which only a part was read before the log keeps its other fields, also at the start after that', async () => {
    class Page extends Entity {
      static override key = 'Page'
      id = ''
      title = ''
      body: string | undefined = undefined
    }
    const getPage = new Endpoint(async (_: { id: string }) => ({}), { name: 'getPage', schema: Page })
    const log = memoryLog()
    const open = () => {
      const store = offline({ log })
      return { store, controller: new Controller({ managers: [store], env: new HandClock() }) }
    }
    const first = open()
    first.controller.setResponse(getPage, { id: '1' }, { id: '1', title: 'a', body: 'long' } as never)
    await first.store.flush()
    const second = open()
    second.controller.set(Page, { id: '1' }, { title: 'b' })
    await second.store.flush()
    const third = open()
    await third.store.ready
    expect(third.controller.get(Page, { id: '1' })).toMatchObject({ title: 'b', body: 'long' })
  })

  test('a page that a server has rendered shows what the server knew, and what it knew wins over what was stored', async () => {
    const log = memoryLog()
    await stored(log, [row('1', 'stored'), row('2', 'stored')])
    const server = openBoard({ server: true })
    server.controller.setResponse(server.getTodos, {}, [row('1', 'rendered')] as never)
    const state = dehydrate(server.controller)
    const { controller, getTodos, store } = start(log)
    hydrate(controller, state)
    await store.ready
    const query = controller.watch(getTodos, {})
    expect(titles(query.getServerSnapshot?.() as never)).toEqual(['rendered'])
    expect(titles(query.getSnapshot())).toEqual(['rendered'])
    expect(controller.get(Todo, { id: '2' })?.title).toBe('stored')
  })

  test('what the server has rendered wins also if the log is read first', async () => {
    const log = memoryLog()
    await stored(log, [row('1', 'stored')])
    const server = openBoard({ server: true })
    server.controller.setResponse(server.getTodos, {}, [row('1', 'rendered')] as never)
    const { controller, getTodos } = await restarted(log)
    const query = controller.watch(getTodos, {})
    expect(titles(query.getSnapshot())).toEqual(['stored'])
    hydrate(controller, dehydrate(server.controller))
    expect(titles(query.getServerSnapshot?.() as never)).toEqual(['rendered'])
    expect(titles(query.getSnapshot())).toEqual(['rendered'])
  })
})

describe('what is marked', () => {
  test('by its key or its endpoint is marked at the next start too, also if nobody has used it since', async () => {
    const log = memoryLog()
    const first = await restarted(log)
    for (const id of ['1', '2']) first.controller.setResponse(first.getTodo, { id }, row(id, 'a') as never)
    first.controller.setResponse(first.getPlain, { id: '1' }, 'x')
    await first.store.flush()
    first.controller.expireAll(first.getTodo)
    await first.clock.advance(PAUSE)
    const second = await restarted(log)
    expect(second.controller.getResponse(second.getTodo, { id: '1' }).expiresAt).toBeLessThanOrEqual(second.clock.now())
    expect(second.controller.getResponse(second.getPlain, { id: '1' }).expiresAt).toBeGreaterThan(second.clock.now())
    second.controller.invalidate(second.getPlain, { id: '1' })
    await second.clock.advance(PAUSE)
    const third = await restarted(log)
    expect(third.controller.watch(third.getPlain, { id: '1' }).getSnapshot().status).toBe('pending')
    third.controller.invalidateAll(third.getTodo)
    await third.clock.advance(PAUSE)
    const fourth = await restarted(log)
    expect(fourth.controller.getResponse(fourth.getTodo, { id: '2' }).expiryStatus).not.toBe(1)
  })

  test('by its rows is marked at the next start too', async () => {
    const log = memoryLog()
    await stored(log)
    const second = await restarted(log)
    second.controller.setResponse(second.getTodo, { id: '3' }, row('3', 'c') as never)
    second.controller.expireBy(Todo, 1)
    second.controller.invalidateBy(Todo, 3)
    await second.clock.advance(PAUSE)
    const third = await restarted(log)
    const { clock, controller, getTodos, getTodo } = third
    expect(controller.getResponse(getTodos, {}).expiresAt).toBeLessThanOrEqual(clock.now())
    expect(controller.watch(getTodo, { id: '3' }).getSnapshot().status).toBe('pending')
    expect(controller.getResponse(getTodo, { id: '2' }).expiresAt).toBeGreaterThan(clock.now())
    controller.setResponse(getTodos, {}, [row('1', 'a'), row('3', 'c')] as never)
    await clock.advance(PAUSE)
    const fourth = await restarted(log)
    expect(fourth.controller.getResponse(fourth.getTodos, {}).expiresAt).toBeGreaterThan(fourth.clock.now())
  })

  test('by its kind is marked at the next start too', async () => {
    const log = memoryLog()
    await stored(log)
    const second = await restarted(log)
    second.controller.invalidateBy(Todo)
    await second.clock.advance(PAUSE)
    const third = await restarted(log)
    expect(third.controller.watch(third.getTodos, {}).getSnapshot().status).toBe('pending')
  })
})

describe('what is never stored', () => {
  test('P8: an optimistic change, whatever becomes of it', async () => {
    const log = memoryLog()
    await stored(log)
    const { controller, patchNow, createNow, store, server, clock } = await restarted(log)
    const patching = controller.fetch(patchNow, { id: '1' }, { title: 'optimistic' })
    const creating = controller.fetch(createNow, {}, { title: 'optimistic' })
    expect(controller.get(Todo, { id: '1' })?.title).toBe('optimistic')
    await clock.advance(PAUSE)
    await store.flush()
    expect(await diskOf(log)).not.toContain('optimistic')
    await server.one('patch').answer(row('1', 'acknowledged'))
    await server.one('create').answer(row('9', 'acknowledged'))
    await Promise.all([patching, creating])
    await store.flush()
    expect(await diskOf(log)).toContain('acknowledged')
    expect(await diskOf(log)).not.toContain('optimistic')
  })

  test('what came with no-store, in its rows, its lists, its results, and in those that it carries for others', async () => {
    const log = memoryLog()
    const getAccount = new RestEndpoint({ path: '/accounts/:id', urlPrefix: 'https://api.test', schema: Todo })
    const getSecrets = new RestEndpoint({
      path: '/secrets',
      urlPrefix: 'https://api.test',
      schema: new Collection([Todo]),
    })
    const getOpen = getAccount.extend({ path: '/open/:id' })
    const getText = new RestEndpoint({ path: '/text', urlPrefix: 'https://api.test' })
    const answers: Record<string, readonly [body: unknown, header: string]> = {
      '/accounts/1': [row('1', 'secret 1'), 'private, no-store'],
      '/secrets': [[row('2', 'secret 2')], 'No-Store'],
      '/text': [{ text: 'secret 3' }, 'no-store'],
      // It tells other fields of the first.
      '/open/1': [{ id: '1', votes: 7 }, 'max-age=60'],
      '/open/5': [row('5', 'open'), 'max-age=60'],
    }
    const { controller, store } = await restarted(log, {
      transport: async (input) => {
        const [body, header] = answers[new URL(String(input)).pathname] ?? []
        return Response.json(body, { headers: { 'cache-control': header ?? '' } })
      },
    })
    await controller.fetch(getAccount, { id: '1' })
    await controller.fetch(getSecrets)
    await controller.fetch(getText)
    await store.flush()
    await controller.fetch(getOpen, { id: '1' })
    await controller.fetch(getOpen, { id: '5' })
    await store.flush()
    expect(await diskOf(log)).toContain('open')
    expect(await diskOf(log)).not.toContain('secret')
  })

  test('what include refuses, by the key of its kind or by its fetch key; an include that throws stores nothing of it', async () => {
    const log = memoryLog()
    const include = (name: string) => {
      if (name.startsWith('getPlain')) throw new Error('broken')
      return name !== 'User'
    }
    const { controller, getTodo, getPlain, store, reported } = await restarted(log, { offlineOptions: { include } })
    controller.setResponse(getTodo, { id: '1' }, row('1', 'a', { user: { id: '7', name: 'Ann' } }) as never)
    controller.setResponse(getPlain, { id: '1' }, 'Ann')
    await store.flush()
    expect(await diskOf(log)).toContain('"a"')
    expect(await diskOf(log)).not.toContain('Ann')
    expect(reported.map(({ name }) => name)).toEqual(['CallbackError'])
  })

  test('values that JSON would change: their row is left out with one report, and the others are stored', async () => {
    const log = memoryLog()
    const { controller, getTodos, store, reported } = await restarted(log)
    controller.setResponse(getTodos, {}, [
      row('1', 'a'),
      row('2', 'b', { votes: 7n }),
      row('3', 'c', { votes: Number.NaN }),
    ] as never)
    await store.flush()
    const after = await restarted(log)
    expect(after.controller.get(Todo, { id: '1' })?.title).toBe('a')
    expect(after.controller.get(Todo, { id: '2' })).toBeUndefined()
    expect(reported.map(({ message }) => message)).toEqual([expect.stringContaining('lacks data of Todo')])
  })
})

describe('a deletion is stored', () => {
  test.each([
    { what: 'of a row that came with no-store since it was stored', secret: ['PATCH'] },
    { what: 'of which the empty response came with no-store', secret: ['DELETE'] },
  ])('$what: the row is not back at the next start', async ({ secret }) => {
    const log = memoryLog()
    const {
      get,
      partialUpdate,
      delete: remove,
    } = resource({ urlPrefix: 'https://api.test', path: '/todos/:id', schema: Todo })
    const { controller, store } = await restarted(log, {
      transport: async (_, { method = 'GET' }) => {
        const headers = { 'cache-control': secret.includes(method) ? 'no-store' : 'max-age=60' }
        return method === 'DELETE'
          ? new Response(null, { status: 204, headers })
          : Response.json(row('1', 'a'), { headers })
      },
    })
    await controller.fetch(get, { id: '1' })
    await store.flush()
    await controller.fetch(partialUpdate, { id: '1' }, { title: 'b' })
    await controller.fetch(remove, { id: '1' })
    await store.flush()
    expect((await restarted(log)).controller.get(Todo, { id: '1' })).toBeUndefined()
  })
})

describe('when something is wrong with what is stored', () => {
  test('P6: rows of another version are not read, and go with the next summary', async () => {
    const log = memoryLog()
    await stored(log)
    const next = await restarted(log, { offlineOptions: { version: '2' } })
    expect(next.controller.watch(next.getTodos, {}).getSnapshot().status).toBe('pending')
    next.controller.setResponse(next.getTodo, { id: '5' }, row('5', 'new') as never)
    await next.store.flush()
    const after = await restarted(log, { offlineOptions: { version: '2' } })
    expect(after.controller.get(Todo, { id: '5' })?.title).toBe('new')
    expect(after.controller.get(Todo, { id: '1' })).toBeUndefined()
  })

  test.each([
    ['no JSON', 'not JSON'],
    ['an object', '{}'],
    ['a list of something else', '[3,7]'],
    ['a state that is none', '[3,"",0,0,[],[],{"responses":[]}]'],
    ['a state with less than it should have', '[3,"",0,0,[],[],[[],[]]]'],
    ['of a later version', '[4,"",0]'],
  ])('a record that is %s costs itself only, with one report', async (_, text) => {
    const log = memoryLog()
    await stored(log)
    await log.append({ text }, true)
    await log.append({ text }, true)
    const between = await restarted(log)
    between.controller.setResponse(between.getTodo, { id: '5' }, row('5', 'after') as never)
    await between.store.flush()
    const { controller, getTodos, reported } = await restarted(log)
    expect(titles(controller.watch(getTodos, {}).getSnapshot())).toEqual(['a', 'b'])
    expect(controller.get(Todo, { id: '5' })?.title).toBe('after')
    expect(reported).toHaveLength(1)
    expect(reported[0]).toBeInstanceOf(StorageError)
  })

  test('P3: a log that refuses everything is reported once for reading and once for writing, and all else works', async () => {
    const refuse = () => Promise.reject(new Error('full'))
    const log: OfflineLog = { append: refuse, read: refuse, rewrite: refuse, clear: refuse }
    const { controller, getTodo, store, reported, clock } = await restarted(log)
    for (const id of ['1', '2', '3']) {
      controller.setResponse(getTodo, { id }, row(id, 'a') as never)
      await clock.advance(20_000)
    }
    expect(controller.get(Todo, { id: '3' })?.title).toBe('a')
    expect(reported.map(({ message }) => message)).toEqual([
      expect.stringContaining('could not be read'),
      expect.stringContaining('could not be written'),
    ])
    await store.forget()
  })

  test('what a full disk has not taken is stored once there is room', async () => {
    const log = memoryLog()
    let isFull = true
    const append: OfflineLog['append'] = (...args) => (isFull ? Promise.reject(new Error('full')) : log.append(...args))
    const { controller, getTodo, clock } = await restarted({ ...log, append })
    controller.setResponse(getTodo, { id: '1' }, row('1', 'a') as never)
    await clock.advance(PAUSE)
    isFull = false
    await clock.advance(10_000)
    const after = await restarted(log)
    expect(after.controller.get(Todo, { id: '1' })?.title).toBe('a')
  })
})

test('P5: another user of the device, whose log is another one, reads nothing of the first', async () => {
  const ofAnn = memoryLog()
  await stored(ofAnn)
  const { controller, getTodos } = await restarted(memoryLog())
  expect(controller.watch(getTodos, {}).getSnapshot().status).toBe('pending')
  expect(await diskOf(ofAnn)).toContain('"a"')
})

describe('a reset', () => {
  test('takes the rows off the disk, and a read of the log that is late brings none back', async () => {
    const log = memoryLog()
    await stored(log)
    const { controller, getTodos, store } = start(log)
    controller.resetEntireStore()
    await store.ready
    await store.flush()
    expect(controller.watch(getTodos, {}).getSnapshot().status).toBe('pending')
    expect(await diskOf(log)).not.toContain('"a"')
    controller.setResponse(getTodos, {}, [row('5', 'of the next user')] as never)
    await store.flush()
    const after = await restarted(log)
    expect(titles(after.controller.watch(after.getTodos, {}).getSnapshot())).toEqual(['of the next user'])
  })

  test('dispose, then forget, leaves nothing of a session, although a response and an edit were on their way', async () => {
    const log = memoryLog()
    const session = await restarted(log)
    const { controller, getTodo, server, store } = session
    controller.setResponse(getTodo, { id: '1' }, row('1', 'secret') as never)
    const read = controller.fetch(getTodo, { id: '2' }).catch(() => {})
    await settle()
    controller.set(Todo, { id: '1' }, { title: 'secret edit' })
    controller.dispose()
    const forgotten = store.forget()
    await server.requests[0]?.answer(row('2', 'secret'))
    await Promise.all([read, forgotten])
    await settle()
    expect(await diskOf(log)).toBe('')
  })

  test('forget deletes all, and what comes then is stored', async () => {
    const log = memoryLog()
    await stored(log)
    const { store, controller, getTodo } = await restarted(log)
    await store.forget()
    expect(await diskOf(log)).toBe('')
    controller.setResponse(getTodo, { id: '5' }, row('5', 'new') as never)
    await store.flush()
    expect(await diskOf(log)).toContain('new')
  })
})

describe('what it costs', () => {
  test('one changed field of one row among a thousand is one record of at most 500 bytes', async () => {
    const { log, texts } = seenLog()
    const { controller, getTodos, patch, server, clock } = await restarted(log)
    controller.setResponse(getTodos, {}, Array.from({ length: 1_000 }, (_, i) => row(`${i}`, `todo ${i}`)) as never)
    await clock.advance(PAUSE)
    expect(texts).toHaveLength(1)
    const patching = controller.fetch(patch, { id: '500' }, { title: 'changed' })
    await server.one('patch').answer(row('500', 'changed'))
    await patching
    await clock.advance(PAUSE)
    expect(texts).toHaveLength(2)
    expect(texts[1]?.length).toBeLessThanOrEqual(500)
  })

  test('and a row of twelve fields costs 150 bytes more than its own text', async () => {
    const { log, texts } = seenLog()
    const { controller, getTodo, clock } = await restarted(log)
    const fields = Array.from({ length: 8 }, (_, i) => [`field${i}`, `the value of field ${i}`])
    const todo = row('500', 'changed', Object.fromEntries(fields))
    controller.setResponse(getTodo, { id: '500' }, todo as never)
    await clock.advance(PAUSE)
    expect(texts[0]?.length).toBeLessThanOrEqual(JSON.stringify(todo).length + 150)
  })

  test('a start writes nothing of what it has read, also of the lists and results that are used', async () => {
    const log = memoryLog()
    await stored(log)
    const seen = seenLog(log)
    const { controller, getTodos, clock } = await restarted(seen.log)
    controller.watch(getTodos, {}).getSnapshot()
    await clock.advance(1_000)
    expect(seen.texts).toEqual([])
  })

  test('a response that says the same again is a record of a few words', async () => {
    const { log, texts } = seenLog()
    const { controller, getTodos, clock } = await restarted(log)
    const rows = Array.from({ length: 1_000 }, (_, i) => row(`${i}`, `todo ${i}`))
    controller.setResponse(getTodos, {}, rows as never)
    await clock.advance(PAUSE)
    controller.setResponse(getTodos, {}, rows as never)
    await clock.advance(PAUSE)
    expect(texts[1]?.length).toBeLessThanOrEqual(300)
  })

  test('a thousand rows that change ten times a second: at most 20 records a second, and a log of three summaries', async () => {
    const memory = memoryLog()
    const { log, texts } = seenLog(memory)
    const { controller, getTodo, getTodos, clock } = await restarted(log)
    controller.setResponse(getTodos, {}, Array.from({ length: 1_000 }, (_, id) => row(`${id}`, '')) as never)
    // Not all at once: each ten milliseconds others.
    for (let i = 0; i < 500; i++) {
      controller.notifyOnce(() => {
        for (let id = i % 10; id < 1_000; id += 10)
          controller.setResponse(getTodo, { id: `${id}` }, row(`${id}`, `${i}`) as never)
      })
      await clock.advance(10)
    }
    expect(texts.length).toBeGreaterThan(5)
    expect(texts.length).toBeLessThanOrEqual(5 * 20)
    const records = await memory.read(0)
    const summary = encode(summarize(records.map(decode), '')).text
    expect((await diskOf(memory)).length).toBeLessThanOrEqual(3 * summary.length)
  })

  test('a first response that is long is written once: a summary of one record says nothing more', async () => {
    const memory = memoryLog()
    let rewritten = 0
    const log: OfflineLog = {
      ...memory,
      rewrite(merge) {
        rewritten += 1
        return memory.rewrite(merge)
      },
    }
    const { controller, getTodos, getTodo, clock } = await restarted(log)
    controller.setResponse(getTodo, { id: '1' }, row('1', 'a short record before it') as never)
    await clock.advance(PAUSE)
    controller.setResponse(getTodos, {}, Array.from({ length: 1_000 }, (_, i) => row(`${i}`, `todo ${i}`)) as never)
    await clock.advance(PAUSE)
    expect((await memory.read(0)).map(({ text }) => text.length > 16_384)).toEqual([false, true])
    expect(rewritten).toBe(0)
  })

  test('storing takes one hundredth of the time, summaries included', async () => {
    const memory = memoryLog()
    const clock = new HandClock()
    const { mono } = clock
    let busy = 0
    Object.assign(clock, { mono: () => mono() + busy })
    // Each row that is stored takes time, and each record that is read for a summary.
    const log: OfflineLog = {
      ...memory,
      rewrite: (merge) =>
        memory.rewrite((records) => {
          const slow = ({ number, text }: LogRecord): LogRecord => ({
            number,
            get text() {
              busy += 5
              return text
            },
          })
          return merge(records.map(slow))
        }),
    }
    const include = () => {
      busy += 0.01
      return true
    }
    const { controller, getTodos } = await restarted(log, { env: clock, offlineOptions: { include } })
    let longest = 0
    for (let i = 0; i < 300; i++) {
      const before = busy
      controller.setResponse(getTodos, {}, Array.from({ length: 200 }, (_, id) => row(`${id}`, `${i}`)) as never)
      await clock.advance(100)
      longest = Math.max(longest, busy - before)
    }
    expect((await memory.read(0)).length).toBeLessThan(5)
    expect(busy).toBeLessThanOrEqual(mono() / 100 + longest)
  })
})

describe('the manager', () => {
  test('does nothing on a server, and nothing after dispose', async () => {
    const log = memoryLog()
    await stored(log)
    const server = await restarted(log, { server: true })
    expect(server.controller.get(Todo, { id: '1' })).toBeUndefined()
    const { controller, getTodo, store } = await restarted(log)
    controller.setResponse(getTodo, { id: '5' }, row('5', 'last words') as never)
    controller.dispose()
    await store.flush()
    expect(await diskOf(log)).toContain('last words')
  })

  test('stores what is unsaved when the page is hidden', async () => {
    const log = memoryLog()
    const { controller, getTodo, clock } = await restarted(log)
    controller.setResponse(getTodo, { id: '1' }, row('1', 'a') as never)
    clock.announce({ visible: false })
    await settle()
    expect(await diskOf(log)).toContain('"a"')
  })

  test('refuses options that are none, and a second controller', () => {
    expect(() => offline({} as never)).toThrow("Option 'offline.log' is missing")
    const earlier = { log: memoryLog(), outbox: { Todo } }
    expect(() => offline(earlier as never)).toThrow('write outbox: outbox({ TodoResource })')
    const attempts = { log: memoryLog(), maxAttempts: 5 }
    expect(() => offline(attempts as never)).toThrow('outbox({ TodoResource }, { maxAttempts: 5 })')
    expect(() => outbox({}, { maxAttempts: 0 })).toThrow("Option 'outbox.maxAttempts' cannot be number 0")
    expect(() => offline({ log: memoryLog(), ttl: 5 } as never)).toThrow("Option 'offline.ttl' is unknown")
    expect(() => offline({ log: memoryLog(), version: 5 } as never)).toThrow("Option 'offline.version' cannot be")
    const store = offline({ log: memoryLog() })
    new Controller({ managers: [store] }).dispose()
    expect(() => new Controller({ managers: [store] })).toThrow('another controller')
  })
})

test('what is no longer included is not read, and the next summary removes it from the disk', async () => {
  const log = memoryLog()
  const first = await restarted(log)
  first.controller.setResponse(first.getTodos, {}, [row('1', 'a', { user: { id: '7', name: 'Ann' } })])
  first.controller.setResponse(first.getPlain, { id: '1' }, { total: 2, pages: [] })
  await first.store.flush()
  first.controller.dispose()
  expect(await diskOf(log)).toContain('Ann')

  const include = (name: string): boolean => name !== 'User' && !name.includes('Plain')
  const second = await restarted(log, { offlineOptions: { include } })
  expect(second.reported).toEqual([])
  expect(second.controller.get(User, { id: '7' })).toBeUndefined()
  expect(second.controller.get(Todo, { id: '1' })?.title).toBe('a')
  // Long enough for a summary.
  for (let i = 0; i < 40; i++) {
    second.controller.setResponse(second.getTodo, { id: '1' }, row('1', `${i}`.padEnd(2_000, '.')) as never)
    await second.store.flush()
  }
  const disk = await diskOf(log)
  expect(disk).not.toContain('Ann')
  expect(disk).not.toContain('"total"')
  expect(disk).toContain('"Todo"')
})

test.each([
  { what: 'a little is stored soon', ms: 1, pause: 1_500 },
  { what: 'more after 2 s', ms: 5, pause: 2_000 },
  { what: 'a lot so that it takes a hundredth of the time', ms: 100, pause: 30_000 },
])('after a record that took its time, $what', async ({ ms, pause }) => {
  const clock = new HandClock()
  // Reading the clock takes time, three times while a record is made.
  let cost = 0
  let spent = 0
  const mono = (): number => {
    spent += cost
    return clock.mono() + spent
  }
  const memory = memoryLog()
  const written: number[] = []
  const append: OfflineLog['append'] = (...record) => {
    written.push(clock.mono())
    return memory.append(...record)
  }
  const store = offline({ log: { ...memory, append } })
  const { controller, getTodo } = openBoard({ env: { ...clock, mono }, managers: [store] })
  const change = (title: string): void => controller.setResponse(getTodo, { id: '1' }, row('1', title) as never)
  await store.ready
  change('a')
  cost = ms
  await store.flush()
  cost = 0
  const since = clock.mono() + spent
  change('b')
  await clock.advance(pause * 2)
  expect(written).toHaveLength(2)
  const waited = (written[1] ?? 0) + spent - since
  expect(waited).toBeGreaterThan(pause * 0.9)
  expect(waited).toBeLessThan(pause * 1.1)
})
