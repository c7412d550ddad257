import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { Collection, Controller, NetworkError, resource, type Transport } from '@roundtable/core'
import { backend, handlersFor } from '@roundtable/core/backend'
import { checkServer } from '@roundtable/core/check'
import { http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Task } from '../../examples/board/src/api/task.js'
import { openBoard, type Row, temporaryFolder } from './board.js'

// The definitions of the board's tasks against four servers: what a backend made of them does, the real one does too.

/** The members of a list are ordered by position, as the real server orders them. */
class Column extends Collection<[typeof Task]> {
  override readonly compare = (a: Row, b: Row): number =>
    Number(a.position) - Number(b.position) || Number(a.id) - Number(b.id)
}

const tasksAt = (urlPrefix: string) =>
  resource({
    urlPrefix,
    path: '/api/tasks/:id',
    schema: Task,
    searchParams: {} as { projectId?: number; status?: string; assigneeId?: number; page?: number; limit?: number },
    paginationField: 'page',
    nonFilterArgumentKeys: ['limit'],
    Collection: Column as unknown as typeof Collection,
  })

type Tasks = ReturnType<typeof tasksAt>

/** A server, and how its clients reach it. */
interface Opened {
  readonly tasks: Tasks
  readonly controller: Controller
  readonly transport?: Transport
  close(): unknown
}

const { folder, remove } = temporaryFolder()
let board: Awaited<ReturnType<typeof openBoard>>
let seed: readonly Row[]

beforeAll(async () => {
  board = await openBoard(folder, undefined, 120)
  seed = (await board.send<Row[]>('GET', '/api/tasks?limit=5000')).body
})

afterAll(async () => {
  await board.close()
  remove()
})

const made = (at: string) => backend({ tasks: tasksAt(at) }, { seed: { Task: seed }, pageSize: 100 })

const servers: Readonly<Record<string, () => Promise<Opened>>> = {
  async 'a backend as transport'() {
    const { transport } = made('https://board.test')
    return { tasks: tasksAt('https://board.test'), controller: new Controller({ transport }), transport, close() {} }
  },
  async 'a backend by MSW'() {
    const server = setupServer(...handlersFor(made('https://board.test'), { http }))
    server.listen({ onUnhandledRequest: 'error' })
    return { tasks: tasksAt('https://board.test'), controller: new Controller(), close: () => server.close() }
  },
  async 'a backend on a socket'() {
    return listening(made('https://board.test').fetch)
  },
  async 'the real server'() {
    return listening(board.answer)
  },
}

async function listening(fetch: (request: Request) => Promise<Response>): Promise<Opened> {
  let server: ReturnType<typeof serve> | undefined
  const { port } = await new Promise<AddressInfo>((resolve) => {
    server = serve({ fetch, port: 0, hostname: '127.0.0.1' }, resolve)
  })
  const close = () => new Promise((resolve) => server?.close(resolve))
  return { tasks: tasksAt(`http://127.0.0.1:${port}`), controller: new Controller(), close }
}

describe.each(Object.entries(servers))('%s', (name, open) => {
  let tasks: Tasks
  let controller: Controller
  let opened: Opened

  beforeAll(async () => {
    opened = await open()
    tasks = opened.tasks
  })
  beforeEach(async () => {
    controller = opened.controller
    await controller.resetEntireStore()
  })
  afterAll(() => opened.close())

  const idsOf = (rows: readonly Row[] | readonly Task[]): readonly unknown[] => rows.map(({ id }) => id)
  const statusOf = (promise: Promise<unknown>): Promise<unknown> =>
    promise.then(
      () => 'ok',
      (error: unknown) => (error instanceof NetworkError ? error.status : error),
    )

  test('a list has the rows whose fields are equal to its params, in their order', async () => {
    for (const [projectId, status] of [
      [1, 'todo'],
      [2, 'done'],
      [4, 'review'],
    ] as const) {
      const found = await controller.fetch(tasks.getList, { projectId, status, limit: 1000 })
      const expected = seed.filter((row) => row.projectId === projectId && row.status === status)
      expect(expected.length).toBeGreaterThan(0)
      expect(idsOf(found)).toEqual(idsOf(expected))
    }
    expect(await controller.fetch(tasks.getList, { assigneeId: 4711 })).toEqual([])
  })

  test('pages share no row, and have all of them', async () => {
    const rows: unknown[] = idsOf(await controller.fetch(tasks.getList, { limit: 25 })).slice()
    for (let page = 2; rows.length < seed.length; page++) {
      const more = idsOf(await controller.fetch(tasks.getList.getPage, { limit: 25, page }))
      expect(more.length).toBeGreaterThan(0)
      rows.push(...more)
    }
    expect(rows).toEqual(idsOf(seed))
    expect(await controller.fetch(tasks.getList.getPage, { limit: 25, page: 99 })).toEqual([])
  })

  test('a row is what the list has of it; an unknown one is 404', async () => {
    const [row] = seed
    const id = Number(row?.id)
    expect(await controller.fetch(tasks.get, { id })).toMatchObject(row ?? {})
    expect(await statusOf(controller.fetch(tasks.get, { id: 999_999 }))).toBe(404)
  })

  test('a row is created, changed, replaced and deleted, and the lists follow', async () => {
    const todo = { projectId: 3, status: 'todo', limit: 1000 }
    const doing = { ...todo, status: 'doing' }
    const shown = async (list: typeof todo) => idsOf(await controller.fetch(tasks.getList, list))
    const before = await shown(todo)

    const created = await controller.fetch(tasks.create, { projectId: 3, title: 'Try four servers' } as Task)
    const { id = 0 } = created as Task
    expect(created).toMatchObject({ projectId: 3, title: 'Try four servers', status: 'todo', assigneeId: null })
    expect((await shown(todo)).toSorted()).toEqual([...before, id].toSorted())

    const changed = await controller.fetch(tasks.partialUpdate, { id }, { status: 'doing' })
    expect(changed).toMatchObject({ id, projectId: 3, title: 'Try four servers', status: 'doing' })
    expect(await shown(todo)).toEqual(before)
    expect(await shown(doing)).toContain(id)

    const whole = {
      projectId: 3,
      title: 'Replaced',
      status: 'todo',
      assigneeId: 2,
      position: 5,
      dueDate: null,
    } as const
    expect(await controller.fetch(tasks.update, { id }, whole as Task)).toMatchObject({ id, ...whole })
    expect(await controller.fetch(tasks.get, { id })).toMatchObject({ id, ...whole })

    await controller.fetch(tasks.delete, { id })
    expect(await shown(todo)).toEqual(before)
    // What the client knows of the deletion is not asked.
    await controller.resetEntireStore()
    expect(await statusOf(controller.fetch(tasks.get, { id }))).toBe(404)
    expect(await statusOf(controller.fetch(tasks.delete, { id }))).toBe(404)
  })

  test('a request with an Idempotency-Key is done once', async () => {
    const headers = { 'idempotency-key': `four-${tasks.get.urlPrefix}` }
    const create = tasks.create.extend({ requestInit: { headers } })
    const body = { projectId: 2, title: 'Once' } as Task
    const [first, second] = [await controller.fetch(create, body), await controller.fetch(create, body)]
    expect((first as Task).id).toBe((second as Task).id)
    await controller.fetch(tasks.delete, { id: (first as Task).id })
  })

  test('checkServer finds nothing', async () => {
    const { transport } = opened
    const results = await checkServer(tasks, {
      ...(transport && { transport }),
      params: { limit: 100 },
      filters: ['projectId', 'status', 'assigneeId'],
      example: { projectId: 1, title: 'A test', status: 'todo', assigneeId: 3, position: 7, dueDate: null },
      change: { title: 'Another' },
    })
    expect(results.filter(({ verdict }) => verdict === 'fails' || verdict === 'warns')).toEqual([])
    const skipped = results.filter(({ verdict }) => verdict === 'skipped').map(({ rule }) => rule)
    // The real server sends no ETags.
    expect(skipped).toEqual(name === 'the real server' ? ['etag-304', 'etag-changes', 'if-match-412'] : [])
  })

  test('a method that there is not is 405', async () => {
    const wrong = tasks.getList.extend({ method: 'DELETE', body: undefined })
    expect(await statusOf(controller.fetch(wrong))).toBe(405)
  })
})
