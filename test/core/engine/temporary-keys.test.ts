import { All, Controller, CreationError, Entity, RestEndpoint, resource } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { settle } from './clock.js'
import { watch } from './todo-board.js'

class Comment extends Entity {
  static override key = 'Comment'
  id = 0
  todoId = 0
  text = ''
}

class Todo extends Entity {
  static override key = 'Todo'
  id = 0
  title = ''
  done = false
}

interface Call {
  readonly line: string
  readonly body: unknown
  answer(data?: unknown, status?: number): Promise<void>
}

/** A client whose server answers by hand. */
function open() {
  const calls: Call[] = []
  const reported: Error[] = []
  const transport = (url: string | URL | Request, { method = 'GET', body }: RequestInit): Promise<Response> =>
    new Promise((resolve) => {
      calls.push({
        line: `${method} ${url}`,
        body: typeof body === 'string' ? JSON.parse(body) : body,
        answer: async (data, status = 200) => {
          resolve(data === undefined ? new Response(null, { status: 204 }) : Response.json(data, { status }))
          await settle()
        },
      })
    })
  const controller = new Controller({ transport, onError: (error) => reported.push(error) })
  const Todos = resource({ path: '/todos/:id', schema: Todo, optimistic: true })
  const Comments = resource({ path: '/comments/:id', schema: Comment, optimistic: true })
  return { calls, reported, controller, Todos, Comments, lines: () => calls.map(({ line }) => line) }
}

/** A client with a list of todos, and one that is being created. */
async function openCreating() {
  const client = open()
  const { controller, calls, Todos } = client
  const list = watch(controller.watch(Todos.getList))
  await settle()
  await calls[0]?.answer([{ id: 1, title: 'Milk', done: false }])
  const creation = controller.fetch(Todos.getList.push, { title: 'Tea' })
  await settle()
  const shown = (): readonly Todo[] => (list.now as { data: readonly Todo[] }).data
  const temporary = shown().at(-1)?.id as number
  return { ...client, list, creation, shown, temporary }
}

describe('a request that names a row that is being created', () => {
  test('is sent with the real key once that is known, and shows at once', async () => {
    const { controller, calls, lines, shown, temporary, creation, Todos, list } = await openCreating()
    const edit = controller.fetch(Todos.partialUpdate, { id: temporary }, { done: true })
    expect(shown().at(-1)).toMatchObject({ id: temporary, title: 'Tea', done: true })
    await settle()
    expect(lines()).toEqual(['GET /todos', 'POST /todos'])
    const { notified } = list
    await calls[1]?.answer({ id: 7, title: 'Tea', done: false })
    expect((await creation)?.id).toBe(7)
    // One commit: the row has its key, and the edit on top.
    expect(list.notified).toBe(notified + 1)
    expect(shown().at(-1)).toMatchObject({ id: 7, title: 'Tea', done: true })
    expect(lines().slice(2)).toEqual(['PATCH /todos/7'])
    await calls[2]?.answer({ id: 7, title: 'Tea', done: true })
    expect(await edit).toMatchObject({ id: 7, done: true })
    expect(shown()).toHaveLength(2)
  })

  test('waits for the creation also if that is the first that the store hears of any list', async () => {
    const { controller, calls, lines, Todos } = open()
    void controller.fetch(Todos.getList.push, { title: 'Tea' })
    const [created] = controller.get(new All(Todo)) ?? []
    void controller.fetch(Todos.partialUpdate, { id: created?.id as number }, { done: true })
    await settle()
    expect(lines()).toEqual(['POST /todos'])
    await calls[0]?.answer({ id: 7, title: 'Tea', done: false })
    expect(lines()).toEqual(['POST /todos', 'PATCH /todos/7'])
  })

  test('also deletes it, and several are sent', async () => {
    const { controller, calls, lines, shown, temporary, Todos } = await openCreating()
    void controller.fetch(Todos.partialUpdate, { id: temporary }, { title: 'Green tea' })
    void controller.fetch(Todos.delete, { id: temporary })
    expect(shown()).toHaveLength(1)
    await calls[1]?.answer({ id: 7, title: 'Tea' })
    expect(lines().slice(2).sort()).toEqual(['DELETE /todos/7', 'PATCH /todos/7'])
    expect(shown()).toHaveLength(1)
  })

  test.each<[string, (id: number, client: Awaited<ReturnType<typeof openCreating>>) => unknown, string, unknown?]>([
    [
      'in search params',
      (id, { controller, Comments }) => controller.fetch(Comments.getList, { todoId: id } as never),
      'GET /comments?todoId=7',
    ],
    [
      'in the body, as the server writes it',
      (id, { controller, Comments }) => controller.fetch(Comments.getList.push, { todoId: id, text: 'a' } as never),
      'POST /comments',
      { todoId: 7, text: 'a' },
    ],
    [
      'deep in the body, in names and in lists',
      (id, { controller }) =>
        controller.fetch(new RestEndpoint({ path: '/order', method: 'POST', body: {} as Record<string, unknown> }), {
          list: { ids: [1, id], places: { [id]: 2 } },
        }),
      'POST /order',
      { list: { ids: [1, 7], places: { 7: 2 } } },
    ],
    ['in a read of it', (id, { controller, Todos }) => controller.fetch(Todos.get, { id }), 'GET /todos/7'],
    [
      'in an instance',
      (id, { controller, Todos }) => controller.fetch(Todos.update, { id }, Todo.fromJS({ id, title: 'Coffee' })),
      'PUT /todos/7',
      { id: 7, title: 'Coffee' },
    ],
  ])('%s', async (_, ask, line, body) => {
    const client = await openCreating()
    void Promise.resolve(ask(client.temporary, client)).catch(() => {})
    await settle()
    expect(client.lines().slice(2)).toEqual([])
    await client.calls[1]?.answer({ id: 7, title: 'Tea' })
    expect(client.lines().slice(2)).toEqual([line])
    if (body !== undefined) expect(client.calls[2]?.body).toMatchObject(body as object)
  })

  test('in a form', async () => {
    const client = await openCreating()
    const form = new FormData()
    form.set('todo', `${client.temporary}`)
    const upload = new RestEndpoint({ path: '/files', method: 'POST', body: {} as FormData })
    void client.controller.fetch(upload, form)
    await client.calls[1]?.answer({ id: 7, title: 'Tea' })
    expect(client.calls[2]?.body).toBeInstanceOf(FormData)
    const sent = client.calls[2]?.body as FormData
    expect(sent.get('todo')).toBe('7')
    expect(form.get('todo')).toBe(`${client.temporary}`)
  })

  test('fails with it, by an error that names both, and what it showed goes in the same commit', async () => {
    const { controller, calls, lines, shown, temporary, creation, Todos, list } = await openCreating()
    const edit = controller.fetch(Todos.partialUpdate, { id: temporary }, { done: true })
    const errors = Promise.all([creation, edit].map((one) => one.catch((error: Error) => error)))
    const { notified } = list
    await calls[1]?.answer({ message: 'no' }, 422)
    const [first, second] = await errors
    expect(first).toMatchObject({ status: 422 })
    expect(second).toBeInstanceOf(CreationError)
    expect(second).toMatchObject({
      key: `PATCH /todos/${encodeURIComponent(temporary)}`,
      temporaryKey: temporary,
      creation: 'POST /todos',
      cause: first,
    })
    expect(shown()).toMatchObject([{ id: 1 }])
    expect(list.notified).toBe(notified + 1)
    expect(lines()).toHaveLength(2)
    // Who comes late learns the same.
    await expect(controller.fetch(Todos.delete, { id: temporary })).rejects.toBeInstanceOf(CreationError)
    expect(lines()).toHaveLength(2)
  })

  test('fails if the response does not tell the key', async () => {
    const { controller, calls, temporary, Todos } = await openCreating()
    const edit = controller.fetch(Todos.partialUpdate, { id: temporary }, { done: true })
    const error = edit.catch((thrown: Error) => thrown)
    await calls[1]?.answer()
    expect(await error).toMatchObject({ name: 'CreationError', cause: undefined })
  })

  test('is sent at once if it comes after the creation, with a key from before', async () => {
    const { controller, calls, lines, temporary, shown, Todos } = await openCreating()
    await calls[1]?.answer({ id: 7, title: 'Tea' })
    void controller.fetch(Todos.partialUpdate, { id: temporary }, { done: true })
    expect(shown().at(-1)).toMatchObject({ id: 7, done: true })
    await settle()
    expect(lines().slice(2)).toEqual(['PATCH /todos/7'])
  })

  test('is the read of the real key, once that is known: one request, whoever asks by which key', async () => {
    const { controller, calls, lines, temporary, creation, Todos } = await openCreating()
    await calls[1]?.answer({ id: 7, title: 'Tea' })
    await creation
    const reads = [temporary, 7].map((id) => controller.fetch(Todos.get, { id }))
    await settle()
    expect(lines().slice(2)).toEqual(['GET /todos/7'])
    await calls[2]?.answer({ id: 7, title: 'Tea', done: true })
    const [first, second] = await Promise.all(reads)
    expect(first).toMatchObject({ id: 7, done: true })
    expect(second).toBe(first)
    expect(await controller.fetchIfStale(Todos.get, { id: temporary })).toBe(first)
    expect(controller.watch(Todos.get, { id: temporary })).toBe(controller.watch(Todos.get, { id: 7 }))
    await settle()
    expect(lines()).toHaveLength(3)
  })

  test('a mounted reader of the new row goes on with the real key: nothing is asked for, and nothing flashes', async () => {
    const { controller, calls, lines, temporary, creation, Todos } = await openCreating()
    const shown = watch(controller.watch(Todos.get, { id: temporary }))
    await settle()
    expect(shown.now).toMatchObject({ status: 'ready', data: { title: 'Tea' } })
    await calls[1]?.answer({ id: 7, title: 'Tea' })
    await creation
    await settle()
    expect(shown.now).toMatchObject({ status: 'ready', data: { id: 7, title: 'Tea' } })
    expect(shown.seen.every(({ status }) => status === 'ready')).toBe(true)
    expect(shown.now.data).toBe(controller.get(Todo, { id: 7 }))
    void controller.fetch(Todos.partialUpdate, { id: 7 }, { title: 'Green tea' })
    expect(shown.now).toMatchObject({ data: { title: 'Green tea' } })
    expect(lines().slice(2)).toEqual([])
    await settle()
    await calls[2]?.answer({ id: 7, title: 'Green tea' })
    void controller.watch(Todos.get, { id: 7 }).refetch()
    await settle()
    expect(lines().slice(2)).toEqual(['PATCH /todos/7', 'GET /todos/7'])
    await calls[3]?.answer({}, 500)
    expect(shown.now).toMatchObject({ error: { status: 500 } })
    shown.stop()
  })

  test('may create a row itself, which others name: a chain is sent in order', async () => {
    const { controller, calls, lines, temporary, Comments } = await openCreating()
    const comments = watch(controller.watch(Comments.getList, {}))
    await settle()
    await calls[2]?.answer([])
    const comment = controller.fetch(Comments.getList.push, { todoId: temporary, text: 'hot' } as never)
    const [shown] = (comments.now as { data: readonly Comment[] }).data
    const edit = controller.fetch(Comments.partialUpdate, { id: shown?.id as number }, { text: 'cold' })
    await settle()
    expect(lines().slice(3)).toEqual([])
    await calls[1]?.answer({ id: 7, title: 'Tea' })
    expect((comments.now as { data: readonly Comment[] }).data).toMatchObject([{ todoId: 7, text: 'cold' }])
    expect(lines().slice(3)).toEqual(['POST /comments'])
    await calls[3]?.answer({ id: 3, todoId: 7, text: 'hot' })
    expect(lines().slice(4)).toEqual(['PATCH /comments/3'])
    await calls[4]?.answer({ id: 3, todoId: 7, text: 'cold' })
    expect([await comment, await edit]).toMatchObject([{ id: 3 }, { id: 3, text: 'cold' }])
  })

  test('is not sent if its caller leaves, or the store is reset', async () => {
    const { controller, calls, lines, temporary, Todos, creation } = await openCreating()
    creation.catch(() => {})
    const abort = new AbortController()
    const signalled = Todos.partialUpdate.extend({ signal: abort.signal })
    const left = controller.fetch(signalled, { id: temporary }, { done: true }).catch((error: Error) => error.name)
    abort.abort()
    expect(await left).toBe('AbortError')
    const dropped = controller.fetch(Todos.delete, { id: temporary }).catch((error: Error) => error.name)
    controller.resetEntireStore()
    expect(await dropped).toBe('ResetError')
    await calls[1]?.answer({ id: 7 })
    expect(lines().filter((line) => /PATCH|DELETE/.test(line))).toEqual([])
  })

  test('text that only looks like a temporary key is sent as it is', async () => {
    const { controller, lines, Comments } = await openCreating()
    void controller.fetch(Comments.getList, { text: 'optimistic:99' } as never)
    await settle()
    expect(lines().slice(2)).toEqual(['GET /comments?text=optimistic%3A99'])
  })
})
