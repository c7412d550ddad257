import { Controller, Entity, Invalidate, poll, resource } from '@roundtable/core'
import { connection, live, longPoll, ndjson, type Wire, webSocket } from '@roundtable/core/live'
import { sse } from '@roundtable/core/sse'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { HANGS } from '../../hangs.js'
import { TaskServer } from './task-server.js'

class Task extends Entity {
  static override key = 'Task'
  id = 0
  title = ''
  project = ''
}

const wires: Record<string, () => Wire> = {
  sse: () => sse(),
  ndjson: () => ndjson(),
  poll: () => longPoll(),
  socket: () => webSocket({ WebSocket }),
}

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Waits as long as it takes. */
const until = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: HANGS, interval: 5 })

/** A server with three tasks, and a client that reads those of project a by a wire, and is connected. */
async function open(name: string, logSize?: number) {
  const wire = wires[name] as () => Wire
  const server = new TaskServer(logSize)
  for (const title of ['one', 'two', 'three']) server.put({ title })
  const url = await server.listen()
  ends.push(() => server.close())
  const errors: Error[] = []
  const controller = new Controller({ onError: (error) => errors.push(error), retention: false })
  ends.push(() => controller.dispose())
  const Tasks = resource({
    urlPrefix: url,
    path: '/tasks/:id',
    schema: Task,
    optimistic: true,
    searchParams: {} as { project?: string },
  })
  const getLive = Tasks.getList.extend(
    live({
      name: 'tasks',
      url: `${url}/${name}`,
      wire: wire(),
      messages: { changed: Task, created: Tasks.getList.schema.push, deleted: new Invalidate(Task) },
    }),
  )
  let renders = 0
  const query = controller.watch(getLive, { project: 'a' })
  query.subscribe(() => renders++)
  controller.observe(poll, getLive, { project: 'a' }).subscribe(() => {})
  const status = () => controller.observe(connection, getLive, { project: 'a' }).getSnapshot()?.status
  await until(() => expect(status()).toBe('open'))
  return {
    server,
    controller,
    Tasks,
    getLive,
    errors,
    status,
    shown: () => query.getSnapshot().data?.map(({ id, title }) => `${id} ${title}`),
    get renders() {
      return renders
    },
  }
}

describe.each(Object.keys(wires))('over %s', (name) => {
  test('a change, an addition and a deletion are shown, after one request of the list', async () => {
    const { server, shown, errors } = await open(name)
    expect(shown()).toEqual(['1 one', '2 two', '3 three'])
    server.put({ id: 1, title: 'ONE' })
    server.put({ title: 'four' })
    server.put({ title: 'elsewhere', project: 'b' })
    server.delete(2)
    await until(() => expect(shown()).toEqual(['1 ONE', '3 three', '4 four']))
    expect([server.lists, errors]).toEqual([1, []])
  })

  test('three events during a slow request win over its answer', async () => {
    const { server, shown, controller, Tasks } = await open(name)
    let answer = (): void => {}
    server.beforeList = () => new Promise((resolve) => (answer = resolve))
    const slow = controller.fetch(Tasks.getList, { project: 'a' })
    await until(() => expect(server.lists).toBe(2))
    server.put({ id: 1, title: 'ONE' })
    server.put({ title: 'four' })
    server.delete(2)
    const expected = ['1 ONE', '3 three', '4 four']
    await until(() => expect(shown()).toEqual(expected))
    answer()
    await slow
    expect(shown()).toEqual(expected)
  })

  test('an optimistic edit, its echo and its answer are at most two renders', async () => {
    const board = await open(name)
    const before = board.renders
    await board.controller.fetch(board.Tasks.partialUpdate, { id: 1 }, { title: 'mine' })
    board.server.put({ id: 3, title: 'later' })
    await until(() => expect(board.shown()).toEqual(['1 mine', '2 two', '3 later']))
    // The third one is for the event that says that the echo has come.
    expect(board.renders - before).toBeLessThanOrEqual(3)
    expect(board.server.lists).toBe(1)
  })

  test('a cut stream goes on where it was: nothing is lost, and nothing is fetched', async () => {
    const { server, shown, status } = await open(name)
    server.put({ id: 1, title: 'before' })
    await until(() => expect(shown()?.[0]).toBe('1 before'))
    const { connections } = server
    server.cut()
    server.put({ id: 1, title: 'while it was cut' })
    await until(() => expect(shown()?.[0]).toBe('1 while it was cut'))
    expect([server.lists, status()]).toEqual([1, 'open'])
    expect(server.connections).toBeGreaterThan(connections)
  })

  test('bad messages are reported, and the rest of the stream goes on', async () => {
    const { server, shown, errors } = await open(name)
    server.tell('changed', { title: 'no key' })
    server.tell('changed', true)
    server.tell('unheard of', {})
    server.put({ id: 1, title: 'ONE' })
    await until(() => expect(shown()?.[0]).toBe('1 ONE'))
    expect(errors.map((error) => error.name)).toEqual(['MissingPkError', 'SchemaError'])
    expect(server.lists).toBe(1)
  })

  test('many messages at once are shown, each row as it was last', async () => {
    const { server, shown } = await open(name, 10_000)
    for (let i = 0; i < 5_000; i++) server.tell('changed', { id: 1 + (i % 3), title: `v${i}` })
    await until(() => expect(shown()).toEqual(['1 v4998', '2 v4999', '3 v4997']))
  })
})
