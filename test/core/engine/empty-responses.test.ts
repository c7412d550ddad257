import { SchemaError } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { settle } from './clock.js'
import { ending, ids, openBoard, Todo, watch } from './todo-board.js'

const row = (id: string) => ({ id, title: `t${id}`, userId: '1', votes: 0 })

async function mounted() {
  const board = openBoard()
  const { controller, server, getTodo, getTodos } = board
  const list = watch(controller.watch(getTodos, { userId: '1' }))
  const one = watch(controller.watch(getTodo, { id: '1' }))
  await settle()
  await server.one('getTodos').answer([row('1'), row('2')])
  await server.one('getTodo').answer(row('1'))
  return { ...board, list, one }
}

describe('a mutation whose response has no body', () => {
  test.each([null, undefined, ''])(
    '(%j) resolves with the optimistic data, which becomes server state',
    async (body) => {
      const { controller, patchNow, server, one } = await mounted()
      const end = ending(controller.fetch(patchNow, { id: '1' }, { title: 'edited' }))
      await server.one('patch').answer(body)
      expect(end).toMatchObject({ isOver: true, value: { title: 'edited', votes: 0 } })
      expect(end.value).toBe(one.now.data)
    },
  )

  test('fetches the keys that depend on the rows it changed, once', async () => {
    const { controller, patchNow, server, one, list } = await mounted()
    void controller.fetch(patchNow, { id: '1' }, { title: 'edited' })
    await server.one('patch').answer(null)
    expect([server.of('getTodo').length, server.of('getTodos').length]).toEqual([2, 2])
    await server.one('getTodo', 1).answer({ ...row('1'), title: 'as the server trims it' })
    await server.one('getTodos', 1).answer([{ ...row('1'), title: 'as the server trims it' }, row('2')])
    expect(one.now.data).toMatchObject({ title: 'as the server trims it' })
    expect(list.now.data?.[0]).toBe(one.now.data)
    expect(server.requests).toHaveLength(5)
  })

  test('without an optimistic response fetches the row that its arguments name, and no other', async () => {
    const { controller, getTodo, patch, server } = await mounted()
    const other = watch(controller.watch(getTodo, { id: '7' }))
    await settle()
    await server.one('getTodo', -1).answer(row('7'))
    void controller.fetch(patch, { id: '1' }, { title: 'edited' })
    await server.one('patch').answer(null)
    const requested = server.of('getTodo').map(({ args }) => (args[0] as { id: string }).id)
    expect(requested).toEqual(['1', '7', '1'])
    expect(other.now.data).toMatchObject({ title: 't7' })
  })

  test('removes its placeholder, and the list is fetched for the created row', async () => {
    const { controller, createNow, server, list } = await mounted()
    void controller.fetch(createNow, { userId: '1' }, { title: 'new' })
    expect(list.now.data).toHaveLength(3)
    await server.one('create').answer(null)
    expect(ids(list.now)).toEqual(['1', '2'])
    expect(server.of('getTodos')).toHaveLength(2)
  })

  test('fetches the list that its arguments name also if nothing optimistic was shown', async () => {
    const { controller, create, server } = await mounted()
    void controller.fetch(create, { userId: '1' }, { title: 'new' })
    await server.one('create').answer(null)
    expect(server.of('getTodos')).toHaveLength(2)
    expect(server.of('getTodo')).toHaveLength(1)
  })

  test('stores an optimistic creation that has its own key', async () => {
    const { controller, createNow, server, list } = await mounted()
    void controller.fetch(createNow, { userId: '1' }, { id: '9', title: 'new' })
    await server.one('create').answer(null)
    expect(ids(list.now)).toEqual(['1', '2', '9'])
    expect(controller.get(Todo, { id: '9' })).toMatchObject({ title: 'new' })
  })

  test('keeps its value when a read that started before it arrives later', async () => {
    const { controller, patchNow, getTodo, server, one } = await mounted()
    void controller.fetch(getTodo, { id: '1' })
    void controller.fetch(patchNow, { id: '1' }, { title: 'edited' })
    await server.one('patch').answer(null)
    await server.one('getTodo', 1).answer(row('1'))
    expect(one.now.data).toMatchObject({ title: 'edited' })
  })
})

test('a read with an entity schema and no body is a SchemaError, and the store is unchanged', async () => {
  const { controller, getTodo, server, one } = await mounted()
  const before = one.now.data
  const end = ending(controller.fetch(getTodo, { id: '1' }))
  await server.one('getTodo', 1).answer(null)
  expect(end.error).toBeInstanceOf(SchemaError)
  expect((end.error as SchemaError).found).toBe('an empty body')
  expect(controller.get(Todo, { id: '1' })).toBe(before)
})

test('a read without a schema may be null', async () => {
  const { controller, getPlain, server } = openBoard()
  const end = ending(controller.fetch(getPlain))
  await server.one('getPlain').answer(null)
  expect(end).toMatchObject({ isOver: true, value: null })
})
