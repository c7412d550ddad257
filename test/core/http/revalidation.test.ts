import { Collection, pagesOf, poll, RestEndpoint, retry } from '@roundtable/core'
import { describe, expect, test, vi } from 'vitest'
import { settle } from '../engine/clock.js'
import { type Answer, noConnection } from '../engine/fake-transport.js'
import { watch } from '../engine/todo-board.js'
import { EtagServer, milk, openClient, Todo } from './etag-server.js'

const load = async (client: ReturnType<typeof openClient>) => client.controller.fetch(client.Todos.get, { id: 1 })

describe('etag', () => {
  test('a poll at 1 Hz for 60 s is 1 × 200 and 59 × 304, without parsing or rendering anything', async () => {
    const server = new EtagServer(milk)
    const client = openClient(server, { etag: true })
    const { controller, Todos, clock, seen, requests } = client
    const ticker = Todos.get.extend({ pollFrequency: 1_000 })
    const shown = watch(controller.watch(ticker, { id: 1 }))
    await settle()
    expect(shown.now).toMatchObject({ data: { title: 'Milk' } })
    const { notified } = shown
    const parse = vi.spyOn(JSON, 'parse')
    const text = vi.spyOn(Response.prototype, 'text')
    controller.observe(poll, ticker, { id: 1 }).subscribe(() => {})
    await clock.advance(59_500)
    expect(seen).toHaveLength(60)
    expect(requests().slice(1)).toEqual(Array(59).fill('GET /todos/1 unless "v1"'))
    expect([parse.mock.calls.length, text.mock.calls.length]).toEqual([0, 0])
    expect(shown.notified).toBe(notified)
    parse.mockRestore()
    text.mockRestore()
    server.change(1, { title: 'Tea' })
    await clock.advance(1_000)
    expect(shown.now).toMatchObject({ data: { title: 'Tea' } })
    expect(shown.notified).toBe(notified + 1)
  })

  test('a 304 renews the freshness of the result and of its rows', async () => {
    const client = openClient(new EtagServer(milk), { etag: true })
    const { controller, Todos, clock, requests } = client
    await controller.fetch(Todos.getList)
    await clock.advance(50_000)
    await controller.fetch(Todos.getList)
    await clock.advance(50_000)
    controller.watch(Todos.getList).subscribe(() => {})
    controller.watch(Todos.get, { id: 1 }).subscribe(() => {})
    await settle()
    expect(requests()).toEqual(['GET /todos', 'GET /todos unless "v1.1"'])
  })

  test('a 304 writes what the response said again, over what was written meanwhile', async () => {
    const client = openClient(new EtagServer(milk), { etag: true })
    const { controller, Todos } = client
    await controller.fetch(Todos.getList)
    controller.set(Todo, { id: 1 }, { title: 'wrong' })
    const list = await controller.fetch(Todos.getList)
    expect(list.map(({ title }) => title)).toEqual(['Milk'])
  })

  test('fetch resolves with the data after a 304, with a schema and without', async () => {
    const client = openClient(new EtagServer(milk), { etag: true })
    const { controller, Todos } = client
    const first = await load(client)
    expect(await load(client)).toBe(first)
    const plain = Todos.get.extend({ schema: undefined, path: '/todos/:id/plain' })
    expect(await controller.fetch(plain, { id: 1 })).toEqual(milk)
    expect(await controller.fetch(plain, { id: 1 })).toEqual(milk)
    expect(client.requests().at(-1)).toBe('GET /todos/1/plain unless "v1"')
  })

  test('data that was invalidated is shown again after a 304', async () => {
    const client = openClient(new EtagServer(milk), { etag: true })
    await load(client)
    client.controller.invalidate(client.Todos.get, { id: 1 })
    const query = client.controller.watch(client.Todos.get, { id: 1 })
    await query.load()
    expect(query.getSnapshot()).toMatchObject({ status: 'ready', data: { title: 'Milk' } })
  })

  test('a result that was collected is asked for without a validator', async () => {
    const client = openClient(new EtagServer(milk), { etag: true }, { retention: { after: 1_000 } })
    await load(client)
    await client.clock.advance(60_000)
    expect(client.controller.get(Todo, { id: 1 })).toBeUndefined()
    expect(await load(client)).toMatchObject({ title: 'Milk' })
    expect(client.requests()).toEqual(['GET /todos/1', 'GET /todos/1'])
  })

  test('so is one whose rows are collected while it is asked for: a 304 brings nothing back', async () => {
    const server = new EtagServer(milk, { ...milk, id: 2, title: 'Tea' })
    let release: (() => void) | undefined
    const answer: Answer = async (request) => {
      // Only what is asked for with a validator is held.
      if (request.headers.has('if-none-match')) await new Promise<void>((resolve) => (release = resolve))
      return server.answer(request)
    }
    const client = openClient({ answer }, { etag: true }, { retention: { after: 1_000 } })
    const { controller, Todos, clock } = client
    await controller.fetch(Todos.getList)
    // Here the list is without the second one, which nothing holds then.
    controller.setResponse(Todos.getList, [milk])
    const list = controller.fetch(Todos.getList)
    await clock.advance(60_000)
    expect(controller.get(Todo, { id: 2 })).toBeUndefined()
    release?.()
    expect((await list).map(({ title }) => title)).toEqual(['Milk', 'Tea'])
    expect(client.requests()).toEqual(['GET /todos', 'GET /todos unless "v1.1-2.1"', 'GET /todos'])
  })

  test('after a reset too', async () => {
    const client = openClient(new EtagServer(milk), { etag: true })
    await load(client)
    client.controller.resetEntireStore()
    await load(client)
    expect(client.requests()).toEqual(['GET /todos/1', 'GET /todos/1'])
  })

  test('two controllers of one server share no validator', async () => {
    const server = new EtagServer(milk)
    const [ann, bob] = [openClient(server, { etag: true }), openClient(server, { etag: true })]
    await load(ann)
    await bob.controller.fetch(ann.Todos.get, { id: 1 })
    expect(bob.requests()).toEqual(['GET /todos/1'])
  })

  test("asks past the browser's cache, and only then", async () => {
    const inits: RequestInit[] = []
    const server = new EtagServer(milk)
    const client = openClient(server, { etag: true })
    const transport = client.transport
    const controller = new (client.controller.constructor as new (o: object) => typeof client.controller)({
      env: client.clock,
      transport: (input: string, init: RequestInit, endpoint: never) => {
        inits.push(init)
        return transport(input, init, endpoint)
      },
    })
    await controller.fetch(client.Todos.get, { id: 1 })
    await controller.fetch(client.Todos.get, { id: 1 })
    expect(inits.map(({ cache }) => cache)).toEqual([undefined, 'no-store'])
  })

  test.each(['v1', '', 'W/v1', '"a"b"', '"a" "b"', '"\u0007"'])('%j is no validator', async (tag) => {
    const answer = () => {
      const response = Response.json(milk)
      vi.spyOn(response.headers, 'get').mockImplementation((name) => (name === 'etag' ? tag : 'application/json'))
      return response
    }
    const client = openClient({ answer }, { etag: true })
    await load(client)
    await load(client)
    expect(client.requests()).toEqual(['GET /todos/1', 'GET /todos/1'])
  })

  test('a 304 that nobody asked for is an error', async () => {
    const client = openClient({ answer: () => new Response(null, { status: 304 }) }, { etag: true })
    await expect(load(client)).rejects.toMatchObject({ status: 304 })
  })

  test('direct calls and calls without the option are sent as ever', async () => {
    const client = openClient(new EtagServer(milk), {})
    await load(client)
    await load(client)
    await client.Todos.get.extend({ transport: client.transport })({ id: 1 })
    expect(client.requests()).toEqual(Array(3).fill('GET /todos/1'))
  })

  test('each page of a list is asked for with its own validator', async () => {
    const answer: Answer = ({ url, headers }) => {
      const page = Number(new URL(url, 'http://a.test').searchParams.get('page') ?? 1)
      const sent = { ETag: `"p${page}"` }
      if (headers.get('if-none-match') === sent.ETag) return new Response(null, { status: 304, headers: sent })
      return Response.json([{ ...milk, id: page }], { headers: sent })
    }
    const { controller, Api, clock, requests } = openClient({ answer }, { etag: true })
    const getTodos = new Api({ path: '/todos', schema: new Collection([Todo]), paginationField: 'page' })
    const pages = pagesOf(controller, getTodos)
    await pages.fetchNext()
    await clock.advance(50_000)
    await pages.refetch()
    expect(requests().slice(2)).toEqual(['GET /todos unless "p1"', 'GET /todos?page=2 unless "p2"'])
    expect(controller.getResponse(getTodos).expiresAt).toBe(clock.now() + 60_000)
    expect(pages.getSnapshot().data?.map(({ id }) => id)).toEqual([1, 2])
  })

  test('responses are still stored without a copy', () => {
    const { Api } = openClient(new EtagServer(milk), { etag: true })
    expect(new Api({ path: '/a' }).transfers).toBe(true)
    expect(new Api({ path: '/a', process: (value: unknown) => value }).transfers).toBe(false)
    class Own extends RestEndpoint {
      override async parseResponse(response: Response) {
        return super.parseResponse(response)
      }
    }
    expect(new Own({ path: '/a' }).transfers).toBe(false)
  })
})

describe('cache', () => {
  const ask = async (cacheControl: string, options: { readonly dataExpiryLength?: number } = {}) => {
    const server = new EtagServer(milk)
    server.headers = { 'Cache-Control': cacheControl }
    const client = openClient(server, { cache: true })
    const endpoint = client.Todos.get.extend(options)
    const query = client.controller.watch(endpoint, { id: 1 })
    await client.controller.fetch(endpoint, { id: 1 })
    /** What a component shows that mounts now, and whether it fetches. */
    const mount = async () => {
      const before = client.seen.length
      const stop = query.subscribe(() => {})
      const { status } = query.getSnapshot()
      await settle()
      stop()
      await settle()
      return `${status}${client.seen.length > before ? ', fetches' : ''}`
    }
    return { ...client, server, query, mount, at: (ms: number) => client.clock.advance(ms - client.clock.mono()) }
  }

  test('max-age decides how long it is fresh', async () => {
    const { mount, at } = await ask('max-age=5')
    await at(4_900)
    expect(await mount()).toBe('ready')
    await at(5_001)
    expect(await mount()).toBe('ready, fetches')
  })

  test('an explicit dataExpiryLength wins', async () => {
    const { mount, at } = await ask('no-store', { dataExpiryLength: 10_000 })
    await at(9_000)
    expect(await mount()).toBe('ready')
  })

  test.each(['no-store', 'no-cache', 'max-age=0, must-revalidate'])(
    '%s: it is not shown again unasked',
    async (value) => {
      const { mount, at } = await ask(value)
      await at(1)
      expect(await mount()).toBe('pending, fetches')
    },
  )

  test('stale-while-revalidate: shown and fetched until then, then waited for', async () => {
    const first = await ask('max-age=5, stale-while-revalidate=10')
    await first.at(14_900)
    expect(await first.mount()).toBe('ready, fetches')
    const second = await ask('max-age=5, stale-while-revalidate=10')
    await second.at(15_001)
    expect(await second.mount()).toBe('pending, fetches')
  })

  test.each([
    ['an error of the server', () => new Response('', { status: 503 })],
    ['no connection', noConnection],
  ])('stale-if-error: %s is soft until then, and no longer', async (_, fail) => {
    const server = new EtagServer(milk)
    server.headers = { 'Cache-Control': 'max-age=5, stale-if-error=10' }
    let isDown = false
    const client = openClient({ answer: (request) => (isDown ? fail() : server.answer(request)) }, { cache: true })
    const { controller, Todos, clock } = client
    await load(client)
    isDown = true
    const query = controller.watch(Todos.get, { id: 1 })
    const refetch = () => controller.fetch(Todos.get, { id: 1 }).catch((error: Error) => error.name)
    await clock.advance(14_900)
    expect(await refetch()).toMatch(/Error$/)
    expect(query.getSnapshot()).toMatchObject({ status: 'ready', data: { title: 'Milk' } })
    await clock.advance(200)
    await refetch()
    expect(query.getSnapshot()).toMatchObject({ status: 'failed', data: undefined })
  })

  test('stale-if-error says nothing of a 404', async () => {
    const server = new EtagServer(milk)
    server.headers = { 'Cache-Control': 'max-age=5, stale-if-error=10' }
    let isGone = false
    const answer: typeof server.answer = (request) =>
      isGone ? new Response('', { status: 404 }) : server.answer(request)
    const client = openClient({ answer }, { cache: true })
    await load(client)
    isGone = true
    await load(client).catch(() => {})
    expect(client.controller.watch(client.Todos.get, { id: 1 }).getSnapshot().status).toBe('failed')
  })

  test('without headers the lifetime is that of the controller', async () => {
    const { mount, at } = await ask('')
    await at(59_000)
    expect(await mount()).toBe('ready')
    await at(60_001)
    expect(await mount()).toBe('ready, fetches')
  })

  test('a 304 brings new headers', async () => {
    const server = new EtagServer(milk)
    server.headers = { 'Cache-Control': 'max-age=5' }
    const client = openClient(server, { cache: true, etag: true })
    await load(client)
    server.headers = { 'Cache-Control': 'max-age=100' }
    await load(client)
    await client.clock.advance(90_000)
    client.controller.watch(client.Todos.get, { id: 1 }).subscribe(() => {})
    await settle()
    expect(client.seen).toHaveLength(2)
  })

  test('headers that may not be read say nothing', async () => {
    const answer = () => {
      const response = Response.json(milk)
      vi.spyOn(response.headers, 'get').mockImplementation(() => {
        throw new Error('Failed to get response header')
      })
      return response
    }
    const client = openClient({ answer }, { cache: true, etag: true, ifMatch: 'update' })
    expect(await load(client)).toMatchObject({ title: 'Milk' })
  })
})

test('works beside retry', async () => {
  const server = new EtagServer(milk)
  let fails = 0
  const answer: typeof server.answer = (request) =>
    ++fails % 2 ? new Response('', { status: 503 }) : server.answer(request)
  const client = openClient({ answer }, { etag: true }, { retry: retry({ delay: () => 10 }) })
  for (let i = 0; i < 2; i++) {
    const loaded = load(client)
    await client.clock.advance(100)
    expect(await loaded).toMatchObject({ title: 'Milk' })
  }
  expect(client.requests().slice(2)).toEqual(['GET /todos/1 unless "v1"', 'GET /todos/1 unless "v1"'])
})
