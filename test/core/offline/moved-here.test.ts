import { Collection, RestEndpoint } from '@roundtable/core'
import { outbox } from '@roundtable/core/offline'
import { describe, expect, test } from 'vitest'
import { begin } from './tabs-harness.js'
import { type openApp, type StoredTask, Task } from './todo-server.js'

const shared = { urlPrefix: 'https://api.test', body: {} as Partial<StoredTask> } as const
const lists = new Collection([Task])
const getList = new RestEndpoint({ ...shared, path: '/tasks', body: undefined, schema: lists })
const create = new RestEndpoint({ ...shared, path: '/tasks', method: 'POST', schema: lists.push })
const edit = new RestEndpoint({ ...shared, path: '/tasks/:id', method: 'PATCH', schema: Task })
const takeOut = new RestEndpoint({ ...shared, path: '/tasks/:id', method: 'PATCH', schema: lists.remove })

type App = Awaited<ReturnType<typeof openApp>>

const task = (id: number, title: string): StoredTask => ({ id, title, done: false })

/** Other tabs hear of mutations, and tell their lists again with these. */
const ways = [
  {
    what: 'a pushed creation',
    change: ({ controller }: App) => controller.setResponse(create, { title: 'c' }, task(3, 'c')),
    is: [1, 2, 3],
  },
  { what: 'a creation', change: ({ controller }: App) => controller.fetch(create, { title: 'c' }), is: [1, 2, 9, 3] },
  {
    what: 'a pushed removal',
    change: ({ controller }: App) => controller.setResponse(takeOut, { id: 1 }, {}, task(1, 'a')),
    is: [2],
  },
  { what: 'a removal', change: ({ controller }: App) => controller.fetch(takeOut, { id: 1 }, {}), is: [2, 9] },
]

const idsIn = ({ controller }: App): unknown =>
  controller
    .watch(getList)
    .getSnapshot()
    .data?.map(({ id }) => id)

describe.each([
  { whose: 'its own', isOwn: true },
  { whose: 'the stored', isOwn: false },
])('A tab whose list is $whose', ({ isOwn }) => {
  /** Two tabs with the list, of which the other one asks for it again and gets `ids`, before it has heard of `change`. */
  async function crossing(change: (app: App) => unknown, ids: readonly number[]): Promise<App> {
    const { open, pass, server } = begin({ outbox: outbox({}) })
    const here = await open()
    await here.controller.fetch(getList)
    await pass()
    const first = isOwn ? here : await open()
    const other = await open()
    idsIn(first)
    idsIn(other)
    await pass()
    server.refuse = (line) => (line === 'GET /tasks' ? Response.json(ids.map((id) => task(id, `${id}`))) : undefined)
    await other.controller.fetch(getList)
    await change(first)
    await pass()
    return first
  }

  test.each(ways)(
    'keeps what $what has moved here when another tab stores the list without it',
    async ({ change, is }) => {
      const app = await crossing(change, [1, 2, 9])
      expect(idsIn(app)).toEqual(is)
    },
  )

  test('takes over what another tab stores, also after an edit of a member here', async () => {
    const app = await crossing(({ controller }) => controller.fetch(edit, { id: 1 }, { title: 'z' }), [2])
    expect(idsIn(app)).toEqual([2])
  })
})
