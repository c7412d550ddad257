import { Controller, Entity, poll, resource } from '@roundtable/core'
import { connection, live, longPoll, ndjson, type Wire, webSocket } from '@roundtable/core/live'
import { sse } from '@roundtable/core/sse'
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { HANGS } from '../../hangs.js'
import { HandClock } from '../engine/clock.js'
import { TaskServer } from './task-server.js'

class Task extends Entity {
  static override key = 'Task'
  id = 0
  title = ''
}

const wires: Record<string, Wire> = {
  sse: sse(),
  ndjson: ndjson(),
  poll: longPoll(),
  socket: webSocket({ WebSocket }),
}

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Lets the network go on. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const MAX_BUFFER = 500

/** A client that is connected, whose frames come when the clock is turned. */
async function open(name: string) {
  const server = new TaskServer(Infinity)
  const url = await server.listen()
  ends.push(() => server.close())
  const clock = new HandClock()
  const controller = new Controller({ env: clock, retention: false })
  ends.push(() => controller.dispose())
  const Tasks = resource({ urlPrefix: url, path: '/tasks/:id', schema: Task })
  const counts = { read: 0, commits: 0 }
  const wire: Wire = async function* (context) {
    for await (const messages of (wires[name] as Wire)(context)) {
      counts.read += messages.length
      yield messages
    }
  }
  const getLive = Tasks.getList.extend(
    live({ name: 'tasks', url: `${url}/${name}`, wire, messages: { changed: Task }, maxBuffer: MAX_BUFFER }),
  )
  controller.observe(poll, getLive).subscribe(() => {})
  const status = controller.observe(connection, getLive)
  await clock.advance(0)
  while (status.getSnapshot()?.status !== 'open') await turn()
  controller.on('commit', () => counts.commits++)
  return {
    server,
    counts,
    /** Turns the clock by one frame, and returns how many messages were read since the last one. */
    async frame(): Promise<number> {
      const { read, commits } = counts
      await clock.advance(16)
      expect(counts.commits - commits).toBeLessThanOrEqual(1)
      await turn()
      return counts.read - read
    },
    title: (id: number) => controller.get(Task, { id })?.title,
  }
}

/** A chunk of a stream has so many bytes at most. */
const CHUNK = 65_536

describe.each(Object.keys(wires))('over %s', (name) => {
  test(
    '100,000 messages at once are at most one commit in each frame, and in the end each row is as it was last',
    async () => {
      const { server, frame, title } = await open(name)
      const COUNT = 100_000
      const ROWS = 2_000
      for (let i = 0; i < COUNT; i++) server.tell('changed', { id: i % ROWS, title: `v${i}` })
      let most = 0
      while (title(ROWS - 1) !== `v${COUNT - 1}`) most = Math.max(most, await frame())
      for (const id of [0, 1, ROWS / 2]) expect(title(id)).toBe(`v${COUNT - ROWS + id}`)
      const shortest = '{"id":1,"title":"v1"}'.length
      // A response of a long poll is one piece, and a WebSocket cannot be paused.
      if (name === 'sse' || name === 'ndjson') expect(most).toBeLessThan(MAX_BUFFER + CHUNK / shortest)
    },
    HANGS,
  )
})

describe.each(['sse', 'ndjson'])('over %s', (name) => {
  test(
    'while nothing is painted, what is more than may wait stays at the server',
    async () => {
      const { server, counts, frame, title } = await open(name)
      const COUNT = 60_000
      const text = 'x'.repeat(1_000)
      for (let id = 0; id < COUNT; id++) server.tell('changed', { id, title: text })
      let sent = -1
      while (sent !== server.sent || counts.read < MAX_BUFFER) {
        sent = server.sent
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      expect(counts.read).toBeLessThanOrEqual(1_000)
      expect(sent).toBeLessThan(COUNT)
      while (title(COUNT - 1) === undefined) expect(await frame()).toBeLessThanOrEqual(1_000)
      expect(title(0)).toBe(text)
    },
    HANGS,
  )
})
