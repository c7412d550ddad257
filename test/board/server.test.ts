import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Board, NOW, openBoard, type Row, temporaryFolder } from './board.js'

const { folder, remove } = temporaryFolder()
let time = NOW
let board: Board

beforeAll(async () => {
  board = await openBoard(folder, () => time)
})

afterAll(async () => {
  await board.close()
  remove()
})

const get = <Body = Row>(path: string, headers?: Record<string, string>) =>
  board.send<Body>('GET', path, undefined, headers)
const create = async (values: Row = {}): Promise<Row> => {
  const { status, body } = await board.send('POST', '/api/tasks', { projectId: 4, title: 'Test the server', ...values })
  expect(status).toBe(201)
  return body
}
const issuePaths = (body: Row): unknown[] => (body.issues as Row[]).map(({ path }) => path)

describe('projects and people', () => {
  test('the seed holds four projects, twelve people and 2,240 tasks', async () => {
    expect((await get<Row[]>('/api/projects')).body).toHaveLength(4)
    expect((await get<Row[]>('/api/people')).body).toHaveLength(12)
    expect((await get('/api/tasks?limit=1')).headers.get('x-total-count')).toBe('2240')
  })

  test('one project and one person can be read', async () => {
    expect((await get('/api/projects/2')).body).toMatchObject({ id: 2, name: 'Ferry Payments', startsOn: '2026-01-01' })
    expect((await get('/api/people/5')).body).toEqual({ id: 5, name: 'Elif Yılmaz', initials: 'EY', color: '#be185d' })
  })

  test.each([
    '/api/projects/99',
    '/api/people/99',
    '/api/tasks/999999',
    '/api/comments/999999',
    '/api/projects/99/export',
  ])('%s is unknown: 404 with a reason', async (path) => {
    const { status, body } = await get(path)
    expect(status).toBe(404)
    expect(body.error).toMatch(/^There is no (project|person|task|comment) 9+\.$/)
  })

  test.each(['abc', '0', '-1', '1.5', '99999999999', '1%20or%201=1', '%00'])('no task has the id %s', async (id) => {
    expect((await get(`/api/tasks/${id}`)).status).toBe(404)
  })

  test('a project is exported as a CSV file that a spreadsheet can open without harm', async () => {
    const task = await create({ title: '=HYPERLINK("https://example.com"), click' })
    const answer = await board.fetch('/api/projects/4/export')
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="timetable-service-tasks.csv"')
    const lines = (await answer.text()).split('\r\n')
    expect(lines[0]).toBe('id,title,status,assignee,dueDate,createdAt,completedAt')
    expect(lines).toContain(`${task.id},"'=HYPERLINK(""https://example.com""), click",todo,,,${NOW.toISOString()},`)
    await board.send('DELETE', `/api/tasks/${task.id}`)
  })
})

describe('the list of tasks', () => {
  test('filters by project, status, assignee and text', async () => {
    const { body } = await get<Row[]>('/api/tasks?projectId=2&status=doing,review&assigneeId=3&q=THE&limit=5000')
    expect(body.length).toBeGreaterThan(0)
    for (const task of body) {
      expect(task).toMatchObject({ projectId: 2, assigneeId: 3 })
      expect(['doing', 'review']).toContain(task.status)
    }
  })

  test('nobody is an assignee too, and an empty search finds everything', async () => {
    const { body } = await get<Row[]>('/api/tasks?assigneeId=none&limit=5000&q=')
    expect(body.length).toBeGreaterThan(0)
    expect(body.every(({ assigneeId }) => assigneeId === null)).toBe(true)
  })

  test('one response can hold all tasks', async () => {
    expect((await get<Row[]>('/api/tasks?limit=5000')).body).toHaveLength(2240)
  })

  test('the signs of a search pattern are literal', async () => {
    const task = await create({ title: '100% of \\ and _' })
    for (const q of ['100%', '\\', '_']) {
      const { body } = await get<Row[]>(`/api/tasks?q=${encodeURIComponent(q)}`)
      expect(body.map(({ id }) => id)).toEqual([task.id])
    }
    await board.send('DELETE', `/api/tasks/${task.id}`)
  })

  test.each([
    'position',
    '-position',
    'dueDate',
    '-dueDate',
    'title',
    '-title',
    'createdAt',
    '-updatedAt',
    'id',
    '-id',
  ])('cursors lead through all tasks sorted by %s, each once', async (sort) => {
    const whole = await get<Row[]>(`/api/tasks?projectId=1&sort=${sort}&limit=5000`)
    const ids: unknown[] = []
    let path: string | undefined = `/api/tasks?projectId=1&sort=${sort}&limit=150`
    while (path !== undefined) {
      const { body, headers }: Answer<Row[]> = await get(path)
      for (const { id } of body) ids.push(id)
      path = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
    }
    expect(ids).toHaveLength(640)
    expect(ids).toEqual(whole.body.map(({ id }) => id))
    expect(new Set(ids).size).toBe(640)
  })

  test('no due date comes last, whichever end comes first', async () => {
    for (const sort of ['dueDate', '-dueDate']) {
      const { body } = await get<Row[]>(`/api/tasks?projectId=1&sort=${sort}&limit=5000`)
      expect(body[0]?.dueDate).not.toBeNull()
      expect(body.at(-1)?.dueDate).toBeNull()
    }
  })

  test('a page links to the others, without the switches', async () => {
    const { body, headers } = await get<Row[]>('/api/tasks?projectId=1&page=2&limit=100&delay=1')
    expect(body).toHaveLength(100)
    expect(headers.get('x-total-count')).toBe('640')
    expect(headers.get('link')?.split(', ')).toEqual([
      '</api/tasks?limit=100&page=1&projectId=1>; rel="first"',
      '</api/tasks?limit=100&page=1&projectId=1>; rel="prev"',
      '</api/tasks?limit=100&page=3&projectId=1>; rel="next"',
      '</api/tasks?limit=100&page=7&projectId=1>; rel="last"',
    ])
  })

  test.each([
    ['projectId=x', 'projectId'],
    ['status=gone', 'status'],
    ['assigneeId=me', 'assigneeId'],
    ['sort=password', 'sort'],
    ['limit=0', 'limit'],
    ['limit=5001', 'limit'],
    ['page=0', 'page'],
    ['page=1&cursor=x', 'page'],
    ['cursor=x', 'cursor'],
    ['sort=title&cursor=WyJwb3NpdGlvbiIsMSwxXQ', 'cursor'],
    ['assignee=3', 'assignee'],
    ['limit=1&limit=2', 'limit'],
    ['q=%00', 'q'],
  ])('?%s is answered with 400 and the name of the parameter', async (query, path) => {
    const { status, body } = await get(`/api/tasks?${query}`)
    expect(status).toBe(400)
    expect(body.error).toContain(path)
    expect(issuePaths(body)).toEqual([path])
  })

  test.each(["'; drop table board.tasks; --", "' or '1'='1", '$1', '\\x27'])('%s is a text, not SQL', async (text) => {
    expect((await get<Row[]>(`/api/tasks?q=${encodeURIComponent(text)}`)).body).toEqual([])
    const task = await create({ title: text })
    expect((await get(`/api/tasks/${task.id}`)).body.title).toBe(text)
    expect((await board.send('DELETE', `/api/tasks/${task.id}`)).status).toBe(204)
    expect((await get('/api/tasks?limit=1')).headers.get('x-total-count')).toBe('2240')
  })
})

describe('the changes of tasks', () => {
  const changesSince = async (since: unknown) => (await get<Row>(`/api/tasks/changes?since=${since}`)).body
  const idsOf = (rows: unknown): unknown[] => (rows as Row[]).map(({ id }) => id)

  test('a list tells since when to ask; what was added, changed and deleted comes, and stays the same until the next change', async () => {
    const gone = await create()
    time = new Date(NOW.getTime() + 3_600_000)
    await board.send('PATCH', '/api/tasks/7', { title: 'Changed' })
    const { headers } = await get('/api/tasks?limit=1')
    time = new Date(NOW.getTime() + 2 * 3_600_000)
    const added = await create()
    await board.send('DELETE', `/api/tasks/${gone.id}`)
    const changes = await changesSince(headers.get('x-last-change'))
    expect(idsOf(changes.tasks)).toEqual([7, added.id])
    expect(changes.tasks).toContainEqual(added)
    expect(changes).toMatchObject({ deleted: [gone.id], until: time.toISOString() })
    time = new Date(NOW.getTime() + 3 * 3_600_000)
    expect(await changesSince(headers.get('x-last-change'))).toEqual(changes)
    expect(idsOf((await changesSince(changes.until)).tasks)).toEqual([added.id])
    await board.send('DELETE', `/api/tasks/${added.id}`)
    time = NOW
  })

  test('changes of the last five seconds before come again: on a database server a transaction may end late', async () => {
    const from = NOW.getTime() + 5 * 3_600_000
    time = new Date(from)
    await board.send('PATCH', '/api/tasks/7', { title: 'Changed again' })
    const since = (seconds: number): Promise<Row> => changesSince(new Date(from + seconds * 1_000).toISOString())
    expect(idsOf((await since(5)).tasks)).toEqual([7])
    expect(idsOf((await since(5.001)).tasks)).toEqual([])
    time = NOW
  })

  test.each(['', 'since=yesterday'])('?%s is answered with 400 and the name of the parameter', async (query) => {
    const { status, body } = await get(`/api/tasks/changes?${query}`)
    expect(status).toBe(400)
    expect(issuePaths(body)).toEqual(['since'])
  })
})

describe('one task', () => {
  test('is created at the end of its column, with what the server adds', async () => {
    const { body, headers } = await board.send('POST', '/api/tasks', { projectId: 3, title: '  New  ' })
    expect(headers.get('location')).toBe(`/api/tasks/${body.id}`)
    expect(body).toMatchObject({ title: 'New', status: 'todo', assigneeId: null, dueDate: null, completedAt: null })
    expect(body).toMatchObject({ createdAt: NOW.toISOString(), updatedAt: NOW.toISOString() })
    const { body: column } = await get<Row[]>('/api/tasks?projectId=3&status=todo&limit=5000')
    expect(column.at(-1)).toEqual(body)
    expect((await get(`/api/tasks/${body.id}`)).body).toEqual(body)
  })

  test('is replaced by the task that was read and changed', async () => {
    const task = await create({ assigneeId: 2, dueDate: '2026-03-05' })
    const { status, body } = await board.send('PUT', `/api/tasks/${task.id}`, {
      ...task,
      title: 'Whole',
      dueDate: null,
    })
    expect(status).toBe(200)
    expect(body).toEqual({ ...task, title: 'Whole', dueDate: null })
    const { id: _, title: __, ...without } = task
    const missing = await board.send('PUT', `/api/tasks/${task.id}`, without)
    expect(missing.status).toBe(400)
    expect(missing.body.issues).toEqual([{ path: 'title', message: 'is missing' }])
    expect((await board.send('PUT', `/api/tasks/${task.id}`, { ...task, id: 1 })).status).toBe(400)
  })

  test('is changed in part, and its completion follows its status', async () => {
    const task = await create()
    time = new Date('2026-03-03T08:00:00.000Z')
    const done = await board.send('PATCH', `/api/tasks/${task.id}`, { status: 'done' })
    expect(done.body).toEqual({
      ...task,
      status: 'done',
      completedAt: time.toISOString(),
      updatedAt: time.toISOString(),
    })
    time = new Date('2026-03-04T08:00:00.000Z')
    const again = await board.send('PATCH', `/api/tasks/${task.id}`, { status: 'done', title: 'Still done' })
    expect(again.body).toMatchObject({ title: 'Still done', completedAt: '2026-03-03T08:00:00.000Z' })
    const open = await board.send('PATCH', `/api/tasks/${task.id}`, { status: 'review' })
    expect(open.body).toMatchObject({ status: 'review', completedAt: null })
    time = NOW
  })

  test('is deleted once', async () => {
    const task = await create()
    const first = await board.send('DELETE', `/api/tasks/${task.id}`)
    expect([first.status, first.body]).toEqual([204, null])
    expect((await board.send('DELETE', `/api/tasks/${task.id}`)).status).toBe(404)
    expect((await board.send('PATCH', `/api/tasks/${task.id}`, { title: 'Gone' })).status).toBe(404)
  })

  test.each<[Row, string[]]>([
    [{}, ['projectId', 'title']],
    [{ projectId: '1', title: 3 }, ['projectId', 'title']],
    [{ projectId: 1, title: '   ' }, ['title']],
    [{ projectId: 1, title: 'x'.repeat(201) }, ['title']],
    [{ projectId: 1, title: 'nul\0' }, ['title']],
    [{ projectId: 1, title: 'half \ud83d' }, ['title']],
    [
      { projectId: 1, title: 'a', status: 'gone', dueDate: '2026-02-30', position: '1' },
      ['status', 'position', 'dueDate'],
    ],
    [{ projectId: 1, title: 'a', assigneeId: 1.5 }, ['assigneeId']],
    [{ projectId: 1, title: 'a', id: 7, createdAt: null }, ['id', 'createdAt']],
    [{ projectId: 99, title: 'a' }, ['projectId']],
    [{ projectId: 1, title: 'a', assigneeId: 99 }, ['assigneeId']],
  ])('%j is not a task: 400 with an issue for each field', async (values, paths) => {
    const { status, body } = await board.send('POST', '/api/tasks', values)
    expect(status).toBe(400)
    expect(new Set(issuePaths(body))).toEqual(new Set(paths))
  })

  test('a number that is too large, a foreign name and an empty change are refused', async () => {
    expect((await board.send('PATCH', '/api/tasks/1', '{"position":1e999}')).status).toBe(400)
    expect((await board.send('PATCH', '/api/tasks/1', '{"__proto__":{"title":"x"}}')).status).toBe(400)
    expect((await board.send('PATCH', '/api/tasks/1', {})).status).toBe(400)
  })
})
