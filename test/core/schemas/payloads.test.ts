import {
  All,
  Collection,
  Controller,
  Endpoint,
  Entity,
  EntityMixin,
  type Schema,
  type SchemaError,
  Values,
} from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { open } from './open.js'

class Item extends Entity {
  static override key = 'Item'
  id = 0
  name = ''
}

describe('an entity whose payload is an array', () => {
  class Level extends Entity {
    static override key = 'Level'
    static override process(input: unknown): unknown {
      if (!Array.isArray(input)) return input
      const [price, size] = input
      return price === 'bad' ? input : { id: `${price}`, price, size }
    }
    id = ''
    price = 0
    size = 0
  }
  class Book extends Entity {
    static override key = 'Book'
    static override schema = { best: Level, bids: [Level], asks: new Values(Level) }
    id = ''
    best: Level | undefined = undefined
    bids: Level[] = []
    asks: Record<string, Level> = {}
  }

  test('reaches process first: at the root, in an array, a Collection, a map and a field', async () => {
    const { load, controller } = open()
    expect((await load('one', Level, [5, 1])).now.data).toMatchObject({ price: 5, size: 1 })
    expect((await load('list', [Level], [[1, 2]])).now.data).toMatchObject([{ price: 1, size: 2 }])
    expect((await load('lists', new Collection([Level]), [[2, 2]])).now.data).toMatchObject([{ price: 2 }])
    const book = { id: 'b', best: [5, 9], bids: [[1, 3]], asks: { a: [7, 1] } }
    const shown = (await load('book', Book, book)).now.data
    expect(shown).toMatchObject({ best: { size: 9 }, bids: [{ size: 3 }], asks: { a: { price: 7 } } })
    expect(controller.get(Level, { id: '1' })).toBe(shown?.bids[0])
  })

  test('is refused after process, if that leaves it an array', async () => {
    const { refused } = open()
    const error = (await refused('list', [Level], [[1, 2], ['bad']])) as SchemaError
    expect(error).toMatchObject({ name: 'SchemaError', path: '$[1]', found: 'an array' })
    expect(await refused('plain', [Item], [[1]])).toMatchObject({ path: '$[0]', found: 'an array' })
  })
})

describe('a value that is no data', () => {
  const things: readonly [name: string, value: object, found: string][] = [
    ['a Blob', new Blob(['x'], { type: 'image/png' }), 'a Blob'],
    ['an ArrayBuffer', new ArrayBuffer(2), 'an ArrayBuffer'],
    ['bytes', new Uint8Array(2), 'a Uint8Array'],
    ['a Map', new Map([['id', '1']]), 'a Map'],
    ['a Date', new Date(0), 'a Date'],
  ]
  const schemas: readonly [name: string, schema: Schema][] = [
    ['an entity', Item],
    ['an array', [Item]],
    ['an object', { item: Item }],
    ['a Collection', new Collection([Item])],
    ['Values', new Values(Item)],
    ['All', new All(Item)],
  ]
  for (const [name, schema] of schemas) {
    test.each(things)(`where ${name} is expected, %s is named in the error`, async (_, value, found) => {
      const { refused, controller } = open()
      expect(await refused('file', schema, value)).toMatchObject({ name: 'SchemaError', path: '$', found })
      expect(controller.get(Item, {})).toBeUndefined()
    })
  }

  test('an instance with fields is data', async () => {
    const { load } = open()
    const item = Item.fromJS({ id: 5, name: 'a' })
    expect((await load('item', Item, item)).now.data).toEqual(item)
    expect((await load('items', { item: Item }, { item })).now.data?.item).toEqual(item)
  })
})

describe('the default pk()', () => {
  test('is text, whatever the id is', async () => {
    const { load } = open()
    const item = (await load('item', Item, { id: 7 })).now.data
    expect([item?.id, item?.pk(), Item.fromJS({ id: 0 }).pk()]).toEqual([7, '7', '0'])
    expect(Item.pk({ id: 7 }, undefined, undefined, [])).toBe('7')
    expect(Item.fromJS({ id: Number.NaN }).pk()).toBeUndefined()
    expect(class extends Entity {}.prototype.pk.call({ id: '' })).toBeUndefined()
  })

  test('also that of a mixin, of its id and of another field', () => {
    class Stock {
      id = 3
      symbol = 9
    }
    expect(new (EntityMixin(Stock, { key: 'Stock' }))().pk()).toBe('3')
    expect(new (EntityMixin(Stock, { key: 'Stock', pk: 'symbol' }))().pk()).toBe('9')
  })
})

test('data that meets the end of the call stack is too deep, wherever that end is', () => {
  class Node extends Entity {
    static override key = 'Node'
    static override schema: { readonly child: Schema } = { child: Node }
    id = ''
    child: Record<string, Node> | undefined = undefined
  }
  Node.schema = { child: new Values(Node) }
  const endpoint = new Endpoint(async () => null as unknown, { name: 'node', schema: Node })
  let payload: object = { id: '0' }
  for (let level = 1; level < 900; level++) payload = { id: `${level}`, child: { a: payload } }
  const names = new Set<string>()
  const write = (): void => {
    try {
      new Controller({ retention: false }).setResponse(endpoint, payload)
    } catch (error) {
      names.add((error as Error).name)
    }
  }
  atDepths(write)
  // The end may also be met before the data is: in the constructor of the controller.
  names.delete('RangeError')
  expect([...names]).toEqual(['DepthError'])
})

/** Runs something with ever more room on the call stack: from its end back to where it is now. */
function atDepths(run: () => void, depth = 0): void {
  try {
    atDepths(run, depth + 1)
    if (depth % 97 === 0) run()
  } catch {
    // The end of the stack: the caller has a little more room.
  }
}

describe('a response that names one key very often, with another field each time', () => {
  class Author extends Entity {
    static override key = 'Author'
    id = 0
  }
  class Post extends Entity {
    static override key = 'Post'
    static override schema = { author: Author }
    id = 0
    author: Author | undefined = undefined
  }

  // Work that is quadratic in this takes half a minute, and runs into the time limit of the test.
  const TIMES = 10_000
  const records = (more: object) => Array.from({ length: TIMES }, (_, at) => ({ id: 1, [`f${at}`]: at, ...more }))

  test.each<[what: string, schema: Schema, records: readonly object[]]>([
    ['rows without relations', [Item], records({})],
    ['rows with relations', [Post], records({ author: { id: 2 } })],
    ['members of a Collection', new Collection([Item]), records({})],
  ])('%s: it takes time in proportion', async (_, schema, data) => {
    const { load, controller } = open()
    await load('many', schema, data)
    const row = controller.get(Array.isArray(schema) && schema[0] === Post ? Post : Item, { id: 1 })
    expect(row).toMatchObject({ f0: 0, [`f${TIMES - 1}`]: TIMES - 1 })
  })

  test('what is met again writes what it wrote before, whatever came in between', async () => {
    const { load, controller } = open()
    const author = { id: 2 }
    const [first, second, third] = [1, 2, 3].map((a) => ({ id: 1, a, [`b${a}`]: a, author }))
    await load('again', [Post], [first, second, third, first, second])
    expect(controller.get(Post, { id: 1 })).toMatchObject({ a: 2, b1: 1, b2: 2, b3: 3 })
    await load('and again', [Post], [first, second, third, first])
    expect(controller.get(Post, { id: 1 })).toMatchObject({ a: 1, b1: 1, b2: 2, b3: 3 })
  })

  test('and the records that came stay as they are', async () => {
    const { load } = open()
    const given = [
      { id: 1, a: 1 },
      { id: 1, b: 2 },
      { id: 1, c: { d: 3 } },
    ]
    const before = structuredClone(given)
    await load('kept', [Item], given)
    expect(given).toEqual(before)
  })
})
