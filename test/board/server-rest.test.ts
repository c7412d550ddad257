import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Board, NOW, openBoard, type Row, temporaryFolder } from './board.js'

const { folder, remove } = temporaryFolder()
let time = NOW
let board: Board

beforeAll(async () => {
  mkdirSync(join(folder, 'page/assets'), { recursive: true })
  writeFileSync(join(folder, 'page/index.html'), '<title>Board</title>')
  writeFileSync(join(folder, 'page/assets/main-1.js'), 'export {}')
  board = await openBoard(folder, () => time)
})

afterAll(async () => {
  await board.close()
  remove()
})

const get = <Body = Row>(path: string, headers?: Record<string, string>) =>
  board.send<Body>('GET', path, undefined, headers)
const move = (id: unknown, to: Row, method = 'POST') => board.send(method, `/api/tasks/${id}/move`, to)
const column = async (status: string, projectId = 4): Promise<unknown[]> => {
  const { body } = await get<Row[]>(`/api/tasks?projectId=${projectId}&status=${status}&limit=5000`)
  return body.map(({ id }) => id)
}

describe('moving', () => {
  test('to another column puts the task at its end', async () => {
    const [id] = await column('todo')
    const { status, body } = await move(id, { status: 'done' }, 'PATCH')
    expect(status).toBe(200)
    expect(body).toMatchObject({ id, status: 'done', completedAt: NOW.toISOString() })
    expect((await column('done')).at(-1)).toBe(id)
    expect(await column('todo')).not.toContain(id)
  })

  test('before or after a task takes the place beside it, in its column', async () => {
    const [first, second, third] = await column('review')
    const [stranger] = await column('doing')
    expect((await move(stranger, { before: second })).body.status).toBe('review')
    expect((await column('review')).slice(0, 4)).toEqual([first, stranger, second, third])
    await move(stranger, { after: third, status: 'review' })
    expect((await column('review')).slice(0, 4)).toEqual([first, second, third, stranger])
    await move(third, { before: first })
    expect((await column('review')).slice(0, 3)).toEqual([third, first, second])
  })

  test('to a position takes exactly it', async () => {
    expect((await move(1, { position: 0.5, status: 'doing' })).body).toMatchObject({ position: 0.5, status: 'doing' })
  })

  test('a hundred times into the same gap keeps the order; a column without room is laid out anew', async () => {
    const [top, ...others] = await column('todo', 3)
    const expected = [...others.slice(0, 100)]
    let respaced = 0
    for (const id of expected) {
      const { headers } = await move(id, { after: top })
      if (headers.has('x-respaced')) respaced++
    }
    expect((await column('todo', 3)).slice(0, 101)).toEqual([top, ...[...expected].reverse()])
    expect(respaced).toBeGreaterThan(0)
  })

  test.each<[Row, string]>([
    [{}, ''],
    [{ status: 'gone' }, 'status'],
    [{ before: 2, after: 3 }, 'after'],
    [{ before: 999_999 }, 'before'],
    [{ after: 700 }, 'after'],
    [{ before: 2 }, 'before'],
    [{ position: null }, 'position'],
  ])('%j is no place for task 2: 400', async (to, path) => {
    const { status, body } = await move(2, to)
    expect(status).toBe(400)
    expect(body.issues).toMatchObject([{ path }])
  })

  test('beside a task of another column than the one named is refused', async () => {
    const [todo] = await column('todo', 1)
    expect((await move(2, { before: todo, status: 'review' })).body.issues).toMatchObject([{ path: 'before' }])
    expect((await move(999_999, { status: 'todo' })).status).toBe(404)
  })
})

describe('comments', () => {
  test('are written, read, changed and deleted', async () => {
    const { status, body, headers } = await board.send('POST', '/api/comments', {
      taskId: 7,
      authorId: 2,
      body: ' Hi ',
    })
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`/api/comments/${body.id}`)
    expect(body).toMatchObject({ taskId: 7, authorId: 2, body: 'Hi', createdAt: NOW.toISOString() })
    expect((await get<Row[]>('/api/comments?taskId=7')).body.at(-1)).toEqual(body)
    const changed = await board.send('PATCH', `/api/comments/${body.id}`, { body: 'Hello' })
    expect(changed.body).toEqual({ ...body, body: 'Hello' })
    expect((await get(`/api/comments/${body.id}`)).body).toEqual(changed.body)
    expect((await board.send('DELETE', `/api/comments/${body.id}`)).status).toBe(204)
    expect((await board.send('DELETE', `/api/comments/${body.id}`)).status).toBe(404)
  })

  test('go with their task', async () => {
    const { body: task } = await board.send('POST', '/api/tasks', { projectId: 1, title: 'Short' })
    const { body: comment } = await board.send('POST', '/api/comments', { taskId: task.id, authorId: 1, body: 'x' })
    await board.send('DELETE', `/api/tasks/${task.id}`)
    expect((await get(`/api/comments/${comment.id}`)).status).toBe(404)
  })

  test.each<[Row, string]>([
    [{ taskId: 7, body: 'x' }, 'authorId'],
    [{ taskId: 7, authorId: 1, body: '' }, 'body'],
    [{ taskId: 999_999, authorId: 1, body: 'x' }, 'taskId'],
    [{ taskId: 7, authorId: 99, body: 'x' }, 'authorId'],
  ])('%j is refused with 400', async (values, path) => {
    const { status, body } = await board.send('POST', '/api/comments', values)
    expect(status).toBe(400)
    expect(body.issues).toMatchObject([{ path }])
  })

  test('a list needs its task, a change its text', async () => {
    expect((await get('/api/comments')).body.issues).toEqual([{ path: 'taskId', message: 'is missing' }])
    expect((await board.send('PATCH', '/api/comments/1', {})).status).toBe(400)
  })
})

describe('sessions', () => {
  test('a login is known by its cookie and by its token, until logout', async () => {
    const login = await board.send('POST', '/api/login', { name: 'ada okafor' })
    expect(login.body.person).toMatchObject({ id: 1, name: 'Ada Okafor' })
    const setCookie = login.headers.get('set-cookie') ?? ''
    expect(setCookie).toMatch(/^session=[\w-]{43}; .*HttpOnly.*SameSite=Lax/)
    const cookie = { cookie: setCookie.split(';')[0] ?? '' }
    const token = { 'access-token': String(login.body.token) }
    for (const headers of [cookie, token]) expect((await get('/api/me', headers)).body).toEqual(login.body.person)
    const comment = await board.send('POST', '/api/comments', { taskId: 9, body: 'From me' }, cookie)
    expect(comment.body.authorId).toBe(1)
    const logout = await board.send('POST', '/api/logout', undefined, cookie)
    expect([logout.status, logout.headers.get('set-cookie')]).toEqual([204, 'session=; Max-Age=0; Path=/'])
    for (const headers of [cookie, token]) expect((await get('/api/me', headers)).status).toBe(401)
  })

  test('without a session, with a wrong or an old one, nobody is there: 401', async () => {
    expect((await get('/api/me')).body.error).toMatch(/^Nobody is logged in/)
    expect((await get('/api/me', { 'access-token': "' or '1'='1" })).status).toBe(401)
    const { body } = await board.send('POST', '/api/login', { name: 'Bruno Keller' })
    time = new Date(NOW.getTime() + 31 * 24 * 3_600_000)
    expect((await get('/api/me', { 'access-token': String(body.token) })).status).toBe(401)
    time = NOW
  })

  test('only people of the board can log in', async () => {
    const { status, body } = await board.send('POST', '/api/login', { name: "x' or 'a'='a" })
    expect(status).toBe(400)
    expect(body.issues).toMatchObject([{ path: 'name' }])
  })
})

describe('the switches', () => {
  test('fail sends an error before anything is applied', async () => {
    const { body: before } = await get('/api/tasks/20')
    const { status, body } = await board.send('PATCH', '/api/tasks/20?fail=503', { title: 'Never' })
    expect([status, body.error]).toEqual([503, 'Failed with 503, as ?fail=503 asked for.'])
    expect((await get('/api/tasks/20')).body).toEqual(before)
  })

  test('delay waits before the response', async () => {
    const start = performance.now()
    expect((await get('/api/people/1?delay=80')).status).toBe(200)
    // A busy machine waits longer, and no machine shorter.
    expect(performance.now() - start).toBeGreaterThanOrEqual(75)
  })

  test.each(['delay=10001', 'delay=-1', 'delay=soon', 'fail=200', 'fail=yes', 'fail='])(
    '?%s is refused',
    async (query) => {
      expect((await get(`/api/me?${query}`)).status).toBe(400)
    },
  )
})

describe('other requests', () => {
  test.each([
    ['broken JSON', 'POST', '/api/tasks', '{"title":', 400, /is not JSON/],
    ['a list', 'POST', '/api/tasks', '[1]', 400, /must be a JSON object/],
    ['null', 'PATCH', '/api/tasks/1', 'null', 400, /must be a JSON object/],
    ['a text of 70 kB', 'POST', '/api/tasks', `"${'x'.repeat(70_000)}"`, 413, /larger than 64 KiB/],
    ['a path that is not there', 'GET', '/api/nothing', undefined, 404, /There is nothing at/],
    ['no path', 'GET', '/api', undefined, 404, /There is nothing at/],
    ['a method that is not there', 'DELETE', '/api/projects/1', undefined, 405, /does not take DELETE/],
  ] as const)('%s gets a reason', async (_, method, path, body, expected, reason) => {
    const answer = await board.send(method, path, body)
    expect(answer.status).toBe(expected)
    expect(answer.body.error).toMatch(reason)
  })

  test('405 names the methods that the path takes', async () => {
    expect((await board.send('PUT', '/api/tasks', {})).headers.get('allow')).toBe('GET, POST')
  })

  test('a body of another type is refused: a foreign form could send it', async () => {
    const answer = await board.send('POST', '/api/tasks', '{"projectId":1,"title":"x"}', {
      'content-type': 'text/plain',
    })
    expect(answer.status).toBe(415)
  })

  test('other paths get the page, and its files', async () => {
    for (const path of ['/', '/projects/2']) expect(await (await board.fetch(path)).text()).toBe('<title>Board</title>')
    const asset = await board.fetch('/assets/main-1.js')
    expect(asset.headers.get('cache-control')).toContain('immutable')
    expect((await board.fetch('/assets/none.js')).status).toBe(404)
    for (const path of ['/../pg/PG_VERSION', '/..%2fpg%2fPG_VERSION', '/%2e%2e/pg/PG_VERSION']) {
      expect(await (await board.fetch(path)).text()).toBe('<title>Board</title>')
    }
  })
})
