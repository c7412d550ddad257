import { Collection, Controller, Invalidate, NetworkError, poll, RestEndpoint } from '@roundtable/core'
import { backend, changesOf } from '@roundtable/core/backend'
import { live } from '@roundtable/core/live'
import { HandClock, settle } from '@roundtable/core/testing'
import { describe, expect, test } from 'vitest'
import { endpoints, login, openShop, openTodos, seed, Todo, TodoResource, User } from './shop.js'

describe('a list', () => {
  test('has the rows whose fields are equal to its params, of the path too', async () => {
    const { ids } = openShop()
    expect(await ids('/todos')).toEqual([1, 2, 3])
    expect(await ids('/todos?userId=1')).toEqual([1, 2])
    expect(await ids('/todos?done=false&userId=1')).toEqual([1])
    expect(await ids('/todos?tags=a&tags=b')).toEqual([3])
    expect(await ids('/todos?author=7')).toEqual([1, 2])
    expect(await ids('/todos?userId=9')).toEqual([])
    expect(await ids('/users/2/todos')).toEqual([3])
  })

  test('has what belongs lets in, sorted by compare', async () => {
    const { ids, send } = openShop()
    expect(await ids('/open')).toEqual([3, 1])
    await send('PATCH', '/todos/3', { done: true })
    await send('PATCH', '/todos/2', { done: false })
    expect(await ids('/open')).toEqual([2, 1])
  })

  test('is sorted by compare, which gets its params', async () => {
    const { ids } = openShop()
    expect([await ids('/ordered?sort=up'), await ids('/ordered?sort=down')]).toEqual([
      [1, 2, 3],
      [3, 2, 1],
    ])
  })

  test('of a union has rows of all its kinds', async () => {
    const { ids, send } = openShop()
    expect(await ids('/feed')).toEqual(['p1', 'x1'])
    expect((await send('POST', '/feed', { type: 'post' })).body).toEqual({ id: '1', type: 'post' })
    expect(await ids('/feed?type=post')).toEqual(['x1', '1'])
    expect((await send('POST', '/feed', { type: 'film' })).status).toBe(422)
  })

  test('is not filtered by what no row has: 501 names it', async () => {
    const { send } = openShop()
    const { status, body } = await send('GET', '/todos?colour=red')
    expect([status, body.error]).toEqual([
      501,
      "The list cannot be filtered by 'colour': no Todo has that field. Seed the field, or add it to the Collection's nonFilterArgumentKeys.",
    ])
  })

  test('whose function does not read a param is not filtered by it either, unless that may be for want of a row', async () => {
    const { send } = openShop()
    expect(await send('GET', '/open?usrId=1')).toMatchObject({
      status: 501,
      body: { error: expect.stringContaining("'usrId': no Todo has that field, and the function that filters") },
    })
    const ofUser = new RestEndpoint({
      urlPrefix: 'https://api.test',
      path: '/of',
      searchParams: {} as { userId: number; q?: string },
      schema: new Collection([Todo], {
        belongs: (todo, args) => `${todo.userId}` === args.userId && `${todo.title}`.includes(`${args.q ?? ''}`),
      }),
    })
    const api = backend({ ofUser }, { seed: { Todo: seed.Todo } })
    const statusOf = async (query: string) => (await api.fetch(`https://api.test/of?${query}`)).status
    expect(await statusOf('userId=1&q=ilk')).toBe(200)
    expect(await statusOf('userId=9&q=ilk')).toBe(200)
    expect(await statusOf('usrId=1')).toBe(501)
    expect(await statusOf('userId=1&query=ilk')).toBe(501)
  })

  test('without rows is not filtered by what its class does not declare', async () => {
    const { send } = openShop({ seed: {} })
    expect((await send('GET', '/todos?usrId=1')).status).toBe(501)
    expect((await send('GET', '/todos?userId=1')).body).toEqual([])
  })

  test('has pages by number, by offset and by the last key', async () => {
    const { ids, send } = openShop({ pageSize: 2 })
    expect(await ids('/todos?page=2')).toEqual([3])
    expect(await ids('/todos?page=3')).toEqual([])
    expect(await ids('/todos?limit=1&page=2')).toEqual([2])
    expect(await ids('/users/1/todos?offset=1')).toEqual([2])
    const first = await send('GET', '/pages')
    expect(first.body).toMatchObject({
      data: [{ id: 1 }, { id: 2 }],
      meta: { total: 3, hasMore: true, pages: 2 },
      nextCursor: '2',
      version: 'v1',
    })
    const second = await send('GET', '/pages?cursor=2')
    expect(second.body).toMatchObject({ data: [{ id: 3 }], meta: { hasMore: false }, nextCursor: null })
  })

  test.each([
    ['/todos?page=0', "'page' must be a whole number from 1 on, found '0'."],
    ['/todos?page=x', "'page' must be a whole number from 1 on, found 'x'."],
    ['/todos?page=1&limit=0', "'limit' must be a number above 0, found '0'."],
    ['/pages?cursor=99', "'cursor' must be the key of a row of the list, found '99'."],
  ])('%s is no page: 400', async (path, error) => {
    const { send } = openShop()
    expect(await send('GET', path)).toMatchObject({ status: 400, body: { error } })
  })
})

describe('a row', () => {
  test('is created with a key, the params of the call and the defaults of its class', async () => {
    const { send, ids } = openShop()
    expect(await send('POST', '/todos', { title: 'Eggs' })).toMatchObject({
      status: 201,
      body: { id: 4, userId: 0, title: 'Eggs', done: false },
    })
    expect((await send('POST', '/users/2/todos', { title: 'Tea' })).body).toMatchObject({ id: 5, userId: 2 })
    expect(await ids('/users/2/todos')).toEqual([3, 5])
    await send('DELETE', '/todos/5')
    // As on servers, a key is not given twice.
    expect((await send('POST', '/todos', [{ title: 'a' }, { title: 'b' }])).body).toMatchObject([{ id: 6 }, { id: 7 }])
    expect(await send('POST', '/todos', { id: 1, title: 'Again' })).toMatchObject({
      status: 409,
      body: { error: 'There is a Todo 1 already.' },
    })
  })

  test('is read, changed, replaced and deleted', async () => {
    const { send } = openShop()
    const { body } = await send('GET', '/todos/2')
    expect(body).toEqual(seed.Todo[1])
    expect((await send('PATCH', '/todos/2', { title: 'Rye' })).body).toEqual({ ...body, title: 'Rye' })
    expect((await send('GET', '/users/1/todos/2')).body).toEqual({ ...body, title: 'Rye' })
    expect((await send('PUT', '/todos/2', { title: 'Oat' })).body).toEqual({
      id: 2,
      userId: 0,
      title: 'Oat',
      done: false,
    })
    expect(await send('PATCH', '/todos/2', { id: 3 })).toMatchObject({ status: 409 })
    expect(await send('PATCH', '/todos/2', 'Rye')).toMatchObject({ status: 400 })
    expect((await send('DELETE', '/todos/2')).status).toBe(204)
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      expect(await send(method, '/todos/2', method === 'PATCH' ? {} : undefined)).toMatchObject({
        status: 404,
        body: { error: 'There is no Todo 2.' },
      })
    }
    expect((await send('GET', '/users/2/todos/1')).status).toBe(404)
  })

  test('that is nested in others is one row, sent with all of them', async () => {
    const { api, send } = openShop()
    expect(api.rows(User)).toEqual([{ id: 7, name: 'Ann' }])
    api.put(User, { id: 7, name: 'Anna' })
    expect((await send('GET', '/todos/1')).body.author).toEqual({ id: 7, name: 'Anna' })
    await send('PATCH', '/todos/2', { author: { id: 7, name: 'Annie' } })
    expect((await send('GET', '/todos/1')).body.author.name).toBe('Annie')
    api.remove(User, 7)
    expect((await send('GET', '/todos/1')).body).not.toHaveProperty('author')
  })

  test('has an ETag: 304 for one that is known, 412 for a change of an older one', async () => {
    const { send } = openShop()
    const first = await send('GET', '/todos/1')
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"\w+"$/)
    expect(await send('GET', '/todos/1', undefined, { 'if-none-match': `W/${etag}` })).toMatchObject({
      status: 304,
      body: null,
    })
    const changed = await send('PATCH', '/todos/1', { title: 'Oats' }, { 'if-match': etag })
    expect(changed.status).toBe(200)
    expect(changed.headers.get('etag')).toBe((await send('GET', '/todos/1')).headers.get('etag'))
    const older = await send('PATCH', '/todos/1', { title: 'Lost' }, { 'if-match': etag })
    expect([older.status, older.body.error]).toEqual([412, 'Todo 1 has changed: If-Match names an older one.'])
    expect((await send('GET', '/todos/1', undefined, { 'if-none-match': etag })).body.title).toBe('Oats')
    expect((await send('DELETE', '/todos/1', undefined, { 'if-match': etag })).status).toBe(412)
    // In an envelope it is the same row.
    const enveloped = await send('GET', '/enveloped/1')
    expect(enveloped.body).toMatchObject({ data: { id: 1, title: 'Oats' } })
    expect(enveloped.headers.get('etag')).toBe(changed.headers.get('etag'))
    const without = openShop({ etag: false })
    expect((await without.send('GET', '/todos/1')).headers.has('etag')).toBe(false)
  })

  test('is created once for an Idempotency-Key', async () => {
    const { send, api } = openShop()
    const headers = { 'idempotency-key': 'k1' }
    const [first, second] = [await send('POST', '/todos', {}, headers), await send('POST', '/todos', {}, headers)]
    expect(second.body).toEqual(first.body)
    expect(api.rows('Todo')).toHaveLength(4)
    const other = await send('POST', '/todos', { title: 'Other' }, headers)
    expect([other.status, other.body.error]).toEqual([
      422,
      'This Idempotency-Key belongs to another request. Give each change a key of its own.',
    ])
    expect(api.rows('Todo')).toHaveLength(4)
  })

  test('is created with all others of its request, or none is', async () => {
    const { api, send } = openShop()
    const told: unknown[] = []
    api.on(({ row, id }) => told.push([row.id, id, api.rows('Todo').length]))
    const last = Number(api.lastChange)
    const before = api.rows('Todo')
    const users = api.rows('User')
    const author = { id: 8, name: 'Bob' }
    expect((await send('POST', '/todos', [{ title: 'New', author }, { id: 1 }])).status).toBe(409)
    expect([api.rows('Todo'), api.rows('User'), Number(api.lastChange), told]).toEqual([before, users, last, []])
    expect((await send('POST', '/todos', [{ title: 'A' }, { title: 'B' }])).body).toMatchObject([{ id: 4 }, { id: 5 }])
    expect(told).toEqual([
      [4, `${last + 1}`, 5],
      [5, `${last + 2}`, 5],
    ])
  })
})

describe('what it does not have', () => {
  test('other methods get 405 with those that there are, OPTIONS get them too', async () => {
    const { send } = openShop()
    const { status, headers, body } = await send('DELETE', '/todos')
    expect([status, headers.get('allow')]).toEqual([405, 'GET, POST, PATCH'])
    expect(body.error).toBe('/v1/todos does not take DELETE: it has GET, POST, PATCH.')
    expect(await send('OPTIONS', '/todos')).toMatchObject({ status: 204 })
    const { api } = openShop()
    const head = await api.fetch('https://api.test/v1/todos', { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  test('other paths and other origins are not its own', async () => {
    const { api } = openShop()
    expect(await api(new Request('https://api.test/v1/nothing'))).toBeUndefined()
    expect(await api(new Request('https://other.test/v1/todos'))).toBeUndefined()
    // A server is at any origin.
    expect((await api.fetch('http://localhost:3000/v1/todos')).status).toBe(200)
  })

  test('a controller is told what there is', async () => {
    const { api } = openShop()
    const controller = new Controller({ transport: api.transport })
    const getThing = new RestEndpoint({ urlPrefix: 'https://api.test', path: '/things/:id' })
    const error = await controller.fetch(getThing, { id: 1 }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(NetworkError)
    expect(String(error)).toContain(
      'responded with 501 The backend has no endpoint for GET https://api.test/things/1. It has ',
    )
  })

  test.each([
    [
      'POST',
      '/login',
      'The backend cannot serve https://api.test/v1/login (POST /login): its definition does not say what it does.',
    ],
    ['GET', '/dashboard', 'its schema has rows in several places. Pass its response in the option answers.'],
    ['GET', '/wrapped', 'it overrides process or parseResponse, so the body that its server sends is unknown.'],
  ])('%s %s gets 501 that names the place', async (method, path, reason) => {
    const { send } = openShop()
    const { status, body } = await send(method, path, method === 'POST' ? {} : undefined)
    expect(status).toBe(501)
    expect(body.error).toContain(reason)
  })

  test('answers and send say what definitions do not', async () => {
    const response = ({ body }: { body: { name: string } }) =>
      body.name === 'Ann' ? { id: 7, name: 'Ann' } : new Response(null, { status: 401 })
    const { send } = openShop({
      answers: [{ endpoint: login, response }],
      send: (value, { endpoint, total }) => (endpoint.endsWith('/wrapped') ? { data: value, total } : value),
    })
    expect(await send('POST', '/login', { name: 'Ann' })).toMatchObject({ status: 200, body: { id: 7 } })
    expect((await send('POST', '/login', { name: 'Bob' })).status).toBe(401)
    expect((await send('GET', '/wrapped')).body).toMatchObject({ total: 3, data: [{ id: 1 }, { id: 2 }, { id: 3 }] })
    const broken = openShop({ answers: [{ endpoint: login, response: () => JSON.parse('{') }] })
    const { status, body } = await broken.send('POST', '/login', {})
    expect(status).toBe(500)
    expect(body.error).toMatch(/^POST https:\/\/api\.test\/v1\/login threw: .*JSON/)
  })

  test.each<[string, () => unknown, RegExp]>([
    ['nothing', () => backend({}), /'resources' of a backend have no endpoint, found an object. Pass resources/],
    ['a class', () => backend({ Todo }), /have no endpoint/],
    [
      'a seed of another kind',
      () => backend(endpoints, { seed: { Tod: [] } }),
      /'seed' of a backend names 'Tod', .*There are: User, Todo, /,
    ],
    [
      'a row without key',
      () => backend(endpoints, { seed: { Todo: [{ title: 'x' }] } }),
      /has a Todo without primary key: \{"title":"x"\}/,
    ],
    ['a delay that is no time', () => openShop({ delay: -1 }), /'delay' must be 0 or more milliseconds, found -1/],
    ['a share above 1', () => openShop({ fail: 50 }), /'fail' must be a share from 0 to 1, .* found 50/],
    ['pages of no rows', () => openShop({ pageSize: 0 }), /'pageSize' must be a whole number above 0, found 0/],
    [
      'an answer without endpoint',
      () => openShop({ answers: [{ endpoint: {} as typeof login, response: () => 1 }] }),
      /'answers' of a backend need a RestEndpoint, found an object/,
    ],
    ['a row of another kind', () => openShop().api.put('Car', { id: 1 }), /'put' of a backend names 'Car'/],
  ])('%s is an error at once', (_, make, message) => {
    expect(make).toThrow(message)
  })

  test.each<[string, BodyInit, string, number]>([
    ['broken JSON', '{"title":', 'application/json', 400],
    ['a form', new URLSearchParams({ title: 'Form' }), '', 201],
    ['a text', 'Milk', 'text/plain', 400],
  ])('a body that is %s', async (_, body, type, status) => {
    const { api } = openShop()
    const init = { method: 'POST', body, ...(type && { headers: { 'content-type': type } }) }
    expect((await api.fetch('https://api.test/v1/todos', init)).status).toBe(status)
  })
})

test('a form has values of the types that the class gives them, and fields within fields', async () => {
  const { api } = openShop()
  const body = new URLSearchParams({ title: '5', userId: '2', done: 'true', 'label[colour]': 'red', 'tags[]': 'a' })
  body.append('tags[]', 'b')
  const response = await api.fetch('https://api.test/v1/todos', { method: 'POST', body })
  expect(await response.json()).toMatchObject({
    title: '5',
    userId: 2,
    done: true,
    label: { colour: 'red' },
    tags: ['a', 'b'],
  })
})

describe('time and chance', () => {
  test('delay is of the clock, and an aborted request ends at once', async () => {
    const env = new HandClock()
    const { api } = openShop({ delay: ({ method }) => (method === 'GET' ? 100 : 300), env })
    const controller = new AbortController()
    let status: number | undefined
    let error: unknown
    void api.fetch('https://api.test/v1/todos').then((response) => (status = response.status))
    void api.fetch('https://api.test/v1/todos', { signal: controller.signal }).catch((reason) => (error = reason))
    await env.advance(99)
    expect(status).toBeUndefined()
    controller.abort(new Error('enough'))
    await env.advance(1)
    expect(status).toBe(200)
    expect(error).toMatchObject({ message: 'enough' })
    expect(env.pending).toBe(0)
  })

  test('fail is a share of the requests, or said by a function; nothing is done then', async () => {
    const env = new HandClock()
    const { send } = openShop({ fail: 0.3, env })
    env.randomValue = 0.29
    expect(await send('DELETE', '/todos/1')).toMatchObject({ status: 503 })
    env.randomValue = 0.3
    expect((await send('GET', '/todos/1')).status).toBe(200)
    const other = openShop({ fail: ({ method }) => method === 'DELETE' && 403 })
    expect((await other.send('DELETE', '/todos/1')).status).toBe(403)
    expect((await other.send('GET', '/todos/1')).status).toBe(200)
  })
})

test('log, put, remove, on and reset', async () => {
  const { api, send } = openShop()
  const changes: unknown[] = []
  const stop = api.on(({ type, kind, pk }) => changes.push(`${kind} ${pk} ${type}`))
  await send('POST', '/todos', { title: 'Tea' })
  await send('PATCH', '/todos/4', { title: 'Tea' })
  api.put(Todo, { id: 4, done: true })
  expect(api.remove(Todo, 4)).toBe(true)
  expect(api.remove(Todo, 4)).toBe(false)
  expect(changes).toEqual(['Todo 4 created', 'Todo 4 changed', 'Todo 4 deleted'])
  expect(api.log).toEqual([
    { method: 'POST', url: '/v1/todos', body: { title: 'Tea' }, status: 201 },
    { method: 'PATCH', url: '/v1/todos/4', body: { title: 'Tea' }, status: 200 },
  ])
  stop()
  api.put(Todo, { id: 9, title: 'Late' })
  expect(changes).toHaveLength(3)
  api.reset()
  expect(api.log).toEqual([])
  expect(api.rows(Todo)).toEqual(seed.Todo)
  expect((await send('POST', '/todos', {})).body.id).toBe(4)
})

test('its changes come live', async () => {
  const env = new HandClock()
  const api = backend({ TodoResource, openTodos }, { seed: { Todo: seed.Todo } })
  const getTodos = TodoResource.getList.extend(
    live({
      name: 'todos',
      url: '/events',
      wire: changesOf(api, ({ type, row }) => ({ type, data: row })),
      messages: { created: TodoResource.create.schema, changed: Todo, deleted: new Invalidate(Todo) },
    }),
  )
  const controller = new Controller({ transport: api.transport, env })
  const todos = controller.watch(getTodos, {})
  const stops = [todos.subscribe(() => {}), controller.observe(poll, getTodos, {}).subscribe(() => {})]
  const titles = () => todos.getSnapshot().data?.map(({ title }) => title)
  const later = async (): Promise<void> => {
    for (let i = 0; i < 5; i++) await settle()
    await env.advance(16)
  }
  await later()
  expect(titles()).toEqual(['Milk', 'Bread', 'Cheese'])
  const requests = api.log.length
  api.put(Todo, { id: 1, title: 'Oat milk' })
  api.put(Todo, { id: 4, userId: 1, title: 'Tea' })
  api.remove(Todo, 2)
  await later()
  expect(titles()).toEqual(['Oat milk', 'Cheese', 'Tea'])
  expect(api.log).toHaveLength(requests)
  for (const stop of stops) stop()
  controller.dispose()
})
