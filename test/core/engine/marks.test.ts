import { All, Controller, Endpoint, Entity, RestEndpoint } from '@roundtable/core'
import { inspect } from '@roundtable/core/inspect'
import { describe, expect, test, vi } from 'vitest'
import { callsDuring } from '../../calls.js'
import { HandClock, settle } from './clock.js'
import { openBoard, Todo, Todos, watch } from './todo-board.js'

class Item extends Entity {
  static override key = 'Item'
  id = ''
  title = ''
}

const urlPrefix = 'https://api.test'
const getItem = new RestEndpoint({ urlPrefix, path: '/items/:id', schema: Item })
const getOther = new RestEndpoint({ urlPrefix, path: '/others/:id', schema: Item })
const row = (id: string) => ({ id, title: `t${id}` })

describe.each(['expireAll', 'invalidateAll'] as const)('%s', (verb) => {
  test('costs a new key no more the more often it was called: by fresh copies of one endpoint', () => {
    const controller = new Controller({ env: new HandClock() })
    let tests = 0
    class Counting extends RestEndpoint {
      override testKey(key: string): boolean {
        tests++
        return super.testKey(key)
      }
    }
    const counting = new Counting({ urlPrefix, path: '/items/:id', schema: Item })
    for (let i = 0; i < 2_000; i++) controller[verb](counting.extend({ requestInit: {} }))
    tests = 0
    controller.watch(getItem, { id: '1' })
    expect(tests).toBeLessThanOrEqual(100)
  })

  test('costs a new key no more: by anything that tests keys', () => {
    const controller = new Controller({ env: new HandClock() })
    let tests = 0
    for (let i = 0; i < 2_000; i++) {
      controller[verb]({
        testKey(key) {
          tests++
          return key === 'nothing'
        },
      })
    }
    tests = 0
    controller.watch(getItem, { id: '1' })
    expect(tests).toBeLessThanOrEqual(100)
  })

  test('fetches each observed key at once, and any other when it is read: once for each', async () => {
    const controller = new Controller({ env: new HandClock() })
    const tested: string[] = []
    class Counting extends RestEndpoint {
      override testKey(key: string): boolean {
        tested.push(key)
        return super.testKey(key)
      }
    }
    const counting = new Counting({ urlPrefix, path: '/items/:id', schema: Item })
    controller.notifyOnce(() => {
      for (let id = 0; id < 1_000; id++) controller.setResponse(getItem, { id: `${id}` }, row(`${id}`))
    })
    controller.watch(getItem, { id: '7' }).subscribe(() => {})
    controller.peek(getItem, { id: '8' }).subscribe(() => {})
    await settle()
    controller[verb](counting)
    expect(tested).toEqual([getItem.key({ id: '7' }), getItem.key({ id: '8' })])
    const isMarked = (id: string): boolean => {
      const { expiresAt, expiryStatus } = controller.getResponse(getItem, { id })
      return verb === 'expireAll' ? expiresAt === 0 : expiryStatus === 1
    }
    expect([isMarked('9'), isMarked('9'), isMarked('7')]).toEqual([true, true, true])
    expect(tested.slice(2)).toEqual([getItem.key({ id: '9' })])
    // Newer data is not marked by it.
    controller.setResponse(getItem, { id: '10' }, row('10'))
    expect(isMarked('10')).toBe(false)
    controller.dispose()
  })

  test('marks no known key of another endpoint, however many there are', () => {
    const controller = new Controller({ env: new HandClock() })
    for (const id of ['1', '2']) controller.setResponse(getItem, { id }, row(id))
    controller[verb](getItem.extend({ testKey: (key: string) => key === getItem.key({ id: '1' }) }))
    for (let i = 0; i < 500; i++) controller[verb](new Endpoint(async () => i, { name: `other ${i}` }))
    const marked = ['1', '2'].map((id) => {
      const { expiresAt, expiryStatus } = controller.getResponse(getItem, { id })
      return verb === 'expireAll' ? expiresAt === 0 : expiryStatus === 1
    })
    expect(marked).toEqual([true, false])
  })

  test('reaches the keys that an endpoint matches: many copies of one mark nothing else', () => {
    const controller = new Controller({ env: new HandClock() })
    controller.set(Item, { id: '1' }, row('1'))
    for (let i = 0; i < 500; i++) controller[verb](getItem.extend({ requestInit: {} }))
    expect(controller.getResponse(getOther, { id: '1' })).toMatchObject({ data: { title: 't1' } })
    expect(controller.getResponse(getOther, { id: '1' }).expiresAt).toBeGreaterThan(0)
    const marked = controller.getResponse(getItem, { id: '1' })
    expect(verb === 'expireAll' ? marked.expiresAt === 0 : marked.expiryStatus === 1).toBe(true)
  })

  test('holds for a key that is first read later, also after more marks than are told apart', () => {
    const controller = new Controller({ env: new HandClock() })
    controller.set(Item, { id: '1' }, row('1'))
    controller[verb](getItem)
    for (let i = 0; i < 500; i++) controller[verb](new Endpoint(async () => i, { name: `other ${i}` }))
    const marked = controller.getResponse(getItem, { id: '1' })
    expect(verb === 'expireAll' ? marked.expiresAt === 0 : marked.expiryStatus === 1).toBe(true)
  })

  test('ends with newer data: later rows are shown for new keys', () => {
    const controller = new Controller({ env: new HandClock() })
    for (let i = 0; i < 500; i++) controller[verb](new Endpoint(async () => i, { name: `other ${i}` }))
    controller[verb](getItem)
    controller.set(Item, { id: '2' }, row('2'))
    for (const endpoint of [getItem, getOther]) {
      expect(controller.getResponse(endpoint, { id: '2' })).toMatchObject({ data: { title: 't2' }, expiryStatus: 3 })
      expect(controller.getResponse(endpoint, { id: '2' }).expiresAt).toBeGreaterThan(0)
    }
  })

  test('tells endpoints of one template apart by method and prefix, and by a testKey of their own', () => {
    const controller = new Controller({ env: new HandClock() })
    controller.set(Item, { id: '1' }, row('1'))
    const own = (id: string) => getItem.extend({ testKey: (key: string) => key === getItem.key({ id }) })
    controller[verb](own('1'))
    controller[verb](own('2'))
    controller[verb](getItem.extend({ urlPrefix: 'https://else.test' }))
    controller[verb](getItem.extend({ method: 'POST', sideEffect: false }))
    const marked = controller.getResponse(getItem, { id: '1' })
    expect(verb === 'expireAll' ? marked.expiresAt === 0 : marked.expiryStatus === 1).toBe(true)
  })
})

describe('a mark is found by whoever reads a key later', () => {
  /** Data that nobody observes, with an endpoint that counts its requests. */
  const stored = (verb: 'expireAll' | 'invalidateAll') => {
    const clock = new HandClock()
    const controller = new Controller({ env: clock, dataExpiryLength: 1_000_000 })
    const sent: string[] = []
    const read = getItem.extend({
      fetch: async ({ id }: { readonly id: string }) => {
        sent.push(id)
        return { ...row(id), title: 'new' }
      },
    })
    for (const id of ['1', '2']) controller.setResponse(read, { id }, row(id))
    controller[verb](read)
    return { clock, controller, read, sent }
  }

  test('expired: the data is shown, and fetched again', async () => {
    const { controller, read, sent } = stored('expireAll')
    expect(controller.getResponse(read, { id: '1' })).toMatchObject({ data: row('1'), expiresAt: 0 })
    expect(controller.snapshot().getResponse(read, { id: '1' })).toMatchObject({ data: row('1'), expiresAt: 0 })
    expect(controller.peek(read, { id: '1' }).getSnapshot()).toMatchObject(row('1'))
    expect(controller.get(Item, { id: '1' })).toMatchObject(row('1'))
    expect(sent).toEqual([])
    const query = controller.watch(read, { id: '1' })
    expect(query.getSnapshot()).toMatchObject({ status: 'ready', data: row('1') })
    query.subscribe(() => {})
    await settle()
    expect(await controller.fetchIfStale(read, { id: '2' })).toMatchObject({ title: 'new' })
    expect(sent).toEqual(['1', '2'])
    expect(query.getSnapshot().data).toMatchObject({ title: 'new' })
    controller.dispose()
  })

  test('invalidated: the data is not shown until it comes again', async () => {
    const { controller, read, sent } = stored('invalidateAll')
    expect(controller.getResponse(read, { id: '1' })).toMatchObject({ expiryStatus: 1 })
    expect(controller.snapshot().getResponse(read, { id: '1' })).toMatchObject({ expiryStatus: 1 })
    expect(controller.peek(read, { id: '1' }).getSnapshot()).toBeUndefined()
    const query = controller.watch(read, { id: '1' })
    expect(query.getSnapshot().status).toBe('pending')
    await Promise.all([query.load(), controller.fetchIfStale(read, { id: '2' })])
    expect(sent).toEqual(['1', '2'])
    expect(query.getSnapshot().data).toMatchObject({ title: 'new' })
    controller.dispose()
  })

  test.each(['expireAll', 'invalidateAll'] as const)('%s: later writes are not marked, each by itself', (verb) => {
    const { controller, read } = stored(verb)
    controller.setResponse(read, { id: '1' }, row('1'))
    const [one, other] = ['1', '2'].map((id) => controller.getResponse(read, { id }))
    expect(one).toMatchObject({ expiryStatus: 3 })
    expect(one?.expiresAt).toBeGreaterThan(0)
    expect(verb === 'expireAll' ? other?.expiresAt === 0 : other?.expiryStatus === 1).toBe(true)
  })

  test.each(['expireAll', 'invalidateAll'] as const)('%s: also once retention has dropped the key', async (verb) => {
    const clock = new HandClock()
    const controller = new Controller({ env: clock, retention: { after: 1_000 }, dataExpiryLength: 1_000_000 })
    controller.setResponse(getItem, { id: '1' }, row('1'))
    controller[verb](getItem)
    // The row stays, since somebody reads it.
    controller.view(Item, { id: '1' }).subscribe(() => {})
    await clock.advance(10_000)
    const { expiryStatus, expiresAt } = controller.getResponse(getItem, { id: '1' })
    expect(verb === 'expireAll' ? expiresAt === 0 : expiryStatus === 1).toBe(true)
    controller.dispose()
  })

  test.each(['expireAll', 'invalidateAll'] as const)('%s visits no key that nobody observes', async (verb) => {
    const callsWith = async (count: number): Promise<number> => {
      const controller = new Controller({ env: new HandClock(), retention: false })
      for (let id = 0; id < count; id++) {
        controller.setResponse(getItem, { id: `${id}` }, row(`${id}`))
        controller.watch(getItem, { id: `${id}` }).getSnapshot()
      }
      const stops = ['1', '2'].map((id) => controller.watch(getItem, { id }).subscribe(() => {}))
      await settle()
      const calls = await callsDuring(() => controller[verb](getOther))
      for (const stop of stops) stop()
      return calls
    }
    const few = await callsWith(100)
    expect(few).toBeGreaterThan(0)
    // To look at each of 2,000 keys would be as many calls.
    expect(await callsWith(2_000)).toBeLessThanOrEqual(few)
  })
})

describe('data that was invalidated and comes again unchanged', () => {
  const brought = { id: '1', title: 't1', userId: '1', votes: 0 }
  const invalidations: Record<string, (board: ReturnType<typeof openBoard>) => void> = {
    invalidateAll: ({ controller, getTodo }) => controller.invalidateAll(getTodo),
    'invalidateBy a kind': ({ controller }) => controller.invalidateBy(Todo),
    'invalidateBy a row': ({ controller }) => controller.invalidateBy(Todo, '1'),
    invalidate: ({ controller, getTodo }) => controller.invalidate(getTodo, { id: '1' }),
  }
  const comings: Record<string, (board: ReturnType<typeof openBoard>) => void> = {
    'with the list': ({ controller, getTodos }) => controller.setResponse(getTodos, {}, [brought]),
    'by set': ({ controller }) => controller.set(Todo, { id: '1' }, brought),
  }

  describe.each(Object.entries(invalidations))('by %s', (_, invalidate) => {
    test.each(Object.entries(comings))('%s: a mounted peek shows it, a fresh one too', (_, come) => {
      const board = openBoard()
      const { controller, getTodo } = board
      controller.set(Todo, { id: '1' }, brought)
      const peek = watch(controller.peek(getTodo, { id: '1' }))
      expect(peek.now).toMatchObject({ title: 't1' })
      invalidate(board)
      expect(peek.now).toBeUndefined()
      come(board)
      expect(peek.now).toMatchObject({ title: 't1' })
      expect(peek.seen.at(-1)).toMatchObject({ title: 't1' })
      peek.stop()
      expect(controller.peek(getTodo, { id: '1' }).getSnapshot()).toMatchObject({ title: 't1' })
    })

    test.each(Object.entries(comings))('%s, where the key had a response of its own', (_, come) => {
      const board = openBoard()
      const { controller, getTodo } = board
      controller.setResponse(getTodo, { id: '1' }, brought)
      const peek = watch(controller.peek(getTodo, { id: '1' }))
      invalidate(board)
      expect(peek.now).toBeUndefined()
      come(board)
      const { data, expiryStatus } = controller.getResponse(getTodo, { id: '1' })
      expect(expiryStatus === 3).toBe(peek.now !== undefined)
      if (expiryStatus === 3) expect(peek.now).toBe(data)
    })
  })

  describe.each(Object.entries(invalidations))('by %s', (_, invalidate) => {
    const changed: (typeof comings)[string] = ({ controller, getTodos }) =>
      controller.setResponse(getTodos, {}, [{ ...brought, title: 'new' }])
    test.each(
      Object.entries({ ...comings, changed }).flatMap(([how, come]) =>
        [true, false].map((hasOwn) => [how, hasOwn, come] as const),
      ),
    )('%s: a mounted query is pending until its own response (it had one: %s)', async (_, hasOwn, come) => {
      const board = openBoard()
      const { controller, getTodo, server } = board
      if (hasOwn) controller.setResponse(getTodo, { id: '1' }, brought)
      else controller.set(Todo, { id: '1' }, brought)
      const query = watch(controller.watch(getTodo, { id: '1' }))
      await settle()
      expect(query.now.status).toBe('ready')
      invalidate(board)
      await settle()
      come(board)
      await settle()
      expect(query.now.status).toBe('pending')
      await server.one('getTodo').answer(brought)
      expect(query.now.status).toBe('ready')
      expect(server.of('getTodo')).toHaveLength(1)
    })
  })

  test('a write that changes nothing is no commit event', () => {
    const { controller } = openBoard()
    controller.set(Todo, { id: '1' }, brought)
    let commits = 0
    controller.on('commit', () => commits++)
    controller.set(Todo, { id: '1' }, brought)
    expect(commits).toBe(0)
    expect(Todos.key).toBe('[Todo]')
  })
})

describe.each(['expireBy', 'invalidateBy'] as const)('%s of a row that only a request in flight will bring', (verb) => {
  test.each<[what: string, pk: string | number]>([
    ['by text', '1'],
    ['by a number', 1],
  ])('concerns it, %s: the response is out of date, and one refetch follows', async (_, pk) => {
    const { controller, getTodos, server } = openBoard()
    const query = controller.watch(getTodos, {})
    const stop = query.subscribe(() => {})
    await settle()
    controller[verb](Todo, pk)
    await server.one('getTodos', 0).answer([{ id: '1', title: 'old', userId: '1', votes: 0 }])
    await settle()
    expect(server.of('getTodos')).toHaveLength(2)
    await server.one('getTodos', 1).answer([{ id: '1', title: 'new', userId: '1', votes: 0 }])
    await settle()
    expect(query.getSnapshot()).toMatchObject({ status: 'ready', data: [{ title: 'new' }] })
    expect(server.of('getTodos')).toHaveLength(2)
    stop()
  })

  test('of one that it does not bring it concerns nothing, and what is requested later is fresh', async () => {
    const { controller, getTodos, getTodo, server } = openBoard()
    const stop = controller.watch(getTodos, {}).subscribe(() => {})
    await settle()
    controller[verb](Todo, '9')
    await server.one('getTodos').answer([{ id: '1', title: 'one', userId: '1', votes: 0 }])
    await settle()
    expect(server.of('getTodos')).toHaveLength(1)
    const other = controller.watch(getTodo, { id: '9' })
    const stopOther = other.subscribe(() => {})
    await settle()
    await server.one('getTodo').answer({ id: '9', title: 'nine', userId: '1', votes: 0 })
    await settle()
    expect(other.getSnapshot()).toMatchObject({ status: 'ready', data: { title: 'nine' } })
    expect(server.of('getTodo')).toHaveLength(1)
    stop()
    stopOther()
  })

  test('of the whole kind it makes no row, whatever is in flight', async () => {
    const { controller, getTodos, server } = openBoard()
    const stop = controller.watch(getTodos, {}).subscribe(() => {})
    await settle()
    controller[verb](Todo)
    await server.one('getTodos').answer([{ id: '1', title: 'one', userId: '1', votes: 0 }])
    expect(inspect(controller).primaryKeys('Todo')).toEqual(['1'])
    stop()
  })

  test('nothing is remembered where no request is in flight', () => {
    const { controller } = openBoard()
    for (let id = 0; id < 100; id++) controller[verb](Todo, id)
    // No sweep is due for what nobody has: an idle page that hears of many rows would keep them all.
    expect(inspect(controller).primaryKeys('Todo')).toEqual([])
    expect(controller.get(new All(Todo)) ?? []).toEqual([])
    controller.set(Todo, { id: '5' }, { title: 'five' })
    expect(controller.get(Todo, { id: '5' })).toMatchObject({ title: 'five' })
  })
})

test('in Node a mounted read asks again after what React renders there, and waits for no timer', async () => {
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  let asked = 0
  const getCount = new Endpoint(async () => ++asked, { name: 'getCount' })
  const controller = new Controller()
  const query = controller.watch(getCount)
  query.subscribe(() => {})
  await query.load()
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  try {
    controller.expireAll(getCount)
    await turn()
    await turn()
    expect(asked).toBe(1)
    await turn()
    expect(asked).toBe(2)
  } finally {
    vi.useRealTimers()
    controller.dispose()
  }
})
