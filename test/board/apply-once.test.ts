import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Board, NOW, openBoard, type Row, temporaryFolder } from './board.js'

const { folder, remove } = temporaryFolder()
const DAY = 24 * 60 * 60 * 1000
let time = NOW
let board: Board

beforeAll(async () => {
  board = await openBoard(folder, () => time)
})

afterAll(async () => {
  await board.close()
  remove()
})

const KEY = 'idempotency-key'
const titled = async (title: string): Promise<Row[]> =>
  (await board.send<Row[]>('GET', `/api/tasks?q=${encodeURIComponent(title)}`)).body
const create = (title: string, headers: Record<string, string>, query = '') =>
  board.send('POST', `/api/tasks${query}`, { projectId: 4, title }, headers)

test('a creation whose key comes again is made once, and answered as the first time', async () => {
  const first = await create('Made once', { [KEY]: 'made-once' })
  const second = await create('Made once', { [KEY]: 'made-once' })
  expect([first.status, second.status]).toEqual([201, 201])
  expect(second.body).toEqual(first.body)
  expect(second.headers.get('location')).toBe(`/api/tasks/${first.body.id}`)
  expect(await titled('Made once')).toHaveLength(1)
})

test('the same key at the same moment makes one change', async () => {
  const answers = await Promise.all(Array.from({ length: 5 }, () => create('At once', { [KEY]: 'at-once' })))
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  expect(await titled('At once')).toHaveLength(1)
})

test('an edit that comes again does not undo a later one', async () => {
  const { body: task } = await create('Edited', {})
  const path = `/api/tasks/${task.id}`
  const { body: edited } = await board.send('PATCH', path, { title: 'Edited by A' }, { [KEY]: 'edit-a' })
  await board.send('PATCH', path, { title: 'Edited by B' }, { [KEY]: 'edit-b' })
  const again = await board.send('PATCH', path, { title: 'Edited by A' }, { [KEY]: 'edit-a' })
  expect(again.body).toEqual(edited)
  expect((await board.send('GET', path)).body.title).toBe('Edited by B')
})

test('moves, replacements, deletions and comments are made once too', async () => {
  const { body: task } = await create('All kinds', {})
  const path = `/api/tasks/${task.id}`
  const changes: [method: string, path: string, body: unknown][] = [
    ['POST', '/api/comments', { taskId: task.id, authorId: 1, body: 'Once' }],
    ['POST', `${path}/move`, { status: 'doing' }],
    ['PUT', path, { ...task, title: 'All kinds, replaced' }],
    ['DELETE', path, undefined],
  ]
  for (const [method, to, body] of changes) {
    const headers = { [KEY]: `${method} ${to}` }
    const first = await board.send(method, to, body, headers)
    const second = await board.send(method, to, body, headers)
    expect(second).toMatchObject({ status: first.status, body: first.body })
    expect(first.status).toBeLessThan(300)
    if (to === '/api/comments') {
      expect((await board.send<Row[]>('GET', `/api/comments?taskId=${task.id}`)).body).toHaveLength(1)
      for (const again of ['PATCH', 'DELETE']) {
        const keyed = { [KEY]: `${again} the comment` }
        const change = () => board.send(again, `/api/comments/${first.body.id}`, { body: 'Twice' }, keyed)
        expect(await change()).toMatchObject({ status: (await change()).status })
      }
    }
  }
})

test('what was refused is not stored: the same key may be tried again', async () => {
  const refused = await create('Tried again', { [KEY]: 'tried' }, '?fail=409')
  expect(refused.status).toBe(409)
  const missing = await board.send('POST', '/api/tasks', { projectId: 99, title: 'Nowhere' }, { [KEY]: 'tried' })
  expect(missing.body.issues).toMatchObject([{ path: 'projectId' }])
  expect((await create('Tried again', { [KEY]: 'tried' })).status).toBe(201)
})

test('a key belongs to who sent it, and to one request', async () => {
  const login = await board.send('POST', '/api/login', { name: 'Ada Okafor' })
  const mine = { [KEY]: 'shared', 'access-token': String(login.body.token) }
  const [nobody, ada] = [await create('Two people', { [KEY]: 'shared' }), await create('Two people', mine)]
  expect(ada.body.id).not.toBe(nobody.body.id)
  const other = await create('Another request', mine)
  expect(other.status).toBe(422)
  expect(other.body.error).toContain('belongs to another request')
  expect(await titled('Another request')).toEqual([])
})

test('a key is known for thirty days', async () => {
  const first = await create('Known', { [KEY]: 'known' })
  time = new Date(NOW.getTime() + 29 * DAY)
  expect((await create('Known', { [KEY]: 'known' })).body.id).toBe(first.body.id)
  time = new Date(NOW.getTime() + 30 * DAY)
  expect((await create('Known', { [KEY]: 'known' })).body.id).not.toBe(first.body.id)
  time = NOW
})

test('a key that is no text of 1 to 200 characters is refused', async () => {
  const { status, body } = await create('Long', { [KEY]: 'x'.repeat(201) })
  expect([status, body.issues]).toMatchObject([400, [{ path: 'Idempotency-Key' }]])
})

test('rows may be kept by the page, and who is logged in may not', async () => {
  const cacheControl = async (path: string) => (await board.fetch(path)).headers.get('cache-control')
  expect(await cacheControl('/api/tasks/1')).toBe('private, no-cache')
  expect(await cacheControl('/api/me')).toBe('no-store')
})
