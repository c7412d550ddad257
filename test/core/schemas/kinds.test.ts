import {
  All,
  Collection,
  Entity,
  Invalidate,
  Lazy,
  Query,
  Scalar,
  type SchemaContract,
  schema,
  Union,
  Values,
} from '@roundtable/core'
import { describe, expect, test, vi } from 'vitest'
import { watch } from '../engine/todo-board.js'
import { open } from './open.js'

class User extends Entity {
  static override key = 'User'
  static override indexes = ['name'] as const
  id = ''
  type = 'user'
  name = ''
}
class Group extends Entity {
  static override key = 'Group'
  static override schema = { members: [User] }
  id = ''
  type = 'group'
  members: readonly User[] = []
}
const Actor = new Union({ user: User, group: Group }, 'type')
const ann = { id: '1', type: 'user', name: 'Ann' }
const bea = { id: '2', type: 'user', name: 'Bea' }
const team = { id: '1', type: 'group', members: [ann] }

describe('literals', () => {
  test('an object keeps what it does not declare, shows what it declares, and follows changes', async () => {
    const { controller, load } = open()
    const page = await load(
      'page',
      { user: User, list: [User], total: 0, link: '' },
      {
        user: ann,
        list: [ann, bea],
        total: 2,
        more: { deep: 1 },
      },
    )
    const before = page.now.data
    expect(before).toMatchObject({ total: 2, more: { deep: 1 }, user: { name: 'Ann' } })
    expect(before?.list[0]).toBe(before?.user)
    controller.set(User, { id: '2' }, { name: 'Bo' })
    expect(page.now.data).not.toBe(before)
    expect(page.now.data?.user).toBe(before?.user)
    expect(page.now.data?.list[1]?.name).toBe('Bo')
  })

  test('an array of arrays, and an array in an object in an array', async () => {
    const { load } = open()
    const grid = await load('grid', [[User]], [[ann], [], [bea, ann]])
    expect(grid.now.data?.map((row) => row.map(({ name }) => name))).toEqual([['Ann'], [], ['Bea', 'Ann']])
    const rows = await load('rows', [{ users: [User], n: 0 }], [{ users: [ann], n: 1 }, { n: 2 }])
    expect(rows.now.data).toMatchObject([{ users: [{ name: 'Ann' }], n: 1 }, { n: 2 }])
  })

  test('a deleted member takes the object along, not the array', async () => {
    const { load, run } = open()
    const page = await load('page', { user: User, list: [User] }, { user: bea, list: [ann, bea] })
    await run('delete', new Invalidate(User), { id: '1' })
    expect(page.now.data?.list.map(({ id }) => id)).toEqual(['2'])
    await run('delete', new Invalidate(User), { id: '2' })
    expect(page.now.data).toBeUndefined()
  })

  test('without a schema a response is shown as it came', async () => {
    const { load } = open()
    const data = { any: [1, 'a', null] }
    expect((await load('any', undefined, data)).now.data).toEqual(data)
    expect((await load('none', null, 5)).now.data).toBe(5)
  })
})

describe('lists and maps of several kinds', () => {
  test('a Collection has no methods for endpoints alone: they reach its code by `engine`', () => {
    const names = Object.getOwnPropertyNames(Collection.prototype)
    expect(names).toContain('addWith')
    expect(names).toContain('paginated')
    expect(names.filter((name) => /Options$|^load/.test(name))).toEqual([])
  })

  test('schema.Array and Values, by a field or by a function; unknown kinds stay as they came', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { load } = open()
    const list = await load('list', new schema.Array({ user: User, group: Group }, 'type'), [
      ann,
      team,
      { type: 'bot', id: '7' },
      null,
    ])
    expect(list.now.data?.map((item) => item?.constructor)).toEqual([User, Group, Object, undefined])
    expect(warn).toHaveBeenCalledOnce()
    warn.mockRestore()
    const byFunction = new Values({ user: User, group: Group }, (value: { readonly members?: unknown }) =>
      value.members === undefined ? 'user' : 'group',
    )
    const map = await load('map', byFunction, { a: ann, b: team, c: null })
    expect(Object.keys(map.now.data ?? {})).toEqual(['a', 'b'])
    expect(map.now.data?.b).toBe(list.now.data?.[1])
  })

  test('Values keep 0, "" and false of a function, and drop null and what is deleted', async () => {
    const { load, run } = open()
    const numbers = await load('numbers', new Values(Number), { a: '0', b: 1, c: null })
    expect(numbers.now.data).toEqual({ a: 0, b: 1 })
    const users = await load('users', new Values(User), { x: ann, ['__proto__']: bea, constructor: bea })
    expect(users.now.data?.constructor).toMatchObject({ name: 'Bea' })
    await run('delete', new Invalidate(User), { id: '1' })
    expect(Object.keys(users.now.data ?? {})).toEqual(['__proto__', 'constructor'])
  })
})

describe('Union', () => {
  test('is read by its discriminator, else each kind in order', async () => {
    const { controller, load } = open()
    await load('list', [Actor], [ann, team])
    expect(controller.get(Actor, { id: '1', type: 'group' })).toBeInstanceOf(Group)
    expect(controller.get(Actor, { id: '1' })).toBeInstanceOf(User)
    expect(controller.get(Actor, { id: '9' })).toBeUndefined()
  })

  test('Invalidate of a union deletes the row of the kind, keys alone the first kind that has it', async () => {
    const { load, run } = open()
    const list = await load('list', [Actor], [ann, bea, team])
    await run('delete', new Invalidate(Actor), { id: '1', type: 'group' })
    expect(list.now.data?.map(({ id, type }) => id + type)).toEqual(['1user', '2user'])
    await run('delete', new Invalidate(Actor), '2')
    expect(list.now.data?.map(({ id, type }) => id + type)).toEqual(['1user'])
  })
})

describe('All', () => {
  test('shows every row in order of arrival, follows insertions and deletions, and is known once any row is', async () => {
    const { controller, load, run } = open()
    const everyone = watch(controller.view(new All(User)))
    expect(everyone.now).toBeUndefined()
    await load(
      'list',
      [User],
      ['b', '10', '9', 'a', '2'].map((id) => ({ id, type: 'user' })),
    )
    expect(everyone.now?.map(({ id }) => id)).toEqual(['b', '10', '9', 'a', '2'])
    await run('delete', new Invalidate(User), '9')
    await run('create', User, ann)
    expect(everyone.now?.map(({ id }) => id)).toEqual(['b', '10', 'a', '2', '1'])
    const both = watch(controller.view(new All({ user: User, group: Group }, 'type')))
    await run('create', Group, team)
    expect(both.now).toHaveLength(6)
  })

  test('as the schema of an endpoint adds the rows of its response', async () => {
    const { load, run } = open()
    await run('create', User, bea)
    const all = await load('all', new All(User), [ann])
    expect(all.now.data?.map(({ name }) => name)).toEqual(['Bea', 'Ann'])
  })
})

describe('Query', () => {
  test('runs again only when its data changes, once for each set of arguments', async () => {
    const { controller, load } = open()
    await load('list', [Actor], [ann, bea, team])
    const process = vi.fn((users: readonly User[], { from }: { from: string }) =>
      users.filter(({ name }) => name >= from),
    )
    const late = new Query(new All(User), process)
    const a = watch(controller.view(late, { from: 'B' }))
    const before = a.now
    expect(before?.map(({ name }) => name)).toEqual(['Bea'])
    controller.set(Group, { id: '1' }, { members: [] })
    expect(a.now).toBe(before)
    expect(process).toHaveBeenCalledTimes(1)
    controller.set(User, { id: '1' }, { name: 'Cleo' })
    expect(a.now?.map(({ name }) => name)).toEqual(['Cleo', 'Bea'])
  })

  test('of an object of parts, of a Collection, and as the schema of an endpoint', async () => {
    const { controller, load, run } = open()
    const users = new Collection([User])
    const counted = new Query(users, (list) => list.length)
    const shown = await load('users', counted, [ann], { at: 'x' })
    expect(shown.now.data).toBe(1)
    await run('push', users.push, bea, { at: 'x' })
    expect(shown.now.data).toBe(2)
    const joined = new Query({ list: users, all: new All(Group) }, ({ list, all }) => `${list?.length}/${all?.length}`)
    expect(controller.get(joined, { at: 'x' })).toBeUndefined()
    await run('create', Group, team)
    expect(controller.get(joined, { at: 'x' })).toBe('2/1')
  })
})

describe('Invalidate', () => {
  test.each([
    ['the entity', { ...bea }, {}],
    ['an object with its key', { id: '2' }, {}],
    ['a bare key', '2', {}],
    ['a number', 2, {}],
    ['an array of these', ['2', { id: '7' }], {}],
    ['nothing, so the arguments name it', '', { id: '2' }],
    ['null, so the arguments name it', null, { id: 2 }],
  ])('removes %s', async (_, data, params) => {
    const { load, run } = open()
    const list = await load('list', [User], [ann, bea])
    await run('delete', new Invalidate(User), data, params)
    expect(list.now.data?.map(({ id }) => id)).toEqual(['1'])
  })
})

describe('Lazy', () => {
  class Board extends Entity {
    static override key = 'Board'
    static override schema = { cards: new Lazy([User]), lead: new Lazy(User) }
    id = ''
    cards: readonly string[] = []
    lead = ''
  }

  test('shows keys, depends on nothing below, and is read by its query', async () => {
    const { controller, load } = open()
    const board = await load('board', Board, { id: 'b', cards: [ann, bea], lead: ann })
    expect(board.now.data).toMatchObject({ cards: ['1', '2'], lead: '1' })
    const cards = watch(controller.view(Board.schema.cards.query, board.now.data?.cards as string[]))
    const notified = board.notified
    controller.set(User, { id: '2' }, { name: 'Bo' })
    expect(cards.now?.map(({ name }) => name)).toEqual(['Ann', 'Bo'])
    expect(board.notified).toBe(notified)
    expect(controller.get(Board.schema.lead.query, { id: '1' })?.name).toBe('Ann')
  })
})

describe('Scalar', () => {
  const price = new Scalar({ key: 'price', lens: ({ currency }: { currency?: string }) => currency })
  class Product extends Entity {
    static override key = 'Product'
    static override schema = { price }
    id = ''
    name = ''
    price = 0
  }

  test('each lens has values of its own beside shared fields', async () => {
    const { controller, load } = open()
    const euro = await load('list', [Product], [{ id: '1', name: 'pen', price: 5 }], { currency: 'EUR' })
    const yen = await load('list', [Product], [{ id: '1', name: 'Pen', price: 800 }], { currency: 'JPY' })
    expect([euro.now.data?.[0]?.price, yen.now.data?.[0]?.price]).toEqual([5, 800])
    expect(euro.now.data?.[0]?.name).toBe('Pen')
    controller.set(Product, { id: '1', currency: 'EUR' } as never, { id: '1', price: 6 })
    expect([euro.now.data?.[0]?.price, yen.now.data?.[0]?.price]).toEqual([6, 800])
  })

  test('cells alone, in Values and in a Collection', async () => {
    const rate = new Scalar({ key: 'rate', lens: ({ day }: { day: string }) => day, entity: Product })
    const { load } = open()
    const cells = await load('cells', new Values(rate), { 1: { price: 7 }, 2: { price: 8 } }, { day: 'mon' })
    expect(cells.now.data).toEqual({ 1: { price: 7 }, 2: { price: 8 } })
    const list = await load('list', new Collection([rate]), [{ id: '1', price: 9 }], { day: 'tue' })
    expect(list.now.data).toMatchObject([{ price: 9 }])
    expect(cells.now.data?.[1]).toEqual({ price: 7 })
  })
})

describe('a schema of a user’s own', () => {
  class Envelope implements SchemaContract {
    readonly inner: typeof User
    constructor(inner: typeof User) {
      this.inner = inner
    }
    normalize(input: unknown, context: Parameters<SchemaContract['normalize']>[1]) {
      const { data, at } = input as { data: unknown; at: string }
      return { data: context.visit(this.inner, data, input, 'data'), at }
    }
    denormalize(value: unknown, context: Parameters<SchemaContract['denormalize']>[1]) {
      const { data, at } = value as { data: unknown; at: string }
      return { user: context.visit(this.inner, data) as User, at }
    }
  }

  test('writes and shows through its context, and follows changes', async () => {
    const { controller, load } = open()
    const one = await load('one', new Envelope(User), { data: ann, at: 'noon' })
    expect(one.now.data).toMatchObject({ at: 'noon', user: { name: 'Ann' } })
    controller.set(User, { id: '1' }, { name: 'Al' })
    expect(one.now.data).toMatchObject({ at: 'noon', user: { name: 'Al' } })
  })
})

describe('graphs', () => {
  class Person extends Entity {
    static override key = 'Person'
    id = ''
    next: Person | undefined = undefined
  }
  Person.schema = { next: Person }

  test('that lead back to themselves are one object, from whichever end they are read', async () => {
    const { controller, load } = open()
    const one = await load('ring', Person, { id: '1', next: { id: '2', next: { id: '3', next: { id: '1' } } } })
    expect(one.now.data?.next?.next?.next).toBe(one.now.data)
    expect(controller.get(Person, { id: '3' })?.next).toBe(one.now.data)
    const given = { id: '2', name: 'x' }
    controller.set(Person, { id: '2' }, given)
    expect(one.now.data?.next?.next?.next).toBe(one.now.data)
  })

  test('of ten thousand rows are shown whole, from any end', async () => {
    const { controller, run } = open()
    const size = 10_000
    const rows = Array.from({ length: size }, (_, i) => ({ id: `${i}`, next: i + 1 < size ? `${i + 1}` : undefined }))
    await run('rows', [Person], rows)
    let depth = 0
    for (let at = controller.get(Person, { id: '0' }); at !== undefined; at = at.next) depth++
    expect(depth).toBe(size)
  })

  test('that depend on arguments all the way are shown at any depth', async () => {
    class Deep extends Entity {
      static override key = 'Deep'
      id = ''
      next: Deep | undefined = undefined
      mark = ''
    }
    Deep.schema = { next: Deep, mark: new Query(User, (user, { at }: { at: string }) => `${user.name}${at}`) }
    const { controller, run } = open()
    const size = 5_000
    await run(
      'rows',
      [Deep],
      Array.from({ length: size }, (_, i) => ({ id: `${i}`, next: i + 1 < size ? `${i + 1}` : undefined })),
    )
    let depth = 0
    for (let at = controller.get(Deep, { id: '0' }); at !== undefined; at = at.next) depth++
    expect(depth).toBe(size)
  })
})
