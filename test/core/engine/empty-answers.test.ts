import { SchemaError } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { settle } from './clock.js'
import { ending, ids, openBoard, Todo, watch } from './todo-board.js'

const row = (id: string) => ({ id, title: `t${id}`, userId: '1', votes: 0 })

async function mounted() {
  const board = openBoard()
  const { controller, server, getTodo, getTodos } = board
  const list = watch(controller.query(getTodos, { userId: '1' }))
  const one = watch(controller.query(getTodo, { id: '1' }))
  await settle()
  await server.one('getTodos').answer([row('1'), row('2')])
  await server.one('getTodo').answer(row('1'))
  return { ...board, list, one }
}

describe('a mutation that answers without a body', () => {
  test.each([null, undefined, ''])(
    '(%j) resolves with what was shown optimistically, which stays as what is known',
    async (body) => {
      const { controller, patchNow, server, one } = await mounted()
      const end = ending(controller.fetch(patchNow, { id: '1' }, { title: 'edited' }))
      await server.one('patch').answer(body)
      expect(end).toMatchObject({ isOver: true, value: { title: 'edited', votes: 0 } })
      expect(end.value).toBe(one.now.data)
    },
  )

  test('makes the keys that stand on the rows it touched be fetched once', async () => {
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

  test('without an optimistic answer makes the row that its arguments name be fetched, and leaves others alone', async () => {
    const { controller, getTodo, patch, server } = await mounted()
    const other = watch(controller.query(getTodo, { id: '7' }))
    await settle()
    await server.one('getTodo', -1).answer(row('7'))
    void controller.fetch(patch, { id: '1' }, { title: 'edited' })
    await server.one('patch').answer(null)
    const asked = server.of('getTodo').map(({ args }) => (args[0] as { id: string }).id)
    expect(asked).toEqual(['1', '7', '1'])
    expect(other.now.data).toMatchObject({ title: 't7' })
  })

  test('takes its placeholder away, and the list is fetched for what was created', async () => {
    const { controller, createNow, server, list } = await mounted()
    void controller.fetch(createNow, { userId: '1' }, { title: 'new' })
    expect(list.now.data).toHaveLength(3)
    await server.one('create').answer(null)
    expect(ids(list.now)).toEqual(['1', '2'])
    expect(server.of('getTodos')).toHaveLength(2)
  })

  test('makes the list that its arguments name be fetched also if it had nothing optimistic', async () => {
    const { controller, create, server } = await mounted()
    void controller.fetch(create, { userId: '1' }, { title: 'new' })
    await server.one('create').answer(null)
    expect(server.of('getTodos')).toHaveLength(2)
    expect(server.of('getTodo')).toHaveLength(1)
  })

  test('keeps what was created optimistically under a key of its own', async () => {
    const { controller, createNow, server, list } = await mounted()
    void controller.fetch(createNow, { userId: '1' }, { id: '9', title: 'new' })
    await server.one('create').answer(null)
    expect(ids(list.now)).toEqual(['1', '2', '9'])
    expect(controller.get(Todo, { id: '9' })).toMatchObject({ title: 'new' })
  })

  test('does not let a read that started before it bring the old value back', async () => {
    const { controller, patchNow, getTodo, server, one } = await mounted()
    void controller.fetch(getTodo, { id: '1' })
    void controller.fetch(patchNow, { id: '1' }, { title: 'edited' })
    await server.one('patch').answer(null)
    await server.one('getTodo', 1).answer(row('1'))
    expect(one.now.data).toMatchObject({ title: 'edited' })
  })
})

test('a read with an entity schema and no body is a SchemaError, and the store is as it was', async () => {
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
