import { Collection, RestEndpoint, Union, Values } from '@roundtable/core'
import { outbox } from '@roundtable/core/offline'
import { describe, expect, test } from 'vitest'
import { begin } from './tabs-harness.js'
import { type openApp, rest, type StoredTask, Task } from './todo-server.js'

const shared = { urlPrefix: 'https://api.test', body: {} as Partial<StoredTask> } as const
const ofId = { ...shared, path: '/tasks/:id' } as const
const ofAll = { ...shared, path: '/tasks', searchParams: {} as { done: string } } as const

/** The endpoints of tasks in lists by `done`. */
function endpointsOf(list: AnyLists, isMap = false) {
  const byId = (tasks: readonly StoredTask[]) => Object.fromEntries(tasks.map((task) => [task.id, task]))
  return {
    getList: new RestEndpoint({ ...ofAll, body: undefined, schema: list, ...(isMap && { process: byId as never }) }),
    create: new RestEndpoint({ ...ofAll, searchParams: undefined, method: 'POST', schema: list.push }),
    move: new RestEndpoint({ ...ofId, method: 'PATCH', schema: list.move }),
    edit: new RestEndpoint({ ...ofId, method: 'PATCH', schema: Task }),
    replace: new RestEndpoint({ ...ofId, method: 'PUT', schema: Task }),
    takeOut: new RestEndpoint({ ...ofId, method: 'PATCH', schema: list.remove }),
  }
}

const plain = new Collection([Task])
type AnyLists = typeof plain
const kept = new Collection([Task], {
  belongs: ({ done }, args: { done?: string } = {}) => `${done}` === args.done,
})
// They have the same accessors, and the tests read only ids.
const ofUnion = new Collection([new Union({ task: Task }, () => 'task')]) as unknown as AnyLists
const ofMap = new Collection(new Values(Task)) as unknown as AnyLists

type Endpoints = ReturnType<typeof endpointsOf>
type App = Awaited<ReturnType<typeof openApp>>

/** The ids in both lists, as a tab shows them without a request. */
function shownIn({ controller }: App, { getList }: Endpoints) {
  return ['false', 'true'].map((done) => {
    const data = controller.watch(getList, { done }).getSnapshot().data
    return data && Object.values(data as readonly Task[]).map(({ id }) => id)
  })
}

async function load({ controller }: App, { getList }: Endpoints): Promise<void> {
  for (const done of ['false', 'true']) await controller.fetch(getList, { done })
}

const ways = [
  { what: 'a move', way: 'move', lists: endpointsOf(plain) },
  { what: 'a move in lists of a Union', way: 'move', lists: endpointsOf(ofUnion) },
  { what: 'a move in maps', way: 'move', lists: endpointsOf(ofMap, true) },
  { what: 'a PATCH of what the lists filter by', way: 'edit', lists: endpointsOf(kept as unknown as AnyLists) },
  { what: 'an ordinary update', way: 'replace', lists: endpointsOf(kept as unknown as AnyLists) },
] as const

const orders = [
  { who: 'this tab', by: ['one'] },
  { who: 'the other tab', by: ['other'] },
  { who: 'this tab after the other', by: ['other', 'one'] },
  { who: 'the other tab after this one', by: ['one', 'other'] },
] as const

describe.each(ways)('$what outside of the outbox', ({ way, lists }) => {
  const world = async () => {
    const opened = begin({ outbox: outbox({}) })
    const [one, other] = [await opened.open(), await opened.open()]
    const change = async (tab: App, id: number): Promise<void> => {
      await tab.controller.fetch(lists[way], { id }, { title: `${id}`, done: true })
    }
    return { ...opened, one, other, change }
  }

  test.each(orders)(
    'moves the row in another tab, too, without a request of its own: $who has read the lists',
    async ({ by }) => {
      const { server, open, pass, change, ...tabs } = await world()
      for (const name of by) {
        await load(tabs[name], lists)
        await pass()
      }
      const before = server.reached.length
      await change(tabs.one, 1)
      await pass()
      const isNow = [[2], [1]]
      expect([tabs.one, tabs.other, await open()].map((tab) => shownIn(tab, lists))).toEqual([isNow, isNow, isNow])
      for (const { controller } of [tabs.one, tabs.other])
        for (const done of ['false', 'true']) controller.watch(lists.getList, { done }).subscribe(() => {})
      await pass()
      expect(server.reached).toHaveLength(before + 1)
    },
  )

  test.each(orders)(
    'does not bring it back where it was moved away at the same time: $who has read the lists',
    async ({ by }) => {
      const { open, pass, change, ...tabs } = await world()
      for (const name of by) {
        await load(tabs[name], lists)
        await pass()
      }
      // Neither has read what the other has stored.
      await change(tabs.one, 1)
      await change(tabs.other, 2)
      await pass()
      const isNow = [[], [1, 2]]
      const shown = [tabs.one, tabs.other].map((tab) => shownIn(tab, lists).map((ids) => ids?.toSorted()))
      expect(shown).toEqual([isNow, isNow])
    },
  )

  test('nor where the other tab creates one at the same time', async () => {
    const { pass, change, one, other } = await world()
    await load(other, lists)
    await pass()
    await change(one, 1)
    await other.controller.fetch(lists.create, { title: 'c', done: false })
    await pass()
    expect([one, other].map((tab) => shownIn(tab, lists))).toEqual([
      [[2, 3], [1]],
      [[2, 3], [1]],
    ])
  })

  test('nor in a list that the other tab was reading then', async () => {
    const { server, pass, change, one, other } = await world()
    await load(one, lists)
    await pass()
    const answer = server.hold('GET')
    const late = other.controller.fetch(lists.getList, { done: 'false' })
    await rest()
    await change(one, 1)
    await pass()
    answer()
    await late
    await pass()
    expect([one, other].map((tab) => shownIn(tab, lists))).toEqual([
      [[2], [1]],
      [[2], [1]],
    ])
  })

  test('is there beside a list that the other tab has read right after it', async () => {
    const { pass, change, one, other } = await world()
    await load(other, lists)
    await change(one, 1)
    await one.controller.fetch(lists.getList, { done: 'true' })
    await pass()
    expect(shownIn(other, lists)).toEqual([[2], [1]])
  })

  test('is there for a tab that has slept, and wakes to a summary', async () => {
    const { device, server, pass, change, one, other } = await world()
    await load(other, lists)
    await pass()
    other.tab.freeze()
    await change(one, 1)
    // The log is summarized once it is long.
    for (let i = 0; i < 4; i++) {
      server.change(2, { title: 'long '.repeat(4_000) + i })
      await one.controller.fetch(lists.edit, { id: 2 }, {})
      await pass(5_000)
    }
    expect(await device.memory.read(0)).toHaveLength(1)
    other.tab.wake(true)
    await pass()
    expect(shownIn(other, lists)).toEqual([[2], [1]])
  })
})

describe('a mutation outside of the outbox by a tab that does not have the lists', () => {
  const lists = endpointsOf(plain)
  const world = async () => {
    const opened = begin({ outbox: outbox({}) })
    const [mover, reader] = [await opened.open(), await opened.open()]
    return { ...opened, mover, reader }
  }
  const move = (tab: App) => tab.controller.fetch(lists.move, { id: 1 }, { done: true })

  test('moves and adds rows in another tab, and in the next, without a request of its own', async () => {
    const { server, open, pass, mover, reader } = await world()
    await load(reader, lists)
    const before = server.reached.length
    // The mover has not read the lists of the other tab.
    await move(mover)
    await mover.controller.fetch(lists.create, { title: 'c', done: true })
    await pass()
    await pass()
    const isNow = [[2], [1, 3]]
    expect([reader, mover, await open()].map((tab) => shownIn(tab, lists))).toEqual([isNow, isNow, isNow])
    expect(server.reached).toHaveLength(before + 2)
  })

  test('is asked for in a list of a tab that has ended before it heard of it', async () => {
    const { pass, mover, reader } = await world()
    await load(reader, lists)
    await mover.controller.fetch(lists.create, { title: 'c', done: true })
    await reader.store.flush()
    reader.tab.crash()
    await pass()
    for (const done of ['false', 'true']) mover.controller.watch(lists.getList, { done }).subscribe(() => {})
    await pass()
    expect(shownIn(mover, lists)).toEqual([[1, 2], [3]])
  })

  test('leaves rows in lists whose arguments the row lacks', async () => {
    const { pass, mover, reader } = await world()
    const ofUser = new RestEndpoint({
      ...shared,
      path: '/users/:userId/tasks',
      searchParams: {} as { done?: string },
      body: undefined,
      schema: plain,
      fetchResponse: async () => Response.json([{ id: 1, title: 'a', done: false }]),
    })
    await reader.controller.fetch(ofUser, { userId: 5 })
    await reader.controller.fetch(ofUser, { userId: 5, done: 'false' })
    await move(mover)
    await pass()
    const ids = (args: { userId: number; done?: string }) =>
      reader.controller
        .watch(ofUser, args)
        .getSnapshot()
        .data?.map(({ id }) => id)
    // Only what the row says of itself decides.
    expect([ids({ userId: 5 }), ids({ userId: 5, done: 'false' })]).toEqual([[1], []])
  })

  test('moves them in a list that the other tab was reading then', async () => {
    const { server, pass, mover, reader } = await world()
    const answer = server.hold('GET')
    for (const done of ['false', 'true']) reader.controller.watch(lists.getList, { done }).subscribe(() => {})
    await rest()
    await move(mover)
    await pass()
    answer()
    await rest()
    expect(shownIn(reader, lists)).toEqual([[2], [1]])
  })
})

test('a remove outside of the outbox takes the row out of the list in another tab, though the row stays as it is', async () => {
  const lists = endpointsOf(plain)
  const { open, pass } = begin({ outbox: outbox({}) })
  const [one, other] = [await open(), await open()]
  await load(other, lists)
  await pass()
  await one.controller.fetch(lists.takeOut, { id: 1 }, {})
  await pass()
  expect([one, other, await open()].map((tab) => shownIn(tab, lists))).toEqual([
    [[2], []],
    [[2], []],
    [[2], []],
  ])
})

test('a list that nobody has used before in a tab is the one that was stored last, though a mutation has changed its rows since they were read', async () => {
  const lists = endpointsOf(kept as unknown as AnyLists)
  const { open, pass } = begin({ outbox: outbox({ lists }) })
  const [one, other] = [await open(), await open()]
  await load(other, lists)
  await pass()
  await one.controller.fetch(lists.edit, { id: 1 }, { done: true })
  await pass()
  await other.controller.fetch(lists.move, { id: 2 }, { done: true })
  await pass()
  await pass()
  expect([one, other, await open()].map((tab) => shownIn(tab, lists))).toEqual([
    [[], [1, 2]],
    [[], [1, 2]],
    [[], [1, 2]],
  ])
})

test.each([
  ['lists with belongs', endpointsOf(kept as unknown as AnyLists)],
  ['lists without', endpointsOf(plain)],
])(
  'a row that a message has put into a list stays when a tab that has not heard of it stores that list: %s',
  async (_, lists) => {
    const { server, open, pass } = begin({ outbox: outbox({}) })
    const [slow, quick] = [await open(), await open()]
    await load(slow, lists)
    await pass()
    for (const { controller } of [slow, quick]) controller.watch(lists.getList, { done: 'false' }).subscribe(() => {})
    await pass()
    const first = { ...server.tasks.get(1) } as StoredTask
    const hear = ({ controller }: App, ...rows: readonly StoredTask[]) => {
      for (const row of rows) controller.setResponse(row.id === 1 ? lists.move : lists.create, row as never, row)
    }
    const created = { ...first, ...server.add('created') }
    hear(slow, { ...first, done: true })
    hear(quick, { ...first, done: true }, first, created)
    hear(slow, first)
    await pass()
    hear(slow, created)
    await pass()
    await pass()
    const shown = [slow, quick].map((tab) => shownIn(tab, lists)[0]?.toSorted())
    expect(shown).toEqual([
      [1, 2, created.id],
      [1, 2, created.id],
    ])
  },
)
