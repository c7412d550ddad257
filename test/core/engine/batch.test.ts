import {
  type BatchOptions,
  batch,
  Controller,
  type ControllerOptions,
  type EndpointInterface,
  Entity,
  NetworkError,
  OptionError,
  poll,
  RestEndpoint,
  resource,
  retry,
  SchemaError,
  Union,
} from '@roundtable/core'
import { withHttp } from '@roundtable/core/http'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { HandClock, settle } from './clock.js'
import { type Answer, fakeTransport, inTurn, type SeenRequest } from './fake-transport.js'

class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  title = ''
}

const urlPrefix = 'https://api.test'
const api = { urlPrefix, path: '/todos/:id', schema: Todo, searchParams: {} as { lang?: string } } as const
const byIds: BatchOptions = { path: '/todos?id=:ids', max: 100 }
const TodoResource = resource({ ...api, batch: batch(byIds) })

afterEach(() => vi.restoreAllMocks())

/** What a server with all todos but those from 90 answers, to a list of ids and to one. */
function todos({ url }: SeenRequest): Response {
  const { pathname, searchParams } = new URL(url)
  const lang = searchParams.get('lang') ?? ''
  const todo = (id: string): object => ({ id: Number(id), title: `Todo ${id}${lang}` })
  const [, , one] = pathname.split('/')
  if (one !== undefined) return Number(one) < 90 ? Response.json(todo(one)) : new Response('no', { status: 404 })
  const ids = searchParams.getAll('id').flatMap((ids) => ids.split(','))
  return Response.json(ids.filter((id) => Number(id) < 90).map(todo))
}

function open(answer: Answer = todos, options: ControllerOptions = {}) {
  const clock = new HandClock()
  const fake = fakeTransport(answer, clock)
  const reported = vi.fn()
  const controller = new Controller({ env: clock, transport: fake.transport, onError: reported, ...options })
  const log = (): string[] => fake.seen.map(({ method, url }) => `${method} ${url.slice(urlPrefix.length)}`)
  const get = (id: number, of: typeof TodoResource = TodoResource) => controller.fetch(of.get, { id })
  return { ...fake, log, clock, controller, reported, get }
}

const outcome = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (data) => data,
    (error: unknown) => error,
  )

describe('batch', () => {
  test('makes one request of the reads of one tick; each promise has its own member', async () => {
    const { get, log, controller } = open()
    const found = await Promise.all([get(3), get(1), get(2)])
    expect(found.map(({ title }) => title)).toEqual(['Todo 3', 'Todo 1', 'Todo 2'])
    expect(log()).toEqual(['GET /todos?id=3%2C1%2C2'])
    expect(found[0]).toBe(controller.get(Todo, { id: 3 }))
  })

  test('leaves out members whose rows are in date, whoever brought them', async () => {
    const { controller, log } = open()
    await controller.fetch(
      TodoResource.getList.extend({ path: '/todos?id=1,2' }) as EndpointInterface<() => Promise<unknown>>,
    )
    const stops = [1, 2, 3, 4].map((id) => controller.watch(TodoResource.get, { id }).subscribe(() => {}))
    await settle()
    expect(log()).toEqual(['GET /todos?id=1,2', 'GET /todos?id=3%2C4'])
    for (const stop of stops) stop()
  })

  test('fetches stale members again, together', async () => {
    const { controller, log, clock } = open()
    const [one, two] = [1, 2].map((id) => controller.watch(TodoResource.get, { id }))
    for (const query of [one, two]) query?.subscribe(() => {})
    await clock.advance(60_001)
    controller.expireAll(TodoResource.get)
    await settle()
    expect(log()).toEqual(['GET /todos?id=1%2C2', 'GET /todos?id=1%2C2'])
  })

  test('sends a single read as ever, and each tick for itself', async () => {
    const { get, log } = open()
    await get(1)
    await Promise.all([get(2), get(3)])
    expect(log()).toEqual(['GET /todos/1', 'GET /todos?id=2%2C3'])
  })

  test('an id with a comma is sent alone where ids are joined by commas, and with others where they are repeated', async () => {
    class Tag extends Entity {
      static override key = 'Tag'
      id = ''
    }
    const answer: Answer = ({ url }) => {
      const { pathname, searchParams } = new URL(url)
      const [, , one] = pathname.split('/')
      const ids = searchParams.getAll('ids').concat(searchParams.get('id')?.split(',') ?? [])
      return Response.json(one === undefined ? ids.map((id) => ({ id })) : { id: decodeURIComponent(one) })
    }
    for (const [path, sent] of [
      ['/tags?id=:ids', ['GET /tags/a%2Cb', 'GET /tags?id=c%2Cd']],
      ['/tags', ['GET /tags?ids=a%2Cb&ids=c&ids=d']],
    ] as const) {
      const { controller, log } = open(answer)
      const { get } = resource({ urlPrefix, path: '/tags/:id', schema: Tag, batch: batch({ path }) })
      const found = await Promise.all(['a,b', 'c', 'd'].map((id) => controller.fetch(get, { id })))
      expect(found.map(({ id }) => id)).toEqual(['a,b', 'c', 'd'])
      expect(log().sort()).toEqual([...sent].sort())
    }
  })

  test('splits more than max', async () => {
    const Few = resource({ ...api, batch: batch({ ...byIds, max: 2 }) })
    const { get, log } = open()
    await Promise.all([1, 2, 3, 4, 5].map((id) => get(id, Few)))
    expect(log()).toEqual(['GET /todos?id=1%2C2', 'GET /todos?id=3%2C4', 'GET /todos/5'])
  })

  test('who is not in the response is not found; the others are', async () => {
    const { get, controller } = open()
    const [one, lost] = await Promise.all([get(1), outcome(get(99))])
    expect(one.title).toBe('Todo 1')
    expect(lost).toBeInstanceOf(NetworkError)
    expect(lost).toMatchObject({ status: 404, url: 'https://api.test/todos/99', method: 'GET' })
    expect(await (lost as NetworkError).body()).toBe(
      'The response of GET https://api.test/todos?id=1%2C99 has no such member.',
    )
    expect(controller.getError(TodoResource.get, { id: 99 })).toBe(lost)
    expect(controller.getError(TodoResource.get, { id: 1 })).toBeUndefined()
  })

  test('all fail with what the request failed with', async () => {
    const { get, controller } = open(() => new Response('busy', { status: 503 }))
    const errors = await Promise.all([outcome(get(1)), outcome(get(2))])
    expect(errors[0]).toMatchObject({ status: 503 })
    expect(errors[1]).toBe(errors[0])
    expect(controller.getError(TodoResource.get, { id: 2 })).toBe(errors[0])
  })

  test("one failure is one event 'error', that of the request; who is not in the response has one of its own", async () => {
    const { get, controller } = open(inTurn(() => new Response('busy', { status: 503 }), todos))
    const told: unknown[] = []
    controller.on('error', ({ error, request }) => told.push([(error as NetworkError).status, request?.key]))
    await Promise.all([1, 2, 3].map((id) => outcome(get(id))))
    expect(told).toEqual([[503, 'GET https://api.test/todos?id=1%2C2%2C3']])
    await Promise.all([1, 98, 99].map((id) => outcome(get(id))))
    expect(told.slice(1)).toEqual([
      [404, 'GET https://api.test/todos/98'],
      [404, 'GET https://api.test/todos/99'],
    ])
  })

  test('a response that is no list fails all of them', async () => {
    const { get } = open(() => Response.json(7))
    for (const error of await Promise.all([outcome(get(1)), outcome(get(2))])) expect(error).toBeInstanceOf(SchemaError)
  })

  test.each([
    ['the controller', TodoResource, { retry: retry(2) }],
    ['the endpoint', resource({ ...api, batch: batch(byIds), retry: retry(2) }), {}],
  ])('is repeated as a whole by the retry of %s', async (_, of, options) => {
    const { get, log, clock } = open(
      inTurn(() => new Response('busy', { status: 503 }), todos),
      options,
    )
    const both = Promise.all([get(1, of as never), get(2, of as never)])
    await clock.advance(10_000)
    expect((await both).map(({ id }) => id)).toEqual([1, 2])
    expect(log()).toEqual(['GET /todos?id=1%2C2', 'GET /todos?id=1%2C2'])
  })

  test('a timeout is that of the request', async () => {
    const Quick = resource({ ...api, batch: batch(byIds), timeout: 100 })
    const { get, clock } = open(() => new Promise(() => {}))
    const errors = Promise.all([outcome(get(1, Quick as never)), outcome(get(2, Quick as never))])
    await clock.advance(101)
    for (const error of await errors) expect(error).toMatchObject({ name: 'TimeoutError' })
  })

  test('is aborted when nobody waits for any member, not before', async () => {
    const { controller, seen, log } = open(() => new Promise(() => {}))
    const Aborting = TodoResource.get.extend({ abortOnUnused: true })
    const stops = [5, 6].map((id) => controller.watch(Aborting, { id }).subscribe(() => {}))
    await settle()
    const { signal } = seen.at(-1) as SeenRequest
    stops[0]?.()
    await settle()
    expect(signal?.aborted).toBe(false)
    stops[1]?.()
    await settle()
    expect(signal?.aborted).toBe(true)
    expect(log()).toEqual(['GET /todos?id=5%2C6'])
  })

  test('who leaves before the end of the tick is not in it', async () => {
    const { controller, get, log } = open()
    const abort = new AbortController()
    const left = outcome(controller.fetch(TodoResource.get.extend({ signal: abort.signal }), { id: 1 }))
    const others = Promise.all([get(2), get(3)])
    abort.abort()
    expect(await left).toMatchObject({ name: 'AbortError' })
    await others
    expect(log()).toEqual(['GET /todos?id=2%2C3'])
  })

  test('calls with other params are other requests', async () => {
    const { controller, log } = open()
    const get = (id: number, lang?: string) =>
      controller.fetch(TodoResource.get as EndpointInterface, ...([{ id, lang }] as never))
    await Promise.all([get(1, 'de'), get(2), get(3, 'de'), get(4)])
    expect(log()).toEqual(['GET /todos?id=1%2C3&lang=de', 'GET /todos?id=2%2C4'])
  })

  test('ids can be a search param that is repeated, and members anywhere in the response', async () => {
    const Wrapped = resource({
      ...api,
      batch: batch({ path: '/todos', ids: 'id', items: (response: { data: unknown[] }) => response.data }),
    })
    const { get, log } = open(async (request) => Response.json({ data: await todos(request).json() }))
    const found = await Promise.all([get(1, Wrapped as never), get(2, Wrapped as never)])
    expect(found.map(({ title }) => title)).toEqual(['Todo 1', 'Todo 2'])
    expect(log()).toEqual(['GET /todos?id=1&id=2'])
  })

  test('one commit: readers of all members are notified once', async () => {
    const { controller } = open()
    const seen: string[] = []
    const queries = [1, 2].map((id) => controller.watch(TodoResource.get, { id }))
    for (const query of queries) query.subscribe(() => seen.push(queries.map((one) => one.getSnapshot().status).join()))
    await settle()
    expect(seen).toEqual(['ready,ready', 'ready,ready'])
  })

  test('a member of any kind of a Union, by a field that is not the primary key', async () => {
    class Page extends Entity {
      static override key = 'Page'
      slug = ''
      type = 'page'
      override pk(): string {
        return `page:${this.slug}`
      }
    }
    class Post extends Page {
      static override key = 'Post'
    }
    const getPage = new RestEndpoint({
      urlPrefix,
      path: '/pages/:slug',
      schema: new Union({ page: Page, post: Post }, 'type'),
      batch: batch({ path: '/pages?slug=:ids' }),
    })
    const { controller } = open(() =>
      Response.json([
        { slug: 'b', type: 'post' },
        { slug: 'a', type: 'page' },
      ]),
    )
    const [a, b] = await Promise.all(['a', 'b'].map((slug) => controller.fetch(getPage, { slug })))
    expect(a).toBeInstanceOf(Page)
    expect(b).toBeInstanceOf(Post)
    expect([a, b]).toMatchObject([{ slug: 'a' }, { slug: 'b' }])
  })

  test('polls of several members, each by a timer of its own, are sent as ever', async () => {
    const { controller, log, clock } = open()
    const Polled = TodoResource.get.extend({ pollFrequency: 1_000 })
    const stops = [1, 2].map((id) => controller.observe(poll, Polled, { id }).subscribe(() => {}))
    await clock.advance(2_500)
    for (const stop of stops) stop()
    // Those of one moment: a poll's timer is a tick of its own.
    expect(log().slice(0, 1)).toEqual(['GET /todos/1'])
    expect(new Set(log())).toEqual(new Set(['GET /todos/1', 'GET /todos/2']))
  })

  test("the server's lifetime counts for each member", async () => {
    const Api = withHttp(RestEndpoint, { cache: true, etag: true })
    const Cached = resource({ ...api, Endpoint: Api, batch: batch(byIds) })
    const answer: Answer = async (request) =>
      request.headers.has('if-none-match')
        ? new Response(null, { status: 304, headers: { 'cache-control': 'max-age=5' } })
        : Response.json(await todos(request).json(), { headers: { 'cache-control': 'max-age=5', etag: '"1"' } })
    const { controller, clock, log, get } = open(answer)
    await Promise.all([get(1, Cached as never), get(2, Cached as never)])
    await clock.advance(5_001)
    const [one] = await Promise.all([1, 2].map((id) => controller.fetchIfStale(Cached.get, { id })))
    expect(log()).toHaveLength(2)
    expect(one).toMatchObject({ title: 'Todo 1' })
    await clock.advance(4_000)
    await Promise.all([1, 2].map((id) => controller.fetchIfStale(Cached.get, { id })))
    expect(log()).toHaveLength(2)
  })

  test('a lifetime of 0 fetches once', async () => {
    const { controller, log } = open()
    const Never = TodoResource.get.extend({ dataExpiryLength: 0 })
    for (const id of [1, 2]) controller.watch(Never, { id }).subscribe(() => {})
    for (let turn = 0; turn < 10; turn++) await settle()
    expect(log()).toEqual(['GET /todos?id=1%2C2'])
  })

  test('a mutation that settles meanwhile is not overwritten', async () => {
    let answer = (_: Response): void => {}
    const { controller, get } = open((request) =>
      request.method === 'PATCH'
        ? Response.json({ id: 1, title: 'Mine' })
        : new Promise<Response>((resolve) => {
            answer = resolve
          }),
    )
    const both = Promise.all([get(1), get(2)])
    await settle()
    await controller.fetch(TodoResource.partialUpdate, { id: 1 }, { title: 'Mine' })
    answer(
      Response.json([
        { id: 1, title: 'Old' },
        { id: 2, title: 'Two' },
      ]),
    )
    expect((await both).map(({ title }) => title)).toEqual(['Mine', 'Two'])
  })

  test('a member that a deletion has overtaken is asked for once more, and its reader is told', async () => {
    const answers: ((response: Response) => void)[] = []
    const { controller, log } = open((request) =>
      request.url.includes('?')
        ? new Promise((resolve) => answers.push(resolve))
        : new Response(null, { status: request.method === 'DELETE' ? 204 : 404 }),
    )
    const [first] = [1, 2].map((id) => controller.watch(TodoResource.get, { id }))
    for (const id of [1, 2]) controller.watch(TodoResource.get, { id }).subscribe(() => {})
    await settle()
    await controller.fetch(TodoResource.delete, { id: 1 })
    answers[0]?.(Response.json([1, 2].map((id) => ({ id, title: `Todo ${id}` }))))
    await settle()
    expect(log()).toEqual(['GET /todos?id=1%2C2', 'DELETE /todos/1', 'GET /todos/1'])
    expect(first?.getSnapshot()).toMatchObject({ status: 'failed', error: { status: 404 } })
  })

  test('a reset ends them all, and nothing is stored', async () => {
    const { controller, get } = open()
    const both = [outcome(get(1)), outcome(get(2))]
    controller.resetEntireStore()
    expect(await Promise.all(both)).toMatchObject([{ name: 'ResetError' }, { name: 'ResetError' }])
    await settle()
    expect(controller.get(Todo, { id: 1 })).toBeUndefined()
  })

  test('a reset by a listener of its own request ends them all', async () => {
    const { controller, get } = open()
    const stop = controller.on('fetch', ({ endpoint }) => {
      if (endpoint.name?.endsWith('.batch')) controller.resetEntireStore()
    })
    expect(await Promise.all([outcome(get(1)), outcome(get(2))])).toMatchObject([
      { name: 'ResetError' },
      { name: 'ResetError' },
    ])
    stop()
  })

  test("only the resource's get has it; a direct call is sent as ever", async () => {
    const { transport, seen } = fakeTransport(todos)
    const Direct = resource({ ...api, batch: batch(byIds), transport })
    expect(Direct.getList.batch).toBeUndefined()
    const [one, two] = await Promise.all([Direct.get({ id: 1 }), Direct.get({ id: 2 })])
    expect([one, two]).toMatchObject([{ title: 'Todo 1' }, { title: 'Todo 2' }])
    expect(seen.map(({ url }) => url.slice(urlPrefix.length))).toEqual(['/todos/1', '/todos/2'])
  })

  test('a server sends it too', async () => {
    const { get, log } = open(todos, { server: true })
    await Promise.all([get(1), get(2)])
    expect(log()).toEqual(['GET /todos?id=1%2C2'])
  })

  test('an items function that throws fails all, and says so', async () => {
    const Broken = resource({
      ...api,
      batch: batch({
        ...byIds,
        items: () => {
          throw new Error('oh')
        },
      }),
    })
    const { get } = open()
    for (const error of await Promise.all([outcome(get(1, Broken as never)), outcome(get(2, Broken as never))])) {
      expect(error).toMatchObject({ name: 'CallbackError', cause: { message: 'oh' } })
    }
  })

  test.each([
    [{ path: 7 }, 'batch.path'],
    [{ path: '/todos/{' }, 'path'],
    [{ ...byIds, max: 0 }, 'batch.max'],
    [{ ...byIds, max: 1.5 }, 'batch.max'],
    [{ ...byIds, ids: 7 }, 'batch.ids'],
    [{ ...byIds, items: 7 }, 'batch.items'],
    [{ ...byIds, maxx: 5 }, 'batch.maxx'],
  ])('refuses %j', (options, option) => {
    const make = () => batch(options as never)
    expect(make).toThrow(OptionError)
    expect(make).toThrow(option)
  })
})
