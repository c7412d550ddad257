import { Collection, Controller, Entity, RestEndpoint, resource } from '@roundtable/core'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  done = false
}

let warnings: string[] = []
beforeEach(() => {
  warnings = []
  vi.spyOn(console, 'warn').mockImplementation((text: string) => void warnings.push(text))
})
afterEach(() => vi.restoreAllMocks())

function open(): Controller {
  return new Controller({ transport: async () => Response.json([{ id: 1, done: false }]) })
}

test('two Collections with other rules that read one list are reported once, with what to do', async () => {
  const controller = open()
  const all = new RestEndpoint({ path: '/todos', schema: new Collection([Todo]) })
  const done = all.extend({ schema: new Collection([Todo], { belongs: (todo) => todo.done === true }) })
  await controller.fetch(all)
  await controller.fetch(done)
  await controller.fetch(all)
  await controller.fetch(done)
  expect(warnings).toEqual([
    "GET /todos and GET /todos wrote the same list, [Todo] with {}: each replaces what the other has read. If they are two lists, name one in its Collection: argsKey: (params) => ({ ...params, list: 'other' }). If they are one, give both endpoints the same Collection.",
  ])
})

test('so are Collections of two addresses, and what the message recommends ends it', async () => {
  const controller = open()
  const [todos, archive] = ['/todos', '/archive'].map((path) => resource({ path: `${path}/:id`, schema: Todo }))
  if (!todos || !archive) throw new Error('not made')
  await controller.fetch(todos.getList)
  await controller.fetch(archive.getList)
  expect(warnings).toEqual([expect.stringMatching(/^GET \/todos and GET \/archive wrote the same list/)])
  warnings = []
  const named = archive.getList.extend({
    schema: new Collection([Todo], { argsKey: (params: object) => ({ ...params, list: 'archive' }) }),
  })
  const [first, second] = [open(), open()]
  await first.fetch(todos.getList)
  await first.fetch(named)
  const one = new Collection([Todo])
  await second.fetch(todos.getList.extend({ schema: one }))
  await second.fetch(archive.getList.extend({ schema: one }))
  expect(warnings).toEqual([])
})

test('a list that has a param in one of its paths, a page, a mutation, and a module that was loaded again are not reported', async () => {
  const controller = open()
  const load = () =>
    resource({
      path: '/todos/:id',
      schema: Todo,
      searchParams: {} as { userId?: number; page?: number },
      paginationField: 'page',
      // Another class each time, which takes what its parent takes.
      Collection: class extends (Collection as new (
        ...given: never
      ) => Collection<[typeof Todo]>) {} as unknown as typeof Collection,
    })
  const todos = load()
  const ofUser = resource({ path: '/users/:userId/todos/:id', schema: Todo })
  await controller.fetch(todos.getList, { userId: 1 })
  await controller.fetch(todos.getList.getPage, { userId: 1, page: 2 })
  await controller.fetch(ofUser.getList, { userId: 1 })
  await controller.fetch(load().getList, { userId: 1 })
  await controller.fetch(todos.getList.push, { userId: 1 }, {})
  expect(warnings).toEqual([])
})
