import {
  type Cause,
  Collection,
  type ControllerOptions,
  Entity,
  pagesOf,
  poll,
  RestEndpoint,
  revalidate,
} from '@roundtable/core'
import { inspect } from '@roundtable/core/inspect'
import { describe, expect, test } from 'vitest'
import { settle } from './clock.js'
import { ending, openBoard, Todo, watch } from './todo-board.js'

const row = (id = '1', title = 't') => ({ id, title, userId: '1', votes: 0 })

/** A board that notes each request's name and cause, each action and each commit's causes. */
function openTold(options: ControllerOptions = {}) {
  const board = openBoard(options)
  inspect(board.controller)
  const told: [string, Cause][] = []
  const actions: string[] = []
  const commits: (readonly number[])[] = []
  board.controller.on('fetch', ({ endpoint, cause }) => told.push([endpoint.name ?? '', cause]))
  board.controller.on('action', ({ id, type, key }) =>
    actions.push(`${id} ${type}${key === undefined ? '' : ` ${key}`}`),
  )
  board.controller.on('commit', ({ causes }) => commits.push(causes ?? []))
  return {
    ...board,
    actions,
    commits,
    /** The causes of the requests since the last call. */
    causes: (): Cause[] => told.splice(0).map(([, cause]) => cause),
    /** Mounts a todo and answers its request. */
    async mount(id = '1') {
      const shown = watch(board.controller.watch(board.getTodo, { id }))
      await settle()
      await board.server.requests.at(-1)?.answer(row(id))
      return shown
    },
  }
}

describe('a request tells that', () => {
  test('a reader mounted', async () => {
    const { mount, causes } = openTold()
    await mount()
    expect(causes()).toEqual([{ type: 'mount' }])
  })

  test('a reader suspended, with its first arguments or with others', async () => {
    const { controller, getTodo, causes } = openTold()
    const first = controller.watch(getTodo, { id: '1' })
    void first.load()
    void controller.watch(getTodo, { id: '2' }).load(first)
    expect(causes()).toEqual([{ type: 'mount' }, { type: 'args' }])
  })

  test('a reader changed its arguments, whether it leaves before it comes or after', async () => {
    const { controller, getTodo, mount, causes } = openTold()
    const first = await mount('1')
    first.stop()
    const second = watch(controller.watch(getTodo, { id: '2' }))
    await settle()
    watch(controller.watch(getTodo, { id: '3' }))
    second.stop()
    await settle()
    watch(controller.watch(getTodo, { id: '4' }))
    await settle()
    expect(causes().map(({ type }) => type)).toEqual(['mount', 'args', 'args', 'mount'])
  })

  test('a reader mounted, when it comes, leaves and comes again in one tick, as in StrictMode', async () => {
    const { controller, getTodo, causes } = openTold()
    const todo = controller.watch(getTodo, { id: '1' })
    todo.subscribe(() => {})()
    todo.subscribe(() => {})
    await settle()
    expect(causes()).toEqual([{ type: 'mount' }])
  })

  test('the lifetime of the data was over', async () => {
    const { mount, clock, causes } = openTold()
    const shown = await mount()
    shown.stop()
    await clock.advance(60_001)
    causes()
    await mount()
    expect(causes()).toEqual([{ type: 'expired' }])
  })

  test('what was shown is gone', async () => {
    const { controller, getTodo, remove, causes } = openTold()
    controller.set(Todo, { id: '1' }, row())
    const shown = watch(controller.watch(getTodo, { id: '1' }))
    await settle()
    expect(shown.now.data).toMatchObject({ title: 't' })
    controller.setResponse(remove, { id: '1' }, row() as never)
    await settle()
    expect(causes()).toEqual([{ type: 'missing' }])
  })

  test('the application called refetch or fetch', async () => {
    const { controller, getTodo, mount, causes } = openTold()
    await mount()
    void controller.watch(getTodo, { id: '1' }).refetch()
    ending(controller.fetch(getTodo, { id: '2' }))
    expect(causes()).toEqual([{ type: 'mount' }, { type: 'refetch' }, { type: 'call' }])
  })

  test('an error was dropped', async () => {
    const { controller, getTodo, server, causes, actions } = openTold()
    const shown = watch(controller.watch(getTodo, { id: '1' }))
    await settle()
    await server.one('getTodo').fail(new Error('500'))
    controller.dropError(shown.now.error)
    await settle()
    expect(actions).toEqual(['2 dropError'])
    expect(causes()).toEqual([{ type: 'mount' }, { type: 'retry', by: 2 }])
  })

  test('a poll was due', async () => {
    const { controller, getTodo, clock, causes } = openTold()
    controller.observe(poll, getTodo.extend({ pollFrequency: 5_000 }), { id: '1' }).subscribe(() => {})
    await clock.advance(1)
    expect(causes()).toEqual([{ type: 'poll', every: 5_000 }])
  })

  test('the user came back, or the network', async () => {
    const { mount, clock, causes, actions, server } = openTold({ managers: [revalidate()], dataExpiryLength: 0 })
    await mount()
    causes()
    clock.announce({ visible: false })
    clock.announce({ visible: true })
    await settle()
    await server.one('getTodo', 1).answer(row())
    clock.announce({ online: false })
    clock.announce({ online: true })
    await clock.advance(1_000)
    expect(actions).toEqual(['2 focus', '4 online'])
    expect(causes()).toEqual([
      { type: 'focus', by: 2 },
      { type: 'online', by: 4 },
    ])
  })

  test('its key was invalidated, by itself, with all of its endpoint, or by an entity', async () => {
    const { controller, getTodo, mount, server, causes, actions } = openTold()
    await mount()
    causes()
    const acts = [
      () => controller.invalidate(getTodo, { id: '1' }),
      () => controller.invalidateAll(getTodo),
      () => controller.invalidateBy(Todo, '1'),
      () => controller.invalidateBy(Todo),
    ]
    for (const act of acts) {
      act()
      await settle()
      await server.requests.at(-1)?.answer(row())
    }
    expect(actions.map((action) => action.replace(/^\d+ /, ''))).toEqual([
      `invalidate ${getTodo.key({ id: '1' })}`,
      'invalidate getTodo ',
      'invalidate Todo 1',
      'invalidate Todo *',
    ])
    expect(causes()).toEqual(actions.map((action) => ({ type: 'invalidate', by: Number(action.split(' ')[0]) })))
  })

  test('its data was expired, with all of the endpoint or by an entity', async () => {
    const { controller, getTodo, mount, server, causes, actions } = openTold()
    await mount()
    causes()
    for (const act of [
      () => controller.expireAll(getTodo),
      () => controller.expireBy(Todo, '1'),
      () => controller.expireBy(Todo),
    ]) {
      act()
      await settle()
      await server.requests.at(-1)?.answer(row())
    }
    expect(causes()).toEqual(actions.map((action) => ({ type: 'expire', by: Number(action.split(' ')[0]) })))
    expect(actions[1]).toMatch(/expire Todo 1$/)
  })

  test('a mutation overlapped, by the number of its completion', async () => {
    const { controller, getTodo, patch, server, causes } = openTold()
    const completed: number[] = []
    controller.on('settle', ({ done }) => done > 0 && completed.push(done))
    const shown = watch(controller.watch(getTodo, { id: '1' }))
    await settle()
    ending(controller.fetch(patch, { id: '1' }, { title: 'new' }))
    await server.one('patch').answer(row('1', 'new'))
    await server.one('getTodo').answer(row('1', 'old'))
    expect(shown.now.data).toMatchObject({ title: 'new' })
    expect(completed).toHaveLength(1)
    expect(causes()).toEqual([{ type: 'mount' }, { type: 'call' }, { type: 'contested', by: completed[0] }])
  })

  test('the store was emptied', async () => {
    const { controller, mount, causes } = openTold()
    await mount()
    controller.resetEntireStore()
    await settle()
    expect(causes()).toEqual([{ type: 'mount' }, { type: 'reset' }])
  })

  test('the next page was wanted, or a refresh goes on with it', async () => {
    const { controller, causes } = openTold()
    class Item extends Entity {
      static override key = 'CausesItem'
      id = ''
    }
    const pages = [[{ id: 'a' }, { id: 'b' }], [{ id: 'c' }], []]
    const paged = new RestEndpoint({
      path: '/items',
      searchParams: {},
      schema: new Collection([Item]),
      paginationField: 'page',
      fetchResponse: async (url) =>
        Response.json(pages[Number(new URL(String(url), 'http://x').searchParams.get('page') ?? 1) - 1]),
    })
    const list = pagesOf(controller, paged, {})
    list.subscribe(() => {})
    await settle()
    await expect.poll(() => list.getSnapshot().pages).toBe(1)
    await list.fetchNext()
    await list.refetch()
    expect(causes()).toEqual([{ type: 'mount' }, { type: 'page' }, { type: 'refetch' }, { type: 'page', by: 3 }])
  })
})

describe('a commit tells', () => {
  test('the requests and actions that it belongs to', async () => {
    const { controller, getTodo, patchNow, mount, server, commits } = openTold()
    await mount()
    expect(commits.splice(0)).toEqual([[1]])
    ending(controller.fetch(patchNow, { id: '1' }, { title: 'new' }))
    await server.one('patch').answer(row('1', 'new'))
    expect(commits.splice(0)).toEqual([[2], [2]])
    controller.notifyOnce(() => {
      controller.set(Todo, { id: '1' }, { title: 'a' })
      controller.set(Todo, { id: '2' }, row('2'))
      controller.invalidate(getTodo, { id: '1' })
    })
    expect(commits.splice(0)).toEqual([[4, 5, 6]])
  })

  test('how many readers it notified, after they were', async () => {
    const { controller, getTodo, mount } = openTold()
    await mount()
    const shown = watch(controller.watch(getTodo, { id: '1' }))
    await settle()
    const told: [number, number][] = []
    controller.on('commit', ({ readers }) => told.push([readers ?? 0, shown.notified]))
    controller.set(Todo, { id: '1' }, { title: 'new' })
    controller.set(Todo, { id: '9' }, row('9'))
    expect(told).toEqual([
      [2, 1],
      [0, 1],
    ])
  })

  test('that a listener made it, after the one that the listener was called for', async () => {
    const { controller, getTodo, mount, commits } = openTold()
    await mount()
    commits.splice(0)
    const stop = controller.watch(getTodo, { id: '1' }).subscribe(() => {
      stop()
      controller.set(Todo, { id: '2' }, row('2'))
    })
    await settle()
    controller.set(Todo, { id: '1' }, { title: 'new' })
    expect(commits).toEqual([[2], [3]])
  })

  test('which fields of which rows changed, without those that stayed', async () => {
    const { controller, mount } = openTold()
    await mount()
    const seen: unknown[] = []
    controller.on('commit', ({ rowCount, rows }) => seen.push(rowCount, rows?.()))
    controller.notifyOnce(() => {
      controller.set(Todo, { id: '1' }, { title: 'a', votes: 0 })
      controller.set(Todo, { id: '1' }, { title: 'b' })
    })
    const change = { kind: 'Todo', pk: '1', fields: ['title'], before: row(), after: row('1', 'b') }
    expect(seen).toEqual([1, [change]])
  })

  test('of many rows the number, and the first 20', () => {
    const { controller } = openTold()
    const seen: unknown[] = []
    controller.on('commit', ({ rowCount, rows }) => seen.push(rowCount, rows?.().length))
    controller.notifyOnce(() => {
      for (let i = 0; i < 250; i++) controller.set(Todo, { id: `${i}` }, row(`${i}`))
    })
    expect(seen).toEqual([250, 20])
  })

  test('all of this as JSON too, without keys, which may have tokens in them', () => {
    const { controller } = openTold()
    const seen: string[] = []
    controller.on('commit', (event) => seen.push(JSON.stringify(event)))
    controller.set(Todo, { id: '1' }, row())
    const change = { kind: 'Todo', pk: '1', fields: ['id', 'title', 'userId', 'votes'], after: row() }
    expect(JSON.parse(seen[0] ?? '')).toEqual({ causes: [1], readers: 0, rowCount: 1, rows: [change] })
  })

  test('nothing of this while nobody inspects the controller', () => {
    const { controller } = openBoard()
    const seen: object[] = []
    controller.on('commit', (event) => seen.push(event))
    const inspection = inspect(controller)
    inspection.stop()
    controller.set(Todo, { id: '1' }, row())
    expect(seen.map((event) => Object.getOwnPropertyNames(event))).toEqual([['keys']])
  })
})

test('no cause is unknown: the type has no such member', () => {
  // @ts-expect-error
  const cause: Cause = { type: 'unknown' }
  expect(cause).toBeDefined()
})
