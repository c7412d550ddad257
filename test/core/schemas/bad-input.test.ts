import { Collection, Entity, Query, type Schema, type SchemaError, Values } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { open } from './open.js'

class User extends Entity {
  static override key = 'User'
  id = ''
  name = ''
}
class Todo extends Entity {
  static override key = 'Todo'
  static override schema = { user: User, day: (iso: string) => new Date(iso.slice(0, 10)) }
  id = ''
  user: User | undefined = undefined
  day: Date | undefined = undefined
}

describe('B14: a response of another shape than its schema', () => {
  const fine = { id: '1', name: 'Ann' }
  test.each<[string, Schema, unknown, string, RegExp]>([
    ['an array for an entity', User, [fine], '$', /object.*User/],
    ['an entity for an array', [User], fine, '$', /array/],
    ['text for an array', [User], 'text', '$', /array/],
    ['an entity for a Collection', new Collection([User]), fine, '$', /array/],
    ['an array for Values', new Values(User), [fine], '$', /object/],
    [
      'an array where an entity belongs, deep down',
      { page: { users: [User] } },
      { page: { users: [fine, [fine]] } },
      '$.page.users[1]',
      /User/,
    ],
    ['a boolean for an entity', { user: User }, { user: true }, '$.user', /User/],
    ['text for an object', { user: { of: User } }, { user: 'text' }, '$.user', /object/],
    ['nothing', User, undefined, '$', /data/],
  ])(
    '%s is a SchemaError with the path, the expected and the actual value',
    async (_, wanted, data, path, expected) => {
      const { controller, refused } = open()
      controller.set(User, { id: '7' }, { id: '7', name: 'old' })
      const before = controller.get(User, { id: '7' })
      const error = (await refused('one', wanted, data)) as SchemaError
      expect(error.name).toBe('SchemaError')
      expect(error.path).toBe(path)
      expect(`${error.expected} ${error.message}`).toMatch(expected)
      expect(controller.get(User, { id: '1' })).toBeUndefined()
      expect(controller.get(User, { id: '7' })).toBe(before)
    },
  )

  test.each(['', false])(
    '%j in place of an entity in a field is none, as null is; in a list it is left out',
    async (none) => {
      const { controller, load, run, refused } = open()
      const one = await load('one', { todo: Todo, me: User } as const, { todo: { id: '1', user: fine }, me: none })
      expect(one.now.data?.me).toBeNull()
      expect(one.now.data?.todo.user?.name).toBe('Ann')
      await run('leave', Todo, { id: '1', user: none })
      expect(one.now.data?.todo.user).toBeNull()
      expect(controller.get(User, { id: '1' })?.name).toBe('Ann')
      expect((await load('array', [User], [fine, none])).now.data).toMatchObject([fine])
      expect((await load('list', new Collection([User]), [none])).now.data).toEqual([])
      expect(await refused('whole', User, none)).toMatchObject({ name: 'SchemaError' })
    },
  )

  test('null in a plain array stays', async () => {
    const { load } = open()
    expect((await load('list', [User], [fine, null])).now.data).toMatchObject([fine, null])
  })
})

describe('B16: nesting', () => {
  const nested = (depth: number): object => {
    let inner: object = { id: `${depth}` }
    for (let i = depth - 1; i >= 0; i--) inner = { id: `${i}`, next: inner }
    return inner
  }
  class Link extends Entity {
    static override key = 'Link'
    id = ''
    next: Link | undefined = undefined
  }
  Link.schema = { next: Link }

  test('20,000 deep is a DepthError, and the store is unchanged', async () => {
    const { controller, refused } = open()
    expect(await refused('deep', Link, nested(20_000))).toMatchObject({ name: 'DepthError' })
    expect(controller.get(Link, { id: '0' })).toBeUndefined()
  })

  test('1,000 deep is stored and shown whole', async () => {
    const { load } = open()
    const { now } = await load('deep', Link, nested(1_000))
    let depth = 0
    for (let at = now.data; at?.next !== undefined; at = at.next) depth++
    expect(depth).toBe(1_000)
  })

  test('20,000 deep where no schema reads it is stored as it is', async () => {
    const { load, controller } = open()
    const { now } = await load('deep', { link: 0, user: User }, { link: nested(20_000), user: { id: '1' } })
    expect(now.data?.user.id).toBe('1')
    const given = { id: '2', name: 'x', extra: nested(20_000) }
    controller.set(User, { id: '2' }, given)
    expect(controller.get(User, { id: '2' })?.name).toBe('x')
  })
})

describe('B17: a user’s function that throws for item 57 of 100', () => {
  const rows = (fault: object): readonly object[] =>
    Array.from({ length: 100 }, (_, i) => ({
      id: `${i}`,
      user: { id: `u${i}` },
      day: '2026-01-01',
      ...(i === 57 ? fault : {}),
    }))

  test('a deserializer: the error has the path and the cause, and the whole response is refused', async () => {
    const { controller, refused } = open()
    const error = (await refused('list', [Todo], rows({ day: 20260101 }))) as SchemaError
    expect(error).toMatchObject({ name: 'SchemaError', path: '$[57].day' })
    expect(error.cause).toBeInstanceOf(TypeError)
    for (const id of ['0', '56', '99']) expect(controller.get(Todo, { id })).toBeUndefined()
    expect(controller.get(User, { id: 'u3' })).toBeUndefined()
  })

  test('pk()', async () => {
    const cause = new Error('no key')
    class Keyed extends Todo {
      static override key = 'Keyed'
      broken = false
      override pk() {
        if (this.broken) throw cause
        return this.id
      }
    }
    const { controller, refused } = open()
    const error = (await refused('list', new Collection([Keyed]), rows({ broken: true }))) as SchemaError
    expect(error).toMatchObject({ name: 'SchemaError', path: '$[57]', cause })
    expect(controller.get(Keyed, { id: '0' })).toBeUndefined()
  })
})

describe('arguments of lists', () => {
  const list = new Collection([User])
  const get = (args: object) => ({ schema: list, args })

  test.each<[string, object, object]>([
    ['nested objects', { filter: { by: 'a' } }, { filter: { by: 'b' } }],
    ['arrays', { ids: ['1', '2'] }, { ids: ['1,2'] }],
    ['arrays in another order', { ids: ['1', '2'] }, { ids: ['2', '1'] }],
    ['dates', { at: new Date(0) }, { at: new Date(1) }],
    ['null and its text', { by: null }, { by: 'null' }],
    ['text with the signs of keys', { a: 'x","b":"y' }, { a: 'x', b: 'y' }],
  ])('B5: %s that differ are different lists', async (_, one, other) => {
    const { controller, load } = open()
    await load('list', get(one).schema, [{ id: '1' }], one as never)
    expect(controller.get(list, other)).toBeUndefined()
    expect(controller.get(list, one)).toHaveLength(1)
    await load('other', list, [{ id: '2' }, { id: '3' }], other as never)
    expect([controller.get(list, one)?.length, controller.get(list, other)?.length]).toEqual([1, 2])
  })

  test.each<[string, unknown]>([
    ['a Map', new Map([['a', 1]])],
    ['a Set', new Set([1])],
    ['an invalid Date', new Date(Number.NaN)],
    ['a function', () => 1],
  ])('B5: %s is refused and never shares a key', async (_, value) => {
    const { fetchRead } = open()
    const failed = await fetchRead('list', list, { value }).catch((error: unknown) => error)
    expect(failed).toMatchObject({ name: 'KeyArgError' })
  })

  test('B6, B8: undefined members and the order of names make no difference, also deep down', async () => {
    const { controller, load } = open()
    await load('list', list, [{ id: '1' }], { b: { y: 1, x: 2, z: undefined }, a: 1, c: undefined })
    expect(controller.get(list, { a: 1, b: { x: 2, y: 1 } })).toHaveLength(1)
    expect(controller.get(list, { a: '1', b: { x: 2, y: 1 } })).toHaveLength(1)
    expect(controller.get(list, { a: 1, b: { x: 2, y: 2 } })).toBeUndefined()
  })

  test('B9: orderId filters like any other name, for push and for remove', async () => {
    const { load, run } = open()
    const one = await load('one', list, [{ id: '1' }], { orderId: '1' })
    const two = await load('two', list, [{ id: '1' }], { orderId: '2' })
    await run('push', list.push, { id: '9' }, { orderId: 2 })
    expect([one.now.data?.length, two.now.data?.length]).toEqual([1, 2])
    await run('remove', list.remove, { id: '1' }, { orderId: '1' })
    expect([one.now.data?.length, two.now.data?.length]).toEqual([0, 2])
  })
})

test('a Query whose function throws fails its reader only, and runs again when its data changes', async () => {
  const first = new Query([User], (users) => {
    if (users[0]?.name === '') throw new Error('nameless')
    return users[0]?.name
  })
  const { controller, load } = open()
  const shown = await load('first', first, [{ id: '1', name: '' }])
  expect(shown.now).toMatchObject({ status: 'failed' })
  controller.set(User, { id: '1' }, { name: 'Ann' })
  expect(shown.now).toMatchObject({ status: 'ready', data: 'Ann' })
})
