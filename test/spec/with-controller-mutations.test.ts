import { Collection, Entity, NetworkError, RestEndpoint, type Snapshot, Values } from '@roundtable/core'
import { beforeEach, describe, expect, test } from 'vitest'
import { withResponses } from './with-responses.js'
import { withServer } from './with-server.js'

const server = withServer()
const bench = withResponses(server)
const { http, json, stub } = bench

class Todo extends Entity {
  static override key = 'Todo'
  id = ''
  title = ''
  state = ''
}

const todos = new Collection([Todo])
const getTodo = new RestEndpoint({ ...http, path: '/todos/:id', schema: Todo })
const getTodos = new RestEndpoint({
  ...http,
  path: '/todos',
  movePath: '/todos/:id',
  searchParams: {} as { state?: string },
  schema: todos,
})
const one = { id: '1' }
const open = { state: 'open' }
const done = { state: 'done' }
const row = (id: string, title: string, state = 'open') => ({ id, title, state })

const titleOf = (id: string) => bench.controller.get(Todo, { id })?.title
const ids = (params: { state?: string }) => bench.controller.getResponse(getTodos, params).data?.map(({ id }) => id)

beforeEach(() => {
  json('GET /todos/1', row('1', 'Milk'))
  json('GET /todos?state=open', [row('1', 'Milk'), row('2', 'Eggs')])
  json('GET /todos?state=done', [row('3', 'Tea', 'done')])
})

/** Loads both lists. */
async function bothLists(): Promise<void> {
  await Promise.all([bench.controller.fetch(getTodos, open), bench.controller.fetch(getTodos, done)])
}

describe('getOptimisticResponse(snapshot, ...args)', () => {
  const rename = new RestEndpoint({
    ...http,
    path: '/todos/:id',
    method: 'PATCH',
    schema: Todo,
    getOptimisticResponse: (snapshot: Snapshot, { id }: { id: string }, body: { title: string }) => {
      if (!snapshot.get(Todo, { id })) throw snapshot.abort
      return { id, ...body }
    },
  })

  test('when provided, a fetch behaves as though the returned value were a successful network response', async () => {
    await bothLists()
    json('PATCH /todos/1', row('1', 'Oats'))
    const sending = bench.controller.fetch(rename, one, { title: 'Oats' })
    expect(titleOf('1')).toBe('Oats')
    expect(bench.controller.getResponse(getTodos, open).data?.[0]?.title).toBe('Oats')
    await sending
  })

  test('when the real fetch succeeds, the optimistic result is replaced by the actual outcome', async () => {
    await bothLists()
    json('PATCH /todos/1', row('1', 'Oats, as the server spells it'))
    const todo = await bench.controller.fetch(rename, one, { title: 'Oats' })
    expect(todo?.title).toBe('Oats, as the server spells it')
    expect(titleOf('1')).toBe('Oats, as the server spells it')
  })

  test('when the real fetch fails, the optimistic result is replaced by the actual outcome', async () => {
    await bothLists()
    stub('PATCH /todos/1', { status: 409 })
    const sending = bench.controller.fetch(rename, one, { title: 'Oats' })
    expect(titleOf('1')).toBe('Oats')
    await expect(sending).rejects.toBeInstanceOf(NetworkError)
    expect(titleOf('1')).toBe('Milk')
  })

  test('the function may abort the optimistic update by throwing snapshot.abort', async () => {
    json('PATCH /todos/1', row('1', 'Oats'))
    const sending = bench.controller.fetch(rename, one, { title: 'Oats' })
    expect(titleOf('1')).toBeUndefined()
    expect((await sending)?.title).toBe('Oats')
    expect(titleOf('1')).toBe('Oats')
  })

  test('an optimistic member of a list is replaced in place by the real one', async () => {
    await bothLists()
    const create = getTodos.push.extend({
      getOptimisticResponse: (_snapshot: Snapshot, ...[params, body]: readonly object[]) => ({ ...params, ...body }),
    })
    json('POST /todos?state=open', row('8', 'Rice'))
    const sending = bench.controller.fetch(create, open, { title: 'Rice' })
    expect(bench.controller.getResponse(getTodos, open).data?.map(({ title }) => title)).toEqual([
      'Milk',
      'Eggs',
      'Rice',
    ])
    await sending
    expect(ids(open)).toEqual(['1', '2', '8'])
  })
})

describe('update(normalizedResponse, ...args)', () => {
  const getIds = new RestEndpoint({ ...http, path: '/plain', schema: [Todo] })
  const create = new RestEndpoint({
    ...http,
    path: '/plain',
    method: 'POST',
    schema: Todo,
    update: (id: string, body: { title: string }) => ({
      [getIds.key()]: (before: readonly string[] = []) => (body.title === 'hidden' ? before : [id, ...before]),
    }),
  })
  const plainIds = () => bench.controller.getResponse(getIds).data?.map(({ id }) => id)

  test('returns an object mapping endpoint keys to functions, each takes the current normalized result and returns the new one', async () => {
    json('GET /plain', [row('1', 'Milk')])
    json('POST /plain', row('8', 'Rice'))
    await bench.controller.fetch(getIds)
    await bench.controller.fetch(create, { title: 'Rice' })
    expect(plainIds()).toEqual(['8', '1'])
    expect(bench.controller.getResponse(getIds).data?.[0]).toBe(bench.controller.get(Todo, { id: '8' }))
  })

  test('for instance prepending the new entity identifier to a list, defaulting to an empty list', async () => {
    json('POST /plain', row('8', 'Rice'))
    await bench.controller.fetch(create, { title: 'Rice' })
    expect(plainIds()).toEqual(['8'])
  })

  test('it gets the arguments of the call', async () => {
    json('GET /plain', [row('1', 'Milk')])
    json('POST /plain', row('8', 'hidden'))
    await bench.controller.fetch(getIds)
    await bench.controller.fetch(create, { title: 'hidden' })
    expect(plainIds()).toEqual(['1'])
  })
})

describe('Collection accessors: effects', () => {
  beforeEach(bothLists)

  test('push adds new entities at the end of the collection', async () => {
    json('POST /todos?state=open', row('8', 'Rice'))
    const made = await bench.controller.fetch(getTodos.push, open, { title: 'Rice' })
    expect(made).toBeInstanceOf(Todo)
    expect(ids(open)).toEqual(['1', '2', '8'])
    expect(ids(done)).toEqual(['3'])
    json('POST /todos?state=open', [row('9', 'Salt'), row('10', 'Oil')])
    await bench.controller.fetch(getTodos.push, open, [{ title: 'Salt' }, { title: 'Oil' }])
    expect(ids(open)).toEqual(['1', '2', '8', '9', '10'])
  })

  test('unshift adds new entities at the start', async () => {
    json('POST /todos?state=open', row('8', 'Rice'))
    await bench.controller.fetch(getTodos.unshift, open, { title: 'Rice' })
    expect(ids(open)).toEqual(['8', '1', '2'])
    expect(ids(done)).toEqual(['3'])
  })

  test('assign merges entities into a Values collection; body is a map of key to entity', async () => {
    const getMap = new RestEndpoint({ ...http, path: '/named', schema: new Collection(new Values(Todo)) })
    json('GET /named', { first: row('1', 'Milk'), second: row('2', 'Eggs') })
    await bench.controller.fetch(getMap)
    const change = { second: row('8', 'Rice'), third: row('9', 'Salt') }
    json('POST /named', change)
    await bench.controller.fetch(getMap.assign, change)
    expect(server.last().body).toBe(JSON.stringify(change))
    const named = bench.controller.getResponse(getMap).data
    expect(Object.entries(named ?? {}).map(([key, { title }]) => `${key}: ${title}`)).toEqual([
      'first: Milk',
      'second: Rice',
      'third: Salt',
    ])
  })

  test('remove removes the entity from the collection and updates the entity from the response', async () => {
    json('PATCH /todos?state=open', row('1', 'Milk, no more'))
    await bench.controller.fetch(getTodos.remove, open, one)
    expect(ids(open)).toEqual(['2'])
    expect(ids(done)).toEqual(['3'])
    expect(titleOf('1')).toBe('Milk, no more')
  })

  test('remove can also be built on a DELETE endpoint with schema: <collection>.schema.remove, which may answer 204', async () => {
    const remove = new RestEndpoint({ ...http, path: '/todos/:id', method: 'DELETE' }).extend({
      schema: getTodos.schema.remove,
    })
    stub('DELETE /todos/1', { status: 204 })
    await bench.controller.fetch(remove, one)
    expect(server.last().method).toBe('DELETE')
    expect(ids(open)).toEqual(['2'])
    expect(ids(done)).toEqual(['3'])
  })

  test("move removes from collections that match the entity's existing values and adds to collections that match the existing values merged with the body", async () => {
    json('PATCH /todos/1', row('1', 'Milk', 'done'))
    await bench.controller.fetch(getTodos.move, one, done)
    expect(ids(open)).toEqual(['2'])
    expect(ids(done)).toEqual(['3', '1'])
  })

  test('move: the existing values count, also if the response holds no more than what changed', async () => {
    json('PATCH /todos/3', { id: '3', title: 'Green tea' })
    await bench.controller.fetch(getTodos.move, { id: '3' }, { title: 'Green tea' })
    expect([ids(open), ids(done)]).toEqual([['1', '2'], ['3']])
    expect(titleOf('3')).toBe('Green tea')
  })

  test('a mutation that fails changes no collection', async () => {
    stub('POST /todos?state=open', { status: 500 })
    await expect(bench.controller.fetch(getTodos.push, open, { title: 'Rice' })).rejects.toBeInstanceOf(NetworkError)
    expect([ids(open), ids(done)]).toEqual([['1', '2'], ['3']])
  })
})

describe('Status 204', () => {
  test('a mutation that answers without a body resolves with null and is no error', async () => {
    await bench.controller.fetch(getTodo, one)
    const save = new RestEndpoint({ ...http, path: '/todos/:id', method: 'PUT', schema: Todo })
    stub('PUT /todos/1', { status: 204 })
    expect(await bench.controller.fetch(save, one, { title: 'Oats' })).toBeNull()
    expect(titleOf('1')).toBe('Milk')
  })
})
