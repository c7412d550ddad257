import { Controller, Entity, Invalidate, poll, resource } from '@roundtable/core'
import { connection, live } from '@roundtable/core/live'
import { sse } from '@roundtable/core/sse'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { HANGS } from '../../hangs.js'
import { TaskServer } from './task-server.js'

class Task extends Entity {
  static override key = 'Task'
  id = 0
  title = ''
  project = ''
}

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const chance = (most: number): number => Math.floor(Math.random() * most)

/** One client of the server, which shows the list and counts its connections. */
function join(url: string) {
  const controller = new Controller({ retention: false, onError: () => {} })
  ends.push(() => controller.dispose())
  const Tasks = resource({ urlPrefix: url, path: '/tasks/:id', schema: Task, optimistic: true })
  const getLive = Tasks.getList.extend(
    live({
      name: 'tasks',
      url: `${url}/sse`,
      wire: sse(),
      messages: { changed: Task, created: Tasks.getList.schema.push, deleted: new Invalidate(Task) },
    }),
  )
  const query = controller.watch(getLive)
  query.subscribe(() => {})
  controller.observe(poll, getLive).subscribe(() => {})
  const status = controller.observe(connection, getLive)
  let contested = 0
  controller.on('fetch', ({ cause }) => {
    if (cause.type === 'contested') contested++
  })
  const shown = (): Map<number, string> =>
    new Map(query.getSnapshot().data?.map(({ id, title }) => [id, title] as const) ?? [])
  /** Creates, changes or deletes a task by chance. */
  const write = (): void => {
    const ids = [...shown().keys()].filter((id) => typeof id === 'number')
    const id = ids[chance(ids.length)] ?? 0
    const title = `v${chance(1e9)}`
    const kind = ids.length < 5 ? 0 : chance(10)
    // Another client may have deleted it.
    const ignore = (): void => {}
    if (kind < 2) controller.fetch(Tasks.create, { title }).catch(ignore)
    else if (kind < 3) controller.fetch(Tasks.delete, { id }).catch(ignore)
    else controller.fetch(Tasks.partialUpdate, { id }, { title }).catch(ignore)
  }
  return {
    shown,
    write,
    get contested() {
      return contested
    },
    status: () => status.getSnapshot()?.status,
  }
}

/** Two clients write for about 15 s, while all streams are cut every 0.2 to 2 s. */
async function twoClients(logSize: number): Promise<void> {
  const server = new TaskServer(logSize)
  for (let i = 0; i < 10; i++) server.put({})
  const url = await server.listen()
  ends.push(() => server.close())
  const clients = [join(url), join(url)]
  let isCutting = true
  const writing = clients.map(async ({ write }) => {
    while (isCutting) {
      write()
      await pause(chance(40))
    }
  })
  const cutting = (async () => {
    for (let cuts = 0; cuts < 14; cuts++) {
      await pause(200 + chance(1_800))
      server.cut()
    }
    isCutting = false
  })()
  await Promise.all([...writing, cutting])
  const expected = (): Map<number, string> => new Map([...server.tasks.values()].map(({ id, title }) => [id, title]))
  const sorted = (tasks: Map<number, string>) => [...tasks].sort(([a], [b]) => a - b)
  for (const { shown, status } of clients) {
    const agree = (): void => {
      expect(status()).toBe('open')
      expect(sorted(shown())).toEqual(sorted(expected()))
    }
    await vi.waitFor(agree, { timeout: HANGS, interval: 20 })
  }
  const contested = clients.reduce((sum, client) => sum + client.contested, 0)
  // One for each client at the beginning, one after a reconnection at most, and what crossing writes ask for.
  expect(server.lists).toBeLessThanOrEqual(clients.length + server.connections + contested)
}

describe.each([1_000, 3])('with a log of %i events', (logSize) => {
  test('two clients that write while their connections are cut show in the end what the server has, ten times', async () => {
    await Promise.all(Array.from({ length: 10 }, () => twoClients(logSize)))
  })
})
