import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Board, openBoard, type Row, temporaryFolder } from './board.js'

const { folder, remove } = temporaryFolder()
let board: Board

beforeAll(async () => {
  board = await openBoard(folder)
})

afterAll(async () => {
  await board.close()
  remove()
})

interface Told {
  readonly id: string
  readonly type: string
  readonly task: Row
  readonly by?: string
}

/** The stream of a client, event by event. */
interface Listener {
  /** Behind which event the stream begins. */
  readonly begin: string | null
  /** As many events as asked for, once they are there. */
  next(count: number): Promise<Told[]>
  leave(): Promise<void>
}

const open: Listener[] = []

beforeEach(() => async () => {
  for (const listener of open.splice(0)) await listener.leave()
})

async function listen(lastEventId?: string): Promise<Listener> {
  const response = await board.fetch(
    '/api/tasks/events',
    lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
  )
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  const listener: Listener = {
    begin: response.headers.get('x-event-id'),
    async next(count) {
      const told: Told[] = []
      while (told.length < count) {
        const end = text.indexOf('\n\n')
        if (end < 0) {
          const { value } = await reader.read()
          text += decoder.decode(value, { stream: true })
          continue
        }
        const lines = text.slice(0, end).split('\n')
        text = text.slice(end + 2)
        const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? ''
        if (field('data') !== '') told.push({ id: field('id'), type: field('event'), ...JSON.parse(field('data')) })
      }
      return told
    },
    leave: () => reader.cancel(),
  }
  open.push(listener)
  return listener
}

const create = async (title: string, headers: Record<string, string> = {}): Promise<Row> =>
  (await board.send('POST', '/api/tasks', { projectId: 4, title }, headers)).body
const eventId = async (): Promise<string> =>
  (await board.send('GET', '/api/tasks/changes?since=2030-01-01T00:00:00Z')).headers.get('x-event-id') ?? ''

test('tells of tasks that are made, changed, moved and deleted, and of which request each comes from', async () => {
  const listener = await listen()
  const task = await create('Streamed', { 'idempotency-key': 'streamed' })
  const path = `/api/tasks/${task.id}`
  const [made] = await listener.next(1)
  expect(made).toMatchObject({ type: 'task.created', task, by: 'streamed' })
  const changes: [method: string, to: string, body: unknown][] = [
    ['PATCH', path, { title: 'Streamed again' }],
    ['PUT', path, { ...task, title: 'Replaced' }],
    ['POST', `${path}/move`, { status: 'doing' }],
  ]
  for (const [method, to, body] of changes) {
    const { body: changed } = await board.send(method, to, body)
    expect(await listener.next(1)).toMatchObject([{ type: 'task.changed', task: changed }])
  }
  await board.send('DELETE', path)
  expect(await listener.next(1)).toMatchObject([{ type: 'task.deleted', task: { id: task.id } }])
})

test('a request that is repeated by its key, and one that is refused, tell nothing', async () => {
  const listener = await listen()
  const once = { 'idempotency-key': 'told-once' }
  await create('Told once', once)
  await create('Told once', once)
  await board.send('PATCH', '/api/tasks/99999', { title: 'Nobody' })
  const last = await create('The next one')
  const told = await listener.next(2)
  expect(told.map(({ task }) => task.title)).toEqual(['Told once', 'The next one'])
  expect(told[1]?.task.id).toBe(last.id)
})

test('who names the last event gets all that came after it, and the stream says that it goes on there', async () => {
  const before = await eventId()
  const { id } = await create('Made meanwhile')
  await board.send('PATCH', `/api/tasks/${id}`, { title: 'Made and changed meanwhile' })
  await expect.poll(eventId).not.toBe(before)
  const listener = await listen(before)
  expect(listener.begin).toBe(before)
  const [made, changed] = await listener.next(2)
  expect([made?.type, changed?.type, changed?.task.title]).toEqual([
    'task.created',
    'task.changed',
    'Made and changed meanwhile',
  ])
  const later = await listen(changed?.id)
  await create('Afterwards')
  expect((await later.next(1))[0]?.task.title).toBe('Afterwards')
})

test.each([
  ['of another process', () => 'another-3'],
  ['that is none', () => 'nonsense'],
  ['that is not there yet', async () => `${(await eventId()).split('-')[0]}-999999`],
])('an event %s begins a stream at the newest one, which says so', async (_, name) => {
  const newest = await eventId()
  const asked = await name()
  const listener = await listen(asked)
  expect(listener.begin).toBe(newest)
})

test('who was away for more changes than are remembered is not told that the stream goes on', async () => {
  const before = await eventId()
  const listener = await listen(before)
  const ids = await Promise.all(Array.from({ length: 4 }, async (_, i) => (await create(`Busy ${i}`)).id))
  await listener.next(4)
  const place = async (): Promise<number> => Number((await eventId()).split('-')[1])
  const start = await place()
  for (let round = 0; round < 51; round++)
    await Promise.all(ids.map((id) => board.send('PATCH', `/api/tasks/${id}`, { title: `Busy ${round}` })))
  await expect.poll(place).toBe(start + 204)
  expect((await listen(before)).begin).toBe(await eventId())
})

test('a column that is laid out anew is told whole', async () => {
  const column = (await board.send<Row[]>('GET', '/api/tasks?projectId=4&status=review&limit=5000')).body
  const [top, first, second] = column.map(({ id }) => id)
  const listener = await listen()
  let moves = 0
  // Each goes into half of the gap that is left.
  for (let respaced = false; !respaced; moves++) {
    const id = moves % 2 === 0 ? second : first
    const { headers } = await board.send('POST', `/api/tasks/${id}/move`, { after: top })
    respaced = headers.has('x-respaced')
    if (moves > 200) throw new Error('The column was never laid out anew.')
  }
  // What a task was in between may be passed over.
  const told = new Set<unknown>()
  while (told.size < column.length) for (const { task } of await listener.next(1)) told.add(task.id)
  expect(column.every(({ id }) => told.has(id))).toBe(true)
})
