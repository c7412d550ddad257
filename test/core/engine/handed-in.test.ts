import { Endpoint, Query, RestEndpoint, transfer } from '@roundtable/core'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { settle } from './clock.js'
import { ending, openBoard, Todo, Todos, watch } from './todo-board.js'

const row = (id = '1') => ({ id, title: `t${id}`, userId: '1', votes: 0 })

describe('B18: a getter among the arguments is read once', () => {
  const changing = () => {
    let reads = 0
    return {
      args: {
        get id() {
          reads++
          return String(reads)
        },
      },
      reads: () => reads,
    }
  }

  test('by fetch: key, request and stored value agree', async () => {
    const { controller, getTodo, server } = openBoard()
    const { args, reads } = changing()
    const end = ending(controller.fetch(getTodo, args))
    expect(server.one('getTodo').args).toEqual([{ id: '1' }])
    await server.one('getTodo').answer(row())
    expect(end.value).toMatchObject({ title: 't1' })
    expect(controller.getResponse(getTodo, { id: '1' }).data).toMatchObject({ title: 't1' })
    expect(reads()).toBe(1)
  })

  test('by a query that is mounted', async () => {
    const { controller, getTodo, server } = openBoard()
    const { args, reads } = changing()
    watch(controller.watch(getTodo, args))
    await settle()
    expect(server.one('getTodo').args).toEqual([{ id: '1' }])
    expect(reads()).toBe(1)
  })

  test('deep inside, in bodies and by mutations', async () => {
    const { controller, server } = openBoard()
    const { args, reads } = changing()
    const search = new Endpoint(server.on<[{ filter: { id: string } }]>('search'), { name: 'search', sideEffect: true })
    ending(controller.fetch(search, { filter: args }))
    expect(server.one('search').args).toEqual([{ filter: { id: '1' } }])
    expect(reads()).toBe(1)
  })

  test('values that are no plain data are passed through', () => {
    const { controller, server } = openBoard()
    const send = new Endpoint(server.on<[FormData, Blob]>('send'), {
      name: 'send',
      sideEffect: true,
      key: () => 'send',
    })
    const given = [new FormData(), new Blob(['a'])] as const
    ending(controller.fetch(send, ...given))
    expect(server.one('send').args[0]).toBe(given[0])
    expect(server.one('send').args[1]).toBe(given[1])
  })
})

describe('a response without schema', () => {
  test('is copied: changing it later changes nothing on the screen', async () => {
    const { controller } = openBoard()
    const mine = { list: [{ done: false }] }
    const getPlain = new Endpoint(async () => mine, { name: 'mine' })
    await controller.fetch(getPlain)
    const query = controller.watch(getPlain)
    const before = query.getSnapshot()
    mine.list.push({ done: true })
    mine.list[0] = { done: true }
    expect(query.getSnapshot()).toBe(before)
    expect(before.data).toEqual({ list: [{ done: false }] })
    await controller.fetch(getPlain)
    expect(query.getSnapshot().data).toEqual({ list: [{ done: true }, { done: true }] })
  })

  test('is frozen in development, by fetch and by setResponse', async () => {
    const { controller, getPlain } = openBoard()
    controller.setResponse(getPlain, { list: [] })
    const { data } = controller.watch(getPlain).getSnapshot() as { data: { list: unknown[] } }
    expect(Object.isFrozen(data) && Object.isFrozen(data.list)).toBe(true)
  })

  test('is stored without a copy if it is transferred', () => {
    const { controller, getPlain } = openBoard()
    const mine = { list: [1] }
    controller.setResponse(getPlain, transfer(mine))
    expect(controller.watch(getPlain).getSnapshot().data).toBe(mine)
    expect(Object.isFrozen(mine)).toBe(true)
  })

  afterEach(() => vi.unstubAllGlobals())

  test('is stored without a copy if a RestEndpoint parsed it, and fetch gives the same object', async () => {
    const { controller } = openBoard()
    vi.stubGlobal('fetch', async () => Response.json({ list: [1] }))
    const getRaw = new RestEndpoint({ urlPrefix: 'https://api.test', path: '/raw' })
    const given = await controller.fetch(getRaw)
    expect(controller.watch(getRaw).getSnapshot().data).toBe(given)
  })

  test('may be no plain data: a Blob, a typed array', async () => {
    const { controller } = openBoard()
    for (const data of [new Blob(['a']), new Uint8Array([1, 2])]) {
      const getData = new Endpoint(async () => data, { name: `get ${data.constructor.name}` })
      expect(await controller.fetch(getData)).toBe(data)
      expect(controller.watch(getData).getSnapshot().data).toBe(data)
    }
  })

  test('of a mutation belongs to its caller alone', async () => {
    const { controller, touch, server } = openBoard()
    const end = ending(controller.fetch(touch))
    const mine = { ok: [true] }
    await server.one('touch').answer(mine)
    expect(Object.isFrozen(end.value)).toBe(false)
  })

  test('the result of an updater is copied too', async () => {
    const { controller, touch, server } = openBoard()
    const ids = ['1']
    const getIds = new Endpoint(async () => ['0'], { name: 'getIds' })
    await controller.fetch(getIds)
    ending(controller.fetch(touch.extend({ update: () => ({ [getIds.key()]: () => ids }) })))
    await server.one('touch').answer(null)
    ids.push('2')
    expect(controller.watch(getIds).getSnapshot().data).toEqual(['1'])
  })
})

describe('a function of a Query that throws', () => {
  const open = () => {
    const board = openBoard()
    const state = { isBroken: true }
    const getCount = board.getTodos.extend({
      schema: new Query(Todos, (todos) => {
        if (state.isBroken) throw new Error('broken')
        return todos.length
      }),
    })
    return { ...board, state, getCount }
  }

  test('fails the query; an equal response repairs it', async () => {
    const { controller, server, state, getCount } = open()
    const shown = watch(controller.watch(getCount, {}))
    await settle()
    await server.one('getTodos').answer([row()])
    expect(shown.now).toMatchObject({ status: 'failed' })
    state.isBroken = false
    ending(controller.fetch(getCount, {}))
    await server.one('getTodos', 1).answer([row()])
    expect(shown.now).toMatchObject({ status: 'ready', data: 1 })
  })

  test('rejects the fetch; its rows are stored, since other readers show them', async () => {
    const { controller, server, getCount } = open()
    const end = ending(controller.fetch(getCount, {}))
    await server.one('getTodos').answer([row()])
    expect(end.error).toMatchObject({ message: 'broken' })
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 't1' })
  })

  test('is fetched again when an error boundary is reset', async () => {
    const { controller, server, state, getCount } = open()
    const shown = watch(controller.watch(getCount, {}))
    await settle()
    await server.one('getTodos').answer([row()])
    const { error } = shown.now
    state.isBroken = false
    controller.dropError(error)
    expect(shown.now).toMatchObject({ status: 'ready', data: 1 })
    await settle()
    expect(server.of('getTodos')).toHaveLength(1)
  })

  test('is fetched again by a reader that mounts later', async () => {
    const { controller, server, state, getCount } = open()
    const first = watch(controller.watch(getCount, {}))
    await settle()
    await server.one('getTodos').answer([row()])
    first.stop()
    await settle()
    state.isBroken = false
    const second = watch(controller.watch(getCount, {}))
    await settle()
    expect(second.now).toMatchObject({ status: 'ready', data: 1 })
  })

  test('shows one and the same snapshot while it goes on throwing', async () => {
    const { controller, server, getCount } = open()
    const query = controller.watch(getCount, {})
    const loading = query.load()
    await server.one('getTodos').answer([row()])
    await loading
    expect(query.getSnapshot()).toBe(query.getSnapshot())
    expect(server.of('getTodos')).toHaveLength(1)
  })
})

describe('expiring fetches again, also right after a failure', () => {
  const failed = async (first: unknown) => {
    const board = openBoard()
    const shown = watch(board.controller.watch(board.getTodo, { id: '1' }))
    await settle()
    if (first !== undefined) {
      await board.server.one('getTodo').answer(first)
      ending(board.controller.fetch(board.getTodo, { id: '1' }))
    }
    await board.server.one('getTodo', -1).fail()
    expect(shown.now.status).toBe('failed')
    return { ...board, shown, sent: board.server.requests.length }
  }

  test.each([
    ['with data', row()],
    ['without data', undefined],
  ])('expireAll %s, within the life of the error: one request, and no more after it failed too', async (_, first) => {
    const { controller, getTodo, server, shown, sent, clock } = await failed(first)
    controller.expireAll(getTodo)
    await settle()
    expect(server.requests).toHaveLength(sent + 1)
    await server.one('getTodo', -1).fail()
    expect(shown.now.status).toBe('failed')
    await clock.advance(60_000)
    expect(server.requests).toHaveLength(sent + 1)
  })

  test('expireBy, within the life of the error: one request, which heals', async () => {
    const { controller, server, shown, sent } = await failed(row())
    controller.expireBy(Todo)
    await settle()
    expect(server.requests).toHaveLength(sent + 1)
    await server.one('getTodo', -1).answer({ ...row(), title: 'healed' })
    expect(shown.now).toMatchObject({ status: 'ready', data: { title: 'healed' } })
  })
})
