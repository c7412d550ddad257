import {
  Controller,
  Endpoint,
  Entity,
  EntityMixin,
  Lazy,
  OptionError,
  Query,
  RestEndpoint,
  type Schema,
  schema,
  Values,
} from '@roundtable/core'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { HandClock } from '../engine/clock.js'

class Item extends Entity {
  static override key = 'Item'
  id = ''
}
/** As JavaScript would write it. */
const Untyped = RestEndpoint as unknown as new (
  options: object,
) => { readonly schema: unknown; extend(options: object): object }
const define = (schema: unknown) => new Untyped({ path: '/items', name: 'getItems', schema })

describe('a schema literal that cannot be read is refused where it is defined', () => {
  test.each<[string, unknown, string]>([
    ['two schemas in an array', { items: [Item, Item] }, '2 schemas in an array at $.items'],
    ['two schemas deep down', [{ page: { items: [Item, Item] } }], '2 schemas in an array at $[0].page.items'],
  ])('%s', (_, given, found) => {
    for (const made of [
      () => define(given),
      () => new Untyped({ path: '/items', name: 'getItems' }).extend({ schema: given }),
      () => new Endpoint(async (): Promise<unknown> => 1, { name: 'getItems', schema: given as Schema }),
    ]) {
      expect(made).toThrow(OptionError)
      expect(made).toThrow(`Option 'schema' of getItems has ${found}. Write the schema of one member, as in [Todo]`)
    }
  })

  test('also in what other schemas are made of, and in the schema of an entity', () => {
    const bad = { items: [Item, Item] as unknown as readonly [Schema] }
    for (const made of [
      () => new schema.Object(bad),
      () => new Query(bad, () => 1),
      () => new Values(bad),
      () => new schema.Array(bad),
      () => new Lazy(bad),
    ])
      expect(made).toThrow(OptionError)
    class Board extends Entity {
      static override key = 'Board'
      static override schema: { readonly [field: string]: Schema } = { tags: [Item, Item] as never }
    }
    expect(() => define({ board: Board })).toThrow(
      "Option 'schema' of getItems has 2 schemas in an array at Board.tags.",
    )
    expect(() => define([Board])).toThrow(OptionError)
  })

  test('a class whose schema is assigned later is refused at its first use', () => {
    class Late extends Entity {
      static override key = 'Late'
    }
    define([Late])
    Late.schema = { tags: [Item, Item] as never }
    const controller = new Controller({ env: new HandClock() })
    expect(() => controller.set(Late, { id: '1' } as never, {})).toThrow(OptionError)
  })

  test('what only documents a field passes, and classes that refer to each other, now or later', () => {
    class Node extends Entity {
      static override key = 'Node'
      static override get schema(): { readonly [field: string]: Schema } {
        throw new Error('not yet')
      }
    }
    Item.schema = { self: Item }
    const fine = {
      a: '',
      b: 0,
      c: null,
      d: {},
      e: undefined,
      k: [undefined],
      f: [Item],
      g: [''],
      h: [{ item: Item }],
      i: Node,
      j: [Date],
    }
    expect(define(fine).schema).toBe(fine)
    Item.schema = {}
  })
})

describe('an empty array in a schema is a warning, and data there is stored unchanged', () => {
  class Board extends Entity {
    static override key = 'Board'
    static override schema: { readonly [field: string]: Schema } = { tags: [], items: [Item] }
    id = ''
    tags: unknown = undefined
  }

  test.each<[what: string, schema: Schema, data: unknown, path: string]>([
    ['alone', [], [1, { a: [2] }], '$'],
    ['alone, of what is no array', [], { a: 1 }, '$'],
    ['in an object', { items: [] }, { items: [{ id: 1 }, null, 'x'] }, '$.items'],
    ['in an object, of what is no array', { items: [] }, { items: { a: 1 } }, '$.items'],
    ['deep down', [{ page: { items: [] } }], [{ page: { items: [[1]] } }], '$[0].page.items'],
    ['in an entity', Board, { id: '1', tags: ['a', { b: 'c' }] }, 'Board.tags'],
    ['in a Values', new Values({ tags: [] }), { x: { tags: [1] } }, '$.tags'],
  ])('%s', async (_, given, data, path) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    const getItems = new Endpoint(async (): Promise<unknown> => data, { name: 'getItems', schema: given })
    const controller = new Controller({ env: new HandClock() })
    expect(await controller.fetch(getItems)).toMatchObject(data as object)
    await controller.fetch(getItems.extend({ dataExpiryLength: 5 }))
    if (!(given instanceof Values))
      expect(
        warn.mock.calls.filter(([text]) => `${text}`.includes('The schema of getItems has an empty array')),
      ).toEqual([
        [
          expect.stringContaining(
            `at ${path}, so data there is stored unchanged. Write the schema of a member, as in [Todo]`,
          ),
        ],
      ])
    warn.mockReset()
  })
})

describe('two classes with one key', () => {
  const warn = vi.spyOn(console, 'warn')
  beforeEach(() => void warn.mockReset())
  afterEach(() => void warn.mockReset())
  const use = (...classes: readonly (typeof Entity)[]) => {
    for (let times = 0; times < 2; times++) {
      const controller = new Controller({ env: new HandClock() })
      for (const entity of classes) controller.set(entity as typeof Item, { id: '1' }, { id: '1' })
    }
  }
  const named = (name: string, base: typeof Entity, key?: string): typeof Item => {
    const made = { [name]: class extends base {} }[name] as unknown as typeof Item
    if (key !== undefined) made.key = key
    return made
  }

  test('that have nothing to do with each other cause one warning', () => {
    use(named('Issue', Entity, 'Thing'), named('Invoice', Entity, 'Thing'))
    expect(warn).toHaveBeenCalledOnce()
    expect(warn).toHaveBeenCalledWith(expect.stringContaining("Invoice and Issue have the same key 'Thing'"))
  })

  test('also those made by a mixin', () => {
    class One {
      id = ''
    }
    class Two {
      id = ''
    }
    use(EntityMixin(One, { key: 'Mixed' }) as never, EntityMixin(Two, { key: 'Mixed' }) as never)
    expect(warn).toHaveBeenCalledOnce()
  })

  test('of which one extends the other, or that inherit the key from one class, are intended; so is a class loaded again', () => {
    const summary = named('Summary', Entity, 'Article')
    use(summary, named('Full', summary), named('Short', summary), named('Whole', summary, 'Article'))
    use(named('Full2', named('Base', Entity, 'Book'), 'Book'), named('Page', Entity, 'Page'))
    use(named('Todo', Entity, 'Task'), named('Todo', Entity, 'Task'))
    use(named('Whole', named('Outline', Entity, 'Essay')), named('Outline', Entity, 'Essay'))
    expect(warn).not.toHaveBeenCalled()
  })
})
