import { All, Collection, Controller, Endpoint, Entity, HydrationError, NetworkError } from '@roundtable/core'
import { type Dehydrated, dehydrate, dehydrateParts, hydrate, requestMark } from '@roundtable/core/hydration'
import { inspect } from '@roundtable/core/inspect'
import { describe, expect, test, vi } from 'vitest'
import { cases } from '../../cases.js'
import { HandClock, settle } from '../engine/clock.js'
import { openBoard, Todo } from '../engine/todo-board.js'
import { getPage, getProducts, hydrated, Maker, open, openStore, Product, put, reads, sent, shownBy } from './shop.js'

const row = (id: string, title: string, more?: object) => ({ id, title, userId: '1', votes: 0, ...more })

/** Each part of a state, as the object that it is in and its name there. */
function partsOf(value: unknown): (readonly [owner: Record<string, unknown>, name: string])[] {
  if (typeof value !== 'object' || value === null) return []
  // Arrays are read by their indexes as names.
  const owner = value as Record<string, unknown>
  return Object.keys(owner).flatMap((name) => [[owner, name] as const, ...partsOf(owner[name])])
}

/** What a server knew of two todos. */
function stateOf(...rows: readonly { readonly id: string }[]): Dehydrated {
  const { controller, getTodos } = openBoard({ server: true })
  controller.setResponse(getTodos, {}, rows as never)
  return sent(controller)
}

describe('hydrating is a read that started before anything local', () => {
  test('S7: older data never replaces newer data, and fills what is missing', async () => {
    const { controller, getTodo, getTodos, reported } = openBoard()
    controller.setResponse(getTodo, { id: '1' }, row('1', 'here'))
    hydrate(controller, stateOf(row('1', 'server', { votes: 7 }), row('2', 'server')))
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'here', votes: 0 })
    expect(controller.watch(getTodos, {}).getSnapshot().data).toMatchObject([{ title: 'here' }, { title: 'server' }])
    expect(reported).toEqual([])
  })

  test('developer tools hear of the state that each of its commits names as its cause', async () => {
    const { controller } = openBoard()
    const inspection = inspect(controller)
    const told: unknown[] = []
    const causes: unknown[] = []
    controller.on('action', ({ id, type }) => told.push([id, type]))
    controller.on('commit', (event) => causes.push(...(event.causes ?? [])))
    hydrate(controller, stateOf(row('1', 'server')))
    expect(told).toEqual([[expect.any(Number), 'hydrate']])
    const [[id]] = told as [[number]]
    expect(new Set(causes)).toEqual(new Set([id]))
    inspection.stop()
    controller.dispose()
  })

  test('a later state replaces an earlier one', () => {
    const { controller, getTodos } = openBoard()
    hydrate(controller, stateOf(row('1', 'first'), row('2', 'first')))
    const query = controller.watch(getTodos, {})
    expect(query.getSnapshot().data).toMatchObject([{ title: 'first' }, { title: 'first' }])
    hydrate(controller, stateOf(row('1', 'second')))
    expect(query.getSnapshot().data).toMatchObject([{ title: 'second' }])
    expect(controller.get(Todo, { id: '2' })).toMatchObject({ title: 'first' })
  })

  test('an acknowledged edit stays, and the results that stand on it are fetched again', async () => {
    const { controller, patch, getTodos, server } = openBoard()
    const done = controller.fetch(patch, { id: '1' }, { title: 'edited' })
    await server.one('patch').answer(row('1', 'edited'))
    await done
    hydrate(controller, stateOf(row('1', 'server'), row('2', 'server')))
    const query = controller.watch(getTodos, {})
    query.subscribe(() => {})
    await settle()
    expect(query.getSnapshot().data).toMatchObject([{ title: 'edited' }, { title: 'server' }])
    expect(server.requests.map(({ name }) => name)).toEqual(['patch', 'getTodos'])
  })

  test('a pending optimistic edit stays on top, and leaves the state of the server when it fails', async () => {
    const { controller, patchNow, getTodos, server } = openBoard()
    controller.setResponse(getTodos, {}, [row('1', 'here')])
    const query = controller.watch(getTodos, {})
    const done = controller.fetch(patchNow, { id: '1' }, { title: 'pending' })
    hydrate(controller, stateOf(row('1', 'server'), row('2', 'server')))
    expect(query.getSnapshot().data).toMatchObject([{ title: 'pending' }])
    await server.one('patch').fail(new Error('refused'))
    await expect(done).rejects.toThrow('refused')
    expect(query.getSnapshot().data).toMatchObject([{ title: 'here' }])
    expect(controller.get(Todo, { id: '2' })).toMatchObject({ title: 'server' })
  })

  test('a request in flight is newer than a state that arrives meanwhile', async () => {
    const { controller, getTodos, server } = openBoard()
    const query = controller.watch(getTodos, {})
    query.subscribe(() => {})
    await settle()
    hydrate(controller, stateOf(row('1', 'server')))
    expect(query.getSnapshot().data).toMatchObject([{ title: 'server' }])
    await server.one('getTodos').answer([row('1', 'fetched')])
    expect(query.getSnapshot().data).toMatchObject([{ title: 'fetched' }])
  })

  test('a state that was requested after a mark replaces what was there at the mark, and nothing of later', async () => {
    const { controller, getTodo, getTodos, patch, server, clock } = openBoard()
    controller.setResponse(getTodos, {}, [row('1', 'here'), row('2', 'here'), row('3', 'here')])
    const edit = controller.fetch(patch, { id: '3' }, { title: 'edited' })
    await clock.advance(61_000)
    const since = requestMark(controller)
    controller.setResponse(getTodo, { id: '2' }, row('2', 'later'))
    await server.one('patch').answer(row('3', 'edited'))
    await edit
    const query = controller.watch(getTodos, {})
    const state = stateOf(row('1', 'server'), row('2', 'server'), row('3', 'server'))
    hydrate(controller, state, { since, isRendering: true })
    expect(query.getSnapshot().data).toMatchObject([{ title: 'here' }, { title: 'later' }, { title: 'edited' }])
    hydrate(controller, state, { since })
    expect(query.getSnapshot().data).toMatchObject([{ title: 'server' }, { title: 'later' }, { title: 'edited' }])
    const { data } = controller.watch(getTodo, { id: '2' }).getSnapshot()
    expect(data).toMatchObject({ title: 'later' })
  })

  test('data that was stale here and came again with a later state is not requested', async () => {
    const { controller, getTodos, server, clock } = openBoard()
    controller.setResponse(getTodos, {}, [row('1', 'here')])
    await clock.advance(61_000)
    hydrate(controller, stateOf(row('1', 'server')), { since: requestMark(controller) })
    const query = controller.watch(getTodos, {})
    query.subscribe(() => {})
    await settle()
    expect(query.getSnapshot().data).toMatchObject([{ title: 'server' }])
    expect(server.requests).toEqual([])
  })

  test('one notification, and none if nothing is new', () => {
    const { controller, getTodos, getTodo } = openBoard()
    const calls: string[] = []
    controller.watch(getTodos, {}).subscribe(() => calls.push('list'))
    controller.watch(getTodo, { id: '1' }).subscribe(() => calls.push('item'))
    controller.on('commit', () => calls.push('commit'))
    const { controller: other, getTodos: list, getTodo: item } = openBoard({ server: true })
    other.setResponse(list, {}, [row('1', 'server')])
    other.setResponse(item, { id: '1' }, row('1', 'server'))
    const state = sent(other)
    hydrate(controller, state)
    expect(calls.sort()).toEqual(['commit', 'item', 'list'])
    hydrate(controller, state)
    expect(calls.filter((call) => call !== 'commit')).toEqual(['item', 'list'])
  })

  test('R3: data that was invalidated here before may be shown, and is fetched again', async () => {
    const { controller, getTodos, server } = openBoard()
    controller.invalidate(getTodos, {})
    hydrate(controller, stateOf(row('1', 'server')))
    const query = controller.watch(getTodos, {})
    query.subscribe(() => {})
    await settle()
    expect(query.getSnapshot().data).toMatchObject([{ title: 'server' }])
    expect(server.requests).toHaveLength(1)
  })

  test('while a component renders only what is missing is added; the rest follows when it is hydrated again', async () => {
    const { controller, getTodo, getTodos } = openBoard()
    hydrate(controller, stateOf(row('1', 'first')))
    const seen: unknown[] = []
    const todo = controller.view(Todo, { id: '1' })
    const other = controller.view(Todo, { id: '2' })
    todo.subscribe(() => seen.push(['1', todo.getSnapshot()?.title]))
    other.subscribe(() => seen.push(['2', other.getSnapshot()?.title]))
    await settle()
    const state = stateOf(row('1', 'second'), row('2', 'second'))
    hydrate(controller, state, { isRendering: true })
    expect(seen).toEqual([])
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'first' })
    expect(controller.watch(getTodos, {}).getSnapshot().data).toMatchObject([{ title: 'first' }, { title: 'second' }])
    await settle()
    expect(seen).toEqual([['2', 'second']])
    controller.setResponse(getTodo, { id: '2' }, row('2', 'here'))
    hydrate(controller, state)
    expect(controller.watch(getTodos, {}).getSnapshot().data).toMatchObject([{ title: 'second' }, { title: 'here' }])
  })

  test('after a reset a state is read again, and what waited is forgotten', () => {
    const { controller, getTodos } = openBoard()
    const state = stateOf(row('1', 'server'))
    hydrate(controller, state)
    controller.resetEntireStore()
    expect(controller.watch(getTodos, {}).getSnapshot().status).toBe('pending')
    hydrate(controller, state)
    expect(controller.watch(getTodos, {}).getSnapshot().data).toMatchObject([{ title: 'server' }])
  })
})

describe('what is dehydrated', () => {
  test('server state alone: no pending optimistic change, and nothing that only one of them made', async () => {
    const { controller, getTodos, patchNow, createNow } = openBoard()
    controller.setResponse(getTodos, {}, [row('1', 'stored')])
    void controller.fetch(patchNow, { id: '1' }, { title: 'pending' })
    void controller.fetch(createNow, {}, { title: 'new' })
    expect(controller.watch(getTodos, {}).getSnapshot().data).toMatchObject([{ title: 'pending' }, { title: 'new' }])
    const text = JSON.stringify(dehydrate(controller))
    expect(text).not.toMatch(/pending|new|optimistic/)
    expect(shownBy(hydrated(text).controller, getTodos as never, [{}]).data).toMatchObject([{ title: 'stored' }])
  })

  test('nothing that was invalidated', () => {
    const { controller, getTodos, getTodo } = openBoard()
    controller.setResponse(getTodos, {}, [row('1', 'secret'), row('2', 'open')])
    controller.setResponse(getTodo, { id: '2' }, row('2', 'open'))
    controller.invalidateBy(Todo, '1')
    const state = sent(controller)
    expect(JSON.stringify(state)).not.toContain('secret')
    const browser = hydrated(state).controller
    expect(browser.watch(getTodos, {}).getSnapshot().status).toBe('pending')
    expect(browser.watch(getTodo, { id: '2' }).getSnapshot().data).toMatchObject({ title: 'open' })
  })

  test('but also what was invalidated, where a later response leads to it: it is shown, and out of date', async () => {
    const { controller, getTodos, getTodo } = openBoard()
    controller.setResponse(getTodo, { id: '1' }, row('1', 'old'))
    controller.invalidateBy(Todo)
    // The response names the todo and does not bring it.
    controller.setResponse(getTodos, {}, ['1'] as never)
    expect(shownBy(controller, getTodos as never, [{}]).data).toMatchObject([{ title: 'old' }])
    const board = openBoard()
    hydrate(board.controller, sent(controller))
    expect(board.controller.watch(getTodos, {}).getSnapshot().data).toMatchObject([{ title: 'old' }])
    board.controller.watch(board.getTodo, { id: '1' }).subscribe(() => {})
    await settle()
    expect(board.server.requests.map(({ name }) => name)).toEqual(['getTodo'])
  })

  test('stale data is stale in the browser too: it is shown, and fetched again', async () => {
    const { controller, getTodos } = openBoard()
    controller.setResponse(getTodos, {}, [row('1', 'stale')])
    controller.expireBy(Todo, '1')
    const board = openBoard()
    hydrate(board.controller, sent(controller))
    const query = board.controller.watch(board.getTodos, {})
    query.subscribe(() => {})
    await settle()
    expect(query.getSnapshot().data).toMatchObject([{ title: 'stale' }])
    expect(board.server.requests).toHaveLength(1)
  })

  test('with include only some keys, and the rows that they lead to', () => {
    const { controller, getTodos, getTodo } = openBoard({ server: true })
    controller.setResponse(getTodos, {}, [row('1', 'a', { user: { id: 'u', name: 'U' } })])
    controller.setResponse(getTodo, { id: '2' }, row('2', 'left out'))
    const state = sent(controller, { include: (key) => key.startsWith('getTodos') })
    expect(JSON.stringify(state)).not.toContain('left out')
    const { controller: browser } = hydrated(state)
    expect(browser.watch(getTodos, {}).getSnapshot().data).toMatchObject([{ title: 'a', user: { name: 'U' } }])
  })

  test('with include, a schema that shows all rows leads to all of them', () => {
    const { controller } = openStore({ server: true })
    const getAll = new Endpoint(async () => [], { name: 'getAll', schema: new All(Maker) })
    put(controller, getAll, [], [{ id: 'm', name: 'M' }])
    const { controller: browser } = hydrated(sent(controller, { include: (key) => key.startsWith('getAll') }))
    expect(shownBy(browser, getAll, []).data).toMatchObject([{ name: 'M' }])
  })

  test('parts: each has what came since the last one', () => {
    const { controller, getTodos, getTodo } = openBoard({ server: true })
    const next = dehydrateParts(controller)
    expect(next()).toBeUndefined()
    controller.setResponse(getTodos, {}, [row('1', 'first')])
    const first = next()
    controller.setResponse(getTodo, { id: '2' }, row('2', 'second'))
    const second = next()
    expect(next()).toBeUndefined()
    expect(JSON.stringify(second)).not.toContain('first')
    const { controller: browser } = hydrated(first)
    hydrate(browser, second)
    expect(browser.watch(getTodos, {}).getSnapshot().data).toMatchObject([{ title: 'first' }])
    expect(browser.watch(getTodo, { id: '2' }).getSnapshot().data).toMatchObject({ title: 'second' })
  })

  test('parts: a result that only the update of a mutation has changed is sent again', async () => {
    const getCount = new Endpoint(async () => ({ total: 1 }), { name: 'getCount' })
    const create = new Endpoint(async () => ({}), {
      name: 'create',
      sideEffect: true,
      update: () => ({ [getCount.key()]: (count?: { total: number }) => ({ total: (count?.total ?? 0) + 1 }) }),
    })
    const controller = new Controller({ server: true })
    const next = dehydrateParts(controller)
    await controller.fetch(getCount)
    const { controller: browser } = hydrated(next())
    await controller.fetch(create)
    hydrate(browser, next())
    expect(browser.watch(getCount).getSnapshot().data).toEqual({ total: 2 })
  })

  test('S6: an error keeps its name, code and status, but not its message; with omit there is none', async () => {
    const { controller, getTodo } = openBoard({ server: true })
    const response = new Response('{}', { status: 503, headers: { 'x-secret': 'secret' } })
    const secret = new NetworkError(response, { url: 'https://secret.internal/1', method: 'GET' })
    controller.setError(getTodo, { id: '1' }, secret)
    const state = sent(controller)
    expect(JSON.stringify(state)).not.toContain('secret')
    const shown = hydrated(state).controller.watch(getTodo, { id: '1' }).getSnapshot()
    expect(shown).toMatchObject({ status: 'failed', error: { name: 'NetworkError', code: 'NETWORK', status: 503 } })
    expect(shown.error?.message).toBe('A request failed on the server.')
    const omitted = hydrated(sent(controller, { errors: 'omit' }))
    expect(omitted.controller.watch(getTodo, { id: '1' }).getSnapshot().status).toBe('pending')
  })
})

describe('ages', () => {
  test('S8: the clocks of server and browser may differ by minutes: data is fresh for what is left of its lifetime', async () => {
    for (const offset of [-300_000, 300_000]) {
      const server = openBoard({ server: true })
      server.clock.wallOffset = offset
      server.controller.setResponse(server.getTodos, {}, [row('1', 'server')])
      await server.clock.advance(20_000)
      const { controller, getTodos, server: api, clock } = openBoard()
      hydrate(controller, sent(server.controller))
      const query = controller.watch(getTodos, {})
      const visit = async (): Promise<number> => {
        const leave = query.subscribe(() => {})
        await settle()
        leave()
        await settle()
        return api.requests.length
      }
      await clock.advance(39_000)
      expect(await visit()).toBe(0)
      await clock.advance(2_000)
      expect(await visit()).toBe(1)
    }
  })

  test('a server that sleeps between its fetch and the page says how old its data is, by the clock that went on', async () => {
    const MINUTE = 60_000
    /** The requests of a page whose server let its two clocks go on by so much between its fetch and the page. */
    const requestsAfter = async ({ mono, wall }: { readonly mono: number; readonly wall: number }): Promise<number> => {
      const server = openBoard({ server: true })
      const response = server.controller.fetch(server.getTodos, {})
      await server.server.one('getTodos').answer([row('1', 'of the server')])
      await response
      await server.clock.advance(mono)
      server.clock.wallOffset += wall - mono
      const { controller, getTodos, server: api } = openBoard()
      hydrate(controller, sent(server.controller))
      const query = controller.watch(getTodos, {})
      query.subscribe(() => {})
      await settle()
      expect(query.getSnapshot().data).toMatchObject([{ title: 'of the server' }])
      return api.requests.length
    }
    expect(await requestsAfter({ mono: 0, wall: 0.5 * MINUTE })).toBe(0)
    expect(await requestsAfter({ mono: 0, wall: 10 * MINUTE })).toBe(1)
    expect(await requestsAfter({ mono: 10 * MINUTE, wall: 0 })).toBe(1)
    expect(await requestsAfter({ mono: 10 * MINUTE, wall: -10 * MINUTE })).toBe(1)
  })

  test('a state that was kept elsewhere is older: a static page is shown, and fetched again', async () => {
    const { controller, getTodos, server } = openBoard()
    hydrate(controller, stateOf(row('1', 'of the build')), { age: Infinity })
    const query = controller.watch(getTodos, {})
    query.subscribe(() => {})
    await settle()
    expect(query.getSnapshot().data).toMatchObject([{ title: 'of the build' }])
    expect(server.requests).toHaveLength(1)
  })

  test('a state of a page that is made in advance is as old as that page', async () => {
    const server = openBoard({ server: true })
    server.controller.setResponse(server.getTodos, {}, [row('1', 'of the build')])
    const state = sent(server.controller, { isStatic: true })
    expect(state.madeAt).toBe(server.clock.now())
    expect(sent(server.controller)).not.toHaveProperty('madeAt')
    const requestsAfter = async (passed: number): Promise<number> => {
      const { controller, getTodos, server: api, clock } = openBoard()
      await clock.advance(passed)
      hydrate(controller, state)
      const query = controller.watch(getTodos, {})
      query.subscribe(() => {})
      await settle()
      expect(query.getSnapshot().data).toMatchObject([{ title: 'of the build' }])
      return api.requests.length
    }
    expect(await requestsAfter(59_000)).toBe(0)
    expect(await requestsAfter(61_000)).toBe(1)
  })

  test('a server that hydrates reads no clock: what it was sent is in date there, and not older for a browser', () => {
    const stale = stateOf(row('1', 'of the build'))
    const { controller, getTodos, clock } = openBoard({ server: true })
    const now = vi.spyOn(clock, 'now')
    const mono = vi.spyOn(clock, 'mono')
    hydrate(controller, stale, { age: Infinity })
    expect(controller.watch(getTodos, {}).getSnapshot()).toMatchObject({ status: 'ready' })
    expect([...now.mock.calls, ...mono.mock.calls]).toEqual([])
    const again = openBoard({ server: true })
    hydrate(again.controller, stale)
    expect(sent(again.controller).responses).toEqual(stale.responses)
  })

  test('data that is fresh for ever stays so, unless its age is infinite', async () => {
    const { controller, getTodo } = openBoard({ server: true, dataExpiryLength: Infinity })
    controller.setResponse(getTodo, { id: '1' }, row('1', 'server'))
    const state = sent(controller)
    const at = (age?: number): number => {
      const board = openBoard()
      hydrate(board.controller, state, { age })
      return board.controller.getResponse(board.getTodo, { id: '1' }).expiresAt
    }
    expect(at(1_000)).toBe(Infinity)
    expect(at(Infinity)).toBeLessThan(Infinity)
  })
})

describe('what nobody has loaded yet', () => {
  test('a class that is loaded later finds its rows, results and lists', async () => {
    const server = openStore({ server: true })
    put(server.controller, getProducts, [{ shelf: 's' }], [{ id: '1', title: 'Pencil', maker: { id: 'm', name: 'M' } }])
    const { controller } = hydrated(sent(server.controller))
    class Late extends Entity {
      static override key = 'Maker'
      id = ''
      name = ''
    }
    expect(controller.get(Late, { id: 'm' })).toBeInstanceOf(Late)
    expect(controller.get(open, { shelf: 's' })).toMatchObject([{ title: 'Pencil' }])
    expect(shownBy(controller, getProducts, [{ shelf: 's' }])).toMatchObject({ status: 'ready' })
  })

  test('a key that another schema reads does not show a result in the form of the first', () => {
    const server = openStore({ server: true })
    put(server.controller, getProducts, [{}], [{ id: '1' }])
    const { controller } = hydrated(sent(server.controller))
    const plain = new Endpoint(getProducts.fetch, { name: 'getProducts', key: getProducts.key })
    expect(shownBy(controller, plain, [{}]).status).toBe('pending')
    expect(shownBy(controller, getProducts, [{}]).status).toBe('ready')
  })

  test('a result whose rows were collected meanwhile is fetched, not shown without them', async () => {
    const server = openStore({ server: true })
    put(server.controller, getProducts, [{}], [{ id: '1' }])
    const [plainList, , members] = reads.find(([{ name }]) => name === 'getPlainList') ?? []
    if (plainList === undefined) throw new Error('no such endpoint')
    put(server.controller, plainList, [], members)
    const { controller, clock } = hydrated(sent(server.controller), { retention: { after: 1_000 } })
    controller.set(Maker, { id: 'm' }, { name: 'M' })
    await clock.advance(10_000)
    expect(controller.get(Product, { id: '1' })).toBeUndefined()
    expect(shownBy(controller, getProducts, [{}]).status).toBe('pending')
    expect(shownBy(controller, plainList, []).status).toBe('pending')
  })

  test('a list with a member that nobody had loaded is there as it was; one whose members were collected meanwhile is fetched', async () => {
    const move = new Endpoint(async (_: { id: string }, __: object) => ({ id: '9' }), {
      name: 'move',
      schema: open.move,
      sideEffect: true,
    })
    const server = openStore({ server: true })
    put(server.controller, getProducts, [{ shelf: 's' }], [])
    await server.controller.fetch(move, { id: '9' }, { shelf: 's' })
    put(server.controller, getProducts, [{ shelf: 't' }], [{ id: '1', shelf: 't' }])
    const { controller, clock } = hydrated(sent(server.controller), { retention: { after: 1_000 } })
    controller.set(Maker, { id: 'm' }, { name: 'M' })
    await clock.advance(10_000)
    expect(server.controller.get(open, { shelf: 's' })).toEqual([])
    expect(controller.get(open, { shelf: 's' })).toEqual([])
    expect(controller.get(open, { shelf: 't' })).toBeUndefined()
  })

  test('a list that is first used while a layer is pending gets what the layer adds', async () => {
    class Job extends Entity {
      static override key = 'Job'
      id = ''
      done = false
    }
    const Open = new Collection([Job], { belongs: (job: { done?: unknown }) => job.done === false })
    const getOpen = new Endpoint(async () => [] as { id: string }[], { name: 'getOpen', schema: Open })
    const finish = new Endpoint(async (_: { id: string }): Promise<object> => new Promise(() => {}), {
      name: 'finish',
      schema: Job,
      sideEffect: true,
      getOptimisticResponse: (_snapshot, { id }) => ({ id, done: true }),
    })
    const server = openStore({ server: true })
    put(
      server.controller,
      getOpen,
      [],
      [
        { id: '1', done: false },
        { id: '2', done: false },
      ],
    )
    const { controller } = hydrated(sent(server.controller))
    void controller.fetch(finish, { id: '1' })
    expect(controller.get(Open)).toHaveLength(2)
    await settle()
    expect(controller.get(Open)).toMatchObject([{ id: '2' }])
  })

  test('pages of a list that was loaded here are not replaced', () => {
    const server = openStore({ server: true })
    put(server.controller, getPage, [{}], [{ id: '1' }])
    put(server.controller, getPage, [{ page: 2 }], [{ id: '2' }])
    const { controller } = openStore()
    put(controller, getPage, [{}], [{ id: '8' }])
    put(controller, getPage, [{ page: 2 }], [{ id: '9' }])
    hydrate(controller, sent(server.controller))
    expect(controller.get(open, {})?.map(({ id }) => id)).toEqual(['8', '9'])
  })

  test('a newer first page with a pushed row joins the pages that were loaded here', () => {
    const server = openStore({ server: true })
    put(server.controller, getPage, [{}], [{ id: '1' }])
    const add = new Endpoint(async () => ({}), { name: 'add', schema: open.push, sideEffect: true })
    put(server.controller, add, [{}], { id: '5' })
    const { controller } = openStore()
    put(controller, getPage, [{}], [{ id: '1' }])
    put(controller, getPage, [{ page: 2 }], [{ id: '2' }])
    hydrate(controller, sent(server.controller), { since: requestMark(controller) })
    expect(controller.get(open, {})?.map(({ id }) => id)).toEqual(['1', '5', '2'])
  })
})

describe('a state that cannot be used', () => {
  const good = (): Dehydrated => stateOf(row('1', 'one'), row('2', 'two'))
  const change = (fields: object): unknown => ({ ...good(), ...fields })

  test.each<readonly [what: string, state: unknown, message: string | RegExp]>([
    ['an empty object', {}, /version undefined/],
    ['null', null, /not an object/],
    ['a number', 7, /not an object/],
    ['an array', [], /not an object/],
    ['truncated text', JSON.stringify(good()).slice(0, -9), /cannot be read/],
    ['another version', change({ v: 1 }), /version 1/],
    ['another buster', change({ buster: 'x' }), /buster 'x'/],
    ['no rows', change({ rows: undefined }), /cannot be read/],
    ['a kind that is no text', change({ rows: [[7, 0, 0, [], []]] }), /another shape/],
    ['an unknown response', change({ rows: [['Todo', 9, 0, [], []]] }), /another shape/],
    ['an unknown shape', change({ rows: [['Todo', 0, 9, [], []]] }), /another shape/],
    ['a key that is no text', change({ rows: [['Todo', 0, null, [1], []]] }), /another shape/],
    ['too few records', change({ rows: [['Todo', 0, 0, ['1'], []]] }), /another shape/],
    ['too few values', change({ rows: [['Todo', 0, 0, ['1'], [['1']]]] }), /another shape/],
    ['a time that is no number', change({ madeAt: 'now' }), /another shape/],
    ['an age that is no number', change({ responses: [['1', 2]] }), /another shape/],
    ['members that are no keys', change({ lists: [['[Todo]', 0, '{}', {}, [1], [], 1]] }), /another shape/],
    ['members that are no list', change({ lists: [['[Todo]', 0, '{}', {}, 'x', [], 1]] }), /another shape/],
    [
      'arguments of a list that are nothing',
      change({ lists: [['[Todo]', 0, '{}', { '~': 0 }, [], [], 1]] }),
      /another shape/,
    ],
    [
      'arguments of a list that are a map',
      change({ lists: [['[Todo]', 0, '{}', { '~': [] }, [], [], 1]] }),
      /another shape/,
    ],
    ['arguments of a list that are a list', change({ lists: [['[Todo]', 0, '{}', [], [], [], 1]] }), /another shape/],
    ['results that are no list', change({ results: {} }), /cannot be read/],
  ])('P1: %s is reported, the store is empty and the application runs', async (_, state, message) => {
    const { controller, getTodos, server } = openBoard()
    const errors: Error[] = []
    controller.on('error', ({ error }) => errors.push(error))
    expect(hydrate(controller, state as Dehydrated)).toBe(controller)
    expect(errors).toEqual([expect.any(HydrationError)])
    expect(errors[0]?.message).toMatch(message)
    expect(controller.get(Todo, { id: '1' })).toBeUndefined()
    const done = controller.fetch(getTodos, {})
    await server.one('getTodos').answer([row('1', 'fetched')])
    expect(await done).toMatchObject([{ title: 'fetched' }])
  })

  test('P1: random changes of the text never break anything but the data that they hit', () => {
    const server = openStore({ server: true })
    for (const [endpoint, args, data] of reads) put(server.controller, endpoint, args, data)
    const text = JSON.stringify(dehydrate(server.controller))
    const clock = new HandClock()
    vi.spyOn(console, 'warn').mockReturnValue()
    let read = 0
    const most = cases(1_000)
    for (let seed = 1; seed <= most; seed++) {
      const at = (seed * 7_919) % text.length
      const flipped = String.fromCharCode(text.charCodeAt(at) ^ (1 << (seed % 7)))
      const broken = text.slice(0, at) + flipped + text.slice(at + 1)
      const errors: Error[] = []
      const controller = new Controller({ env: clock, onError: (error) => void errors.push(error) })
      hydrate(controller, broken)
      if (errors.length === 0) read++
      for (const error of errors) expect(error).toBeInstanceOf(HydrationError)
      for (const [endpoint, args] of reads) {
        const { status } = shownBy(controller, endpoint, args)
        expect(['ready', 'pending', 'failed']).toContain(status)
        if (errors.length > 0) expect(status).toBe('pending')
      }
      for (const [endpoint, args, data] of seed % 10 === 0 ? reads : []) put(controller, endpoint, args, data)
      controller.dispose()
    }
    expect(read).toBeGreaterThan(most / 20)
    vi.restoreAllMocks()
  })

  test('P1: nor does any part of it in whose place stands something else', () => {
    const server = openStore({ server: true })
    for (const [endpoint, args, data] of reads) put(server.controller, endpoint, args, data)
    const state = JSON.parse(JSON.stringify(dehydrate(server.controller))) as object
    const clock = new HandClock()
    vi.spyOn(console, 'warn').mockReturnValue()
    const odd = [{ '~': 0 }, { '~': [] }, {}, [], null, 5, 'x']
    for (const [at, [owner, name]] of partsOf(state).entries()) {
      const before = owner[name]
      owner[name] = odd[at % odd.length]
      const errors: Error[] = []
      const controller = new Controller({ env: clock, onError: (error) => void errors.push(error) })
      hydrate(controller, structuredClone(state) as Dehydrated)
      for (const error of errors) expect(error).toBeInstanceOf(HydrationError)
      for (const [endpoint, args] of reads)
        expect(['ready', 'pending', 'failed']).toContain(shownBy(controller, endpoint, args).status)
      controller.dispose()
      owner[name] = before
    }
    vi.restoreAllMocks()
  })

  test.each(['dispose', 'resetEntireStore'] as const)('%s keeps no timer of what was hydrated', (end) => {
    const { controller, clock } = openBoard({ retention: false })
    hydrate(controller, good())
    hydrate(controller, stateOf(row('3', 'server')))
    expect(clock.pending).toBe(2)
    controller[end]()
    expect(clock.pending).toBe(0)
  })

  test('nor does a controller that is hydrated after dispose', () => {
    const { controller, clock } = openBoard({ retention: false })
    controller.dispose()
    hydrate(controller, good())
    expect(clock.pending).toBe(0)
  })

  test('P2: fields that this version does not know are ignored, whatever they hold', () => {
    const { controller, getTodos, reported } = openBoard()
    hydrate(controller, { ...good(), resetAt: 'never', lastReset: 9e15 } as Dehydrated)
    expect(controller.watch(getTodos, {}).getSnapshot().data).toHaveLength(2)
    expect(reported).toEqual([])
  })
})

describe('lists of several Collections that share a key', () => {
  class Task extends Entity {
    static override key = 'HydratedTask'
    id = ''
    title = ''
    isDone = false
  }
  const all = new Collection([Task])
  const unfinished = new Collection([Task], {
    argsKey: () => ({ list: 'open' }),
    belongs: ({ isDone }) => isDone === false,
  })
  const sorted = new Collection([Task], {
    argsKey: () => ({ list: 'sorted' }),
    compare: (a, b) => `${a.title}`.localeCompare(`${b.title}`),
  })
  class Board extends Entity {
    static override key = 'HydratedBoard'
    static override schema = {
      all,
      unfinished: new Collection([Task], {
        nestKey: () => ({ list: 'of a board' }),
        belongs: ({ isDone }) => isDone === false,
      }),
    }
    id = ''
    all: readonly Task[] = []
    unfinished: readonly Task[] = []
  }
  const of = (schema: typeof all, name: string) => new Endpoint(async () => [], { name, schema })
  const lists = {
    all: of(all, 'all'),
    unfinished: of(unfinished as never, 'open'),
    sorted: of(sorted as never, 'sorted'),
  }
  const getBoard = new Endpoint(async () => ({ id: 'b' }), { name: 'getBoard', schema: Board })
  const rows = [
    { id: '1', title: 'a', isDone: false },
    { id: '2', title: 'b', isDone: false },
    { id: '3', title: 'c', isDone: true },
  ] as const
  const [one, two, three] = rows

  const fill = (controller: Controller): void => {
    controller.setResponse(lists.all, [three, two, one])
    controller.setResponse(lists.unfinished, [one, two])
    controller.setResponse(lists.sorted, [one, two, three])
    controller.setResponse(getBoard, { id: 'b', all: [one, three], unfinished: [one] })
  }
  const idsOf = (found: unknown): string => (found as readonly Task[]).map(({ id }) => id).join('')

  const orders = ['all', 'unfinished', 'sorted'].flatMap((first, _, names) =>
    names
      .filter((name) => name !== first)
      .map((second) => [first, second, ...names.filter((name) => name !== first && name !== second)]),
  ) as (keyof typeof lists)[][]

  test.each(orders)('each keeps its own belongs and compare: %s, %s, %s', (...order) => {
    const server = openStore({ server: true })
    fill(server.controller)
    const { controller, errors } = hydrated(sent(server.controller))
    const shown = (): Record<string, string> =>
      Object.fromEntries(order.map((name) => [name, idsOf(shownBy(controller, lists[name], []).data)]))
    for (const name of order) controller.watch(lists[name]).subscribe(() => {})
    expect(shown()).toEqual({ all: '321', unfinished: '12', sorted: '123' })
    controller.set(Task, { id: '1' }, { id: '1', title: 'x', isDone: true })
    expect(shown()).toEqual({ all: '321', unfinished: '2', sorted: '231' })
    expect(errors).toEqual([])
  })

  test('a list that nobody has shown yet is judged when it is met: by mutations since', async () => {
    const server = openStore({ server: true })
    fill(server.controller)
    const { controller } = hydrated(sent(server.controller))
    expect(idsOf(shownBy(controller, lists.all, []).data)).toBe('321')
    const finish = new Endpoint(async () => ({ id: '1', isDone: true }), {
      name: 'finish',
      schema: Task,
      sideEffect: true,
    })
    await controller.fetch(finish)
    expect(idsOf(shownBy(controller, lists.unfinished, []).data)).toBe('2')
  })

  test('inside of one row', () => {
    const server = openStore({ server: true })
    fill(server.controller)
    const { controller } = hydrated(sent(server.controller))
    const board = (): Board => shownBy(controller, getBoard, []).data as unknown as Board
    expect([board().all, board().unfinished].map(idsOf)).toEqual(['13', '1'])
    controller.set(Task, { id: '1' }, { id: '1', isDone: true })
    expect([board().all, board().unfinished].map(idsOf)).toEqual(['13', ''])
    controller.set(Task, { id: '3' }, { id: '3', isDone: false })
    expect(idsOf(board().unfinished)).toBe('3')
  })
})
