import { Controller, Endpoint, Entity, ExpiryStatus, OptionError, type Schema } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { HandClock, settle } from './clock.js'
import { ending, openBoard, Todo, watch } from './todo-board.js'

const row = (id: string, title = `t${id}`) => ({ id, title, userId: '1', votes: 0 })

describe('lifetimes', () => {
  test('are 60 s for data and 1 s for errors by default', async () => {
    const { controller, clock, getTodo, server } = openBoard()
    ending(controller.fetch(getTodo, { id: '1' }))
    await server.one('getTodo').answer(row('1'))
    expect(controller.getResponse(getTodo, { id: '1' }).expiresAt).toBe(clock.now() + 60_000)
    const shown = watch(controller.watch(getTodo, { id: '2' }))
    await settle()
    await server.one('getTodo', 1).fail()
    expect(shown.now.status).toBe('failed')
    shown.stop()
    await clock.advance(999)
    expect(controller.watch(getTodo, { id: '2' }).getSnapshot().status).toBe('failed')
    await clock.advance(1)
    expect(controller.watch(getTodo, { id: '2' }).getSnapshot().status).toBe('pending')
  })

  test('of the controller apply where the endpoint sets none, and the endpoint wins', () => {
    const { controller, clock, getTodo } = openBoard({ dataExpiryLength: 5 })
    controller.setResponse(getTodo, { id: '1' }, row('1'))
    expect(controller.getResponse(getTodo, { id: '1' }).expiresAt).toBe(clock.now() + 5)
    const long = getTodo.extend({ dataExpiryLength: 7_000 })
    controller.setResponse(long, { id: '1' }, row('1'))
    expect(controller.getResponse(long, { id: '1' }).expiresAt).toBe(clock.now() + 7_000)
  })

  test('are over where there is no data', () => {
    const { controller, getTodo } = openBoard()
    const none = { data: undefined, expiryStatus: ExpiryStatus.Invalid, expiresAt: 0 }
    expect(controller.getResponse(getTodo, { id: '1' })).toEqual(none)
    const error = new Error('no such todo')
    controller.setError(getTodo, { id: '1' }, error)
    expect(controller.getResponse(getTodo, { id: '1' })).toEqual({ ...none, error })
  })

  test.each(['dataExpiryLength', 'errorExpiryLength'])('B19: %s may be Infinity or 0, not NaN nor negative', (name) => {
    const fetch = async () => 1
    for (const value of [Number.NaN, -1]) {
      expect(() => new Controller({ env: new HandClock(), [name]: value })).toThrow(OptionError)
      expect(() => new Endpoint(fetch, { name: 'x', [name]: value })).toThrow(OptionError)
    }
    for (const value of [0, Infinity]) {
      expect(() => new Controller({ env: new HandClock(), [name]: value })).not.toThrow()
      expect(() => new Endpoint(fetch, { name: 'x', [name]: value })).not.toThrow()
    }
  })

  test('B19: a lifetime of 0 is always stale and does not loop: one request for each mount', async () => {
    const { controller, getTodo, server } = openBoard()
    const endpoint = getTodo.extend({ dataExpiryLength: 0, errorExpiryLength: 0 })
    const first = watch(controller.watch(endpoint, { id: '1' }))
    await settle()
    await server.one('getTodo').answer(row('1'))
    await settle()
    expect(server.of('getTodo')).toHaveLength(1)
    expect(first.now).toMatchObject({ status: 'ready' })
    const second = watch(controller.watch(endpoint, { id: '1' }))
    await settle()
    expect(server.of('getTodo')).toHaveLength(2)
    await server.one('getTodo', 1).fail()
    expect(server.of('getTodo')).toHaveLength(2)
    expect(second.now.status).toBe('failed')
  })

  test('B19: an infinite lifetime never ends', async () => {
    const { controller, clock, getTodo, server } = openBoard({ dataExpiryLength: Infinity })
    controller.setResponse(getTodo, { id: '1' }, row('1'))
    clock.wallOffset += 1e12
    watch(controller.watch(getTodo, { id: '1' }))
    await settle()
    expect(server.requests).toHaveLength(0)
  })

  test('that pass while mounted start nothing; the next mount shows the data and fetches once', async () => {
    const { controller, clock, getTodo, server } = openBoard()
    const first = watch(controller.watch(getTodo, { id: '1' }))
    await settle()
    await server.one('getTodo').answer(row('1'))
    await clock.advance(100_000)
    expect(server.of('getTodo')).toHaveLength(1)
    expect(first.now.status).toBe('ready')
    watch(controller.watch(getTodo, { id: '1' }))
    await settle()
    expect(server.of('getTodo')).toHaveLength(2)
    expect(first.now.status).toBe('ready')
  })

  test('with invalidIfStale make the next mount wait', async () => {
    const { controller, clock, getTodo, server } = openBoard()
    const strict = getTodo.extend({ invalidIfStale: true })
    controller.setResponse(strict, { id: '1' }, row('1'))
    expect(controller.getResponse(strict, { id: '1' }).expiryStatus).toBe(ExpiryStatus.InvalidIfStale)
    await clock.advance(60_000)
    const shown = watch(controller.watch(strict, { id: '1' }))
    await settle()
    expect(shown.now.status).toBe('pending')
    await server.one('getTodo').answer(row('1', 'new'))
    expect(shown.now).toMatchObject({ status: 'ready', data: { title: 'new' } })
  })

  test('of a response that is assembled from rows end with the oldest of them', async () => {
    const { controller, clock, getTodo, getTodos, server } = openBoard()
    controller.setResponse(getTodos, { userId: '1' }, [row('1')])
    await clock.advance(40_000)
    const shown = watch(controller.watch(getTodo, { id: '1' }))
    await settle()
    expect(shown.now).toMatchObject({ status: 'ready', data: { title: 't1' } })
    expect(server.requests).toHaveLength(0)
    shown.stop()
    await clock.advance(20_000)
    watch(controller.watch(getTodo, { id: '1' }))
    await settle()
    expect(server.of('getTodo')).toHaveLength(1)
  })
})

describe('a response that is assembled from rows of different ages', () => {
  class Author extends Entity {
    static override key = 'Author'
    id = ''
  }
  class Book extends Entity {
    static override key = 'Book'
    static override schema = { author: Author, others: [Author] }
    id = ''
    author: Author | undefined = undefined
    others: readonly Author[] = []
  }
  const read = (name: string, schema: Schema) =>
    new Endpoint(async (_: { id: string }): Promise<unknown> => new Promise(() => {}), { name, schema })
  const [getBook, getAuthor] = [read('getBook', Book), read('getAuthor', Author)]
  const bring = new Endpoint(async (): Promise<unknown> => ({}), { name: 'bring', schema: [Book] })

  test.each([
    ['the row itself', ['book', 'a', 'b']],
    ['a row that it leads to', ['a', 'book', 'b']],
    ['one of many', ['b', 'a', 'book']],
  ] as const)('is stale with the oldest, here %s', async (_oldest, order) => {
    const { controller, clock } = openBoard()
    const rows = {
      book: () => controller.setResponse(bring, [{ id: '1', author: 'a', others: ['b'] }]),
      a: () => controller.setResponse(getAuthor, { id: 'a' }, { id: 'a' }),
      b: () => controller.setResponse(getAuthor, { id: 'b' }, { id: 'b' }),
    }
    const from = clock.now()
    for (const name of order) {
      rows[name]()
      await clock.advance(10_000)
    }
    const { expiresAt, data } = controller.getResponse(getBook, { id: '1' })
    expect(data).toMatchObject({ id: '1', author: { id: 'a' }, others: [{ id: 'b' }] })
    expect(expiresAt).toBe(from + 60_000)
    const stop = controller.watch(getBook, { id: '1' }).subscribe(() => {})
    await settle()
    expect(controller.fetching(getBook, { id: '1' }).getSnapshot()).toBe(false)
    stop()
    await clock.advance(30_000)
    controller.watch(getBook, { id: '1' }).subscribe(() => {})
    await settle()
    expect(controller.fetching(getBook, { id: '1' }).getSnapshot()).toBe(true)
  })

  test('is invalid, and not shown, once one of its rows is', async () => {
    const { controller } = openBoard()
    controller.setResponse(bring, [{ id: '1', author: { id: 'a' }, others: [{ id: 'b' }] }])
    expect(controller.getResponse(getBook, { id: '1' }).expiryStatus).toBe(ExpiryStatus.Valid)
    controller.invalidateBy(Author, 'b')
    expect(controller.getResponse(getBook, { id: '1' }).expiryStatus).toBe(ExpiryStatus.Invalid)
    controller.setResponse(bring, [{ id: '1', author: { id: 'a' }, others: [{ id: 'b' }] }])
    expect(controller.getResponse(getBook, { id: '1' }).expiryStatus).toBe(ExpiryStatus.Valid)
  })
})

describe('invalidate', () => {
  test('makes mounted readers wait for exactly one new response', async () => {
    const { controller, getTodo, server } = openBoard()
    controller.setResponse(getTodo, { id: '1' }, row('1'))
    const shown = watch(controller.watch(getTodo, { id: '1' }))
    controller.invalidate(getTodo, { id: '1' })
    await settle()
    expect(shown.now.status).toBe('pending')
    expect(controller.getResponse(getTodo, { id: '1' }).expiryStatus).toBe(ExpiryStatus.Invalid)
    await server.one('getTodo').answer(row('1'))
    expect(shown.now.status).toBe('ready')
    expect(server.of('getTodo')).toHaveLength(1)
  })

  test('reaches its key alone', async () => {
    const { controller, getTodo, server } = openBoard()
    controller.setResponse(getTodo, { id: '2' }, row('2'))
    const other = watch(controller.watch(getTodo, { id: '2' }))
    await settle()
    controller.invalidate(getTodo, { id: '1' })
    await settle()
    expect(other.notified).toBe(0)
    expect(server.requests).toHaveLength(0)
  })

  test('of an error lets it be fetched again', async () => {
    const { controller, getTodo, server } = openBoard()
    const shown = watch(controller.watch(getTodo, { id: '1' }))
    await settle()
    await server.one('getTodo').fail()
    controller.invalidate(getTodo, { id: '1' })
    await settle()
    expect(shown.now.status).toBe('pending')
    expect(server.of('getTodo')).toHaveLength(2)
  })
})

describe.each(['expireAll', 'invalidateAll'] as const)('%s', (verb) => {
  test('reaches every key of the endpoint, mounted ones at once, and also those read from other rows', async () => {
    const { controller, getTodo, getTodos, server } = openBoard()
    controller.setResponse(getTodos, { userId: '1' }, [row('1'), row('2'), row('3')])
    controller.setResponse(getTodo, { id: '1' }, row('1'))
    const own = watch(controller.watch(getTodo, { id: '1' }))
    const inferred = watch(controller.watch(getTodo, { id: '2' }))
    const list = watch(controller.watch(getTodos, { userId: '1' }))
    await settle()
    controller[verb](getTodo)
    await settle()
    const status = verb === 'expireAll' ? 'ready' : 'pending'
    expect([own.now.status, inferred.now.status, list.now.status]).toEqual([status, status, 'ready'])
    expect(server.requests.map(({ name, args }) => [name, args[0]])).toEqual([
      ['getTodo', { id: '1' }],
      ['getTodo', { id: '2' }],
    ])
  })

  test('reaches a key that is first read afterwards', async () => {
    const { controller, getTodo, getTodos, server } = openBoard()
    controller.setResponse(getTodos, { userId: '1' }, [row('1')])
    controller[verb](getTodo)
    watch(controller.watch(getTodo, { id: '1' }))
    await settle()
    expect(server.of('getTodo')).toHaveLength(1)
    await server.one('getTodo').answer(row('1'))
    expect(server.of('getTodo')).toHaveLength(1)
  })
})

describe('errors', () => {
  test('without a policy show, above fresh data as well, until they are stale and fetched again', async () => {
    const { controller, clock, getTodo, server } = openBoard()
    controller.setResponse(getTodo, { id: '1' }, row('1'))
    const shown = watch(controller.watch(getTodo, { id: '1' }))
    ending(controller.fetch(getTodo, { id: '1' }))
    await server.one('getTodo').fail(new Error('503'))
    expect(shown.now).toMatchObject({ status: 'failed', error: { message: '503' }, data: { title: 't1' } })
    await clock.advance(5_000)
    expect(shown.now.status).toBe('failed')
    watch(controller.watch(getTodo, { id: '1' }))
    await settle()
    expect(shown.now.status).toBe('ready')
  })

  test('with a soft policy leave the data on the screen, notify nobody and are no error of the key', async () => {
    const { controller, getTodo, server } = openBoard()
    const soft = getTodo.extend({ errorPolicy: () => 'soft' as const })
    controller.setResponse(soft, { id: '1' }, row('1'))
    const shown = watch(controller.watch(soft, { id: '1' }))
    await settle()
    const end = ending(controller.fetch(soft, { id: '1' }))
    await server.one('getTodo').fail(new Error('503'))
    expect(end.error).toMatchObject({ message: '503' })
    expect(shown.notified).toBe(0)
    expect(shown.now.status).toBe('ready')
    expect(controller.getError(soft, { id: '1' })).toBeUndefined()
  })

  test('with a soft policy but without data show', async () => {
    const { controller, getTodo, server } = openBoard()
    const soft = getTodo.extend({ errorPolicy: () => 'soft' as const })
    const shown = watch(controller.watch(soft, { id: '1' }))
    await settle()
    await server.one('getTodo').fail()
    expect(shown.now.status).toBe('failed')
    expect(controller.getError(soft, { id: '1' })).toBeInstanceOf(Error)
  })

  test('disappear when newer data comes', async () => {
    const { controller, getTodo, server } = openBoard()
    const shown = watch(controller.watch(getTodo, { id: '1' }))
    await settle()
    await server.one('getTodo').fail()
    ending(controller.fetch(getTodo, { id: '1' }))
    await server.one('getTodo', 1).answer(row('1'))
    expect(shown.now.status).toBe('ready')
    expect(controller.getError(getTodo, { id: '1' })).toBeUndefined()
  })

  test('that a boundary drops are fetched exactly once again, wherever they are stored', async () => {
    const { controller, getTodo, server } = openBoard()
    const shown = watch(controller.watch(getTodo, { id: '1' }))
    const same = watch(controller.watch(getTodo, { id: '1' }))
    const other = watch(controller.watch(getTodo, { id: '2' }))
    await settle()
    await server.one('getTodo', 0).fail()
    await server.one('getTodo', 1).fail()
    controller.dropError(shown.now.error)
    await settle()
    expect(server.of('getTodo')).toHaveLength(3)
    expect([shown.now.status, same.now.status, other.now.status]).toEqual(['pending', 'pending', 'failed'])
    await server.one('getTodo', 2).answer(row('1'))
    expect(controller.get(Todo, { id: '1' })).toBeDefined()
  })
})

test('F16: the wall clock may jump a year ahead and back: nothing is lost, and each mount fetches once', async () => {
  const { controller, clock, getTodo, server } = openBoard()
  const year = 365 * 24 * 3_600_000
  const shown = watch(controller.watch(getTodo, { id: '1' }))
  await settle()
  await server.one('getTodo').answer(row('1'))
  clock.wallOffset += year
  const again = watch(controller.watch(getTodo, { id: '1' }))
  await settle()
  expect(again.now).toMatchObject({ status: 'ready', data: { title: 't1' } })
  expect(server.of('getTodo')).toHaveLength(2)
  clock.wallOffset -= year
  await server.one('getTodo', 1).answer(row('1', 'new'))
  expect(shown.now).toMatchObject({ status: 'ready', data: { title: 'new' } })
  watch(controller.watch(getTodo, { id: '1' }))
  await settle()
  expect(server.of('getTodo')).toHaveLength(2)
})

test('expireAll fetches again, also right after a soft error', async () => {
  const { controller, getTodo, server } = openBoard()
  const endpoint = getTodo.extend({
    errorPolicy: () => 'soft' as const,
    dataExpiryLength: 10,
    errorExpiryLength: 60_000,
  })
  const shown = watch(controller.watch(endpoint, { id: '1' }))
  await settle()
  await server.one('getTodo').answer(row('1'))
  controller.expireAll(endpoint)
  await settle()
  await server.one('getTodo', 1).fail()
  expect(shown.now.status).toBe('ready')
  controller.expireAll(endpoint)
  await settle()
  expect(server.of('getTodo')).toHaveLength(3)
})

describe('F16: neither a jump of the wall clock nor sleep makes anything fresh for longer than its life', () => {
  const year = 365 * 24 * 3_600_000

  /** Stores a row while the wall clock is ahead; then it is put right. */
  const storedAhead = async (store: (board: ReturnType<typeof openBoard>) => Promise<void> | void) => {
    const board = openBoard()
    board.clock.wallOffset += year
    await store(board)
    board.clock.wallOffset -= year
    return board
  }
  const isAskedFor = async ({ controller, getTodo, server }: ReturnType<typeof openBoard>) => {
    const before = server.of('getTodo').length
    const { stop } = watch(controller.watch(getTodo, { id: '1' }))
    await settle()
    stop()
    return server.of('getTodo').length > before
  }

  test.each<[string, (board: ReturnType<typeof openBoard>) => Promise<void> | void]>([
    [
      'a response',
      async ({ controller, getTodo, server }) => {
        ending(controller.fetch(getTodo, { id: '1' }))
        await server.one('getTodo').answer(row('1'))
      },
    ],
    ['a row that was set', ({ controller }) => controller.set(Todo, { id: '1' }, row('1'))],
    ['a row of a list', ({ controller, getTodos }) => controller.setResponse(getTodos, {}, [row('1')])],
    [
      'a row that a mutation brought after it',
      async ({ controller, patch, server }) => {
        controller.set(Todo, { id: '1' }, row('1'))
        ending(controller.fetch(patch, { id: '1' }, {}))
        await server.one('patch').answer(row('1'))
      },
    ],
  ])('%s stored while the wall clock was a year ahead is fetched after its life', async (_, store) => {
    const young = await storedAhead(store)
    await young.clock.advance(59_000)
    expect(await isAskedFor(young)).toBe(false)
    const old = await storedAhead(store)
    await old.clock.advance(60_001)
    expect(old.controller.getResponse(old.getTodo, { id: '1' }).expiresAt).toBe(0)
    expect(await isAskedFor(old)).toBe(true)
  })

  test('an error stored then is dropped after its life', async () => {
    const board = await storedAhead(async ({ controller, getTodo, server }) => {
      ending(controller.fetch(getTodo, { id: '1' }))
      await server.one('getTodo').fail()
    })
    expect(board.controller.watch(board.getTodo, { id: '1' }).getSnapshot().status).toBe('failed')
    await board.clock.advance(1_001)
    expect(await isAskedFor(board)).toBe(true)
  })

  test('a mutation’s response after a jump back counts as the newer of a row’s two', async () => {
    const board = await storedAhead(({ controller }) => controller.set(Todo, { id: '1' }, row('1')))
    await board.clock.advance(50_000)
    ending(board.controller.fetch(board.patch, { id: '1' }, {}))
    await board.server.one('patch').answer(row('1', 'new'))
    await board.clock.advance(30_000)
    expect(await isAskedFor(board)).toBe(false)
    await board.clock.advance(30_001)
    expect(await isAskedFor(board)).toBe(true)
  })

  test('the wall clock set back by a day does not make data fresh for a day', async () => {
    const board = openBoard()
    board.clock.wallOffset = Date.UTC(2026, 0)
    board.controller.set(Todo, { id: '1' }, row('1'))
    board.clock.wallOffset -= 24 * 3_600_000
    await board.clock.advance(60_001)
    expect(await isAskedFor(board)).toBe(true)
  })

  test('a machine that slept for eight hours, while the monotonic clock stood still, fetches again', async () => {
    const board = openBoard()
    board.controller.set(Todo, { id: '1' }, row('1'))
    board.clock.wallOffset += 8 * 3_600_000
    expect(await isAskedFor(board)).toBe(true)
  })

  test('data that never expires stays fresh', async () => {
    const board = openBoard({ dataExpiryLength: Infinity, retention: false })
    board.controller.set(Todo, { id: '1' }, row('1'))
    board.clock.wallOffset += year
    await board.clock.advance(1e9)
    expect(await isAskedFor(board)).toBe(false)
  })
})
