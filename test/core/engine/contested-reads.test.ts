import { Controller, RestEndpoint } from '@roundtable/core'
import { expect, test } from 'vitest'
import { HandClock, settle } from './clock.js'
import { openBoard, Todo, watch } from './todo-board.js'

/** Two changes of a todo that is shown were in flight together, so it is fetched again. An error `busy` is soft. */
async function openContested() {
  const board = openBoard()
  const { controller, server, patch } = board
  const getTodo = board.getTodo.extend({ errorPolicy: ({ message }) => (message === 'busy' ? 'soft' : undefined) })
  const query = controller.watch(getTodo, { id: '1' })
  const todo = watch(query)
  await settle()
  await server.one('getTodo').answer({ id: '1', title: 'first' })
  for (const title of ['sent first', 'sent second']) void controller.fetch(patch, { id: '1' }, { title })
  await server.one('patch', 1).answer({ id: '1', title: 'sent second' })
  await server.one('patch', 0).answer({ id: '1', title: 'sent first' })
  expect(server.of('getTodo')).toHaveLength(2)
  return { ...board, query, todo }
}

test('a reader of contested data whose fetch failed softly asks again after a pause', async () => {
  const { clock, server, todo } = await openContested()
  await server.one('getTodo', 1).fail(new Error('busy'))
  expect(todo.now.status).toBe('ready')
  await clock.advance(5_000)
  expect(server.of('getTodo')).toHaveLength(3)
  await server.one('getTodo', 2).answer({ id: '1', title: 'sent second' })
  expect(todo.now.data?.title).toBe('sent second')
  await clock.advance(100_000)
  expect(server.of('getTodo')).toHaveLength(3)
})

test('if its reader has come to show an error meanwhile, it goes on to show it, and nothing is asked', async () => {
  const { clock, server, query, todo } = await openContested()
  await server.one('getTodo', 1).fail(new Error('busy'))
  void query.refetch()
  await server.one('getTodo', 2).fail(new Error('gone'))
  const shown = todo.seen.at(-1)
  expect(shown).toMatchObject({ status: 'failed', error: { message: 'gone' } })
  const { notified } = todo
  await clock.advance(100_000)
  expect(todo.now).toBe(shown)
  expect(todo.notified).toBe(notified)
  expect(server.of('getTodo')).toHaveLength(3)
})

test('once it shows the data again, that is asked for again', async () => {
  const { clock, server, query, todo } = await openContested()
  await server.one('getTodo', 1).fail(new Error('busy'))
  for (const [i, message] of ['gone', 'busy'].entries()) {
    void query.refetch()
    await server.one('getTodo', 2 + i).fail(new Error(message))
    expect(todo.now.status).toBe(message === 'gone' ? 'failed' : 'ready')
    if (message === 'gone') await clock.advance(100_000)
  }
  expect(server.of('getTodo')).toHaveLength(4)
  await clock.advance(5_000)
  await server.one('getTodo', 4).answer({ id: '1', title: 'sent first' })
  expect(todo.now.data?.title).toBe('sent first')
})

test('a mutation that its own fetchResponse sends may have been applied when it fails, so its row is fetched once', async () => {
  const sent: string[] = []
  const transport = async (_: unknown, { method = 'GET' }: RequestInit) => {
    sent.push(method)
    return Response.json({ id: '1', title: 'Milk' })
  }
  const getTodo = new RestEndpoint({ urlPrefix: 'https://api.test', path: '/todos/:id', schema: Todo })
  const rename = getTodo.extend({
    method: 'PATCH',
    body: {} as { title: string },
    async fetchResponse(): Promise<Response> {
      sent.push('PATCH')
      throw new TypeError('Failed to fetch')
    },
  })
  const controller = new Controller({ transport, env: new HandClock() })
  const todo = watch(controller.watch(getTodo, { id: '1' }))
  await settle()
  expect(todo.now.data?.title).toBe('Milk')
  await expect(controller.fetch(rename, { id: '1' }, { title: 'Tea' })).rejects.toThrow()
  await settle()
  expect(sent).toEqual(['GET', 'PATCH', 'GET'])
})

test.each([
  ['lacks a field', { id: '1', votes: 1 }, 1],
  ['has all fields', { id: '1', title: 'sent first' }, 0],
])('a list that %s settles a contested row for its later readers, or does not', async (_, row, asked) => {
  const { controller, server, patch, getTodo, getTodos } = openBoard()
  void controller.fetch(getTodos, {})
  await server.one('getTodos').answer([{ id: '1', title: 'first' }])
  for (const title of ['sent first', 'sent second']) void controller.fetch(patch, { id: '1' }, { title })
  await server.one('patch', 1).answer({ id: '1', title: 'sent second' })
  await server.one('patch', 0).answer({ id: '1', title: 'sent first' })
  void controller.fetch(getTodos, {})
  await server.one('getTodos', 1).answer([row])
  const todo = watch(controller.watch(getTodo, { id: '1' }))
  await settle()
  expect(todo.now.data?.title).toBe(asked ? 'sent second' : 'sent first')
  expect(server.of('getTodo')).toHaveLength(asked)
  if (asked) await server.one('getTodo').answer({ id: '1', title: 'sent first', votes: 1 })
  expect(todo.now.data?.title).toBe('sent first')
  watch(controller.watch(getTodo.extend({ key: (args: { id: string }) => `other ${args.id}` }), { id: '1' }))
  await settle()
  expect(server.of('getTodo')).toHaveLength(asked)
})
