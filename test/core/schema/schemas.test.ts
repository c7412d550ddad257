import { afterEach, describe, expect, test, vi } from 'vitest'
import { ArraySchema } from '../../../core/src/schema/array.js'
import { byArgs } from '../../../core/src/schema/by-args.js'
import { deserializer } from '../../../core/src/schema/deserializer.js'
import { Entity } from '../../../core/src/schema/entity.js'
import { Invalidate } from '../../../core/src/schema/invalidate.js'
import { Lazy } from '../../../core/src/schema/lazy.js'
import { ObjectSchema } from '../../../core/src/schema/object.js'
import { INVALID, isEntity, isListSchema, isSchemaObject, type Schema } from '../../../core/src/schema/schema.js'
import { Union } from '../../../core/src/schema/union.js'
import { Values } from '../../../core/src/schema/values.js'
import { All } from '../../../core/src/selections/all.js'
import { Query } from '../../../core/src/selections/query.js'
import { Scalar } from '../../../core/src/selections/scalar.js'
import { OptionError, SchemaError } from '../../../core/src/util/errors.js'
import { FakeContext } from './fake-context.js'

class User extends Entity {
  static override key = 'User'
  id = ''
  type = 'user'
  name = ''
}

class Group extends Entity {
  static override key = 'Group'
  id = ''
  type = 'group'
  title = ''
}

const actor = new Union({ user: User, group: Group }, 'type')
const keep = (schema: Schema, input: unknown, context = new FakeContext()): unknown =>
  context.visit(schema, input, undefined, undefined)

afterEach(() => {
  vi.restoreAllMocks()
})

describe('Union', () => {
  test('keeps the key and the kind, and shows the entity', () => {
    const context = new FakeContext()
    const ref = keep(actor, { id: 5, type: 'group', title: 'admins' }, context)
    expect(ref).toEqual({ id: '5', schema: 'group' })
    expect(context.visit(actor, ref)).toBeInstanceOf(Group)
    const seen: unknown[] = []
    actor.refs(ref, (schema, value) => seen.push([schema, value]))
    expect(seen).toEqual([[Group, '5']])
  })

  test('leaves a kind that it does not know, and warns once', () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const open = new Union({ user: User, group: Group }, 'type')
    const robot = { id: 1, type: 'robot' }
    expect(keep(open, robot)).toBe(robot)
    expect(keep(open, { id: 2, type: 'constructor' })).toEqual({ id: 2, type: 'constructor' })
    expect(new FakeContext().visit(open, robot)).toBe(robot)
    expect(warn).toHaveBeenCalledTimes(1)
  })

  test('is looked up in the kind that the arguments name, else in each in order', () => {
    const context = new FakeContext()
    context.write('User', '1', { id: '1' })
    context.write('Group', '1', { id: '1' })
    context.write('Group', '2', { id: '2' })
    expect(actor.queryKey([{ id: 1 }], context)).toEqual({ id: '1', schema: 'user' })
    expect(actor.queryKey([{ id: 1, type: 'group' }], context)).toEqual({ id: '1', schema: 'group' })
    expect(actor.queryKey([{ id: 2 }], context)).toEqual({ id: '2', schema: 'group' })
    expect(actor.queryKey([{ id: 2, type: 'user' }], context)).toBeUndefined()
  })

  test('needs a discriminator', () => {
    // @ts-expect-error it is missing
    expect(() => new Union({ user: User })).toThrow(OptionError)
  })
})

describe('Array, Object and Values', () => {
  test('an array may hold several kinds; a Union is taken as it is', () => {
    const stored = [
      { id: '1', schema: 'user' },
      { id: '2', schema: 'group' },
    ]
    const input = [
      { id: 1, type: 'user' },
      { id: 2, type: 'group' },
    ]
    for (const list of [new ArraySchema({ user: User, group: Group }, 'type'), new ArraySchema(actor)]) {
      expect(keep(list, input)).toEqual(stored)
    }
  })

  test('values keep the keys and drop null; the result leaves out missing and deleted rows, not falsy values', () => {
    const context = new FakeContext()
    const users = new Values(User)
    const stored = keep(users, { b: { id: 1 }, a: { id: 2 }, none: null }, context)
    expect(stored).toEqual(
      new Map([
        ['b', '1'],
        ['a', '2'],
      ]),
    )
    context.invalidate('User', '2')
    expect(Object.keys(context.visit(users, stored) as object)).toEqual(['b'])
    expect(context.visit(new Values({}), new Map([['a', 0]]))).toEqual({ a: 0 })
  })

  test('a map with a hostile key stays a map of data', () => {
    const context = new FakeContext()
    const users = new Values(User)
    const stored = keep(users, JSON.parse('{"__proto__":{"id":1},"constructor":{"id":2}}'), context)
    const shown = context.visit(users, stored) as object
    expect(Object.keys(shown)).toEqual(['__proto__', 'constructor'])
    expect(Object.getPrototypeOf(shown)).toBe(Object.prototype)
  })

  test('values want an object', () => {
    expect(() => keep(new Values(User), [1])).toThrow(SchemaError)
    expect(() => keep(new Values(User), 'text')).toThrow(SchemaError)
  })

  test('an object is its literal', () => {
    const context = new FakeContext()
    const page = new ObjectSchema({ user: User, total: 0 })
    const stored = keep(page, { user: { id: 1, name: 'ann' }, total: 3, more: true }, context)
    expect(stored).toEqual({ user: '1', total: 3, more: true })
    expect(context.visit(page, stored)).toMatchObject({ user: { name: 'ann' }, total: 3, more: true })
    expect(page.parts()).toEqual([page.definition])
  })
})

describe('All', () => {
  test('stores no list: it shows every stored row', () => {
    const context = new FakeContext()
    const users = new All(User)
    expect(users.queryKey([], context)).toBeUndefined()
    const stored = keep(users, [{ id: 1 }, { id: 2 }], context)
    context.write('User', '3', { id: '3' })
    context.invalidate('User', '1')
    expect(users.queryKey([], context)).toBe(stored)
    expect(context.visit(users, stored)).toMatchObject([{ id: 2 }, { id: '3' }])
  })

  test('shows every kind of a union, and takes a map as well', () => {
    const context = new FakeContext()
    const actors = new All({ user: User, group: Group }, 'type')
    const stored = keep(actors, { a: { id: 1, type: 'group' }, b: { id: 2, type: 'user' } }, context)
    expect(context.visit(actors, stored)).toMatchObject([{ type: 'user' }, { type: 'group' }])
  })

  test('is of entities', () => {
    // @ts-expect-error an array is no entity
    expect(() => new All([User])).toThrow(OptionError)
    expect(() => keep(new All(User), 'text')).toThrow(SchemaError)
  })
})

describe('Query', () => {
  test('derives its result from the value, with the arguments', () => {
    const context = new FakeContext({ name: 'ann' })
    const named = new Query(new All(User), (users, { name }: { name: string }) => users.filter((u) => u.name === name))
    const stored = keep(
      named,
      [
        { id: 1, name: 'ann' },
        { id: 2, name: 'bob' },
      ],
      context,
    )
    expect(context.visit(named, stored)).toMatchObject([{ id: 1 }])
    expect(named.usesArgs).toBe(byArgs)
    expect(named.queryKey([{ name: 'ann' }], context)).toBe(stored)
  })

  test('does not run on missing or deleted rows', () => {
    const context = new FakeContext()
    const run = vi.fn()
    const query = new Query(User, run)
    expect(context.visit(query, '1')).toBeUndefined()
    context.invalidate('User', '1')
    expect(context.visit(query, '1')).toBe(INVALID)
    expect(run).not.toHaveBeenCalled()
  })
})

describe('Invalidate', () => {
  const deleted = (input: unknown, ...args: readonly unknown[]): { result: unknown; gone: string[] } => {
    const context = new FakeContext(...args)
    const result = new Invalidate(User).normalize(input, context, undefined, undefined)
    return { result, gone: [...context.kind('User').entries()].flatMap(([pk, row]) => (row === INVALID ? [pk] : [])) }
  }

  test.each([
    ['the entity', { id: 5, name: 'ann' }, [], '5', ['5']],
    ['its key in an object', { id: '5' }, [], '5', ['5']],
    ['a number', 5, [], '5', ['5']],
    ['a bare key', '5', [], '5', ['5']],
    ['a bare key that the arguments do not name', '5', [{ group: '6' }], '5', ['5']],
    ['what the arguments name, not a word', 'deleted', [{ id: 5 }], '5', ['5']],
    ['what the arguments name, not a count', 1, [{ id: 5 }], '5', ['5']],
    ['what the body names, not a count', 2, [{}, ['5', '6']], ['5', '6'], ['5', '6']],
    ['what an object names, not the arguments', { id: '5' }, [{ id: '6' }], '5', ['5']],
    ['an array of keys', ['5', 6], [], ['5', '6'], ['5', '6']],
    ['an array of entities', [{ id: 5 }], [], ['5'], ['5']],
    ['no body', undefined, [{ id: 5 }], '5', ['5']],
    ['null', null, [{ id: 5 }], '5', ['5']],
    ['an empty text', '', ['5'], '5', ['5']],
    ['an empty object', {}, [{ id: 5 }], '5', ['5']],
    ['an empty array, as some servers write an empty object', [], [{ id: 5 }], '5', ['5']],
    ['a receipt', { ok: true }, [{ id: 5 }], '5', ['5']],
    ['true', true, [{ id: 5 }], '5', ['5']],
    ['no body after a body that names several', null, [{}, ['5', '6']], ['5', '6'], ['5', '6']],
    ['an empty array that nobody names', [], [], [], []],
  ])('removes %s', (_what, input, args, result, gone) => {
    expect(deleted(input, ...args)).toEqual({ result, gone })
  })

  test('throws an error if nothing names a row', () => {
    expect(() => deleted(null)).toThrow(SchemaError)
    expect(() => deleted({ ok: true }, { page: 1 })).toThrow(SchemaError)
    expect(() => deleted([{ ok: true }])).toThrow(SchemaError)
  })

  test('takes the key that process makes', () => {
    class Wrapped extends Entity {
      static override key = 'Wrapped'
      static override process(input: { data?: unknown }): unknown {
        return input.data
      }
      id = ''
    }
    const context = new FakeContext()
    expect(new Invalidate(Wrapped).normalize({ data: { id: 7 } }, context, undefined, undefined)).toBe('7')
    expect(new Invalidate(Wrapped).normalize({ id: 8 }, context, undefined, undefined)).toBe('8')
  })

  test('a process or a pk that needs more than a deletion contains does no harm', () => {
    class Demanding extends Entity {
      static override key = 'Demanding'
      static override process(input: { author: { name: string } }): unknown {
        return { ...input, author: input.author.name }
      }
      id = ''
      ref = { code: '' }
    }
    class Coded extends Demanding {
      override pk(): string {
        return this.ref.code
      }
    }
    expect(new Invalidate(Demanding).normalize({ id: 5 }, new FakeContext(), undefined, undefined)).toBe('5')
    expect(new Invalidate(Demanding).normalize(null, new FakeContext({ id: 5 }), undefined, undefined)).toBe('5')
    expect(() => new Invalidate(Coded).normalize(null, new FakeContext({ page: 5 }), undefined, undefined)).toThrow(
      SchemaError,
    )
  })

  test('finds the kind of a union, also of a bare key', () => {
    const schema = new Invalidate({ user: User, group: Group }, 'type')
    const context = new FakeContext()
    context.write('Group', '2', { id: '2' })
    expect(schema.normalize({ id: 1, type: 'user' }, context, undefined, undefined)).toEqual({
      id: '1',
      schema: 'user',
    })
    expect(schema.normalize('2', context, undefined, undefined)).toEqual({ id: '2', schema: 'group' })
    expect(context.kind('Group').get('2')).toBe(INVALID)
    expect(() => schema.normalize('3', new FakeContext(), undefined, undefined)).toThrow(SchemaError)
  })

  test('a key within an object is that of a row, whatever the arguments name', () => {
    const context = new FakeContext({ id: 5 })
    const payload = { removed: 6, group: { id: 5 } }
    const deleted = context.visit({ removed: new Invalidate(User), group: Group }, payload, undefined, undefined)
    expect(deleted).toEqual({ removed: '6', group: '5' })
    expect(context.kind('User').get('6')).toBe(INVALID)
  })

  test('a count deletes no row if the arguments may name another one that the table does not have', () => {
    class Slugged extends User {
      static override key = 'Slugged'
      static override indexes = ['slug']
      slug = ''
    }
    const bySlug = new FakeContext({ slug: 'milk' })
    bySlug.write('Slugged', '1', { id: '1', slug: 'eggs' })
    expect(new Invalidate(Slugged).normalize(1, bySlug, undefined, undefined)).toBeUndefined()
    expect(bySlug.kind('Slugged').get('1')).not.toBe(INVALID)
    const ofUnion = new FakeContext({ id: 2 })
    ofUnion.write('Group', '1', { id: '1' })
    const union = new Invalidate({ user: User, group: Group }, 'type')
    expect(union.normalize(1, ofUnion, undefined, undefined)).toBeUndefined()
    expect(ofUnion.kind('Group').get('1')).not.toBe(INVALID)
  })

  test('shows the deleted row, and accepts an empty response', () => {
    const context = new FakeContext()
    const schema = new Invalidate(User)
    expect(context.visit(schema, keep(schema, '5', context))).toBe(INVALID)
    expect(context.visit(schema, ['5'])).toEqual([])
    expect(schema.takesEmpty).toBe(true)
  })
})

describe('Lazy', () => {
  test('shows the stored keys; its query shows the rest', () => {
    const context = new FakeContext()
    const friends = new Lazy([User])
    const stored = keep(friends, [{ id: 1, name: 'ann' }], context)
    expect(context.visit(friends, stored)).toEqual(['1'])
    expect('parts' in friends).toBe(false)
    const below: unknown[] = []
    friends.refs(stored, (_, value) => below.push(value))
    expect(below).toEqual([])
    // Only retention decides which rows are known.
    friends.refs(
      stored,
      (_, value) => below.push(value),
      () => [],
    )
    expect(below).toEqual([['1']])
    expect(friends.query.queryKey([['1']], context)).toEqual(['1'])
    expect(context.visit(friends.query, ['1'])).toMatchObject([{ name: 'ann' }])
  })

  test('shows a map as a plain object and takes it back', () => {
    const context = new FakeContext()
    const friends = new Lazy(new Values(User))
    const shown = context.visit(friends, keep(friends, { a: { id: 1 } }, context))
    expect(shown).toEqual({ a: '1' })
    expect(context.visit(friends.query, shown)).toMatchObject({ a: { id: 1 } })
  })

  test('an entity is read by its fields', () => {
    const context = new FakeContext()
    context.write('User', '1', { id: '1' })
    expect(new Lazy(User).query.queryKey([{ id: 1 }], context)).toBe('1')
    expect(new Lazy(User).query.queryKey([{ id: 2 }], context)).toBeUndefined()
  })
})

describe('Scalar', () => {
  const price = new Scalar({ key: 'price', lens: ({ currency }: { currency?: string }) => currency })
  class Product extends Entity {
    static override key = 'Product'
    static override schema: { readonly [field: string]: Schema } = { price, was: price }
    id = ''
    price = 0
  }

  test('a value belongs to the lens that it was fetched through', () => {
    const context = new FakeContext({ currency: 'EUR' })
    keep(Product, { id: 1, price: 5, was: 7 }, context)
    context.args = [{ currency: 'USD' }]
    keep(Product, { id: 1, price: 6 }, context)
    const row = context.current('Product', '1')
    const seen = (currency?: string): unknown => {
      context.args = [{ currency }]
      return [context.visit(price, row?.price), context.visit(price, row?.was)]
    }
    expect([seen('EUR'), seen('USD'), seen('GBP'), seen()]).toEqual([
      [5, 7],
      [6, undefined],
      [undefined, undefined],
      [undefined, undefined],
    ])
  })

  test('no lens and no name can make up the cell of another', () => {
    const context = new FakeContext({ currency: 'a|b' })
    keep(Product, { id: 'c', price: 1 }, context)
    context.args = [{ currency: 'a' }]
    keep(Product, { id: 'b|c', price: 2 }, context)
    expect(context.kind('Scalar(price)').size).toBe(2)
  })

  test('a response of cells alone fills the fields of entities', () => {
    const cells = new Scalar({ key: 'price', lens: ({ currency }: { currency: string }) => currency, entity: Product })
    const context = new FakeContext({ currency: 'EUR' })
    keep(Product, { id: 1, price: 5 }, context)
    const stored = keep(new Values(cells), { 1: { price: 8 } }, context)
    keep([cells], [{ id: 2, price: 9 }], context)
    expect(context.visit(price, context.current('Product', '1')?.price)).toBe(8)
    expect(context.visit(new Values(cells), stored)).toEqual({ 1: { price: 8 } })
    expect(context.kind('Scalar(price)').size).toBe(2)
  })

  test('reports missing options', () => {
    expect(() => keep(Product, { id: 1, price: 5 }, new FakeContext({}))).toThrow(SchemaError)
    expect(() => keep(new Values(price), { 1: { price: 5 } }, new FakeContext({ currency: 'EUR' }))).toThrow(
      OptionError,
    )
    expect(() => keep([price], [5], new FakeContext({ currency: 'EUR' }))).toThrow(SchemaError)
  })
})

test('schemas recognize each other', () => {
  expect(isEntity(User) && !isEntity(Date) && !isEntity(actor)).toBe(true)
  for (const schema of [actor, new All(User), new Invalidate(User), new Lazy(User), new Values(User)]) {
    expect(isSchemaObject(schema) && !isListSchema(schema)).toBe(true)
  }
})

describe('a function in a schema', () => {
  class Money {
    readonly cents: number
    constructor(text: string) {
      this.cents = Number(text) * 100
    }
  }

  test('is called, a class constructs', () => {
    expect(deserializer(Date)('2026-01-01')).toEqual(new Date('2026-01-01'))
    expect(deserializer(Number)('5')).toBe(5)
    expect(deserializer(BigInt)('5')).toBe(5n)
    expect(deserializer(Money)('5')).toEqual(new Money('5'))
    expect(deserializer(URL)('https://x.test/')).toBeInstanceOf(URL)
    expect(deserializer((iso: string) => iso.length)('abc')).toBe(3)
    function old(this: unknown, text: string): string {
      return `${text}!`
    }
    expect(deserializer(old)('a')).toBe('a!')
  })
})
