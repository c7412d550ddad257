import { Collection, Endpoint } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { settle } from './clock.js'
import { openBoard, Todo, type TodoData, User, watch } from './todo-board.js'

const Kept = new Collection([Todo], { belongs: (todo, { userId }) => todo.userId === userId })

/** A server with one todo, of whom two lists are shown: it answers with what it has then. */
async function openLists(isKept: boolean) {
  const board = openBoard()
  const { server, controller } = board
  const row = { id: '1', title: 'first', userId: '1' }
  server.on<[{ userId?: string }]>('getTodos', ({ userId }) => (row.userId === userId ? [row] : []))
  server.on<[unknown, TodoData]>('patch', (_, body) => Object.assign(row, body))
  server.on<[unknown, TodoData]>('move', (_, body) => ({ id: Object.assign(row, body).id, ...body }))
  const getTodos = isKept ? board.getTodos.extend({ schema: Kept }) : board.getTodos
  const move = isKept ? board.move.extend({ schema: Kept.move }) : board.move
  const [one, two] = ['1', '2'].map((userId) => watch(controller.watch(getTodos, { userId })))
  await settle()
  for (const request of server.of('getTodos')) await request.deliver()
  return { ...board, row, move, one: one as NonNullable<typeof one>, two: two as NonNullable<typeof two> }
}

describe('a row that is contested enters a list before it was fetched again', () => {
  test.each([
    ['with belongs', true],
    ['that mutations move rows into', false],
  ])('a list %s is fetched once more, and shows what the server has', async (_, isKept) => {
    const { controller, server, patch, move, row, one, two } = await openLists(isKept)
    // Sent in this order, applied and answered in the other one.
    for (const title of ['sent first', 'sent second']) void controller.fetch(patch, { id: '1' }, { title })
    await server.one('patch', 1).deliver()
    await server.one('patch', 0).deliver()
    // The first list is asked, but the row leaves it meanwhile.
    expect(server.of('getTodos')).toHaveLength(3)
    void controller.fetch(move, { id: '1' }, { userId: '2' })
    await server.one('move').deliver()
    await server.one('getTodos', 2).deliver()
    for (const request of server.of('getTodos').slice(3)) await request.deliver()
    expect(one.now.data).toEqual([])
    expect(two.now.data).toMatchObject([{ title: 'sent first' }])
    expect(row.title).toBe('sent first')
    expect(server.of('getTodos')).toHaveLength(4)
  })
})

describe.each(['expireBy', 'invalidateBy'] as const)(
  '%s a row that nobody shows, to which a row is pointed later',
  (mark) => {
    /** A todo is shown, and nobody shows the user to whom it goes. */
    async function openTodo() {
      const board = openBoard()
      const { controller, server, getTodo, patch } = board
      const todo = watch(controller.watch(getTodo, { id: '1' }))
      await settle()
      await server.one('getTodo').answer({ id: '1', title: 'todo', user: { id: 'a', name: 'Ada' } })
      controller.set(User, { id: 'b' }, { id: 'b', name: 'old name' })
      const assign = async (user: { readonly id: string; readonly name?: string }): Promise<void> => {
        void controller.fetch(patch, { id: '1' }, {})
        await server.of('patch').at(-1)?.answer({ id: '1', user })
      }
      return { ...board, todo, assign }
    }

    test('its reader fetches once', async () => {
      const { controller, server, todo, assign } = await openTodo()
      controller[mark](User, 'b')
      await assign({ id: 'b' })
      expect(todo.now.data?.user?.name).toBe(mark === 'expireBy' ? 'old name' : undefined)
      expect(server.of('getTodo')).toHaveLength(2)
      await server.one('getTodo', 1).answer({ id: '1', title: 'todo', user: { id: 'b', name: 'new name' } })
      expect(todo.now.data?.user?.name).toBe('new name')
      await assign({ id: 'b' })
      expect(server.of('getTodo')).toHaveLength(2)
    })

    test('a fetch that fails is not made again at each change', async () => {
      const { clock, controller, server, todo, assign } = await openTodo()
      controller[mark](User, 'b')
      await assign({ id: 'b' })
      await server.one('getTodo', 1).fail()
      await clock.advance(5_000)
      await assign({ id: 'b', name: 'another name' })
      expect(server.of('getTodo')).toHaveLength(2)
      expect(todo.now.error).toBeInstanceOf(Error)
    })

    test('nothing is fetched for a row that was read since', async () => {
      const { controller, server, todo, assign } = await openTodo()
      controller[mark](User, 'b')
      const getUser = new Endpoint(server.on<[{ id: string }]>('getUser'), { name: 'getUser', schema: User })
      void controller.fetch(getUser, { id: 'b' })
      await server.one('getUser').answer({ id: 'b', name: 'new name' })
      await assign({ id: 'b' })
      expect(todo.now.data?.user?.name).toBe('new name')
      expect(server.of('getTodo')).toHaveLength(1)
    })
  },
)
