import {
  Collection,
  Controller,
  Entity,
  hookifyResource,
  OptionError,
  RestEndpoint,
  type RestGenerics,
  resource,
  type Snapshot,
  Union,
} from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { withServer } from './with-server.js'

const server = withServer()

class Todo extends Entity {
  static override key = 'Todo'
  id = ''
  title = ''
  done = false
}

describe('resource()', () => {
  const todos = resource({ path: '/lists/:list/todos/:id', schema: Todo, urlPrefix: 'https://api.test' })
  const one = { list: 1, id: 5 }

  test.each([
    ['get', todos.get.key(one), 'GET https://api.test/lists/1/todos/5'],
    ['getList', todos.getList.key({ list: 1, sort: 'asc' }), 'GET https://api.test/lists/1/todos?sort=asc'],
    ['create', todos.create.key({ list: 1 }, {}), 'POST https://api.test/lists/1/todos'],
    ['update', todos.update.key(one, {}), 'PUT https://api.test/lists/1/todos/5'],
    ['partialUpdate', todos.partialUpdate.key(one, {}), 'PATCH https://api.test/lists/1/todos/5'],
    ['delete', todos.delete.key(one), 'DELETE https://api.test/lists/1/todos/5'],
    ['getList.move', todos.getList.move.key(one, {}), 'PATCH https://api.test/lists/1/todos/5'],
  ])('%s', (_name, key, expected) => expect(key).toBe(expected))

  test('create is the push of the list', () => {
    expect(todos.create).toBe(todos.getList.push)
  })

  test('schemas: the entity, a Collection of it, its invalidation', () => {
    expect(todos.get.schema).toBe(Todo)
    expect(todos.update.schema).toBe(Todo)
    expect(todos.getList.schema).toBeInstanceOf(Collection)
    expect(todos.delete.schema).not.toBe(Todo)
  })

  test.each([
    ['/g{/:id}', '/g'],
    ['/x-:id', '/'],
    ['/:id', '/'],
    ['/a/:b/c/:d/e', '/a/:b/c'],
    ['/files/*path', '/files'],
    ['/files{/*path}', '/files'],
    ['http\\://api.test/todos/:id', 'http\\://api.test/todos'],
  ])('the list path of %s is %s', (path, list) => {
    expect(resource({ path, schema: Todo }).getList.path).toBe(list)
  })

  test('a path without a parameter is an OptionError', () => {
    expect(() => resource({ path: '/todos', schema: Todo })).toThrow(OptionError)
  })

  test('endpoint options go to all endpoints', async () => {
    const own = resource({
      path: '/todos/:id',
      schema: Todo,
      urlPrefix: server.url,
      dataExpiryLength: 7,
      requestInit: { headers: { shared: 'yes' } },
      getHeaders: (headers) => ({ ...headers, more: 'yes' }),
    })
    for (const endpoint of [own.get, own.getList, own.create, own.update, own.partialUpdate, own.delete]) {
      expect(endpoint.dataExpiryLength).toBe(7)
    }
    await own.partialUpdate({ id: 5 }, { title: 'Milk' })
    expect(server.last()).toMatchObject({ method: 'PATCH', url: '/todos/5', body: '{"title":"Milk"}' })
    expect(server.last().headers).toMatchObject({ shared: 'yes', more: 'yes' })
    await own.delete({ id: 5 })
    expect(server.last()).toMatchObject({ method: 'DELETE', url: '/todos/5', body: '' })
  })

  test('names say the entity and the endpoint', () => {
    expect([todos.get.name, todos.getList.name, todos.create.name]).toEqual([
      'Todo.get',
      'Todo.getList',
      'Todo.getList.push',
    ])
  })

  test('body: undefined takes the body of update away', () => {
    const touched = resource({ path: '/todos/:id', schema: Todo, body: undefined })
    expect(touched.update.key({ id: 5 })).toBe('PUT /todos/5')
  })

  test('Endpoint and Collection of one’s own', () => {
    class WithToken<O extends RestGenerics = RestGenerics> extends RestEndpoint<O> {
      accessToken = 'abc'
    }
    class OwnCollection extends Collection<[typeof Todo]> {}
    const own = resource({
      path: '/todos/:id',
      schema: Todo,
      Endpoint: WithToken,
      Collection: OwnCollection as unknown as typeof Collection,
      paginationField: 'cursor',
    })
    expect(own.get).toBeInstanceOf(WithToken)
    expect(own.getList.push.accessToken).toBe('abc')
    expect(own.getList.schema).toBeInstanceOf(OwnCollection)
    expect(own.getList.getPage.url({ cursor: 'a' })).toBe('/todos?cursor=a')
  })

  test('nonFilterArgumentKeys go to the Collection', () => {
    const own = resource({ path: '/todos/:id', schema: Todo, nonFilterArgumentKeys: ['sort'] })
    expect(own.getList.schema.isFilter('sort')).toBe(false)
    expect(own.getList.schema.isFilter('userId')).toBe(true)
  })

  test('a Union', () => {
    class Text extends Entity {
      static override key = 'Text'
      id = ''
      type = 'text'
    }
    class Video extends Entity {
      static override key = 'Video'
      id = ''
      type = 'video'
    }
    const feed = resource({ path: '/feed/:id', schema: new Union({ text: Text, video: Video }, 'type') })
    expect(feed.get.key({ id: 5 })).toBe('GET /feed/5')
    expect(feed.delete.key({ id: 5 })).toBe('DELETE /feed/5')
  })

  test('anything else is an OptionError', () => {
    expect(() => resource({ path: '/todos/:id', schema: { todo: Todo } as never })).toThrow(OptionError)
  })
})

describe('resource().extend', () => {
  const todos = resource({ path: '/todos/:id', schema: Todo })

  test("extend('name', options) changes one endpoint, or adds one that is get with these options", () => {
    const more = todos.extend('get', { path: '/tasks/:task' }).extend('current', { path: '/current' })
    expect(more.get.url({ task: 5 })).toBe('/tasks/5')
    expect(more.current.url()).toBe('/current')
    expect(more.current.schema).toBe(Todo)
    expect(more.update).toBe(todos.update)
    expect(todos.get.url({ id: 5 })).toBe('/todos/5')
  })

  test('extend({ name: options, … }) changes several, and refuses unknown ones', () => {
    const more = todos.extend({ get: { dataExpiryLength: 5 }, getList: { dataExpiryLength: 6 } })
    expect([more.get.dataExpiryLength, more.getList.dataExpiryLength]).toEqual([5, 6])
    expect(more.getList.push.dataExpiryLength).toBe(6)
    expect(() => todos.extend({ curent: {} } as never)).toThrow(/'curent'/)
  })

  test('extend((base) => endpoints) adds or replaces what it returns', () => {
    const more = todos.extend((base) => ({
      current: base.get.extend({ path: '/current' }),
      get: base.get.extend({ dataExpiryLength: 5 }),
    }))
    expect(more.current.url()).toBe('/current')
    expect(more.get.dataExpiryLength).toBe(5)
    expect(more.extend('current', { urlPrefix: '/v2' }).current.url()).toBe('/v2/current')
  })

  test('create adds to the Collection of another getList, and keeps its URL and options', () => {
    const list = new Collection([Todo], { nonFilterArgumentKeys: ['sort'] })
    const timely = todos.extend('create', { timeout: 5_000 })
    const replaced = [
      timely.extend('getList', { path: '/todos/all', schema: list }),
      todos.extend({ getList: { path: '/todos/all', schema: { data: list, total: 0 } }, create: { timeout: 5_000 } }),
      timely.extend((base) => ({ getList: base.getList.extend({ path: '/todos/all', schema: list }) })),
    ] as const
    for (const { create } of replaced) {
      expect(create.schema).toBe(list.push)
      expect([create.key({}), create.timeout, create.name]).toEqual(['POST /todos', 5_000, 'Todo.getList.push'])
    }
    const other = new Collection([Todo])
    expect(replaced[0].extend('getList', { schema: other }).create.schema).toBe(other.push)
  })

  test('create stays as it is if its schema was set, or getList still has the same Collection, or none', () => {
    const schema = new Collection([Todo])
    const options = { getList: { schema }, create: { schema: Todo } }
    expect(todos.extend(options).create.schema).toBe(Todo)
    expect(todos.extend('create', { schema: Todo }).extend('getList', { schema }).create.schema).toBe(Todo)
    expect(todos.extend('getList', { schema }).extend('create', { schema: Todo }).create.schema).toBe(Todo)
    expect(todos.extend('getList', { dataExpiryLength: 5 }).create).toBe(todos.create)
    expect(todos.extend('getList', { schema: [Todo] }).create).toBe(todos.create)
    expect(todos.extend(() => ({ getList: undefined })).create).toBe(todos.create)
  })

  test('a created row enters the lists of another getList', async () => {
    const own = todos.extend('getList', { schema: new Collection([Todo], { nonFilterArgumentKeys: ['sort'] }) })
    const controller = new Controller()
    controller.setResponse(own.getList, { sort: 'title' }, [{ id: '1', title: 'Write' }])
    controller.setResponse(own.create, { title: 'Read' }, { id: '2', title: 'Read' })
    expect(controller.getResponse(own.getList, { sort: 'title' }).data?.map(({ id }) => id)).toEqual(['1', '2'])
    controller.dispose()
  })
})

describe('resource({ optimistic: true })', () => {
  class Room extends Entity {
    static override key = 'Room'
    nr = ''
    size = 0
    override pk(): string {
      return this.nr
    }
  }
  const stored = { id: '5', title: 'Milk', done: false }
  const snapshot = {
    get: (_schema: unknown, { id, room }: { id?: string; room?: string }) =>
      id === '5' ? stored : room === 'blue' ? { nr: '7', size: 1 } : undefined,
    abort: new Error('abort'),
  } as unknown as Snapshot
  const todos = resource({ path: '/lists/:list/todos/:id', schema: Todo, optimistic: true })
  const one = { list: 1, id: '5' }

  test('update, create, unshift, remove and move expect the params and the body', () => {
    const expected = { ...one, title: 'Eggs' }
    expect(todos.update.getOptimisticResponse?.(snapshot, one, { title: 'Eggs' })).toEqual(expected)
    expect(todos.getList.move.getOptimisticResponse?.(snapshot, one, { title: 'Eggs' })).toEqual(expected)
    for (const name of ['push', 'unshift', 'remove'] as const) {
      const response = todos.getList[name].getOptimisticResponse?.(snapshot, { list: 1 }, { title: 'Eggs' })
      expect(response).toEqual({ list: 1, title: 'Eggs' })
    }
  })

  test('an array of bodies, and a form with fields that are repeated', () => {
    const { push } = todos.getList
    expect(push.getOptimisticResponse?.(snapshot, { list: 1 }, [{ title: 'a' }, { title: 'b' }])).toEqual([
      { list: 1, title: 'a' },
      { list: 1, title: 'b' },
    ])
    const form = new FormData()
    for (const [name, value] of [
      ['title', 'a'],
      ['tag', 'x'],
      ['tag', 'y'],
    ] as const)
      form.append(name, value)
    const flat = resource({ path: '/todos/:id', schema: Todo, optimistic: true })
    expect(flat.create.getOptimisticResponse?.(snapshot, form)).toEqual({ title: 'a', tag: ['x', 'y'] })
  })

  test('partialUpdate expects the change, if the row is there', () => {
    const { partialUpdate } = todos
    expect(partialUpdate.getOptimisticResponse?.(snapshot, one, { done: true })).toEqual({ ...one, done: true })
    const missing = { list: 1, id: '6' }
    expect(() => partialUpdate.getOptimisticResponse?.(snapshot, missing, { done: true })).toThrow(snapshot.abort)
  })

  test('move expects the change of the rows that are there: a row that is not would show defaults until it arrives', () => {
    const { move } = todos.getList
    const missing = { list: 1, id: '6' }
    const [five, six] = [
      { ...one, done: true },
      { ...missing, done: true },
    ]
    expect(move.getOptimisticResponse?.(snapshot, one, { done: true })).toEqual(five)
    expect(() => move.getOptimisticResponse?.(snapshot, missing, { done: true })).toThrow(snapshot.abort)
    // A user's option may call the one that it replaces.
    const { getOptimisticResponse } = todos.getList.push
    expect(getOptimisticResponse?.(snapshot, { list: 1 }, { title: 'a' })).toEqual({ list: 1, title: 'a' })
    const several = move.extend({ path: '/todos', body: [five] })
    expect(several.getOptimisticResponse?.(snapshot, [five, six])).toEqual([five])
  })

  test('partialUpdate takes the primary key from the row where the params do not name it', () => {
    const rooms = resource({ path: '/rooms/:room', schema: Room, optimistic: true })
    const response = rooms.partialUpdate.getOptimisticResponse?.(snapshot, { room: 'blue' }, { size: 2 })
    expect(response).toEqual({ nr: '7', room: 'blue', size: 2 })
  })

  test('delete expects the params', () => {
    expect(todos.delete.getOptimisticResponse?.(snapshot, one)).toEqual(one)
  })

  test('reads expect nothing', () => {
    expect(todos.get.getOptimisticResponse).toBeUndefined()
    expect(todos.getList.getOptimisticResponse).toBeUndefined()
    expect(resource({ path: '/todos/:id', schema: Todo }).update.getOptimisticResponse).toBeUndefined()
  })
})

describe('hookifyResource(resource, useInit)', () => {
  const todos = resource({ path: '/todos/:id', schema: Todo, requestInit: { cache: 'no-store' } })

  test('turns each endpoint into a hook whose endpoint has that RequestInit', async () => {
    let token = 'one'
    const hooks = hookifyResource(todos, () => ({ headers: { 'Access-Token': token } }))
    expect(Object.keys(hooks)).toEqual([
      'useGet',
      'useGetList',
      'useCreate',
      'useUpdate',
      'usePartialUpdate',
      'useDelete',
    ])
    expect(await hooks.useGet().getRequestInit()).toMatchObject({
      cache: 'no-store',
      headers: { 'Access-Token': 'one' },
    })
    token = 'two'
    expect(await hooks.useGetList().push.getRequestInit({})).toMatchObject({ headers: { 'Access-Token': 'two' } })
    expect(hooks.useGet().key({ id: 5 })).toBe(todos.get.key({ id: 5 }))
  })

  test('while useInit returns the same object, the endpoint is the same', () => {
    const init = {}
    const hooks = hookifyResource(todos, () => init)
    expect(hooks.useGet()).toBe(hooks.useGet())
    expect(hooks.useGet()).not.toBe(hooks.useGetList())
  })

  test('endpoints that were added are hooks too', () => {
    const hooks = hookifyResource(todos.extend('current', { path: '/current' }), () => ({}))
    expect(hooks.useCurrent().url()).toBe('/current')
  })
})
