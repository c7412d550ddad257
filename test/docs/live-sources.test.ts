import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { Controller, Invalidate, poll, resource } from '@roundtable/core'
import { connection, type LiveOptions, live, type Wire, webSocket } from '@roundtable/core/live'
import { sse } from '@roundtable/core/sse'
import type * as GraphQLPackage from 'graphql'
import { useServer } from 'graphql-ws/use/ws'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import type * as Guide from '../../docs/snippets/live/server.js'
import type * as Sockets from '../../docs/snippets/live/socket-server.js'
import type * as Versions from '../../docs/snippets/live/versions.js'
import type * as Api from '../../docs/snippets/live-sources/api.js'
import type * as Electric from '../../docs/snippets/live-sources/electric.js'
import type * as GraphQL from '../../docs/snippets/live-sources/graphql.js'
import type * as Supabase from '../../docs/snippets/live-sources/supabase.js'
import { HANGS } from '../hangs.js'
import { ElectricServer } from './live-sources/electric-server.js'
import { PhoenixServer } from './live-sources/phoenix-server.js'
import { openPage } from './run-page.js'

// The one that the server of graphql-ws has.
const { buildSchema } = createRequire(import.meta.url)('graphql') as typeof GraphQLPackage

const guide = openPage('docs/guides/live.md')
const recipe = openPage('docs/recipes/live-sources.md')
afterAll(() => {
  guide.close()
  recipe.close()
})

const ends: (() => unknown)[] = []
// Node before 22 has none.
beforeEach(() => vi.stubGlobal('WebSocket', WebSocket))
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  vi.unstubAllGlobals()
})

const until = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: HANGS, interval: 5 })

/** The names of the messages that write, add and delete. */
interface Names {
  readonly changed: string
  readonly created: string
  readonly deleted: string
}

/** A client that shows a list of todos, which `rows` are at each request. */
async function connect(
  wire: Wire,
  url: string,
  names: Names,
  rows: () => readonly object[],
  headers?: LiveOptions['headers'],
) {
  const { Todo, TodoResource } = await recipe.load<typeof Api>('api.ts')
  const lists = { asked: 0 }
  const controller = new Controller({
    retention: false,
    onError: () => {},
    transport: async (input, init) => {
      if (!String(input).startsWith('https://api.example.com')) return fetch(input, init)
      lists.asked++
      return Response.json(rows())
    },
  })
  ends.push(() => controller.dispose())
  const messages = {
    [names.changed]: Todo,
    [names.created]: TodoResource.getList.schema.push,
    [names.deleted]: new Invalidate(Todo),
  }
  const getLive = TodoResource.getList.extend(live({ name: 'todos', url, wire, messages, headers }))
  const query = controller.watch(getLive)
  query.subscribe(() => {})
  controller.observe(poll, getLive).subscribe(() => {})
  const status = controller.observe(connection, getLive)
  return {
    lists,
    status: () => status.getSnapshot(),
    shown: () => query.getSnapshot().data?.map(({ id, title }) => `${id} ${title}`),
    isOpen: () => until(() => expect([status.getSnapshot()?.status, lists.asked]).toEqual(['open', 2])),
  }
}

const one = [{ id: 1, title: 'one' }]

test('a subscription of GraphQL over graphql-ws brings changes, and after a cut the list is fetched', async () => {
  const { graphql } = await recipe.load<typeof GraphQL>('graphql.ts')
  /** What was told, and who waits for more. */
  const events: object[] = []
  const waiting = new Set<() => void>()
  const tell = (told: object): void => {
    events.push({ todoTold: told })
    for (const wake of waiting) wake()
  }
  const http = createServer()
  const sockets = new WebSocketServer({ server: http, path: '/graphql' })
  const schema = buildSchema(`
    type Todo { id: ID! title: String }
    type Told { event: String! todo: Todo! }
    type Query { none: Int }
    type Subscription { todoTold: Told! }
  `)
  async function* told() {
    for (let at = events.length; ; at++) {
      while (events.length <= at) await new Promise<void>((resolve) => waiting.add(resolve))
      yield events[at]
    }
  }
  const server = useServer(
    {
      schema,
      roots: { subscription: { todoTold: told } },
      onConnect: ({ connectionParams }) => connectionParams?.authorization !== 'wrong',
    },
    sockets,
  )
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  ends.push(async () => {
    await server.dispose()
    await new Promise((resolve) => http.close(resolve))
  })
  const url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}/graphql`
  const wire = graphql<{ todoTold: { event: string; todo: unknown } }>(
    'subscription { todoTold { event todo { id title } } }',
    ({ todoTold: { event, todo } }) => ({ type: event, data: todo }),
  )
  const names = { changed: 'changed', created: 'created', deleted: 'deleted' }
  let rows = one
  const client = await connect(wire, url, names, () => rows)
  await client.isOpen()
  await until(() => {
    tell({ event: 'changed', todo: { id: 1, title: 'ONE' } })
    expect(client.shown()).toEqual(['1 ONE'])
  })
  tell({ event: 'created', todo: { id: 2, title: 'two' } })
  await until(() => expect(client.shown()).toEqual(['1 ONE', '2 two']))
  tell({ event: 'deleted', todo: { id: 1 } })
  await until(() => expect(client.shown()).toEqual(['2 two']))
  rows = [{ id: 3, title: 'while it was cut' }]
  for (const socket of sockets.clients) socket.terminate()
  await until(() => expect(client.shown()).toEqual(['3 while it was cut']))
  const refused = await connect(
    wire,
    url,
    names,
    () => rows,
    () => ({ authorization: 'wrong' }),
  )
  await until(() => expect(refused.status()).toMatchObject({ status: 'refused', error: { closeCode: 4403 } }))
})

test('a shape of Electric brings changes, goes on after a cut, and another log has the list fetched', async () => {
  const { electric } = await recipe.load<typeof Electric>('electric.ts')
  const server = new ElectricServer()
  const url = await server.listen()
  ends.push(() => server.close())
  let rows = one
  const names = { changed: 'update', created: 'insert', deleted: 'delete' }
  server.tell('insert', { id: '1', title: 'one' })
  const client = await connect(electric, url, names, () => rows)
  await client.isOpen()
  server.tell('update', { id: '1', title: 'ONE' })
  server.tell('insert', { id: '2', title: 'two' })
  await until(() => expect(client.shown()).toEqual(['1 ONE', '2 two']))
  server.tell('delete', { id: '1' })
  await until(() => expect(client.shown()).toEqual(['2 two']))
  await until(() =>
    expect(server.asked.at(-1)).toMatchObject({ live: 'true', offset: '4_0', handle: 'first', cursor: '1674440' }),
  )
  server.cut()
  server.tell('update', { id: '2', title: 'while it was cut' })
  await until(() => expect(client.shown()).toEqual(['2 while it was cut']))
  expect([client.lists.asked, client.status()?.status]).toEqual([2, 'open'])
  rows = [{ id: 3, title: 'of another log' }]
  await until(() => expect(server.asked.at(-1)?.offset).toBe('5_0'))
  server.rotate()
  await until(() => expect(client.shown()).toEqual(['3 of another log']))
  // Its events come from here on.
  await until(() => expect(server.asked.at(-1)).toMatchObject({ live: 'true', handle: 'second' }))
  server.tell('update', { id: '3', title: 'changed there' })
  await until(() => expect(client.shown()).toEqual(['3 changed there']))
})

test('a channel of Supabase brings the changes of a table, and after a cut the list is fetched', async () => {
  const { supabase } = await recipe.load<typeof Supabase>('supabase.ts')
  const server = new PhoenixServer()
  const url = await server.listen()
  ends.push(() => server.close())
  let rows = one
  const names = { changed: 'UPDATE', created: 'INSERT', deleted: 'DELETE' }
  const client = await connect(
    supabase('todos'),
    url,
    names,
    () => rows,
    () => ({ authorization: 'token' }),
  )
  await client.isOpen()
  const changes = [{ event: '*', schema: 'public', table: 'todos' }]
  expect(server.heard).toMatchObject([
    {
      topic: 'realtime:todos',
      event: 'phx_join',
      payload: { config: { postgres_changes: changes }, access_token: 'token' },
    },
  ])
  server.tell('UPDATE', { id: 1, title: 'ONE' })
  server.tell('INSERT', { id: 2, title: 'two' })
  await until(() => expect(client.shown()).toEqual(['1 ONE', '2 two']))
  server.tell('DELETE', { id: 1 })
  await until(() => expect(client.shown()).toEqual(['2 two']))
  rows = [{ id: 3, title: 'while it was cut' }]
  server.cut()
  await until(() => expect(client.shown()).toEqual(['3 while it was cut']))
  const wrong = await connect(
    supabase('todos'),
    url,
    names,
    () => rows,
    () => ({ authorization: 'wrong' }),
  )
  await until(() => expect(wrong.status()?.error?.message).toContain('Invalid token'))
})

test.each(['sse', 'webSocket'])(
  'the servers of the guide bring changes over %s, and go on after a cut',
  async (name) => {
    vi.stubEnv('PORT', '0')
    const { app } = await guide.load<typeof Guide>('server.ts')
    const { server } = await guide.load<typeof Sockets>('socket-server.ts')
    await until(() => expect(server.address()).not.toBeNull())
    const sockets = new Set<{ destroy(): void }>()
    server.on('upgrade', (_, socket) => sockets.add(socket))
    const at = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const put = (id: number, title: string): Promise<Response> =>
      Promise.resolve(app.request(`/todos/${id}`, { method: 'PUT', body: JSON.stringify({ title }) }))
    const first = name === 'sse' ? 1 : 11
    await put(first, 'one')
    const lists = async (): Promise<object[]> => (await app.request('/todos')).json() as Promise<object[]>
    const rows = (await lists()).filter((row) => (row as { id: number }).id >= first)
    const names = { changed: 'todo.changed', created: 'todo.created', deleted: 'todo.deleted' }
    const client = await connect(
      name === 'sse' ? sse() : webSocket(),
      name === 'sse' ? `http://${at}/events` : `ws://${at}/socket`,
      names,
      () => rows,
    )
    await client.isOpen()
    await put(first, 'ONE')
    await put(first + 1, 'two')
    await until(() => expect(client.shown()).toEqual([`${first} ONE`, `${first + 1} two`]))
    await app.request(`/todos/${first}`, { method: 'DELETE' })
    await until(() => expect(client.shown()).toEqual([`${first + 1} two`]))
    server.closeAllConnections()
    for (const socket of sockets) socket.destroy()
    await put(first + 1, 'while it was cut')
    await until(() => expect(client.shown()).toEqual([`${first + 1} while it was cut`]))
    expect(client.lists.asked).toBe(2)
  },
)

test('a row with a version ignores older ones, and takes changes whose response has none', async () => {
  const { VersionedTodo } = await guide.load<typeof Versions>('versions.ts')
  const Todos = resource({
    urlPrefix: 'https://api.example.com',
    path: '/todos/:id',
    schema: VersionedTodo,
    optimistic: true,
  })
  const controller = new Controller({ transport: async () => new Response(null, { status: 204 }) })
  ends.push(() => controller.dispose())
  controller.set(VersionedTodo, { id: 1 }, { title: 'read', version: 3 })
  const title = () => controller.get(VersionedTodo, { id: 1 })?.title
  controller.set(VersionedTodo, { id: 1 }, { title: 'late message', version: 2 })
  expect(title()).toBe('read')
  const saved = controller.fetch(Todos.partialUpdate, { id: 1 }, { title: 'edited' })
  expect(title()).toBe('edited')
  await saved
  expect(title()).toBe('edited')
})
