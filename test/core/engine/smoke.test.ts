import { Collection, Controller, Endpoint, Entity } from '@roundtable/core'
import { expect, test } from 'vitest'
import { HandClock, settle } from './clock.js'

class User extends Entity {
  static override key = 'User'
  id = ''
  name = ''
}
class Todo extends Entity {
  static override key = 'Todo'
  static override schema = { user: User }
  id = ''
  title = ''
  userId = ''
  user: User | undefined = undefined
}
const Todos = new Collection([Todo])

test('a read that misses is fetched, stored, and shown from the table', async () => {
  let calls = 0
  const getTodos = new Endpoint(
    async (_: { userId: string }) => {
      calls++
      return [
        { id: '1', title: 'a', userId: '1', user: { id: '7', name: 'Ann' } },
        { id: '2', title: 'b', userId: '1' },
      ]
    },
    { name: 'getTodos', schema: Todos },
  )
  const create = new Endpoint(
    async (args: { userId: string }, body: { title: string }) => ({ id: '3', ...args, ...body }),
    {
      name: 'create',
      schema: Todos.push,
      sideEffect: true,
      getOptimisticResponse: (_snap, args, body) => ({ ...args, ...body }),
    },
  )
  const controller = new Controller({ env: new HandClock() })
  const query = controller.watch(getTodos, { userId: '1' })
  let notified = 0
  expect(query.getSnapshot().status).toBe('pending')
  const stop = query.subscribe(() => notified++)
  await settle()
  expect(calls).toBe(1)
  expect(notified).toBe(1)
  const first = query.getSnapshot().data as Todo[]
  expect(first.map((todo) => todo.title)).toEqual(['a', 'b'])
  expect(first[0]).toBeInstanceOf(Todo)
  expect(first[0]?.user?.name).toBe('Ann')
  controller.set(User, { id: '7' }, { name: 'Bo' })
  expect(notified).toBe(2)
  const second = query.getSnapshot().data as Todo[]
  expect(second[0]?.user?.name).toBe('Bo')
  expect(second[1]).toBe(first[1])
  const promise = controller.fetch(create, { userId: '1' }, { title: 'c' })
  expect((query.getSnapshot().data as Todo[]).map((todo) => todo.title)).toEqual(['a', 'b', 'c'])
  expect((query.getSnapshot().data as Todo[])[2]?.id).toMatch(/^optimistic:/)
  const made = await promise
  expect(made?.id).toBe('3')
  expect((query.getSnapshot().data as Todo[]).map((todo) => todo.id)).toEqual(['1', '2', '3'])
  stop()
})
