import { Collection, Entity, Invalidate, RestEndpoint, resource, Union } from '@roundtable/core'
import { beforeEach, describe, expect, test } from 'vitest'
import { withResponses } from './with-responses.js'
import { withServer } from './with-server.js'

const server = withServer()
const bench = withResponses(server)
const { http, json, stub } = bench

class User extends Entity {
  static override key = 'User'
  id = ''
  name = ''
}
class Todo extends Entity {
  static override key = 'Todo'
  id = ''
  title = ''
  owner?: User
  static override schema = { owner: User }
  get loud() {
    return `${this.title}!`
  }
}

const Todos = resource({ ...http, path: '/todos/:id', schema: Todo })
const Eager = resource({ ...http, path: '/todos/:id', schema: Todo, optimistic: true })
const row = { id: '1', title: 'Milk', owner: { id: 'a', name: 'Ann' } }
const one = { id: '1' }

beforeEach(() => {
  json('GET /todos/1', row)
  json('GET /todos', [row])
})

describe.each([
  ['plain', Todos],
  ['optimistic', Eager],
])('the result of controller.fetch: %s', (kind, of) => {
  test.each([
    ['204', { status: 204 }],
    ['null', { text: 'null' }],
    ['the key', { text: '"1"' }],
    ['the id', { text: '{"id":"1"}' }],
    ['the entity as it is now', { text: '{"id":"1","title":"Gone"}' }],
  ])('a deletion answered by %s gives the entity as it was', async (_what, response) => {
    const before = await bench.controller.fetch(of.get, one)
    await bench.controller.fetch(of.getList)
    stub('DELETE /todos/1', response)
    const gone = await bench.controller.fetch(of.delete, one)
    expect(gone).toBeInstanceOf(Todo)
    expect(gone).toEqual(before)
    expect(gone?.loud).toBe('Milk!')
    expect(gone?.owner).toBeInstanceOf(User)
    expect(bench.controller.get(Todo, one)).toBeUndefined()
    expect(bench.controller.getResponse(of.getList).data).toEqual([])
  })

  test('the deletion of an unknown row gives undefined, a second one too', async () => {
    stub('DELETE /todos/1', { status: 204 })
    expect(await bench.controller.fetch(of.delete, one)).toBeUndefined()
    await bench.controller.fetch(of.get, one)
    const [first, second] = await Promise.all([
      bench.controller.fetch(of.delete, one),
      bench.controller.fetch(of.delete, one),
    ])
    expect([first?.title, kind === 'optimistic' ? second : undefined]).toEqual(['Milk', undefined])
  })

  test('a change answered by 204 gives the optimistic value, else null', async () => {
    await bench.controller.fetch(of.get, one)
    stub('PATCH /todos/1', { status: 204 })
    stub('PUT /todos/1', { status: 204 })
    const patched = await bench.controller.fetch(of.partialUpdate, one, { title: 'Oats' })
    const put = await bench.controller.fetch(of.update, one, { title: 'Tea' })
    if (kind === 'plain') expect([patched, put]).toEqual([null, null])
    else expect([patched, put]).toMatchObject([{ loud: 'Oats!' }, { loud: 'Tea!' }])
  })

  test('a creation answered by 204 gives null: its key is unknown', async () => {
    await bench.controller.fetch(of.getList)
    stub('POST /todos', { status: 204 })
    expect(await bench.controller.fetch(of.create, { title: 'Oats' })).toBeNull()
  })
})

test('the result of a deletion contains edits made during it', async () => {
  await bench.controller.fetch(Todos.get, one)
  stub('DELETE /todos/1', { status: 204 })
  const gone = bench.controller.fetch(Todos.delete, one)
  bench.controller.set(Todo, one, { title: 'Oats' })
  expect((await gone)?.title).toBe('Oats')
})

test('a deletion of several, of a Union, and by remove', async () => {
  await bench.controller.fetch(Todos.getList)
  const clear = new RestEndpoint({ ...http, path: '/todos', method: 'DELETE', schema: new Invalidate(Todo) })
  json('DELETE /todos', ['1', '2'])
  expect(await bench.controller.fetch(clear)).toMatchObject([{ loud: 'Milk!' }])

  const kinds = new Union({ todo: Todo }, () => 'todo')
  const Any = resource({ ...http, path: '/any/:id', schema: kinds, name: 'Any' })
  json('GET /any/1', row)
  await bench.controller.fetch(Any.get, one)
  json('DELETE /any/1', row)
  expect(await bench.controller.fetch(Any.delete, one)).toMatchObject({ loud: 'Milk!' })

  const list = new RestEndpoint({ ...http, path: '/todos', schema: new Collection([Todo]) })
  await bench.controller.fetch(list)
  stub('PATCH /todos', { text: '{"id":"1","title":"Kept"}' })
  expect(await bench.controller.fetch(list.remove, { id: '1' })).toMatchObject({ loud: 'Kept!' })
})

test('a class that cannot be built rejects the caller; the deletion is stored all the same', async () => {
  class Broken extends Entity {
    static override key = 'Broken'
    id = ''
    static override fromJS(): never {
      throw new Error('no')
    }
  }
  const Brokens = resource({ ...http, path: '/broken/:id', schema: Broken })
  bench.controller.setResponse(Brokens.get, one, one)
  stub('DELETE /broken/1', { status: 204 })
  await expect(bench.controller.fetch(Brokens.delete, one)).rejects.toThrow()
  expect(bench.controller.getResponse(Brokens.get, one).expiryStatus).toBe(1)
})
