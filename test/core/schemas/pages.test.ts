import { Collection, Endpoint, Entity, RestEndpoint, schema, Union, Values } from '@roundtable/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { settle } from '../engine/clock.js'
import { watch } from '../engine/todo-board.js'
import { open } from './open.js'

class Item extends Entity {
  static override key = 'Item'
  id = ''
  type = 'item'
}
class Note extends Entity {
  static override key = 'Note'
  id = ''
  type = 'note'
}

const items = new Collection([Item])
const item = (id: string) => ({ id })
const byPage = ({ page: _, ...rest }: Readonly<Record<string, unknown>>) => [rest]
const byCursor = ({ cursor: _, ...rest }: Readonly<Record<string, unknown>>) => [rest]

/** A mounted first page `a b`, and what sends reads of others. */
async function withFirst(list = items, removeCursor = byPage) {
  const board = open()
  const pages = board.reader('page', list.paginated(removeCursor))
  const shown = await board.load('list', list, [item('a'), item('b')])
  const ids = () => shown.now.data?.map(({ id }) => id).join('')
  const fetchRead = (params: Readonly<Record<string, unknown>>) => void board.controller.fetch(pages, params)
  const page = (at: number) => board.server.one('page', at)
  const again = async (rows: readonly object[]) => {
    void board.fetchRead('list', list, {})
    await board.server.one('list', -1).answer(rows)
  }
  return { ...board, ids, fetchRead, page, again, shown }
}

describe('pages of a list', () => {
  test('are in their order, whatever order they arrive in', async () => {
    const { ids, fetchRead, page } = await withFirst()
    for (const number of [2, 3, 4]) fetchRead({ page: number })
    await page(2).answer([item('g'), item('h')])
    await page(0).answer([item('c'), item('d')])
    await page(1).answer([item('e'), item('f')])
    expect(ids()).toBe('abcdefgh')
  })

  test('also if they are requested in another order, where cursors are numbers', async () => {
    const { ids, fetchRead, page } = await withFirst()
    fetchRead({ page: '3' })
    await page(0).answer([item('e')])
    fetchRead({ page: '2' })
    await page(1).answer([item('c')])
    expect(ids()).toBe('abce')
  })

  test('in the order of `pageOrder`, whatever the cursor looks like; the one without a cursor is the first', async () => {
    const list = new Collection([Item], { pageOrder: (params) => -Number((params as { page: string }).page) })
    const { ids, fetchRead, page, again } = await withFirst(list)
    // Each page is older than the one before.
    fetchRead({ page: '10' })
    await page(0).answer([item('e')])
    fetchRead({ page: '20' })
    await page(1).answer([item('c')])
    await again([item('a')])
    // Members that left page one are at the start of the next.
    expect(ids()).toBe('abce')
  })

  test('a member that was removed and pushed again is a new one: it stands at the end, and the first page does not decide about it', async () => {
    const { ids, fetchRead, page, again, controller } = await withFirst()
    fetchRead({ page: 2 })
    await page(0).answer([item('c'), item('d')])
    const send = async (_: { readonly id?: string }): Promise<unknown> => null
    const remove = new Endpoint(send, { name: 'remove', schema: items.remove, sideEffect: true })
    const push = new Endpoint(send, { name: 'push', schema: items.push, sideEffect: true })
    controller.setResponse(remove, { id: 'a' }, { id: 'a' })
    controller.setResponse(push, {}, { id: 'a' })
    expect(ids()).toBe('bcda')
    fetchRead({ page: 3 })
    await page(1).answer([item('e'), item('f')])
    expect(ids()).toBe('bcdefa')
    await again([item('b'), item('c')])
    expect(ids()).toBe('bcdefa')
  })

  test('an older read of the first page changes nothing, also if the newer one changed nothing', async () => {
    const { ids, fetchRead, page, ...board } = await withFirst()
    const first = board.reader('page', items.paginated(byPage))
    const late = board.controller.fetch(first, {})
    board.controller.setResponse(first, {}, [item('a'), item('b')])
    await page(0).answer([item('z')])
    await late
    expect(ids()).toBe('ab')
    const later = board.controller.fetch(first, { extra: undefined })
    board.controller.setResponse(first, {}, [item('a'), item('b')])
    fetchRead({ page: 2 })
    await page(2).answer([item('c')])
    await page(1).answer([item('z')])
    await later
    expect(ids()).toBe('abc')
  })

  test('with other cursors are in the order in which they were first requested', async () => {
    const { ids, fetchRead, page } = await withFirst(items, byCursor)
    fetchRead({ cursor: 'zz' })
    fetchRead({ cursor: 'aa' })
    await page(1).answer([item('e')])
    await page(0).answer([item('c')])
    fetchRead({ cursor: 'zz' })
    await page(2).answer([item('c'), item('d')])
    expect(ids()).toBe('abcde')
  })

  test('stay when page one is fetched again, and members that left page one stand before them until their own response', async () => {
    const { ids, fetchRead, page, again } = await withFirst()
    fetchRead({ page: 2 })
    await page(0).answer([item('c'), item('d')])
    await again([item('n'), item('a')])
    expect(ids()).toBe('nabcd')
    await again([item('n'), item('c')])
    expect(ids()).toBe('ncabd')
    fetchRead({ page: 2 })
    await page(1).answer([item('a'), item('d')])
    expect(ids()).toBe('ncad')
  })

  test('that overlap show each member once, at its first place', async () => {
    const { ids, fetchRead, page } = await withFirst()
    fetchRead({ page: 2 })
    await page(0).answer([item('b'), item('c')])
    fetchRead({ page: 3 })
    await page(1).answer([item('c'), item('d')])
    expect(ids()).toBe('abcd')
    fetchRead({ page: 2 })
    await page(2).answer([item('x')])
    expect(ids()).toBe('abxcd')
  })

  test('that are older than the stored state are ignored', async () => {
    const { ids, fetchRead, page } = await withFirst()
    fetchRead({ page: 2 })
    fetchRead({ page: 2, other: undefined })
    await page(0).answer([item('c')])
    expect(ids()).toBe('abc')
  })

  test('keep pushed members at the end and unshifted ones at the start, until a page contains them', async () => {
    const { ids, fetchRead, page, run, again } = await withFirst()
    fetchRead({ page: 2 })
    await page(0).answer([item('c')])
    await run('push', items.push, item('y'), {})
    await run('unshift', items.unshift, item('x'), {})
    expect(ids()).toBe('xabcy')
    fetchRead({ page: 3 })
    await page(1).answer([item('d')])
    expect(ids()).toBe('xabcdy')
    await again([item('x'), item('a')])
    expect(ids()).toBe('xabcdy')
    fetchRead({ page: 4 })
    await page(2).answer([item('y'), item('z')])
    expect(ids()).toBe('xabcdyz')
  })

  test('that are all empty: what was pushed stands at the end when members come, what was unshifted at the start', async () => {
    const { controller, fetchRead, reader, run, server } = open()
    const pages = reader('page', items.paginated(byPage))
    void controller.fetch(pages, { page: 2 })
    await server.one('page').answer([])
    void fetchRead('list', items, {})
    await run('push', items.push, item('y'), {})
    await run('unshift', items.unshift, item('x'), {})
    await server.one('list').answer([item('a'), item('b')])
    expect(
      controller
        .get(items, {})
        ?.map(({ id }) => id)
        .join(''),
    ).toBe('xaby')
  })

  test('do not bring back members that were removed after they were requested', async () => {
    const { ids, fetchRead, page, run } = await withFirst()
    fetchRead({ page: 2 })
    await page(0).answer([item('c'), item('d')])
    fetchRead({ page: 3 })
    await run('remove', items.remove, item('c'), {})
    await page(1).answer([item('c'), item('e')])
    expect(ids()).toBe('abde')
  })

  test('are removed from, also when other pages come later', async () => {
    const { ids, fetchRead, page, run, again } = await withFirst()
    fetchRead({ page: 2 })
    await page(0).answer([item('c'), item('d')])
    await run('remove', items.remove, item('d'), {})
    await again([item('a'), item('b')])
    fetchRead({ page: 3 })
    await page(1).answer([item('e')])
    expect(ids()).toBe('abce')
  })

  test('a page may come first', async () => {
    const { fetchRead, controller, server } = open()
    void fetchRead('page', items.paginated(byPage), { page: 2 })
    await server.one('page').answer([item('c')])
    void fetchRead('list', items, {})
    await server.one('list').answer([item('a')])
    expect(controller.get(items, {})?.map(({ id }) => id)).toEqual(['a', 'c'])
  })

  test('of a union and of Values', async () => {
    const board = open()
    const union = new Collection([new Union({ item: Item, note: Note }, 'type')])
    const list = await board.load('list', union, [
      { id: '1', type: 'item' },
      { id: '1', type: 'note' },
    ])
    void board.fetchRead('page', union.paginated(byPage), { page: 2 })
    await board.server.one('page').answer([
      { id: '1', type: 'note' },
      { id: '2', type: 'item' },
    ])
    expect(list.now.data?.map(({ id, type }) => type + id)).toEqual(['item1', 'note1', 'item2'])

    const map = new Collection(new Values(Item))
    const shown = await board.load('map', map, { a: item('1') })
    const more = board.reader('more', map.paginated(byPage))
    void board.controller.fetch(more, { page: 2 })
    void board.controller.fetch(more, { page: 3 })
    await board.server.one('more', 1).answer({ c: item('3'), a: item('9') })
    await board.server.one('more', 0).answer({ b: item('2') })
    expect(Object.entries(shown.now.data ?? {}).map(([key, { id }]) => key + id)).toEqual(['a9', 'b2', 'c3'])
  })

  test('any pages in any order of responses end in order', async () => {
    const orders = fc
      .shuffledSubarray([2, 3, 4, 5, 6], { minLength: 1 })
      .chain((sent) =>
        fc.record({ sent: fc.constant(sent), answered: fc.shuffledSubarray(sent, { minLength: sent.length }) }),
      )
    await fc.assert(
      fc.asyncProperty(orders, fc.boolean(), async ({ sent, answered }, refetchesFirst) => {
        const { ids, fetchRead, page, again } = await withFirst()
        for (const number of sent) fetchRead({ page: number })
        for (const number of answered) {
          await page(sent.indexOf(number)).answer([item(`${number}`), item(`${number + 1}`)])
          if (refetchesFirst) await again([item('a'), item('b')])
        }
        const expected = [...new Set([...sent].sort().flatMap((number) => [`${number}`, `${number + 1}`]))]
        expect(ids()).toBe(`ab${expected.join('')}`)
      }),
      { numRuns: 60 },
    )
  })
})

describe('fields beside a list', () => {
  const page = new schema.Object({
    items: new Collection([Item]),
    total: 0,
    hasNext: false,
    info: { nextCursor: '' as string },
  })

  /** A REST list whose pages are answered by hand. */
  const opened = async () => {
    const board = open()
    const sent: ((data: unknown) => Promise<void>)[] = []
    const list = new RestEndpoint({
      path: '/items',
      schema: page,
      paginationField: 'page',
      pageFields: ['hasNext', 'nextCursor'],
    }).extend({
      fetch: () =>
        new Promise<never>((resolve) => {
          sent.push((data) => {
            resolve(data as never)
            return settle()
          })
        }),
    })
    const shown = watch(board.controller.watch(list))
    await settle()
    await sent[0]?.(response(['a'], 9, 'two'))
    const fetchRead = (number: number) => void board.controller.fetch(list.getPage, { page: number })
    return { ...board, list, shown, fetchRead, sent }
  }
  const response = (ids: readonly string[], total: number, next: string | null) => ({
    items: ids.map(item),
    total,
    hasNext: next !== null,
    info: { nextCursor: next },
  })

  test('are the newest response’s, but those that `pageFields` names are the last page’s', async () => {
    const { controller, list, sent, shown, fetchRead } = await opened()
    fetchRead(2)
    await sent[1]?.(response(['b'], 10, null))
    expect(shown.now.data).toMatchObject({ total: 10, hasNext: false, info: { nextCursor: null } })
    void controller.fetch(list)
    await sent[2]?.(response(['a'], 11, 'two'))
    expect(shown.now.data?.items.map(({ id }) => id)).toEqual(['a', 'b'])
    expect(shown.now.data).toMatchObject({ total: 11, hasNext: false, info: { nextCursor: null } })
  })

  test('do not depend on the order of responses', async () => {
    const { sent, shown, fetchRead } = await opened()
    fetchRead(2)
    fetchRead(3)
    await sent[2]?.(response(['c'], 12, null))
    await sent[1]?.(response(['b'], 11, 'three'))
    expect(shown.now.data?.items.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    expect(shown.now.data).toMatchObject({ total: 12, hasNext: false, info: { nextCursor: null } })
  })
})

test('two pages of one list are two requests, the same page is one', async () => {
  const urls: string[] = []
  const list = new RestEndpoint({ path: '/items', schema: items, paginationField: 'page' }).extend({
    fetch: (...args) => {
      urls.push(JSON.stringify(args))
      return new Promise<never>(() => {})
    },
  })
  const { controller } = open()
  void controller.fetch(list)
  void controller.fetch(list.getPage, { page: 2 })
  void controller.fetch(list.getPage, { page: 3 })
  void controller.fetch(list.getPage, { page: 3 })
  await settle()
  expect(urls).toHaveLength(3)
})

test('getPage of a RestEndpoint, of a list in an object', async () => {
  const getItems = new RestEndpoint({
    path: '/items',
    searchParams: {} as { kind?: string },
    schema: { items, hasNext: false },
    paginationField: 'page',
  })
  const { controller } = open()
  const responses: unknown[] = []
  const served = getItems.extend({ fetch: async () => responses.shift() as never })
  responses.push({ items: [item('a')], hasNext: true })
  await controller.fetch(served, {})
  responses.push({ items: [item('b')], hasNext: false })
  await controller.fetch(served.getPage, { page: 2 })
  expect(controller.getResponse(served, {}).data).toMatchObject({ items: [{ id: 'a' }, { id: 'b' }], hasNext: false })
})
