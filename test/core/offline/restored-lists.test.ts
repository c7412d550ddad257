import { Collection, RestEndpoint } from '@roundtable/core'
import { outbox } from '@roundtable/core/offline'
import { describe, expect, test } from 'vitest'
import { begin } from './tabs-harness.js'
import { type StoredTask, Task } from './todo-server.js'

const shared = { urlPrefix: 'https://api.test', body: {} as Partial<StoredTask> } as const
const ofId = { ...shared, path: '/tasks/:id' } as const
const lists = new Collection([Task], {
  belongs: ({ done }, args: { done?: string } = {}) => `${done}` === args.done,
})
const endpoints = {
  getList: new RestEndpoint({
    ...shared,
    path: '/tasks',
    searchParams: {} as { done: string },
    body: undefined,
    schema: lists,
  }),
  get: new RestEndpoint({ ...ofId, body: undefined, schema: Task }),
  edit: new RestEndpoint({ ...ofId, method: 'PATCH', schema: Task }),
  takeOut: new RestEndpoint({ ...ofId, method: 'PATCH', schema: lists.remove }),
}
const { getList, get, edit, takeOut } = endpoints

type Opened = ReturnType<typeof begin>
type App = Awaited<ReturnType<Opened['open']>>

/** The ids in a list, as a tab shows them without a request. */
const shownIn = ({ controller }: App, done: boolean) =>
  controller
    .watch(getList, { done: `${done}` })
    .getSnapshot()
    .data?.map(({ id }) => id)

/** Both lists were read and stored by a session that is over. */
async function world(used: Parameters<typeof outbox>[0]) {
  const opened = begin({ outbox: outbox(used) })
  const { open, pass } = opened
  const end = async (app: App): Promise<void> => {
    await app.store.flush()
    app.tab.crash()
  }
  const first = await open()
  for (const done of ['false', 'true']) await first.controller.fetch(getList, { done })
  await pass()
  await end(first)
  return { ...opened, end }
}

const mark = (app: App) => app.controller.fetch(edit, { id: 1 }, { done: true })

describe.each([
  ['outside of the outbox', {}],
  ['of the outbox', { endpoints }],
])('an edit %s before the first use of stored lists', (_, used) => {
  test.each([
    ['all lists', [false, true]],
    ['the list that the row left', [false]],
    ['the list that it entered', [true]],
    ['none', []],
  ])('moves the row in them after each restart; after it the session has used: %s', async (_, uses) => {
    const { open, pass, end, server } = await world(used)
    const app = await open()
    await mark(app)
    for (const done of uses) expect(shownIn(app, done)).toEqual([done ? 1 : 2])
    await pass()
    await end(app)
    server.isReachable = false
    for (let restart = 0; restart < 3; restart++) {
      const again = await open()
      expect([shownIn(again, false), shownIn(again, true)]).toEqual([[2], [1]])
      await pass()
      await end(again)
    }
  })

  test('moves it in those of another tab, and of a tab that is opened later', async () => {
    const { open, pass } = await world(used)
    const [one, other] = [await open(), await open()]
    await mark(one)
    await pass()
    const tabs = [other, one, await open()]
    for (const tab of tabs) expect([shownIn(tab, false), shownIn(tab, true)]).toEqual([[2], [1]])
    await pass()
    const later = await open()
    expect([shownIn(later, false), shownIn(later, true)]).toEqual([[2], [1]])
  })
})

test('a later read moves a row in stored lists that nobody has used before', async () => {
  const { open, pass, end, server } = await world({})
  server.change(1, { done: true })
  const app = await open()
  await app.controller.fetch(get, { id: 1 })
  expect([shownIn(app, false), shownIn(app, true)]).toEqual([[2], [1]])
  await pass()
  await end(app)
  const again = await open()
  expect([shownIn(again, false), shownIn(again, true)]).toEqual([[2], [1]])
})

test('a row that was taken out of a list does not come back with a restart, though it belongs to it and was read later', async () => {
  const { open, pass, end } = await world({})
  const app = await open()
  await app.controller.fetch(getList, { done: 'false' })
  await app.controller.fetch(edit, { id: 1 }, { title: 'new' })
  await app.controller.fetch(takeOut, { id: 1 }, { title: 'new' })
  expect(shownIn(app, false)).toEqual([2])
  await pass()
  await end(app)
  expect(shownIn(await open(), false)).toEqual([2])
})
