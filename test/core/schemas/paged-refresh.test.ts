import {
  Collection,
  type DenormalizeContext,
  Entity,
  type NormalizeContext,
  Query,
  RestEndpoint,
  type Schema,
  type SchemaContract,
  schema,
  Values,
} from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { settle } from '../engine/clock.js'
import { ending, watch } from '../engine/todo-board.js'
import { open } from './open.js'

class Row extends Entity {
  static override key = 'Row'
  id = ''
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `${from + i}`)

/** A server with rows in pages of two, answered by hand, and three loaded pages on the screen. */
async function threePages() {
  const board = open()
  let rows = range(1, 6)
  const sent: { readonly page: number; answer(): Promise<void>; fail(): Promise<void> }[] = []
  const list = new RestEndpoint({
    path: '/rows',
    searchParams: {} as { page?: number } | undefined,
    schema: new Collection([Row]),
    paginationField: 'page',
  }).extend({
    fetch: ({ page = 1 } = {}) =>
      new Promise<never>((resolve, reject) => {
        const response = (): Promise<void> => {
          resolve(rows.slice(2 * page - 2, 2 * page).map((id) => ({ id })) as never)
          return settle()
        }
        const fail = (): Promise<void> => {
          reject(new Error(`page ${page} failed`))
          return settle()
        }
        sent.push({ page, answer: response, fail })
      }),
  })
  const { controller } = board
  const shown = watch(controller.watch(list))
  await settle()
  await sent[0]?.answer()
  for (const page of [2, 3]) {
    const got = controller.fetch(list.getPage, { page })
    await sent.at(-1)?.answer()
    await got
  }
  sent.length = 0
  const ids = () => shown.now.data?.map(({ id }) => id).join('')
  const pages = () => sent.map(({ page }) => page)
  const change = (next: readonly string[]) => {
    rows = [...next]
  }
  return { ...board, list, shown, ids, sent, pages, change }
}

describe('a paged list is refreshed by all of its pages, in order; nothing that exists vanishes between', () => {
  const refreshes = {
    expireAll: ({ controller, list }) => controller.expireAll(list),
    invalidateAll: ({ controller, list }) => controller.invalidateAll(list),
    'an explicit fetch': ({ controller, list }) => void controller.fetch(list),
    'a remount after expiry': async ({ controller, list, shown, clock }) => {
      shown.stop()
      await clock.advance(61_000)
      watch(controller.watch(list))
    },
  } satisfies Record<string, (at: Awaited<ReturnType<typeof threePages>>) => unknown>

  test.each(Object.keys(refreshes))('%s', async (how) => {
    const at = await threePages()
    expect(at.ids()).toBe('123456')
    at.change(['0', ...range(1, 6)])
    await refreshes[how as keyof typeof refreshes](at)
    await settle()
    expect(at.pages()).toEqual([1])
    await at.sent[0]?.answer()
    expect(at.ids()).toBe('0123456')
    expect(at.pages()).toEqual([1, 2])
    await at.sent[1]?.answer()
    expect(at.ids()).toBe('0123456')
    expect(at.pages()).toEqual([1, 2, 3])
    await at.sent[2]?.answer()
    expect(at.ids()).toBe('012345')
    expect(at.pages()).toEqual([1, 2, 3])
    expect(at.shown.now.status).toBe('ready')
  })

  test('rows that are deleted on the server disappear with the last page, rows that moved up stay', async () => {
    const at = await threePages()
    at.change(['2', '3', '4', '6'])
    at.controller.expireAll(at.list)
    await settle()
    await at.sent[0]?.answer()
    expect(at.ids()).toBe('231456')
    await at.sent[1]?.answer()
    expect(at.ids()).toBe('234615')
    await at.sent[2]?.answer()
    expect(at.ids()).toBe('2346')
  })

  test('a fetch of the list waits for all pages, and rejects if a page fails', async () => {
    const at = await threePages()
    at.change(['0', ...range(1, 6)])
    const first = ending(at.controller.fetch(at.list))
    for (let i = 0; i < 3; i++) {
      expect(first.isOver).toBe(false)
      await at.sent[i]?.answer()
    }
    expect(first.value?.map(({ id }) => id).join('')).toBe('012345')
    const second = ending(at.controller.fetch(at.list))
    await at.sent[3]?.answer()
    await at.sent[4]?.fail()
    expect(second.error).toMatchObject({ message: 'page 2 failed' })
    expect(at.pages()).toEqual([1, 2, 3, 1, 2])
  })

  test('of two overlapping refreshes the later one requests the rest', async () => {
    const at = await threePages()
    at.controller.expireAll(at.list)
    await settle()
    await at.sent[0]?.answer()
    at.controller.expireAll(at.list)
    await settle()
    expect(at.pages()).toEqual([1, 2, 1])
    await at.sent[2]?.answer()
    await at.sent[1]?.answer()
    expect(at.pages()).toEqual([1, 2, 1, 2])
    await at.sent[3]?.answer()
    await at.sent[4]?.answer()
    expect(at.pages()).toEqual([1, 2, 1, 2, 3])
    expect(at.ids()).toBe('123456')
  })

  test('a reset between pages ends it, and every promise settles', async () => {
    const at = await threePages()
    const end = ending(at.controller.fetch(at.list))
    await at.sent[0]?.answer()
    at.controller.resetEntireStore()
    await settle()
    expect(end.error).toMatchObject({ name: 'ResetError' })
    expect(at.pages()).toEqual([1, 2, 1])
    await at.sent[2]?.answer()
    expect(at.ids()).toBe('12')
    expect(at.pages()).toHaveLength(3)
  })

  test('a listener that disposes the controller at the first page ends it', async () => {
    const at = await threePages()
    at.change(['0', ...range(1, 6)])
    at.controller.watch(at.list).subscribe(() => at.controller.dispose())
    const end = ending(at.controller.fetch(at.list))
    await at.sent[0]?.answer()
    expect(end.isOver).toBe(true)
    expect(at.pages()).toEqual([1])
  })

  test('one page fetched by itself is one request', async () => {
    const at = await threePages()
    void at.controller.fetch(at.list.getPage, { page: 2 })
    await at.sent[0]?.answer()
    expect(at.pages()).toEqual([2])
  })
})

test('a created row that no loaded page contains leaves the list at a refresh if its fields say that it moved', async () => {
  class Task extends Entity {
    static override key = 'Task'
    id = ''
    column = ''
  }
  const board = open()
  const answers = [['1', '2'], ['3'], ['1', '2'], ['3']]
  const list = new RestEndpoint({
    path: '/tasks',
    searchParams: {} as { column: string },
    schema: new Collection([Task]),
    paginationField: 'page',
  }).extend({ fetch: async () => answers.shift()?.map((id) => ({ id, column: 'a' })) as never })
  const { controller } = board
  const args = { column: 'a' }
  const shown = watch(controller.watch(list, args))
  await settle()
  await controller.fetch(list.getPage, { ...args, page: 2 })
  for (const id of ['8', '9']) controller.setResponse(list.push, args, {}, { id, column: 'a' })
  controller.set(Task, { id: '8' }, { column: 'b' })
  const ids = () => shown.now.data?.map(({ id }) => id).join('')
  expect(ids()).toBe('12389')
  await controller.fetch(list, args)
  expect(ids()).toBe('1239')
})

describe('getPage resolves with the members of its page', () => {
  test('the very objects that the list shows, none past the end', async () => {
    const at = await threePages()
    const got = at.controller.fetch(at.list.getPage, { page: 2 })
    await at.sent[0]?.answer()
    expect((await got).map(({ id }) => id)).toEqual(['3', '4'])
    expect((await got)[0]).toBe(at.shown.now.data?.[2])
    const past = at.controller.fetch(at.list.getPage, { page: 4 })
    await at.sent[1]?.answer()
    expect(await past).toEqual([])
    expect(at.ids()).toBe('123456')
  })

  test('also of a map, and of a list in an object with its own fields', async () => {
    const { controller } = open()
    const responses: unknown[] = []
    const fetch = async (): Promise<never> => responses.shift() as never
    const map = new RestEndpoint({ path: '/map', schema: new Collection(new Values(Row)), paginationField: 'page' })
    const served = map.extend({ fetch })
    responses.push({ a: { id: '1' } }, { b: { id: '2' } })
    await controller.fetch(served)
    expect(Object.keys((await controller.fetch(served.getPage, { page: 2 })) as object)).toEqual(['b'])
    const feed = new RestEndpoint({
      path: '/feed',
      schema: { items: new Collection([Row]), next: '' },
      paginationField: 'page',
    }).extend({ fetch })
    responses.push({ items: [{ id: '1' }], next: 'x' }, { items: [{ id: '2' }] })
    await controller.fetch(feed)
    expect(await controller.fetch(feed.getPage, { page: 2 })).toEqual({ items: [{ id: '2' }] })
    expect(controller.getResponse(feed).data).toEqual({ items: [{ id: '1' }, { id: '2' }] })
  })
})

describe('fields beside a paged list', () => {
  const feedOf = (options: { readonly pageFields?: readonly string[] } = {}) => {
    const board = open()
    const feed = new RestEndpoint({
      path: '/feed',
      schema: { items: new Collection([Row]) },
      paginationField: 'after',
      ...options,
    })
    const { controller } = board
    const first = (data: object) => controller.setResponse(feed, { items: [{ id: '1' }], ...data })
    const page = (after: string, data: object) =>
      controller.setResponse(feed.getPage, { after }, { items: [{ id: after }], ...data })
    const fields = () => {
      const { items: _, ...rest } = controller.getResponse(feed).data as Record<string, unknown>
      return rest
    }
    return { first, page, fields, feed, controller }
  }

  test.each(['nextPage', 'next', 'cursor', 'hasMore', 'after'])(
    'a last page without `%s` takes it from the list, and the first page does not bring it back',
    (field) => {
      const { first, page, fields } = feedOf()
      first({ [field]: '2' })
      expect(fields()).toEqual({ [field]: '2' })
      page('2', { [field]: '3' })
      page('3', {})
      expect(fields()).toEqual({})
      first({ [field]: '2' })
      expect(fields()).toEqual({})
      page('2', { [field]: '3' })
      expect(fields()).toEqual({})
    },
  )

  test('the look of a name does not matter: all other fields are the newest response’s', () => {
    const { first, page, fields } = feedOf()
    const all = (v: string) => ({ next: v, moreInfo: v, banner: v, nextReview: v, lastPageVisit: v, endCursor: v })
    first(all('v1'))
    page('2', all('v2'))
    first(all('v3'))
    expect(fields()).toEqual({ ...all('v3'), next: 'v2' })
  })

  test('in nested objects too, and one that the newest response lacks is removed', () => {
    const { first, page, fields } = feedOf()
    first({ links: { self: 'a', next: 'b' }, total: 1 })
    page('2', { links: { self: 'b' } })
    expect(fields()).toEqual({ links: { self: 'b' } })
    first({ links: { self: 'c', next: 'b' }, total: 2 })
    expect(fields()).toEqual({ links: { self: 'c' }, total: 2 })
  })

  test('`pageFields` names others, in the place of the default', () => {
    const { first, page, fields } = feedOf({ pageFields: ['pageInfo'] })
    first({ pageInfo: { end: 'a', more: true }, next: 'v1' })
    page('2', { pageInfo: { end: 'b' }, next: 'v2' })
    first({ pageInfo: { end: 'a', more: true }, next: 'v3' })
    expect(fields()).toEqual({ pageInfo: { end: 'b' }, next: 'v3' })
  })

  test('paginated(field) knows its field where the list’s endpoint does not', () => {
    const { feed, controller } = feedOf()
    const pages = feed.paginated('until')
    controller.setResponse(feed, { items: [{ id: '1' }], until: 'a' })
    controller.setResponse(pages, { until: 'a' } as never, { items: [{ id: '2' }] })
    controller.setResponse(feed, { items: [{ id: '1' }], until: 'a' })
    expect(controller.getResponse(feed).data).toEqual({ items: [{ id: '1' }, { id: '2' }] })
  })
})

describe('schemas around a Collection', () => {
  /** The example of `SchemaContract`. */
  class Envelope implements SchemaContract {
    readonly inner: Schema

    constructor(inner: Schema) {
      this.inner = inner
    }

    normalize(input: unknown, context: NormalizeContext) {
      return { data: context.visit(this.inner, (input as { data: unknown }).data, input, 'data') }
    }
    denormalize(value: unknown, context: DenormalizeContext) {
      return context.visit(this.inner, (value as { data: unknown }).data)
    }
    parts() {
      return [this.inner]
    }
    map(f: (part: Schema) => Schema) {
      return new Envelope(f(this.inner))
    }
  }

  /** Its constructor takes options, as that of a user's own class may. */
  class Named extends Envelope {
    readonly name: string

    constructor(options: { readonly inner: Schema; readonly name: string }) {
      super(options.inner)
      if (options.name === undefined) throw new Error('no name')
      this.name = options.name
    }
    override map(f: (part: Schema) => Schema) {
      return new Named({ inner: f(this.inner), name: this.name })
    }
  }
  class Sorted extends Query<Collection<readonly [typeof Row]>, [], string> {
    override denormalize(stored: unknown, context: DenormalizeContext) {
      return `own ${String(super.denormalize(stored, context))}`
    }
  }

  const rows = new Collection([Row])
  const text = (list: unknown) => (list as readonly Row[]).map(({ id }) => id).join('')
  const bare = (data: unknown) => data
  const wrapped = (data: unknown) => ({ data })

  test.each([
    ['the example of SchemaContract', new Envelope(rows), wrapped, text],
    ['a class with options of its own', new Named({ inner: rows, name: 'a' }), wrapped, text],
    [
      'one in another',
      new Envelope({ inner: new Envelope(rows) }),
      (data: unknown) => ({ data: { inner: { data } } }),
      (data: unknown) => text((data as { inner: unknown }).inner),
    ],
    ['a Query', new Query(rows, text), bare, String],
    ['a subclass of Query with an override', new Sorted(rows, text), bare, (data: unknown) => String(data).slice(4)],
    [
      'schema.Object',
      new schema.Object({ inner: rows }),
      (inner: unknown) => ({ inner }),
      (data: unknown) => text((data as { inner: unknown }).inner),
    ],
    [
      'schema.Array',
      new schema.Array(new Envelope(rows)),
      (data: unknown) => [{ data }],
      (data: unknown) => text((data as unknown[])[0]),
    ],
    [
      'Values',
      new Values(new Envelope(rows)),
      (data: unknown) => ({ a: { data } }),
      (data: unknown) => text((data as { a: unknown }).a),
    ],
  ] as const)('%s can be paged', async (_, around, response, read) => {
    const { controller } = open()
    const responses = [response([{ id: '1' }]), response([{ id: '2' }])]
    const list = new RestEndpoint({ path: '/rows', paginationField: 'page', schema: around as Schema }).extend({
      fetch: async () => responses.shift() as never,
    })
    await controller.fetch(list)
    const page = await controller.fetch(list.getPage, { page: 2 })
    expect(read(controller.getResponse(list).data)).toBe('12')
    expect(read(page)).toBe('2')
  })

  test('a class without `map` cannot, and the error names what is missing; nothing of it is constructed', () => {
    class Closed implements SchemaContract {
      readonly schema = rows
      constructor(options: { readonly name: string }) {
        if (options.name === undefined) throw new Error('no name')
      }
      normalize(input: unknown, context: NormalizeContext) {
        return context.visit(this.schema, input, undefined, undefined)
      }
      denormalize(value: unknown, context: DenormalizeContext) {
        return context.visit(this.schema, value)
      }
      parts() {
        return [this.schema]
      }
    }
    const list = new RestEndpoint({ path: '/t', paginationField: 'page', schema: new Closed({ name: 'a' }) })
    expect(() => list.getPage).toThrow(/map\(\)/)
    expect(() => list.push).not.toThrow()
  })
})
