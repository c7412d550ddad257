import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { Collection } from '../../../core/src/collections/collection.js'
import { pageOf } from '../../../core/src/collections/page.js'
import { filterText, listArgs, sameArg } from '../../../core/src/lists/filter.js'
import { ArraySchema } from '../../../core/src/schema/array.js'
import { Entity } from '../../../core/src/schema/entity.js'
import {
  isListSchema,
  type ListArgs,
  type Member,
  type MembershipChange,
  type RowRecord,
  type Schema,
} from '../../../core/src/schema/schema.js'
import { Union } from '../../../core/src/schema/union.js'
import { Values } from '../../../core/src/schema/values.js'
import { Scalar } from '../../../core/src/selections/scalar.js'
import { OptionError, SchemaError } from '../../../core/src/util/errors.js'
import { FakeContext } from './fake-context.js'

class Todo extends Entity {
  static override key = 'Todo'
  id = ''
  title = ''
  userId = ''
}

class User extends Entity {
  static override key = 'User'
  id = ''
  type = 'user'
}

class Group extends Entity {
  static override key = 'Group'
  id = ''
  type = 'group'
}

const todos = new Collection([Todo])
const actors = new Collection([new Union({ user: User, group: Group }, 'type')])

const keep = (schema: Schema, input: unknown, ...args: readonly unknown[]): FakeContext => {
  const context = new FakeContext(...args)
  context.visit(schema, input, undefined, undefined)
  return context
}
const pkFor = (...args: readonly unknown[]): string | undefined => keep(todos, [], ...args).lists[0]?.pk
const changeBy = (schema: Schema, input: unknown, ...args: readonly unknown[]): MembershipChange => {
  const [change] = keep(schema, input, ...args).changes
  if (change === undefined) throw new Error('no change')
  return change
}
const matches = (change: MembershipChange, args: ListArgs, record: RowRecord = {}): boolean | undefined =>
  change.matches(args, record, change.members[0] as Member)

describe('kinds and content', () => {
  test('the key of a collection names its members', () => {
    expect(todos.key).toBe('[Todo]')
    expect(new Collection(new Values(Todo)).key).toBe('{Todo}')
    expect(actors.key).toBe('[User;Group]')
    expect(new Collection(new ArraySchema({ user: User, group: Group }, 'type')).key).toBe('[User;Group]')
    expect(isListSchema(todos) && !isListSchema(todos.push)).toBe(true)
  })

  test('a reference leads to its entity', () => {
    expect(todos.entityOf('1')).toBe(Todo)
    expect(actors.entityOf({ id: '1', schema: 'group' })).toBe(Group)
    expect(actors.entityOf({ id: '1', schema: 'constructor' })).toBeUndefined()
    expect(actors.entityOf('1')).toBeUndefined()
  })

  test('a list holds entities', () => {
    // @ts-expect-error not an array
    expect(() => new Collection(Todo)).toThrow(/must be an array or Values/)
    // @ts-expect-error no entity
    expect(() => new Collection([{ a: Todo }])).toThrow(OptionError)
    // @ts-expect-error as two modules that import each other may see it
    expect(() => new Collection([undefined])).toThrow(/is undefined/)
  })
})

describe('which list it is', () => {
  test('numbers and booleans are their text, undefined does not count, order does not either', () => {
    const same = [
      { userId: 1, done: true },
      { done: 'true', userId: '1' },
      { userId: 1, done: true, x: undefined },
    ]
    expect(new Set(same.map((args) => pkFor(args))).size).toBe(1)
    expect(pkFor({ a: { x: 1, y: 2 } })).toBe(pkFor({ a: { y: 2, x: 1 } }))
    expect(new Set([pkFor(), pkFor({}), pkFor(null), pkFor({ x: undefined })]).size).toBe(1)
  })

  test('what differs has lists of its own', () => {
    const different = [
      [],
      [{ a: 1 }],
      [{ a: 2 }],
      [{ b: 1 }],
      [{ a: null }],
      [{ a: 'null' }],
      [{ a: { b: 1 } }],
      [{ a: { b: 2 } }],
      [{ a: [1, 2] }],
      [{ a: '1,2' }],
      ['a'],
      [['a']],
      [{ a: new Date(0) }],
      [JSON.parse('{"__proto__": 1}')],
    ]
    expect(new Set(different.map((args) => pkFor(...args))).size).toBe(different.length)
  })

  test('the body of a call plays no part', () => {
    expect(pkFor({ userId: 1 }, { title: 'a' })).toBe(pkFor({ userId: 1 }))
  })

  test('argsKey decides', () => {
    const byGroup = new Collection([Todo], { argsKey: ({ group }: { group: string; page: number }) => ({ group }) })
    const [a, b] = [1, 2].map((page) => keep(byGroup, [], { group: 'x', page }).lists[0])
    expect(a?.pk).toBe(b?.pk)
    expect(a?.args).toEqual({ group: 'x' })
  })

  test('a list in an entity belongs to that entity', () => {
    class Parent extends Entity {
      static override key = 'Parent'
      static override schema = { todos, more: todos }
      id = ''
    }
    const context = new FakeContext({ userId: 1 })
    const rows = [1, 2].map((id) => ({ id, todos: [{ id: 'a' }], more: [] }))
    context.visit([Parent], rows, undefined, undefined)
    expect(new Set(context.lists.map((list) => list.pk)).size).toBe(4)
    const nested = context.lists[0]?.args ?? {}
    expect(matches(changeBy(todos.push, { id: 'b' }, {}), nested)).toBeUndefined()
    expect(matches(changeBy(todos.move, { id: 'b' }, {}), nested)).toBeUndefined()
    const remove = changeBy(todos.remove, { id: 'a' }, { id: 'a' })
    expect(matches(remove, nested)).toBe(true)
    expect(matches(changeBy(todos.remove, { id: 'a' }, { id: 'a', userId: 1 }), nested)).toBe(false)
  })

  test('nestKey makes it the list of the same arguments', () => {
    const byUser = new Collection([Todo], { nestKey: (user: { id: number }) => ({ userId: user.id }) })
    class Parent extends Entity {
      static override key = 'Parent'
      static override schema = { todos: byUser }
      id = ''
    }
    const nested = keep(Parent, { id: 1, todos: [] }).lists[0]
    expect(nested?.args).toEqual({ userId: '1' })
    expect(nested?.pk).toBe(pkFor({ userId: 1 }))
  })

  test('can be looked up if it is there', () => {
    const context = keep(todos, [{ id: 1 }], { userId: 1 })
    expect(todos.queryKey([{ userId: '1' }], context)).toBe(pkFor({ userId: 1 }))
    expect(todos.queryKey([{ userId: '2' }], context)).toBeUndefined()
  })
})

describe('the content of a list', () => {
  test('references in order', () => {
    // Repeated ones are left out by the engine, which alone knows whether there can be any.
    expect(keep(todos, [{ id: 1 }, '2', { id: '1' }]).lists[0]?.members).toEqual(['1', '2', '1'])
    expect(keep(new Collection(new Values(Todo)), { b: { id: 1 }, a: { id: 2 }, c: null }).lists[0]?.members).toEqual(
      new Map([
        ['b', '1'],
        ['a', '2'],
      ]),
    )
  })

  test('members of a kind that a union does not know are stored as they came', () => {
    vi.spyOn(console, 'warn').mockReturnValue()
    const members = keep(actors, [
      { id: 1, type: 'user' },
      { id: 2, type: 'robot' },
    ]).lists[0]?.members
    expect(members).toEqual([{ id: '1', schema: 'user' }, { inline: { id: 2, type: 'robot' } }])
  })

  test('anything else is refused', () => {
    expect(() => keep(todos, { id: 1 })).toThrow(SchemaError)
    expect(() => keep(new Collection(new Values(Todo)), [])).toThrow(SchemaError)
  })

  test('cells of a Scalar can be listed', () => {
    const cell = new Scalar({ key: 'price', lens: ({ currency }: { currency: string }) => currency, entity: Todo })
    const prices = new Collection([cell])
    const context = keep(prices, [{ id: 1, price: 5 }], { currency: 'EUR' })
    const [pk] = (context.lists[0]?.members ?? []) as readonly string[]
    expect(prices.key).toBe('[Scalar(price)]')
    expect(prices.entityOf(pk as Member)?.createIfValid(context.current('Scalar(price)', pk as string) ?? {})).toEqual({
      id: 1,
      price: 5,
    })
  })
})

describe('push, unshift and assign', () => {
  test('one shows one, several show several', () => {
    const context = new FakeContext({ userId: 1 })
    const one = todos.push.normalize({ id: 1 }, context, undefined, undefined)
    const two = todos.unshift.normalize([{ id: 2 }, { id: 3 }], context, undefined, undefined)
    expect([one, two]).toEqual(['1', ['2', '3']])
    expect(context.visit(todos.push, one)).toBeInstanceOf(Todo)
    expect(context.visit(todos.push, two)).toHaveLength(2)
    expect(context.changes.map(({ op, at, members }) => [op, at, members])).toEqual([
      ['add', 'end', ['1']],
      ['add', 'start', ['2', '3']],
    ])
  })

  test('new members get a placeholder', () => {
    expect(changeBy(todos.push, { title: 'a' }).members).toEqual(['optimistic:1'])
    expect(changeBy(actors.push, { type: 'user' }).members).toEqual([{ id: 'optimistic:1', schema: 'user' }])
  })

  test('every argument of a list filters: by the row, else by the call', () => {
    const change = changeBy(todos.push, { id: 1 }, { userId: 1 }, { title: 'a' })
    expect(matches(change, {})).toBe(true)
    expect(matches(change, { userId: '1' })).toBe(true)
    expect(matches(change, { userId: '1', title: 'a' })).toBe(true)
    expect(matches(change, { userId: '2' })).toBe(false)
    expect(matches(change, { orderId: '1' })).toBe(false)
    expect(matches(change, { userId: '2' }, { userId: 2 })).toBe(true)
    expect(matches(change, { userId: '1' }, { userId: null })).toBe(false)
    expect(matches(change, { constructor: 'x' })).toBe(false)
  })

  test('a form is a body too', () => {
    const form = new FormData()
    form.set('title', 'a')
    expect(matches(changeBy(todos.push, { id: 1 }, {}, form), { title: 'a' })).toBe(true)
    expect(matches(changeBy(todos.push, { id: 1 }, {}, form), { other: 'a' })).toBe(false)
  })

  test.each([
    ['a list', ['orderBy', 'page']],
    ['a pattern', /^(orderBy|page)$/g],
    ['a function', (name: string) => name === 'orderBy' || name === 'page'],
  ])('%s names arguments that do not filter', (_what, nonFilterArgumentKeys) => {
    const sorted = new Collection([Todo], { nonFilterArgumentKeys })
    for (let i = 0; i < 3; i++) {
      const change = changeBy(sorted.push, { id: 1 }, { userId: 1 })
      expect(matches(change, { userId: '1', orderBy: 'title', page: '2' })).toBe(true)
      expect(matches(change, { userId: '1', orderId: '2' })).toBe(false)
    }
  })

  test('a filter of your own decides, in an option or in a subclass', () => {
    const inGroup =
      ({ group }: { group: string }) =>
      (args: ListArgs, record: RowRecord) =>
        args.group === group && record.open === true
    class Grouped<const S extends readonly [typeof Todo]> extends Collection<S, [{ group: string }]> {
      override createCollectionFilter(...args: [{ group: string }]): (args: ListArgs, record: RowRecord) => boolean {
        return inGroup(...args)
      }
    }
    for (const list of [new Collection([Todo], { createCollectionFilter: inGroup }), new Grouped([Todo])]) {
      const change = changeBy(list.push, { id: 1 }, { group: 'a' })
      expect(matches(change, { group: 'a' }, { open: true })).toBe(true)
      expect(matches(change, { group: 'a' })).toBe(false)
      expect(matches(change, { group: 'b' }, { open: true })).toBe(false)
      expect(change.wants).toBeUndefined()
    }
  })

  test('addWith merges and filters with its own functions', () => {
    const merge = (existing: readonly Member[], incoming: readonly Member[]): readonly Member[] => [
      ...incoming,
      ...existing,
    ]
    const change = changeBy(
      todos.addWith(merge, () => (args) => 'all' in args),
      { id: 1 },
    )
    expect(change.at).toBe(merge)
    expect([matches(change, { all: '1' }), matches(change, {})]).toEqual([true, false])
  })

  test('the members of a change say by text which lists match', () => {
    const value = fc.oneof(fc.constantFrom('1', 1, 'true', true, null, undefined, 'a'), fc.constant({ deep: 1 }))
    const names = fc.dictionary(fc.constantFrom('a', 'b', 'c'), value)
    fc.assert(
      fc.property(names, names, names, (given, params, record) => {
        const args = listArgs(given)
        const change = changeBy(todos.push, { id: 1 }, params)
        const texts = Object.keys(args).map((name) => [
          filterText(args[name]),
          filterText(change.wants?.(name, record)),
        ])
        if (texts.some(([text]) => text === undefined)) return
        expect(matches(change, args, record)).toBe(texts.every(([has, wants]) => has === wants))
      }),
    )
  })

  test('assign adds under the keys of the body', () => {
    const map = new Collection(new Values(Todo))
    const context = new FakeContext()
    const stored = map.assign.normalize({ x: { id: 1 }, y: { title: 'new' }, z: null }, context, undefined, undefined)
    expect(context.changes[0]).toMatchObject({ op: 'add', keys: ['x', 'y'], members: ['1', 'optimistic:1'] })
    expect(context.visit(map.assign, stored)).toMatchObject({ x: { id: 1 }, y: { title: 'new' } })
    expect(todos.assign).toBeUndefined()
  })

  test('a push into a map uses the primary key', () => {
    expect(changeBy(new Collection(new Values(Todo)).push, { id: 1 }).keys).toEqual(['1'])
    expect(changeBy(todos.push, { id: 1 }).keys).toBeUndefined()
  })
})

describe('remove', () => {
  test.each([
    ['an entity', { id: 5, title: 'done' }, [], ['5']],
    ['its key in an object', { id: 5 }, [], ['5']],
    ['a bare key', '5', [], ['5']],
    ['an array', ['5', { id: 6 }], [], ['5', '6']],
    ['no body', null, [{ id: 5 }], ['5']],
    ['no body, where the body of the call names it', undefined, [{ userId: 1 }, { id: 5 }], ['5']],
    ['a receipt', { ok: true }, [{ id: 5 }], ['5']],
    ['what the arguments name, not a word', 'removed', [{ id: 5 }], ['5']],
    ['what the body of the call names, not a count', 1, [{ userId: 1 }, { id: 5 }], ['5']],
  ])('removes %s', (_what, input, args, members) => {
    const context = new FakeContext(...args)
    todos.remove.normalize(input, context, undefined, undefined)
    expect(context.changes[0]).toMatchObject({ op: 'remove', members })
  })

  test('updates an entity that came with more than its key', () => {
    expect(keep(todos.remove, { id: 5, title: 'done' }).current('Todo', '5')).toEqual({ id: 5, title: 'done' })
    expect(keep(todos.remove, { id: 5 }).current('Todo', '5')).toBeUndefined()
  })

  test('concerns the lists whose arguments include those of the call', () => {
    const change = changeBy(todos.remove, null, { id: 5, userId: 1 })
    expect(matches(change, { userId: '1' })).toBe(true)
    expect(matches(change, { userId: '1', done: 'true' })).toBe(true)
    expect(matches(change, { userId: '2' })).toBe(false)
    expect(matches(change, {})).toBe(false)
    const everywhere = changeBy(todos.remove, null, { id: 5, userId: undefined })
    expect([matches(everywhere, {}), matches(everywhere, { userId: '2' })]).toEqual([true, true])
  })

  test('an argument that only looks like the key of another member filters', () => {
    const change = changeBy(todos.remove, { id: 7 }, { id: 5 })
    expect(matches(change, {})).toBe(false)
    expect(matches(change, { id: '5' })).toBe(true)
  })

  test('arguments that name it together do not filter', () => {
    class Seat extends Entity {
      static override key = 'Seat'
      row = ''
      place = ''
      override pk(): string {
        return `${this.row}/${this.place}`
      }
    }
    const seats = new Collection([Seat])
    const change = changeBy(seats.remove, null, { row: 1, place: 2, hall: 'a' })
    expect(change.members).toEqual(['1/2'])
    expect([matches(change, { hall: 'a' }), matches(change, { hall: 'b' })]).toEqual([true, false])
  })

  test('finds the kind of a member of a union', () => {
    const context = new FakeContext({ id: 5 })
    context.write('Group', '5', { id: '5' })
    actors.remove.normalize(null, context, undefined, undefined)
    expect(context.changes[0]?.members).toEqual([{ id: '5', schema: 'group' }])
  })

  test('the response of a map may be a map', () => {
    const map = new Collection(new Values(Todo))
    expect(changeBy(map.remove, { x: { id: 1 }, y: { id: 2 } }).members).toEqual(['1', '2'])
  })

  test('throws an error if nothing names a member', () => {
    expect(() => changeBy(todos.remove, null, { userId: 1 })).toThrow(SchemaError)
    expect(() => changeBy(todos.remove, [{ ok: true }])).toThrow(SchemaError)
    expect(todos.remove.takesEmpty).toBe(true)
  })
})

describe('move', () => {
  test('merges, and matches by the row as it then stands', () => {
    const context = keep(todos.move, { id: 5, userId: 2 }, { id: 5, userId: 1 }, { userId: 2 })
    const [change] = context.changes
    expect(context.current('Todo', '5')).toEqual({ id: 5, userId: 2 })
    if (change === undefined) throw new Error('no change')
    expect(change).toMatchObject({ op: 'move', at: 'end', members: ['5'] })
    const record = { id: 5, userId: 2 }
    expect([matches(change, { userId: '1' }, record), matches(change, { userId: '2' }, record)]).toEqual([false, true])
  })

  test('fields that the row lacks come from the call', () => {
    expect(matches(changeBy(todos.move, { id: 5, x: 1 }, { userId: 1 }), { userId: '1' }, { id: 5 })).toBe(true)
  })

  test('a filter of your own gets the row in place of the arguments', () => {
    const list = new Collection([Todo], {
      createCollectionFilter:
        ({ userId }: { userId: string }) =>
        (args) =>
          args.userId === `${userId}`,
    })
    const change = changeBy(list.move, { id: 5, userId: 2 }, { userId: '1' })
    expect([matches(change, { userId: '1' }, { userId: 2 }), matches(change, { userId: '2' }, { userId: 2 })]).toEqual([
      false,
      true,
    ])
  })

  test('moveWith uses its own functions; maps use primary keys', () => {
    const merge = (existing: readonly Member[]): readonly Member[] => existing
    expect(changeBy(todos.moveWith(merge), { id: 5, x: 1 }).at).toBe(merge)
    expect(changeBy(new Collection(new Values(Todo)).move, { id: 5, x: 1 }).keys).toEqual(['5'])
  })
})

describe('paginated', () => {
  const pages = todos.paginated(({ cursor: _, ...rest }: { cursor: string; userId: string }) => [rest])

  test('a page is of the list without its cursor', () => {
    const [list] = keep(pages, [{ id: 3 }], { cursor: 'x', userId: '1' }).lists
    expect(list?.pk).toBe(pkFor({ userId: 1 }))
    expect(list?.list.key).toBe(todos.key)
  })

  test('recognizes the page of a call: by number under a few names', () => {
    expect(pages.pageOf?.([{ cursor: 'x', userId: '1' }])).toEqual({ cursor: '{"cursor":"x"}', order: undefined })
    expect(pages.pageOf?.([{ userId: '1' }])).toEqual({ cursor: '{}', order: undefined })
    expect(pageOf([{ userId: 1, page: '2' }], [{ userId: 1 }])).toEqual({ cursor: '{"page":2}', order: 1 })
    expect(pageOf([{ before: 20 }], [{}]).order).toBeUndefined()
    expect(pageOf(['group', 3], ['group'])).toEqual({ cursor: '{"1":3}', order: undefined })
    expect(todos.pageOf).toBeUndefined()
    expect(isListSchema(pages) && pages instanceof Collection).toBe(true)
  })
})

test('arguments compare as text, objects deeply', () => {
  expect(sameArg('1', 1)).toBe(true)
  expect(sameArg(null, 'null')).toBe(false)
  expect(sameArg({ a: [1] }, { a: [1] })).toBe(true)
  expect(sameArg({ a: [1] }, { a: [2] })).toBe(false)
  expect(sameArg('', null)).toBe(false)
})
