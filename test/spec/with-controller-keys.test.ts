import { Collection, Entity, hookifyResource, LogoutManager, RestEndpoint, resource } from '@roundtable/core'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { soon, withResponses } from './with-responses.js'
import { withServer } from './with-server.js'

const server = withServer()
const bench = withResponses(server)
const { http, json, stub, sent, mount } = bench

class Todo extends Entity {
  static override key = 'Todo'
  id = ''
  title = ''
}

const getTodo = new RestEndpoint({ ...http, path: '/todos/:id', schema: Todo })
const getTodos = new RestEndpoint({
  ...http,
  path: '/todos',
  searchParams: {} as { a?: number; b?: number },
  schema: new Collection([Todo]),
})
const one = { id: '1' }

beforeEach(() => {
  json('GET /todos/1', { id: '1', title: 'Milk' })
  json('GET /todos', [{ id: '9', title: 'Tea' }])
})

describe('key(urlParams): string', () => {
  test('used as the lookup key in global stores', async () => {
    const same = new RestEndpoint({ ...http, path: '/elsewhere', key: () => 'GET /todos/1', schema: Todo })
    await bench.controller.fetch(getTodo, one)
    expect(bench.controller.getResponse(same).data).toBe(bench.controller.get(Todo, one))
    expect(bench.controller.getResponse(getTodo.extend({ key: ({ id }) => `own ${id}` }), { id: '2' }).data).toBe(
      undefined,
    )
  })

  test('calls of one key are one request and one response, whatever the order of the search parameters', async () => {
    json('GET /todos?a=1&b=2', [{ id: '3', title: 'Tea' }])
    const [first, second] = await Promise.all([
      bench.controller.fetch(getTodos, { b: 2, a: 1 }),
      bench.controller.fetch(getTodos, { a: 1, b: 2 }),
    ])
    expect(first).toBe(second)
    expect(sent()).toEqual(['GET /todos?a=1&b=2'])
  })
})

describe('testKey(key): boolean', () => {
  /** A todo and the list are on screen, and the server has news. */
  async function mounted() {
    const todo = bench.controller.watch(getTodo, one)
    const list = bench.controller.watch(getTodos, {})
    mount(todo)
    mount(list)
    await soon(() => expect([todo.getSnapshot().status, list.getSnapshot().status]).toEqual(['ready', 'ready']))
    server.forget()
    json('GET /todos/1', { id: '1', title: 'News' })
    return todo
  }

  test('used by Controller.expireAll(): what matches is shown and fetched again', async () => {
    const todo = await mounted()
    bench.controller.expireAll(getTodo)
    expect(todo.getSnapshot()).toMatchObject({ status: 'ready', data: { title: 'Milk' } })
    await soon(() => expect(todo.getSnapshot().data?.title).toBe('News'))
    expect(sent()).toEqual(['GET /todos/1'])
  })

  test('used by Controller.invalidateAll(): what matches is not shown until it was fetched again', async () => {
    const todo = await mounted()
    bench.controller.invalidateAll(getTodo)
    expect(todo.getSnapshot().status).toBe('pending')
    await soon(() => expect(todo.getSnapshot()).toMatchObject({ status: 'ready', data: { title: 'News' } }))
    expect(sent()).toEqual(['GET /todos/1'])
  })

  test('an own testKey decides which keys Controller.expireAll() and Controller.invalidateAll() reach', async () => {
    const todo = await mounted()
    bench.controller.expireAll(getTodo.extend({ testKey: () => false }))
    bench.controller.invalidateAll({ testKey: (key) => key === 'GET /todos' })
    await soon(() => expect(sent()).toEqual(['GET /todos']))
    expect(todo.getSnapshot()).toMatchObject({ status: 'ready', data: { title: 'Milk' } })
  })
})

describe('hookifyResource(resource, useInit)', () => {
  const todos = resource({ ...http, path: '/todos/:id', schema: Todo })
  const init = { headers: { 'Access-Token': 't0k3n' } }
  const hooks = hookifyResource(todos, () => init)

  test('makes endpoints that are obtained through hooks, whose requests carry what useInit returns', async () => {
    expect(await bench.controller.fetch(hooks.useGet(), one)).toBeInstanceOf(Todo)
    expect(server.last().headers['access-token']).toBe('t0k3n')
    json('POST /todos', { id: '3', title: 'Tea' })
    await bench.controller.fetch(hooks.useCreate(), { title: 'Tea' })
    expect(server.last()).toMatchObject({ method: 'POST', body: '{"title":"Tea"}' })
    expect(server.last().headers['access-token']).toBe('t0k3n')
  })

  test('their responses are those of the resource: one key, one lookup', async () => {
    await bench.controller.fetch(hooks.useGet(), one)
    expect(bench.controller.getResponse(todos.get, one).data?.title).toBe('Milk')
    await bench.controller.fetchIfStale(todos.get, one)
    expect(sent()).toEqual(['GET /todos/1'])
    expect(hooks.useGet()).toBe(hooks.useGet())
  })

  test('a row that is created through a hook is in the list that was read through another', async () => {
    await bench.controller.fetch(hooks.useGetList(), {})
    json('POST /todos', { id: '3', title: 'Coffee' })
    await bench.controller.fetch(hooks.useCreate(), { title: 'Coffee' })
    expect(bench.controller.getResponse(todos.getList, {}).data?.map(({ id }) => id)).toEqual(['9', '3'])
  })
})

describe('Authentication: expired authorization', () => {
  const getPrivate = new RestEndpoint({ path: '/private' })
  const refused = () => getPrivate.extend({ urlPrefix: server.url })
  const allowed = () => refused().extend({ getHeaders: () => ({ 'Access-Token': 't0k3n' }) })

  test('the server answers 401: LogoutManager triggers de-authorization cleanup', async () => {
    const controller = bench.open({ managers: [new LogoutManager()] })
    await controller.fetch(getTodo, one)
    await expect(controller.fetch(refused())).rejects.toMatchObject({ name: 'NetworkError', status: 401 })
    expect(controller.get(Todo, one)).toBeUndefined()
    expect(controller.getResponse(getTodo, one).data).toBeUndefined()
  })

  test('without a LogoutManager a 401 is an error like any other', async () => {
    await bench.controller.fetch(getTodo, one)
    await expect(bench.controller.fetch(refused())).rejects.toMatchObject({ status: 401 })
    expect(bench.controller.get(Todo, one)?.title).toBe('Milk')
  })

  test.each([403, 404, 500])('other statuses (%i) are no expired authorization', async (status) => {
    const handleLogout = vi.fn()
    const controller = bench.open({ managers: [new LogoutManager({ handleLogout })] })
    stub('GET /todos/1', { status })
    await expect(controller.fetch(getTodo, one)).rejects.toMatchObject({ status })
    expect(handleLogout).not.toHaveBeenCalled()
  })

  test('LogoutManager acts once, and again only after a request has succeeded since', async () => {
    const handleLogout = vi.fn()
    const controller = bench.open({ managers: [new LogoutManager({ handleLogout })] })
    await Promise.allSettled([controller.fetch(refused()), controller.fetch(refused())])
    await controller.fetch(refused()).catch(() => {})
    expect(handleLogout.mock.calls).toEqual([[controller]])
    await controller.fetch(allowed())
    await controller.fetch(refused()).catch(() => {})
    expect(handleLogout).toHaveBeenCalledTimes(2)
  })

  test('mounted readers fetch again after the cleanup', async () => {
    const controller = bench.open({ managers: [new LogoutManager()] })
    const query = controller.watch(getTodo, one)
    mount(query)
    await soon(() => expect(query.getSnapshot().status).toBe('ready'))
    json('GET /todos/1', { id: '1', title: 'As a guest' })
    await controller.fetch(refused()).catch(() => {})
    await soon(() => expect(query.getSnapshot()).toMatchObject({ data: { title: 'As a guest' } }))
  })
})
