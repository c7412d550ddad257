import { Collection, Endpoint } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { settle } from './clock.js'
import { ids, openBoard, Todo, Todos, watch } from './todo-board.js'

const row = (id: string, userId = '1') => ({ id, title: `t${id}`, userId })

/** A board with the lists of users 1 and 2 and the unfiltered one mounted. */
async function withLists() {
  const board = openBoard()
  const { controller, server, getTodos } = board
  const one = watch(controller.watch(getTodos, { userId: '1' }))
  const two = watch(controller.watch(getTodos, { userId: '2' }))
  const all = watch(controller.watch(getTodos, {}))
  await settle()
  await server.one('getTodos', 0).answer([row('1')])
  await server.one('getTodos', 1).answer([row('2', '2')])
  await server.one('getTodos', 2).answer([row('1'), row('2', '2')])
  return { ...board, one, two, all, requested: server.of('getTodos').length }
}

describe('push and unshift', () => {
  test('put a row into every loaded list that it matches after the merge, and into no other', async () => {
    const { controller, create, server, one, two, all } = await withLists()
    const notified = two.notified
    void controller.fetch(create, {}, { title: 'new' })
    await server.one('create').answer(row('9', '1'))
    expect(ids(one.now)).toEqual(['1', '9'])
    expect(ids(all.now)).toEqual(['1', '2', '9'])
    expect(ids(two.now)).toEqual(['2'])
    expect(two.notified).toBe(notified)
  })

  test('do not create a list that no read has loaded', async () => {
    const { controller, create, getTodos, server } = openBoard()
    void controller.fetch(create, { userId: '3' }, { title: 'new' })
    await server.one('create').answer(row('9', '3'))
    expect(controller.getResponse(getTodos, { userId: '3' }).data).toBeUndefined()
    expect(controller.get(Todo, { id: '9' })).toMatchObject({ title: 't9' })
  })

  test('end in the order of their starts when two pushes complete in reverse', async () => {
    const { controller, create, server, one } = await withLists()
    void controller.fetch(create, { userId: '1' }, { title: 'a' })
    void controller.fetch(create, { userId: '1' }, { title: 'b' })
    await server.one('create', 1).answer(row('b'))
    await server.one('create', 0).answer(row('a'))
    expect(ids(one.now)).toEqual(['1', 'a', 'b'])
  })

  test('end in the order of their starts when two unshifts complete in reverse', async () => {
    const { controller, createFirst, server, one } = await withLists()
    void controller.fetch(createFirst, { userId: '1' }, { title: 'a' })
    void controller.fetch(createFirst, { userId: '1' }, { title: 'b' })
    await server.one('create', 1).answer(row('b'))
    await server.one('create', 0).answer(row('a'))
    expect(ids(one.now)).toEqual(['b', 'a', '1'])
  })

  test('keep one entry for a key that the list has, at its place', async () => {
    const { controller, create, server, one } = await withLists()
    void controller.fetch(create, { userId: '1' }, {})
    await server.one('create').answer(row('9'))
    void controller.fetch(create, { userId: '1' }, {})
    await server.one('create', 1).answer({ ...row('1'), title: 'again' })
    expect(ids(one.now)).toEqual(['1', '9'])
    expect(one.now.data?.[0]).toMatchObject({ title: 'again' })
  })

  test('reach also a list that is first loaded by a read which started before they completed', async () => {
    const { controller, create, getTodos, server } = openBoard()
    const list = watch(controller.watch(getTodos, { userId: '1' }))
    await settle()
    void controller.fetch(create, { userId: '1' }, {})
    await server.one('create').answer(row('9'))
    await server.one('getTodos').answer([row('1')])
    expect(ids(list.now)).toEqual(['1', '9'])
  })
})

describe('a read of a list', () => {
  test('sets its order, and keeps what a mutation that completed since its start added or removed', async () => {
    const { controller, create, takeOut, getTodos, server, one } = await withLists()
    void controller.fetch(getTodos, { userId: '1' })
    const reading = server.one('getTodos', -1)
    void controller.fetch(create, { userId: '1' }, {})
    await server.one('create').answer(row('9'))
    void controller.fetch(takeOut, { id: '1' })
    await server.one('takeOut').answer({ id: '1' })
    await reading.answer([row('8'), row('1'), row('7')])
    expect(ids(one.now)).toEqual(['8', '7', '9'])
  })

  test('is ignored whole if it is older than the last one', async () => {
    const { controller, getTodos, touch, server, one } = await withLists()
    void controller.fetch(getTodos, { userId: '1' })
    const older = server.one('getTodos', -1)
    const touched = controller.fetch(touch)
    await server.one('touch').answer(null)
    await touched
    void controller.fetch(getTodos, { userId: '1' })
    await server.one('getTodos', -1).answer([row('5'), row('6')])
    await older.answer([row('1')])
    expect(ids(one.now)).toEqual(['5', '6'])
  })
})

describe('remove', () => {
  test('removes a member from all lists whose arguments include those of the call', async () => {
    const { controller, takeOut, server, one, two, all } = await withLists()
    void controller.fetch(takeOut, { id: '1' })
    await server.one('takeOut').answer({ id: '1' })
    expect([ids(one.now), ids(two.now), ids(all.now)]).toEqual([[], ['2'], ['2']])
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 't1' })
  })

  test('removes it only from the lists of the arguments, and by identity, whatever the order of responses', async () => {
    const { controller, create, server, one, all } = await withLists()
    const takeOutOf = new Endpoint(server.on<[{ userId: string; id: string }]>('takeOutOf'), {
      name: 'takeOutOf',
      schema: Todos.remove,
      sideEffect: true,
    })
    void controller.fetch(takeOutOf, { userId: '1', id: '1' })
    void controller.fetch(create, { userId: '1' }, {})
    await server.one('create').answer(row('9'))
    await server.one('takeOutOf').answer(null)
    expect([ids(one.now), ids(all.now)]).toEqual([['9'], ['1', '2', '9']])
  })
})

describe('move', () => {
  test('leaves the lists that do not match the row after the merge and enters those that do', async () => {
    const { controller, move, server, one, two, all } = await withLists()
    void controller.fetch(move, { id: '1' }, { userId: '2' })
    await server.one('move').answer(row('1', '2'))
    expect([ids(one.now), ids(two.now), ids(all.now)]).toEqual([[], ['2', '1'], ['1', '2']])
  })

  test('leaves one list when two moves complete in reverse', async () => {
    const { controller, move, getTodos, server, one, two } = await withLists()
    const three = watch(controller.watch(getTodos, { userId: '3' }))
    await settle()
    await server.one('getTodos', -1).answer([])
    void controller.fetch(move, { id: '1' }, { userId: '2' })
    void controller.fetch(move, { id: '1' }, { userId: '3' })
    await server.one('move', 1).answer(row('1', '3'))
    await server.one('move', 0).answer(row('1', '2'))
    expect([ids(one.now), ids(two.now), ids(three.now)]).toEqual([[], ['2'], ['1']])
  })

  test('finds the old list also if a PATCH has written the new group first', async () => {
    const { controller, move, patch, server, one, two } = await withLists()
    void controller.fetch(move, { id: '1' }, { userId: '2' })
    void controller.fetch(patch, { id: '1' }, { userId: '2' })
    await server.one('patch').answer(row('1', '2'))
    await server.one('move').answer(row('1', '2'))
    expect([ids(one.now), ids(two.now)]).toEqual([[], ['2', '1']])
  })

  test('of a row that no read has written makes the list that it enters stale', async () => {
    const { controller, move, server, two, requested } = await withLists()
    void controller.fetch(move, { id: '5' }, { userId: '2' })
    await server.one('move').answer({ id: '5', userId: '2' })
    expect(ids(two.now)).toEqual(['2', '5'])
    expect(server.of('getTodos').length).toBeGreaterThan(requested)
    expect(server.of('getTodos').slice(requested)).toContainEqual(expect.objectContaining({ args: [{ userId: '2' }] }))
  })
})

describe('the data of a list', () => {
  test('leaves out members that are deleted or missing, and keeps null in a plain array', async () => {
    const { controller, remove, server } = openBoard()
    const plain = new Endpoint(server.on<[]>('plain'), { name: 'plain', schema: [Todo] })
    const list = watch(controller.watch(plain))
    await settle()
    await server.one('plain').answer([row('1'), null, row('2'), 'not-there'])
    expect(list.now.data).toMatchObject([{ id: '1' }, null, { id: '2' }])
    void controller.fetch(remove, { id: '1' })
    await server.one('remove').answer({ id: '1' })
    expect(list.now.data).toMatchObject([null, { id: '2' }])
    controller.set(Todo, { id: 'not-there' }, { title: 'there now' })
    expect(list.now.data).toMatchObject([null, { id: '2' }, { id: 'not-there' }])
  })

  test('an argument that is named as one that does not filter matches every row', async () => {
    const { controller, server } = openBoard()
    const sorted = new Collection([Todo], { nonFilterArgumentKeys: ['orderBy'] })
    const getSorted = new Endpoint(server.on<[{ userId: string; orderBy: string }]>('getSorted'), {
      name: 'getSorted',
      schema: sorted,
    })
    const add = new Endpoint(server.on<[{ userId: string }]>('add'), {
      name: 'add',
      schema: sorted.push,
      sideEffect: true,
    })
    const list = watch(controller.watch(getSorted, { userId: '1', orderBy: 'title' }))
    await settle()
    await server.one('getSorted').answer([row('1')])
    void controller.fetch(add, { userId: '1' })
    await server.one('add').answer(row('9'))
    expect(ids(list.now)).toEqual(['1', '9'])
  })

  test('B9: a filter named orderId filters', async () => {
    const { controller, server } = openBoard()
    const lines = new Collection([Todo])
    const getLines = new Endpoint(server.on<[{ orderId: string }]>('getLines'), { name: 'getLines', schema: lines })
    const add = new Endpoint(server.on<[{ orderId: string }]>('add'), {
      name: 'add',
      schema: lines.push,
      sideEffect: true,
    })
    const first = watch(controller.watch(getLines, { orderId: '1' }))
    const second = watch(controller.watch(getLines, { orderId: '2' }))
    await settle()
    await server.one('getLines', 0).answer([])
    await server.one('getLines', 1).answer([])
    void controller.fetch(add, { orderId: '2' })
    await server.one('add').answer({ id: '9', title: 'line' })
    expect([ids(first.now), ids(second.now)]).toEqual([[], ['9']])
  })
})
