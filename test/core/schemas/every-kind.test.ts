import {
  All,
  Collection,
  Controller,
  type DenormalizeContext,
  Entity,
  EntityMixin,
  Invalidate,
  Lazy,
  type NormalizeContext,
  OptionError,
  Query,
  RestEndpoint,
  Scalar,
  type Schema,
  type SchemaContract,
  schema,
  Union,
  Values,
} from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { HandClock } from '../engine/clock.js'
import { open } from './open.js'

/** A schema of a user's own, which can be in a ring since it declares its relations. */
class Envelope implements SchemaContract {
  readonly #inner: Schema
  constructor(inner: Schema) {
    this.#inner = inner
  }
  normalize(input: unknown, context: NormalizeContext) {
    return { data: context.visit(this.#inner, dataOf(input), input, 'data') }
  }
  denormalize(value: unknown, context: DenormalizeContext) {
    return { data: context.visit(this.#inner, dataOf(value)) }
  }
  refs(value: unknown, each: (schema: Schema, value: unknown) => void) {
    each(this.#inner, dataOf(value))
  }
  parts() {
    return [this.#inner]
  }
}
const dataOf = (value: unknown): unknown => (value as { data: unknown }).data

class Plain {
  id = ''
  type = 'x'
  name = ''
  held: unknown = undefined
}

/** A class of its own for each test, whose field `held` may have any schema. */
function makeItem(isMixed = false): typeof Item {
  if (isMixed) return class extends EntityMixin(Plain, { key: 'Item' }) {} as unknown as typeof Item
  return class extends Item {} as typeof Item
}
class Item extends Entity {
  static override key = 'Item'
  static override schema: { readonly [field: string]: Schema } = {}
  id = ''
  type = 'x'
  name = ''
  held: unknown = undefined
}

/** How a kind of schema holds an item in a response, and how it shows it. */
type Around = (item: unknown) => unknown
const itself: Around = (item) => item
const inArray: Around = (item) => [item]
const inMap: Around = (item) => ({ a: item })
const inData: Around = (item) => ({ data: item })
const asQuery: Around = (item) => ({ q: item })
const none = Symbol('none')

interface Row {
  readonly of: (item: typeof Item) => unknown
  readonly isMixed?: boolean
  /** A response that contains an item. */
  readonly data: Around
  /** The result for it. */
  readonly shows: Around
  /** The result for null in place of the item; `none` for a SchemaError. */
  readonly ofNull: unknown
  /** 20,000 levels of it. */
  readonly depth: 'DepthError' | 'stored'
  readonly isList?: boolean
}

const entityRow = { data: itself, shows: itself, ofNull: none, depth: 'DepthError' } as const
const union = (item: typeof Item) => new Union({ x: item }, 'type')
const arrayRow = { data: inArray, shows: inArray, ofNull: [null], depth: 'DepthError' } as const
const objectRow = { data: inMap, shows: inMap, ofNull: { a: null }, depth: 'DepthError' } as const
const mapRow = { ...objectRow, ofNull: {} } as const
const kinds: Readonly<Record<string, Row>> = {
  'an entity': { ...entityRow, of: (item) => item },
  'an EntityMixin': { ...entityRow, of: (item) => item, isMixed: true },
  'an array literal': { ...arrayRow, of: (item) => [item] },
  'an Array': { ...arrayRow, of: (item) => new schema.Array(item) },
  'an Array of a Union': { ...arrayRow, of: (item) => new schema.Array({ x: item }, 'type') },
  'an object literal': { ...objectRow, of: (item) => ({ a: item }) },
  'an Object': { ...objectRow, of: (item) => new schema.Object({ a: item }) },
  Values: { ...mapRow, of: (item) => new Values(item) },
  'Values of a Union': { ...mapRow, of: (item) => new Values({ x: item }, 'type') },
  'a Union': { ...entityRow, of: union },
  'a Collection': { ...arrayRow, of: (item) => new Collection([item]), isList: true },
  'a Collection of a Union': { ...arrayRow, of: (item) => new Collection([union(item)]), isList: true },
  'a Collection of Values': { ...mapRow, of: (item) => new Collection(new Values(item)), isList: true },
  All: { ...arrayRow, of: (item) => new All(item), ofNull: [] },
  'All of a Union': { ...arrayRow, of: (item) => new All({ x: item }, 'type'), ofNull: [] },
  'a Query': { ...entityRow, of: (item) => new Query(item, (q) => ({ q })), shows: asQuery },
  'a Query of a Collection': {
    ...arrayRow,
    of: (item) => new Query(new Collection([item]), (q) => ({ q })),
    shows: (item) => ({ q: [item] }),
    ofNull: { q: [null] },
    isList: true,
  },
  'a Lazy': { ...entityRow, of: (item) => new Lazy(item), shows: () => '1' },
  'a Lazy array': { ...arrayRow, of: (item) => new Lazy([item]), shows: () => ['1'] },
  'a Scalar': {
    ...entityRow,
    of: (item) => new Scalar({ key: 'cell', lens: () => 'one', entity: item }),
    shows: () => ({ id: '1', type: 'x', name: 'a' }),
    depth: 'stored',
  },
  'a deserializer': { ...entityRow, of: () => idOf, shows: () => '<1>', depth: 'stored' },
  'a schema of a user’s own': {
    ...entityRow,
    data: inData,
    shows: inData,
    ofNull: { data: null },
    of: (item) => new Envelope(item),
  },
}
function idOf(item: { readonly id: string }): string {
  return `<${item.id}>`
}

const one = { id: '1', type: 'x', name: 'a' }

describe.each(Object.entries(kinds))('%s', (_name, { of, isMixed, data, shows, ofNull, depth, isList }) => {
  const make = () => {
    const item = makeItem(isMixed)
    return { item, kind: of(item) as typeof Item }
  }

  test('shows its data', async () => {
    const { load } = open()
    const query = await load('one', make().kind, data(one))
    expect(query.now).toEqual({ status: 'ready', data: shows(expect.objectContaining(one)), error: undefined })
  })

  test.each([
    ['null', null],
    ['an empty text', ''],
    ['nothing', undefined],
  ])('%s at the root fails a read; a mutation resolves with null and changes nothing', async (_what, empty) => {
    const { item, kind } = make()
    const { load, run, controller } = open()
    const query = await load('one', kind, empty)
    expect(query.now).toMatchObject({
      status: 'failed',
      error: { name: 'SchemaError', path: '$', found: 'an empty body' },
    })
    controller.set(item, { id: '1' }, one)
    const before = controller.get(item, { id: '1' })
    expect(await run('save', kind, empty, { id: '1' })).toBeNull()
    expect(controller.get(item, { id: '1' })).toBe(before)
  })

  test('null in a field stays, of an object and of an entity', async () => {
    const { item, kind } = make()
    const { load } = open()
    expect((await load('page', { field: kind }, { field: null })).now).toMatchObject({ data: { field: null } })
    item.schema = { held: kind }
    expect((await load('item', item, { ...one, held: null })).now).toMatchObject({ data: { ...one, held: null } })
  })

  test('null in the place of the item', async () => {
    const { load } = open()
    const { now } = await load('one', make().kind, data(null))
    if (ofNull === none) expect(now).toMatchObject({ status: 'failed', error: { name: 'SchemaError', path: '$' } })
    else expect(now).toEqual({ status: 'ready', data: ofNull, error: undefined })
  })

  test('a ring through it closes, and stays one as it changes', async () => {
    const { item, kind } = make()
    item.schema = { held: kind }
    const { load, controller } = open()
    const query = await load('item', item, { ...one, held: data({ id: '1', type: 'x' }) })
    for (const name of ['a', 'b']) {
      const shown = query.now.data
      expect(shown).toMatchObject({ id: '1', name })
      const wanted = shows(shown)
      expect(shown?.held).toEqual(_name === 'a Scalar' ? { id: '1', type: 'x' } : wanted)
      const [inner] = innermost(shown?.held)
      if (innermost(wanted)[0] === shown) expect(inner).toBe(shown)
      controller.set(item, { id: '1' }, { name: 'b' })
    }
  })

  test('20,000 levels of it are stored, or a DepthError that reports its depth', async () => {
    const { item, kind } = make()
    item.schema = { held: kind }
    let deep: object = { id: '0', type: 'x' }
    for (let level = 1; level < 20_000; level++) deep = { id: `${level}`, type: 'x', held: data(deep) }
    const { load, controller } = open()
    const { now } = await load('deep', item, deep)
    if (depth === 'stored') expect(now.status).toBe('ready')
    else {
      expect(now).toMatchObject({ status: 'failed', error: { name: 'DepthError' } })
      expect((now.error as unknown as { depth: number }).depth).toBeGreaterThan(100)
      expect(controller.get(item, { id: '0' })).toBeUndefined()
    }
  })

  test('a page and a push join its list, or are refused at definition', async () => {
    const responses: unknown[] = []
    const list = new RestEndpoint({
      path: '/items',
      name: 'list',
      schema: make().kind as unknown as Collection<readonly [typeof Item]>,
      paginationField: 'cursor',
      fetch: async (..._: readonly unknown[]): Promise<unknown> => responses.shift(),
    })
    if (!isList) {
      expect(() => list.getPage).toThrow(OptionError)
      expect(() => list.push).toThrow(OptionError)
      return
    }
    const controller = new Controller({ env: new HandClock() })
    const read = () => innermost(controller.getResponse(list).data).map((item) => (item as Item).id)
    const isMap = _name === 'a Collection of Values'
    const other = (id: string) => (isMap ? { [`k${id}`]: { ...one, id } } : [{ ...one, id }])
    responses.push(data(one), other('2'), isMap ? other('3') : { ...one, id: '3' })
    await controller.fetch(list)
    await controller.fetch(list.getPage, { cursor: '2' })
    expect(read()).toEqual(['1', '2'])
    if (isMap) await controller.fetch((list as unknown as { assign: typeof list.push }).assign, {} as never)
    else await controller.fetch(list.push, {} as never)
    expect(read()).toEqual(['1', '2', '3'])
  })
})

/** The items in what a kind shows. */
function innermost(shown: unknown): unknown[] {
  if (Array.isArray(shown)) return shown
  if (typeof shown !== 'object' || shown === null || shown instanceof Entity || 'id' in shown) return [shown]
  return Object.values(shown).flatMap(innermost)
}

describe('Invalidate', () => {
  const remove = () => ({ item: Item, kind: new Invalidate(Item) })

  test('deletes the row that a response, or without a body the arguments, name', async () => {
    for (const [response, params] of [
      [one, {}],
      [null, { id: '1' }],
      ['', { id: '1' }],
    ] as const) {
      const { item, kind } = remove()
      const { controller, run } = open()
      controller.set(item, { id: '1' }, one)
      await run('remove', kind, response, params)
      expect(controller.get(item, { id: '1' })).toBeUndefined()
    }
  })

  test('a response that names no row is refused; null in a field deletes nothing', async () => {
    const { item, kind } = remove()
    const { controller, run, load, refused } = open()
    controller.set(item, { id: '1' }, one)
    expect(await refused('read', kind, null)).toMatchObject({ name: 'SchemaError', path: '$', found: 'nothing' })
    await expect(run('remove', kind, {})).rejects.toMatchObject({ name: 'SchemaError' })
    expect((await load('page', { gone: kind }, { gone: null })).now).toMatchObject({ data: { gone: null } })
    expect(controller.get(item, { id: '1' })?.name).toBe('a')
  })

  test('reads no more than the key, and has neither pages nor pushes', async () => {
    let deep: object = { id: '0' }
    for (let level = 1; level < 20_000; level++) deep = { id: `${level}`, held: deep }
    const { item, kind } = remove()
    const { controller, run } = open()
    controller.set(item, { id: '19999' }, one.name === '' ? {} : { name: 'a' })
    await run('remove', kind, deep)
    expect(controller.get(item, { id: '19999' })).toBeUndefined()
    const list = new RestEndpoint({
      path: '/r',
      schema: kind as unknown as Collection<readonly [typeof Item]>,
      paginationField: 'c',
    })
    expect(() => list.getPage).toThrow(OptionError)
    expect(() => list.push).toThrow(OptionError)
  })
})
