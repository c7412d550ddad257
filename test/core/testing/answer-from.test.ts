import {
  Collection,
  Controller,
  Endpoint,
  Entity,
  keepPrevious,
  pagesOf,
  RestEndpoint,
  retry,
  select,
  TransportError,
} from '@roundtable/core'
import { answerFrom, mockController, settle } from '@roundtable/core/testing'
import { expect, test } from 'vitest'

class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  title = ''
}

const getTodo = new RestEndpoint({ urlPrefix: 'https://api.test', path: '/todos/:id', schema: Todo, name: 'getTodo' })
const resolverFixtures = [{ endpoint: getTodo, args: [{ id: 1 }], response: { id: 1, title: 'Write' } }]
const cause = new TypeError('fetch failed')
const transport = () => Promise.reject(cause)

const hint =
  'GET https://api.test/todos/2 got no response. No fixture matches this call of getTodo. Add one: { endpoint, args: [{"id":2}], response }.'

test('a request that no fixture matches, and nobody answers, says so and how to add one', async () => {
  const controller = mockController({ resolverFixtures, transport })
  const error = await controller.fetch(getTodo, { id: 2 }).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(TransportError)
  expect(error).toMatchObject({ url: 'https://api.test/todos/2', method: 'GET', cause })
  expect(error.message).toContain(hint)
  expect(error.message).not.toContain('CORS')
  expect((await controller.fetch(getTodo, { id: 1 })).title).toBe('Write')
})

test('so does the error that a query shows, of a controller in front of another, too', async () => {
  const controller = answerFrom(new Controller({ transport }), resolverFixtures)
  const query = controller.watch(getTodo, { id: 2 })
  await query.load()
  expect(query.getSnapshot().error?.message).toContain(hint)
})

test('other errors, and requests that are answered, are as without fixtures', async () => {
  const respond = async () => Response.json({ id: 2, title: 'Sent' })
  expect((await mockController({ transport: respond }).fetch(getTodo, { id: 2 })).title).toBe('Sent')
  const missing = mockController({ transport: async () => new Response(null, { status: 404 }) })
  await expect(missing.fetch(getTodo, { id: 2 })).rejects.toMatchObject({ name: 'NetworkError', status: 404 })
  const own = new Error('mine')
  const failing = new Endpoint(() => Promise.reject(own), { name: 'failing' })
  await expect(mockController().fetch(failing)).rejects.toBe(own)
})

test('fixtures answer the queries of marked endpoints', async () => {
  const controller = mockController({ resolverFixtures, transport })
  const title = select(keepPrevious(getTodo), (todo) => todo.title)
  const query = controller.watch(title, { id: 1 })
  const stop = query.subscribe(() => {})
  await settle()
  expect(query.getSnapshot().data).toBe('Write')
  stop()
})

const getTodos = new RestEndpoint({
  urlPrefix: 'https://api.test',
  path: '/todos',
  schema: new Collection([Todo]),
  searchParams: {} as { userId?: number },
  paginationField: 'page',
  name: 'getTodos',
})
const first = { endpoint: getTodos, args: [{ userId: 5 }], response: [{ id: 1, title: 'One' }] }
const pageTwo = [{ id: 2, title: 'Two' }]
const ofPage = ({ page }: { page?: number }) => (page === 2 ? pageTwo : [{ id: 1, title: 'One' }])

/** Each answers the second page of the list. */
const answers = {
  'a fixture of the page': { endpoint: getTodos.getPage, args: [{ userId: 5, page: 2 }], response: pageTwo },
  "a fixture of the list with the page's number": {
    endpoint: getTodos,
    args: [{ userId: 5, page: 2 }],
    response: pageTwo,
  },
  'an interceptor of the pages': { endpoint: getTodos.getPage, response: ofPage },
  'an interceptor of the list': { endpoint: getTodos, response: ofPage },
}

for (const [name, answer] of Object.entries(answers)) {
  test(`${name} answers fetchNext, a call of getPage, and the refresh of all pages`, async () => {
    const controller = mockController({ resolverFixtures: [answer, first], network: 'error' })
    const todos = pagesOf(controller, select(getTodos, titlesOf), { userId: 5 })
    const stop = todos.subscribe(() => {})
    await settle()
    expect(todos.getSnapshot().data).toEqual(['One'])
    await todos.fetchNext()
    expect(todos.getSnapshot()).toMatchObject({ data: ['One', 'Two'], pages: 2, error: undefined })
    await todos.refetch()
    expect(todos.getSnapshot()).toMatchObject({ data: ['One', 'Two'], pages: 2, error: undefined })
    expect((await controller.fetch(getTodos.getPage, { userId: 5, page: 2 }))?.[0]?.title).toBe('Two')
    stop()
  })
}

const titlesOf = (todos: readonly Todo[]): readonly string[] => todos.map(({ title }) => title)

test('what answers a page answers no other page, and an interceptor of pages does not answer the list', async () => {
  const asked: string[] = []
  const nobody = (input: RequestInfo | URL) => {
    asked.push(String(input))
    return Promise.reject(cause)
  }
  const resolverFixtures = [answers['a fixture of the page']]
  const todos = pagesOf(mockController({ resolverFixtures, transport: nobody }), getTodos, { userId: 5 })
  await todos.load()
  expect(todos.getSnapshot().error?.message).toContain('this call of getTodos.')
  const paged = mockController({ resolverFixtures: [answers['an interceptor of the pages']], transport: nobody })
  await expect(paged.fetch(getTodos, { userId: 5 })).rejects.toThrow('No fixture matches this call of getTodos.')
  const other = mockController({ resolverFixtures, transport: nobody }).fetch(getTodos.getPage, { userId: 5, page: 3 })
  await expect(other).rejects.toThrow('No fixture matches this call of getTodos.getPage. Add one: { endpoint, args: [{')
  expect(asked).toEqual([
    'https://api.test/todos?userId=5',
    'https://api.test/todos?userId=5',
    'https://api.test/todos?page=3&userId=5',
  ])
})

test("with network: 'error' nothing is sent, and a call that nothing answers fails with the fixture that it needs", async () => {
  const sent: unknown[] = []
  const transport = async (input: unknown) => {
    sent.push(input)
    return Response.json({ id: 2 })
  }
  const getTime = new Endpoint(
    async (zone: string) => {
      sent.push(zone)
      return zone
    },
    { name: 'getTime' },
  )
  const plain = Object.assign(async () => sent.push('plain'), { key: () => 'plain' })
  const controller = mockController({ resolverFixtures, transport, network: 'error' })
  const update = getTodo.extend({ method: 'PATCH', body: {} as object, name: 'updateTodo', retry: retry() })
  const needs = (name: string, args: string) =>
    `Option 'resolverFixtures' has no response to this call of ${name}, and network: 'error' refuses to send it. Add one: { endpoint, args: ${args}, response }.`
  await expect(controller.fetch(getTodo, { id: 2 })).rejects.toThrow(needs('getTodo', '[{"id":2}]'))
  await expect(controller.fetch(update, { id: 2 }, { title: 'x' })).rejects.toThrow(
    needs('updateTodo', '[{"id":2},{"title":"x"}]'),
  )
  await expect(controller.fetch(getTime, 'UTC')).rejects.toThrow(needs('getTime', '["UTC"]'))
  await expect(controller.fetch(plain)).rejects.toThrow('no response to this call of')
  const query = controller.watch(
    select(keepPrevious(getTodo), ({ title }) => title),
    { id: 3 },
  )
  await query.load()
  expect(query.getSnapshot().error?.message).toContain(needs('getTodo', '[{"id":3}]'))
  expect((await controller.fetch(getTodo, { id: 1 })).title).toBe('Write')
  expect(sent).toEqual([])
})
