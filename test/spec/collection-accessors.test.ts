import { Collection, Entity, OptionError, Query, RestEndpoint, schema, Values } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { withServer } from './with-server.js'

const server = withServer()

class Todo extends Entity {
  static override key = 'Todo'
  id = ''
  title = ''
}

const todos = new Collection([Todo])
const byName = new Collection(new Values(Todo))

describe('Collection accessors (schema must contain a Collection)', () => {
  const getList = new RestEndpoint({
    path: '/lists/:list/todos',
    searchParams: {} as { sort?: string },
    schema: todos,
    dataExpiryLength: 7,
  })
  const getMap = new RestEndpoint({ path: '/lists/:list/todos', schema: byName })

  test.each([
    ['push', 'POST', getList.push],
    ['unshift', 'POST', getList.unshift],
    ['assign', 'POST', getMap.assign],
    ['remove', 'PATCH', getList.remove],
    ['move', 'PATCH', getList.move],
  ] as const)('%s: method of the new endpoint is %s', (name, method, endpoint) => {
    const collection = name === 'assign' ? byName : todos
    expect(endpoint).toBeInstanceOf(RestEndpoint)
    expect(endpoint.method).toBe(method)
    expect(endpoint.schema).toBe(collection[name])
    expect(endpoint.sideEffect).toBe(true)
  })

  test("the request path is the collection's path (URL parameters fill the collection's parameters)", async () => {
    await getList.push.extend({ urlPrefix: server.url })({ list: 5 }, { title: 'Milk' })
    expect(server.last()).toMatchObject({ method: 'POST', url: '/lists/5/todos', body: '{"title":"Milk"}' })
    await getList.remove.extend({ urlPrefix: server.url })({ list: 5, sort: 'asc' }, { id: '1' })
    expect(server.last()).toMatchObject({ method: 'PATCH', url: '/lists/5/todos?sort=asc', body: '{"id":"1"}' })
    await getMap.assign.extend({ urlPrefix: server.url })({ list: 5 }, { milk: { title: 'Milk' } })
    expect(server.last()).toMatchObject({ method: 'POST', body: '{"milk":{"title":"Milk"}}' })
  })

  test("for move the path can also carry the entity's identifier", async () => {
    const getTodos = new RestEndpoint({ urlPrefix: server.url, path: '/todos', movePath: '/todos/:id', schema: todos })
    await getTodos.move({ id: 5 }, { title: 'Milk' })
    expect(server.last()).toMatchObject({ method: 'PATCH', url: '/todos/5', body: '{"title":"Milk"}' })
    expect(getTodos.push.path).toBe('/todos')
    expect(getList.move.path).toBe('/lists/:list/todos')
  })

  test('remove can also be built on another method: schema: <collection>.schema.remove with extend on a DELETE endpoint', () => {
    const del = new RestEndpoint({ path: '/todos/:id', method: 'DELETE' }).extend({ schema: getList.schema.remove })
    expect(del.key({ id: 5 })).toBe('DELETE /todos/5')
    expect(del.schema).toBe(todos.remove)
  })

  test('an accessor keeps the other options', () => {
    expect(getList.push.dataExpiryLength).toBe(7)
    expect(getList.extend({ urlPrefix: '/v1' }).push.url({ list: 5 })).toBe('/v1/lists/5/todos')
  })

  test('an accessor keeps the class and its members', () => {
    class Own extends RestEndpoint<{ path: '/todos'; schema: typeof todos }> {
      hello(): string {
        return 'hello'
      }
    }
    const own = new Own({ path: '/todos', schema: todos })
    expect(own.push).toBeInstanceOf(Own)
    expect(own.push.hello()).toBe('hello')
  })

  test('an accessor is made once', () => {
    expect(getList.push).toBe(getList.push)
    expect(getList.push).not.toBe(getList.unshift)
    expect(getList.extend({ dataExpiryLength: 8 }).push).not.toBe(getList.push)
  })

  test('options of the mutations alone', () => {
    const getOptimisticResponse = (): object => ({})
    const list = getList.extend({ mutationOptions: { getOptimisticResponse } })
    expect(list.push.getOptimisticResponse).toBe(getOptimisticResponse)
    expect(list.getOptimisticResponse).toBeUndefined()
  })

  test.each([
    ['an object', { todos, next: '' }],
    ['nested objects', { data: { todos }, next: '' }],
    ['schema.Object', new schema.Object({ todos, next: '' })],
    ['a Query', new Query(todos, (all) => all.length)],
  ])('the Collection may stand in %s', (_what, containing) => {
    expect(new RestEndpoint({ path: '/todos', schema: containing as never }).push).toHaveProperty('schema', todos.push)
  })

  test.each([
    ['no schema', undefined],
    ['an entity', Todo],
    ['an array', [Todo]],
    ['an object without one', { todo: Todo }],
  ])('with %s an accessor throws a clear error', (_what, without) => {
    const list = new RestEndpoint({ path: '/todos', name: 'getTodos', schema: without as never }) as RestEndpoint
    for (const name of ['push', 'unshift', 'assign', 'remove', 'move'] as const) {
      expect(() => list[name]).toThrow(OptionError)
      expect(() => list[name]).toThrow(new RegExp(`getTodos.*Collection.*${name}`))
    }
  })

  test('assign needs a Collection of Values', () => {
    expect(() => (getList as RestEndpoint).assign).toThrow(/Values/)
  })
})
