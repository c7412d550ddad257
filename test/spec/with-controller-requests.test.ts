import { Collection, Entity, ResponseParseError, RestEndpoint, SchemaError } from '@roundtable/core'
import { beforeEach, describe, expect, test } from 'vitest'
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
const one = { id: '1' }

beforeEach(() => json('GET /todos/1', { id: '1', title: 'Milk' }))

describe('Pagination', () => {
  const getTodos = new RestEndpoint({
    ...http,
    path: '/todos',
    searchParams: {} as { list: string },
    paginationField: 'cursor',
    schema: new Collection([Todo]),
  })
  const list = { list: 'a' }
  const ids = () => bench.controller.getResponse(getTodos, list).data?.map(({ id }) => id)
  const rows = (...of: string[]) => of.map((id) => ({ id }))

  beforeEach(async () => {
    json('GET /todos?list=a', rows('1', '2'))
    for (const name of ['cursor', 'page']) {
      for (const [url, data] of [
        [`GET /todos?list=a&${name}=2`, rows('3', '4')],
        [`GET /todos?list=a&${name}=3`, rows('5')],
      ] as const) {
        json(name === 'cursor' ? url.replace(/list=a&(\S+)/, '$1&list=a') : url, data)
      }
    }
    await bench.controller.fetch(getTodos, list)
  })

  test('getPage: the next page is appended to the collection', async () => {
    await bench.controller.fetch(getTodos.getPage, { ...list, cursor: 2 })
    expect(ids()).toEqual(['1', '2', '3', '4'])
    await bench.controller.fetch(getTodos.getPage, { ...list, cursor: 3 })
    expect(ids()).toEqual(['1', '2', '3', '4', '5'])
    expect(sent()).toEqual(['GET /todos?list=a', 'GET /todos?cursor=2&list=a', 'GET /todos?cursor=3&list=a'])
  })

  test('paginated(paginationfield: string): uses that string as the field to find the page to append', async () => {
    await bench.controller.fetch(getTodos.paginated('page'), { ...list, page: 2 })
    expect(ids()).toEqual(['1', '2', '3', '4'])
  })

  test('paginated(removeCursor: function): returns the arguments that identify the original list endpoint', async () => {
    const next = getTodos.paginated(({ page: _, ...rest }: { list: string; page: number }) => [rest])
    await bench.controller.fetch(next, { ...list, page: 2 })
    expect(ids()).toEqual(['1', '2', '3', '4'])
  })

  test('two pages that are requested at once are two requests, both are appended in the order of the requests', async () => {
    await Promise.all([3, 2].map((cursor) => bench.controller.fetch(getTodos.getPage, { ...list, cursor })))
    expect(sent()).toHaveLength(3)
    expect(ids()).toEqual(['1', '2', '5', '3', '4'])
  })

  test('a page is appended to the list of its own arguments only', async () => {
    json('GET /todos?list=b', rows('9'))
    await bench.controller.fetch(getTodos, { list: 'b' })
    await bench.controller.fetch(getTodos.getPage, { ...list, cursor: 2 })
    expect(bench.controller.getResponse(getTodos, { list: 'b' }).data?.map(({ id }) => id)).toEqual(['9'])
  })
})

describe('parseResponse(response)', () => {
  test("for downloads, content: 'blob' and dataExpiryLength: 0 are used so that large blobs are not cached", async () => {
    const download = new RestEndpoint({ path: '/file', content: 'blob', dataExpiryLength: 0 })
    const file = download.extend({ urlPrefix: server.url })
    const first = await bench.controller.fetchIfStale(file)
    expect(first).toBeInstanceOf(Blob)
    expect(await first.text()).toBe('%PDF-1.7')
    expect(bench.controller.getResponse(file).expiresAt).toBe(bench.clock.now())
    const second = await bench.controller.fetchIfStale(file)
    expect(second).not.toBe(first)
    expect(sent()).toHaveLength(2)
  })

  test('status 204 resolves to null: without a schema that is the result, also of a read', async () => {
    stub('GET /todos/1', { status: 204 })
    const plain = new RestEndpoint({ ...http, path: '/todos/:id' })
    expect(await bench.controller.fetch(plain, one)).toBeNull()
  })

  test.each([
    ['status 204', { status: 204 }],
    ['an empty body', { text: '' }],
  ])('a read with an entity schema and %s is a SchemaError, and nothing is stored', async (_what, response) => {
    stub('GET /todos/1', response)
    await expect(bench.controller.fetch(getTodo, one)).rejects.toBeInstanceOf(SchemaError)
    expect(bench.controller.get(Todo, one)).toBeUndefined()
    expect(bench.controller.getResponse(getTodo, one).data).toBeUndefined()
  })

  test('a body that cannot be parsed is a ResponseParseError, and nothing is stored', async () => {
    stub('GET /todos/1', { text: '{"id":"1","title":' })
    await expect(bench.controller.fetch(getTodo, one)).rejects.toBeInstanceOf(ResponseParseError)
    expect(bench.controller.get(Todo, one)).toBeUndefined()
    expect(bench.controller.getResponse(getTodo, one).data).toBeUndefined()
  })

  test('a body that cannot be parsed leaves what was stored before', async () => {
    await bench.controller.fetch(getTodo, one)
    stub('GET /todos/1', { text: '<html>' })
    await expect(bench.controller.fetch(getTodo, one)).rejects.toMatchObject({ status: 200 })
    expect(bench.controller.get(Todo, one)?.title).toBe('Milk')
  })
})

describe('signal: abort signal for the request', () => {
  const base = new RestEndpoint({ path: '/slow', searchParams: {} as { ms: number } })
  const slow = () => base.extend({ urlPrefix: server.url })
  const arrived = () => soon(() => expect(server.unfinished()).toBe(1))
  const aborted = () => soon(() => expect(server.unfinished()).toBe(0))

  test('the signal of the endpoint aborts its request', async () => {
    const abort = new AbortController()
    const calling = bench.controller.fetch(slow().extend({ signal: abort.signal }), { ms: 30_000 })
    await arrived()
    abort.abort()
    await expect(calling).rejects.toMatchObject({ name: 'AbortError' })
    await aborted()
  })

  test('a caller leaves early with endpoint.extend({ signal }); others go on', async () => {
    const abort = new AbortController()
    const endpoint = slow()
    const leaving = bench.controller.fetch(endpoint.extend({ signal: abort.signal }), { ms: 1_000 })
    const staying = bench.controller.fetch(endpoint, { ms: 1_000 })
    await arrived()
    abort.abort()
    await expect(leaving).rejects.toMatchObject({ name: 'AbortError' })
    expect(await staying).toMatchObject({ method: 'GET', url: '/slow?ms=1000' })
    expect(server.seen).toHaveLength(1)
  })

  test('the network is aborted when every caller has left', async () => {
    const aborts = [new AbortController(), new AbortController()]
    const calls = aborts.map(({ signal }) =>
      bench.controller.fetch(slow().extend({ signal }), { ms: 30_000 }).catch((error: Error) => error.name),
    )
    await arrived()
    aborts[0]?.abort()
    await new Promise((later) => setTimeout(later, 50))
    expect(server.unfinished()).toBe(1)
    aborts[1]?.abort()
    expect(await Promise.all(calls)).toEqual(['AbortError', 'AbortError'])
    await aborted()
  })

  test('abortOnUnused: a request that nobody waits for any more is aborted', async () => {
    const endpoint = slow().extend({ abortOnUnused: true })
    const stop = mount(bench.controller.watch(endpoint, { ms: 30_000 }))
    await arrived()
    stop()
    await aborted()
    expect(bench.controller.getResponse(endpoint, { ms: 30_000 }).error).toBeUndefined()
  })

  test('without abortOnUnused it finishes and its response is stored', async () => {
    const endpoint = slow()
    const stop = mount(bench.controller.watch(endpoint, { ms: 1_000 }))
    await arrived()
    stop()
    const known = () => bench.controller.getResponse(endpoint, { ms: 1_000 }).data
    await soon(() => expect(known()).toMatchObject({ url: '/slow?ms=1000' }))
  })
})
