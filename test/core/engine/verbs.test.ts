import { Endpoint, Entity, SchemaError } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { settle } from './clock.js'
import { ending, ids, openBoard, Todo, Todos, titles, User, watch } from './todo-board.js'

const row = (id: string) => ({ id, title: `t${id}`, userId: '1', votes: 0 })

describe('set', () => {
  test('writes the row that the arguments name, merged like a response, and is readable at once', () => {
    const { controller } = openBoard()
    controller.set(Todo, { id: '1' }, { title: 'a' })
    controller.set(Todo, { id: '1' }, { votes: 3 })
    expect(controller.get(Todo, { id: '1' })).toEqual(Todo.fromJS({ id: '1', title: 'a', votes: 3 }))
  })

  test('normalizes nested entities', () => {
    const { controller } = openBoard()
    controller.set(Todo, { id: '1' }, { title: 'a', user: { id: '7', name: 'Ann' } })
    expect(controller.get(Todo, { id: '1' })?.user).toBe(controller.get(User, { id: '7' }))
  })

  test('finds the row by an index, and keeps its primary key', () => {
    class Member extends Entity {
      static override key = 'Member'
      static override indexes = ['email'] as const
      id = ''
      email = ''
      name = ''
    }
    const { controller } = openBoard()
    controller.set(Member, { id: '5' }, { email: 'ann@example.test', name: 'Ann' })
    controller.set(Member, { email: 'ann@example.test' }, { name: 'Anna' })
    expect(controller.get(Member, { id: '5' })).toMatchObject({ name: 'Anna', email: 'ann@example.test' })
  })

  test('refuses a value with another primary key, and writes nothing', () => {
    const { controller } = openBoard()
    controller.set(Todo, { id: '1' }, { title: 'a' })
    expect(() => controller.set(Todo, { id: '1' }, { id: '2', title: 'b' })).toThrow(SchemaError)
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'a' })
    expect(controller.get(Todo, { id: '2' })).toBeUndefined()
  })

  test('F23: two functional sets in one tick both count, and each can be read at once', () => {
    const { controller } = openBoard()
    controller.set(Todo, { id: '1' }, { votes: 1 })
    const more = (before?: Todo) => ({ ...before, votes: (before?.votes ?? 0) + 1 })
    controller.set(Todo, { id: '1' }, more)
    expect(controller.get(Todo, { id: '1' })?.votes).toBe(2)
    controller.set(Todo, { id: '1' }, more)
    expect(controller.get(Todo, { id: '1' })?.votes).toBe(3)
  })

  test('of a Collection writes the list of its arguments', () => {
    const { controller, getTodos } = openBoard()
    controller.set(Todos, { userId: '1' }, [row('1'), row('2')])
    expect(controller.get(Todos, { userId: '1' })?.map((todo) => todo.id)).toEqual(['1', '2'])
    expect(ids({ data: controller.getResponse(getTodos, { userId: '1' }).data })).toEqual(['1', '2'])
  })

  test('keeps no part of the value that was passed in', () => {
    const { controller } = openBoard()
    const value = { title: 'a', tags: ['x'] }
    controller.set(Todo, { id: '1' }, value)
    value.tags.push('y')
    value.title = 'b'
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'a', tags: ['x'] })
  })

  test('shows, in development, frozen data', () => {
    const { controller } = openBoard()
    const given = { title: 'a', tags: ['x'] }
    controller.set(Todo, { id: '1' }, given)
    const todo = controller.get(Todo, { id: '1' }) as Todo & { tags: string[] }
    expect(() => {
      todo.title = 'b'
    }).toThrow(TypeError)
    expect(() => todo.tags.push('y')).toThrow(TypeError)
  })
})

describe('setResponse', () => {
  test('is what the endpoint shows from then on, in date, without a request', async () => {
    const { controller, getTodos, server } = openBoard()
    controller.setResponse(getTodos, { userId: '1' }, [row('1')])
    const list = watch(controller.watch(getTodos, { userId: '1' }))
    await settle()
    expect(list.now).toMatchObject({ status: 'ready', data: [{ id: '1' }] })
    expect(server.requests).toHaveLength(0)
  })

  test('that does not fit is refused whole', () => {
    const { controller, getTodos } = openBoard()
    expect(() => controller.setResponse(getTodos, { userId: '1' }, [row('1'), { title: 'no key' }])).toThrow(
      SchemaError,
    )
    expect(controller.get(Todo, { id: '1' })).toBeUndefined()
  })
})

describe('fetch resolves', () => {
  test('with the stored data, the shared instance itself', async () => {
    const { controller, getTodo, server } = openBoard()
    const end = ending(controller.fetch(getTodo, { id: '1' }))
    await server.one('getTodo').answer(row('1'))
    expect(end.value).toBeInstanceOf(Todo)
    expect(end.value).toBe(controller.get(Todo, { id: '1' }))
  })

  test('with the data as pending layers change it', async () => {
    const { controller, getTodo, patchNow, server } = openBoard()
    controller.set(Todo, { id: '1' }, row('1'))
    ending(controller.fetch(patchNow, { id: '1' }, { title: 'edited' }))
    const end = ending(controller.fetch(getTodo, { id: '1' }))
    await server.one('getTodo').answer(row('1'))
    expect(end.value).toMatchObject({ title: 'edited' })
  })

  test('with the processed response where there is no schema', async () => {
    const { controller, getPlain, server } = openBoard()
    const response = { any: ['thing'] }
    const end = ending(controller.fetch(getPlain))
    await server.one('getPlain').answer(response)
    expect(end.value).toBe(response)
  })

  test('with the created row for a push', async () => {
    const { controller, create, server } = openBoard()
    const end = ending(controller.fetch(create, { userId: '1' }, { title: 'new' }))
    await server.one('create').answer(row('9'))
    expect(end.value).toBe(controller.get(Todo, { id: '9' }))
  })
})

describe('fetch of a read', () => {
  test('joins one in flight that started after the last mutation settled', async () => {
    const { controller, getTodo, server } = openBoard()
    const both = [ending(controller.fetch(getTodo, { id: '1' })), ending(controller.fetch(getTodo, { id: '1' }))]
    await server.one('getTodo').answer(row('1'))
    expect(both.every(({ value }) => value?.title === 't1')).toBe(true)
  })

  test.each(['succeeded', 'failed'])('never joins one that started before a mutation that %s', async (how) => {
    const { controller, getTodo, touch, server } = openBoard()
    void controller.fetch(getTodo, { id: '1' })
    ending(controller.fetch(touch))
    if (how === 'failed') await server.one('touch').fail()
    else await server.one('touch').answer(null)
    void controller.fetch(getTodo, { id: '1' })
    expect(server.of('getTodo')).toHaveLength(2)
  })

  test('of a query joins any, an older one too', async () => {
    const { controller, getTodo, touch, server } = openBoard()
    void controller.fetch(getTodo, { id: '1' })
    void controller.fetch(touch)
    await server.one('touch').answer(null)
    const shown = watch(controller.watch(getTodo, { id: '1' }))
    await settle()
    await server.one('getTodo').answer(row('1'))
    expect(shown.now.data).toMatchObject({ title: 't1' })
  })

  test('of a mutation joins nothing', () => {
    const { controller, touch, server } = openBoard()
    void controller.fetch(touch)
    void controller.fetch(touch)
    expect(server.of('touch')).toHaveLength(2)
  })
})

describe('fetchIfStale', () => {
  test('sends nothing while the data is fresh, and resolves with it', async () => {
    const { controller, clock, getTodo, server } = openBoard()
    const first = ending(controller.fetchIfStale(getTodo, { id: '1' }))
    await settle()
    await server.one('getTodo').answer(row('1'))
    const second = ending(controller.fetchIfStale(getTodo, { id: '1' }))
    await settle()
    expect(server.of('getTodo')).toHaveLength(1)
    expect(second.value).toBe(first.value)
    await clock.advance(60_000)
    ending(controller.fetchIfStale(getTodo, { id: '1' }))
    await settle()
    expect(server.of('getTodo')).toHaveLength(2)
  })

  test('fetches invalidated data', async () => {
    const { controller, getTodo, server } = openBoard()
    controller.setResponse(getTodo, { id: '1' }, row('1'))
    controller.invalidate(getTodo, { id: '1' })
    ending(controller.fetchIfStale(getTodo, { id: '1' }))
    await settle()
    expect(server.of('getTodo')).toHaveLength(1)
  })
})

test('batch: several verbs notify once, and can be read in between', async () => {
  const { controller, getTodos } = openBoard()
  controller.setResponse(getTodos, { userId: '1' }, [row('1'), row('2')])
  const list = watch(controller.watch(getTodos, { userId: '1' }))
  await settle()
  controller.notifyOnce(() => {
    controller.set(Todo, { id: '1' }, { title: 'a' })
    expect(controller.get(Todo, { id: '1' })?.title).toBe('a')
    controller.set(Todo, { id: '2' }, { title: 'b' })
    expect(list.notified).toBe(0)
  })
  expect(list.seen.map(titles)).toEqual([['a', 'b']])
})

test('an endpoint of a plain function with a key is fetched and stored too', async () => {
  const { controller } = openBoard()
  const getTime = Object.assign(async (zone: string) => `12:00 ${zone}`, { key: (zone: string) => `time ${zone}` })
  expect(await controller.fetch(getTime, 'UTC')).toBe('12:00 UTC')
  expect(controller.getResponse(getTime, 'UTC').data).toBe('12:00 UTC')
})

test('update: other endpoints results are changed by their keys, optimistically too', async () => {
  const { controller, server } = openBoard()
  const getIds = new Endpoint(server.on<[]>('getIds'), { name: 'getIds', schema: [Todo] })
  const create = new Endpoint(server.on<[{ title: string }]>('create'), {
    name: 'create',
    schema: Todo,
    sideEffect: true,
    getOptimisticResponse: (_, body) => ({ id: 'mine', ...body }),
    update: (id: string) => ({ [getIds.key()]: (ids: string[] = []) => [id, ...ids] }),
  })
  controller.setResponse(getIds, [row('1')])
  const list = watch(controller.watch(getIds))
  const end = ending(controller.fetch(create, { title: 'new' }))
  expect(titles(list.now)).toEqual(['new', 't1'])
  await server.one('create').fail()
  expect(end.error).toBeInstanceOf(Error)
  expect(titles(list.now)).toEqual(['t1'])
  ending(controller.fetch(create, { title: 'new' }))
  await server.one('create', 1).answer(row('9'))
  expect(titles(list.now)).toEqual(['t9', 't1'])
})
