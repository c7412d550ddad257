import { Collection, Endpoint, Entity, MissingPkError, type Schema, Values } from '@roundtable/core'
import { describe, expect, test, vi } from 'vitest'
import { settle } from './clock.js'
import { ending, ids, openBoard, Todo, watch } from './todo-board.js'

const hostile = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__', 'prototype', '__defineGetter__']

describe('H5: a primary key that names a member of every object', () => {
  test.each(hostile)('%s is missing until it is stored, so it is fetched', async (id) => {
    const { controller, getTodo, server } = openBoard()
    expect(controller.get(Todo, { id })).toBeUndefined()
    expect(controller.getResponse(getTodo, { id }).data).toBeUndefined()
    const shown = watch(controller.watch(getTodo, { id }))
    expect(shown.now.status).toBe('pending')
    await settle()
    expect(server.of('getTodo')).toHaveLength(1)
  })
})

describe('H6: a primary key such as __proto__ is stored and read back', () => {
  test('no other row is affected, nor lost at the next write', () => {
    const { controller, getTodos } = openBoard()
    for (const id of [...hostile, 'plain']) controller.set(Todo, { id }, { title: `of ${id}` })
    controller.setResponse(
      getTodos,
      { userId: '1' },
      hostile.map((id) => ({ id, title: `of ${id}` })),
    )
    controller.set(Todo, { id: 'plain' }, { votes: 1 })
    for (const id of [...hostile, 'plain'])
      expect(controller.get(Todo, { id })).toMatchObject({ id, title: `of ${id}` })
    expect(ids({ data: controller.getResponse(getTodos, { userId: '1' }).data })).toEqual(hostile)
    expect(controller.get(Todo, { id: 'other' })).toBeUndefined()
    expect(({} as { title?: string }).title).toBeUndefined()
  })
})

describe('H7: an own __proto__ field in a response', () => {
  const evil = () =>
    JSON.parse('{"id":"1","title":"t","__proto__":{"isAdmin":true},"nested":{"__proto__":{"isAdmin":true}}}')

  test.each(['a read', 'a merge', 'an optimistic response', 'a result without schema'])(
    'is never a prototype: %s',
    async (how) => {
      const { controller, getTodo, getPlain, patch, server } = openBoard()
      if (how === 'a merge') controller.set(Todo, { id: '1' }, { title: 'before' })
      if (how === 'an optimistic response') {
        controller.set(Todo, { id: '1' }, { title: 'before' })
        ending(controller.fetch(patch.extend({ getOptimisticResponse: evil }), { id: '1' }, {}))
      } else {
        const endpoint = how === 'a result without schema' ? getPlain : getTodo
        ending(controller.fetch(endpoint as typeof getTodo, { id: '1' }))
        await server.requests[0]?.answer(evil())
      }
      const shown =
        how === 'a result without schema'
          ? controller.getResponse(getPlain, { id: '1' }).data
          : controller.get(Todo, { id: '1' })
      if (how !== 'a result without schema') expect(shown).toBeInstanceOf(Todo)
      expect(shown).toMatchObject({ title: 't' })
      expect((shown as { isAdmin?: boolean }).isAdmin).toBeUndefined()
      expect((shown as { nested?: { isAdmin?: boolean } }).nested?.isAdmin).toBeUndefined()
      expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
    },
  )

  test('neither in the first response nor in a later one, of a row, of lists of it and of rows that hold it', async () => {
    class Holder extends Entity {
      static override key = 'Holder'
      static override schema = { todo: Todo, box: { todo: Todo } }
      id = ''
      todo: Todo | undefined = undefined
    }
    const around: readonly [schema: Schema, data: (todo: unknown) => unknown][] = [
      [Todo, (todo) => todo],
      [[Todo], (todo) => [todo]],
      [new Collection([Todo]), (todo) => [todo]],
      [new Values(Todo), (todo) => ({ a: todo })],
      [Holder, (todo) => ({ id: 'h', todo })],
      [Holder, (todo) => ({ id: 'h', box: { todo } })],
    ]
    for (const [schema, data] of around) {
      const { controller } = openBoard()
      const read = new Endpoint(async (): Promise<unknown> => ({}), { name: 'read', schema })
      const fine = (title: string) => data({ id: '1', title, nested: { deep: title } })
      // A merged hostile value is visible when it is merged, copied and compared itself.
      for (const [response, title] of [
        [fine('first'), 'first'],
        [data(evil()), 't'],
        [fine('third'), 'third'],
        [data({ id: '1', title: 'fourth' }), 'fourth'],
      ] as const) {
        controller.setResponse(read, response)
        const shown = controller.get(Todo, { id: '1' }) as Todo & { isAdmin?: boolean; nested: { isAdmin?: boolean } }
        expect(shown).toBeInstanceOf(Todo)
        expect([shown.title, shown.isAdmin, shown.nested.isAdmin]).toEqual([title, undefined, undefined])
        expect(Object.keys(shown)).not.toContain('isAdmin')
        expect(Object.getPrototypeOf(shown)).toBe(Todo.prototype)
      }
    }
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  })
})

describe('B10: primary keys', () => {
  const write = async (id: unknown) => {
    const board = openBoard()
    const end = ending(board.controller.fetch(board.getTodo.extend({ schema: [Todo] }), { id: 'any' }))
    await board.server.one('getTodo').answer([{ id, title: 'a' }])
    return { ...board, end }
  }

  test('1 and "1" are one row', () => {
    const { controller } = openBoard()
    controller.set(Todo, { id: '1' }, { title: 'a' })
    const numbered = new Collection([Todo])
    controller.set(numbered, {}, JSON.parse('[{"id":1,"votes":5}]'))
    expect(controller.get(Todo, { id: '1' })).toMatchObject({ title: 'a', votes: 5 })
  })

  test.each([0, 'undefined', 'null'])('%j is valid', async (id) => {
    const { controller, end } = await write(id)
    expect(end.error).toBeUndefined()
    expect(controller.get(Todo, { id: `${id}` })).toMatchObject({ title: 'a' })
  })

  test.each(['', undefined, null])('%j is a MissingPkError, and nothing is written', async (id) => {
    const { end } = await write(id)
    expect(end.error).toBeInstanceOf(MissingPkError)
  })
})

describe('B11: keys with any characters', () => {
  const long = 'x'.repeat(10_000)
  test.each([
    ['a slash', 'a/b'],
    ['a bar', 'a|b'],
    ['a colon', 'a:b'],
    ['a line feed', 'a\nb'],
    ['10 kB', long],
    ['an emoji', '🪑'],
  ])('%s come back as they went', async (_, id) => {
    const { controller, getTodo, server } = openBoard()
    const shown = watch(controller.watch(getTodo, { id }))
    await settle()
    await server.one('getTodo').answer({ id, title: 'a' })
    expect(shown.now.data).toMatchObject({ id, title: 'a' })
    expect(controller.get(Todo, { id })).toBe(shown.now.data)
  })

  test('a kind "A|B" with the key "c" is not the kind "A" with the key "B|c"', () => {
    class Left extends Entity {
      static override key = 'A|B'
      id = ''
      side = 'left'
    }
    class Right extends Entity {
      static override key = 'A'
      id = ''
      side = 'right'
    }
    const { controller } = openBoard()
    controller.set(Left, { id: 'c' }, { side: 'L' })
    controller.set(Right, { id: 'B|c' }, { side: 'R' })
    expect(controller.get(Left, { id: 'c' })?.side).toBe('L')
    expect(controller.get(Right, { id: 'B|c' })?.side).toBe('R')
    expect(controller.get(Left, { id: 'B|c' })).toBeUndefined()
  })
})

test('B6: { userId: undefined } is the key and the list of {}', async () => {
  const { controller, getTodos, server } = openBoard()
  const args = { userId: undefined } as unknown as { userId?: string }
  expect(getTodos.key(args)).toBe(getTodos.key({}))
  const all = watch(controller.watch(getTodos, {}))
  expect(controller.watch(getTodos, args)).toBe(controller.watch(getTodos, {}))
  await settle()
  await server.one('getTodos').answer([{ id: '1', userId: '1' }])
  ending(controller.fetch(getTodos, { userId: '1' }))
  await server.one('getTodos', 1).answer([])
  expect(ids(all.now)).toEqual(['1'])
})

test('B20: a response of 300,000 rows is stored and shown', async () => {
  const { controller, getTodos, server } = openBoard()
  const end = ending(controller.fetch(getTodos, { userId: '1' }))
  await server.one('getTodos').answer(Array.from({ length: 300_000 }, (_, at) => ({ id: `${at}`, votes: at })))
  expect(end.value).toHaveLength(300_000)
  expect(end.value?.[299_999]).toMatchObject({ id: '299999', votes: 299_999 })
})

test('H11: a response with another row than requested is stored under its own key, and the requested key does not show it', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { controller, getTodo, server } = openBoard()
  const end = ending(controller.fetch(getTodo, { id: '1' }))
  await server.one('getTodo').answer({ id: '2', title: 'another' })
  expect(controller.get(Todo, { id: '2' })).toMatchObject({ title: 'another' })
  expect(controller.get(Todo, { id: '1' })).toBeUndefined()
  expect(end.isOver).toBe(true)
  expect(warn).toHaveBeenCalledTimes(1)
  warn.mockRestore()
})

test('B8: nested arguments in another order are the same list', () => {
  const { controller, server } = openBoard()
  type Where = { where: { a: number; b: number } }
  const getSome = new Endpoint(server.on<[Where]>('getSome'), { name: 'getSome', schema: new Collection([Todo]) })
  controller.setResponse(getSome, { where: { a: 1, b: 2 } }, [{ id: '1' }])
  expect(ids({ data: controller.getResponse(getSome, { where: { b: 2, a: 1 } }).data })).toEqual(['1'])
})

test('the fields of a shown row have the order of its record, however many other records were shown before', () => {
  class Wide extends Entity {
    static override key = 'Wide'
    id = ''
    first = 0
    second = 0
  }
  const fieldsOf = (before: number): readonly string[] => {
    const { controller } = openBoard()
    for (let at = 0; at < before; at++) {
      controller.set(Wide, { id: `${at}` }, { [`other${at}`]: at })
      controller.get(Wide, { id: `${at}` })
    }
    controller.set(Wide, { id: 'x' }, { second: 2, more: 3, first: 1 } as never)
    return Object.keys(controller.get(Wide, { id: 'x' }) ?? {})
  }
  expect(fieldsOf(20)).toEqual(fieldsOf(0))
})
