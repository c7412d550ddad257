import {
  Collection,
  Controller,
  Endpoint,
  Entity,
  Invalidate,
  type PagesQuery,
  pagesOf,
  RestEndpoint,
  resource,
  select,
  Values,
} from '@roundtable/core'
import { describe, expect, test, vi } from 'vitest'
import { HandClock, settle } from './clock.js'

class Item extends Entity {
  static override key = 'Item'
  id = ''
  isDone = false
}

type Json = unknown

/** A server with rows and pages of two, whose answers a test may hold back, count and replace. */
function openServer(...ids: string[]) {
  const rows = ids.map((id) => ({ id }))
  const log: string[] = []
  let fail: ((url: URL) => Error | undefined) | undefined
  const waiting: (() => void)[] = []
  let isHeld = false
  const respond = async (input: unknown, init: RequestInit, answer: (url: URL) => Json): Promise<Response> => {
    const url = new URL(String(input), 'http://api.test')
    log.push(`${init.method ?? 'GET'} ${url.pathname}${url.search}`)
    if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve))
    const error = fail?.(url)
    if (error !== undefined) throw error
    if (init.method === 'POST') {
      const row = JSON.parse(String(init.body))
      rows.unshift(row)
      return Response.json(row)
    }
    return Response.json(answer(url))
  }
  return {
    rows,
    log,
    respond,
    failAt: (when: typeof fail) => {
      fail = when
    },
    hold: () => {
      isHeld = true
    },
    release: async () => {
      isHeld = false
      for (const resolve of waiting.splice(0)) resolve()
      await settle()
    },
  }
}

function open(...ids: string[]) {
  const server = openServer(...ids)
  const clock = new HandClock()
  const reported: Error[] = []
  const controller = new Controller({ env: clock, onError: (error) => reported.push(error) })
  const at = (field: string) => (url: URL) => Number(url.searchParams.get(field) ?? 0)
  const page = (url: URL) => server.rows.slice((Math.max(1, at('page')(url)) - 1) * 2).slice(0, 2)
  const base = { path: '/items', searchParams: {} as { group?: string } | undefined, dataExpiryLength: 60_000 }
  const getItems = new RestEndpoint({
    ...base,
    name: 'getItems',
    schema: new Collection([Item]),
    paginationField: 'page',
    fetchResponse: (url, init) => server.respond(url, init, page),
  })
  const getByOffset = new RestEndpoint({
    ...base,
    name: 'getByOffset',
    schema: new Collection([Item]),
    paginationField: 'offset',
    fetchResponse: (url, init) => server.respond(url, init, (at_) => server.rows.slice(at('offset')(at_)).slice(0, 2)),
  })
  const getFeed = new RestEndpoint({
    ...base,
    name: 'getFeed',
    schema: { items: new Collection([Item]), next: '' },
    paginationField: 'cursor',
    nextPage: ({ response }) => (response.next ? { cursor: response.next } : undefined),
    fetchResponse: (url, init) =>
      server.respond(url, init, (of) => {
        const from = server.rows.findIndex(({ id }) => id === of.searchParams.get('cursor'))
        const items = server.rows.slice(Math.max(0, from), Math.max(0, from) + 2)
        const next = server.rows[Math.max(0, from) + 2]?.id
        return next === undefined ? { items } : { items, next }
      }),
  })
  return { server, clock, controller, reported, getItems, getByOffset, getFeed }
}

const removeItem = new Endpoint(async ({ id }: { id: string }) => ({ id }), {
  name: 'remove',
  schema: new Invalidate(Item),
  sideEffect: true,
})

/** A copy without options that types keep. */
function without<E extends { extend(options: never): unknown }>(endpoint: E, options: object): E {
  return endpoint.extend(options as never) as E
}

const ids = (query: PagesQuery<unknown>): string => {
  const { data } = query.getSnapshot()
  const items = (Array.isArray(data) ? data : ((data as { items?: Item[] } | undefined)?.items ?? [])) as Item[]
  return items.map(({ id }) => id).join('')
}

async function watched(query: PagesQuery<unknown>) {
  let changes = 0
  const stop = query.subscribe(() => {
    changes++
  })
  await settle()
  return { stop, changes: () => changes }
}

/** Loads two pages by offset, deletes the first row, and requests the next page. */
async function firstDeleted(rows: string) {
  const { controller, getByOffset, server } = open(...rows)
  const pages = pagesOf(controller, getByOffset)
  await watched(pages)
  await pages.fetchNext()
  server.rows.splice(0, 1)
  await controller.fetch(removeItem, { id: 'a' })
  await pages.fetchNext()
  return { controller, pages, server }
}

describe('pagesOf', () => {
  test('counts on by number until a page is empty', async () => {
    const { controller, getItems, server } = open('a', 'b', 'c', 'd')
    const pages = pagesOf(controller, getItems)
    expect(pages.getSnapshot()).toMatchObject({ status: 'pending', loading: true, pages: 0, hasNext: undefined })
    await watched(pages)
    expect(pages.getSnapshot()).toMatchObject({ status: 'ready', pages: 1, hasNext: true, fetchingNext: false })
    await pages.fetchNext()
    expect(ids(pages)).toBe('abcd')
    expect(pages.getSnapshot()).toMatchObject({ pages: 2, hasNext: true })
    await pages.fetchNext()
    expect(pages.getSnapshot()).toMatchObject({ pages: 3, hasNext: false })
    await pages.fetchNext()
    expect(server.log).toEqual(['GET /items', 'GET /items?page=2', 'GET /items?page=3'])
  })

  test('a page that repeats what is there is the last one', async () => {
    const { controller, getItems, server } = open('a', 'b')
    const stuck = getItems.extend({
      fetchResponse: (url, init) => server.respond(url, init, () => [{ id: 'a' }, { id: 'b' }]),
    })
    const pages = pagesOf(controller, stuck)
    await watched(pages)
    await pages.fetchNext()
    expect(pages.getSnapshot()).toMatchObject({ pages: 2, hasNext: false })
    expect(ids(pages)).toBe('ab')
  })

  test('an offset is the number of members that pages have: none is lost after a create', async () => {
    const { controller, getByOffset, server } = open('a', 'b', 'c', 'd', 'e')
    const pages = pagesOf(controller, getByOffset)
    await watched(pages)
    await controller.fetch(getByOffset.push, {}, { id: 'x' })
    server.rows.splice(
      server.rows.findIndex(({ id }) => id === 'x'),
      1,
    )
    server.rows.push({ id: 'x' })
    await pages.fetchNext()
    await pages.fetchNext()
    expect(server.log.filter((line) => line.startsWith('GET'))).toEqual([
      'GET /items',
      'GET /items?offset=2',
      'GET /items?offset=4',
    ])
    expect(ids(pages)).toBe('abcdex')
  })

  test('an offset counts what the server has: no row is skipped after a deletion, or a change that `belongs` sees', async () => {
    const ways = {
      deleted: async (controller: Controller) => void (await controller.fetch(removeItem, { id: 'b' })),
      left: async (controller: Controller) => controller.set(Item, { id: 'b' }, { id: 'b', isDone: true }),
      'deleted as expected': async (controller: Controller, look: () => void) => {
        const expected = removeItem.extend({ getOptimisticResponse: (_, { id }) => ({ id }) })
        const removed = controller.fetch(expected, { id: 'b' })
        look()
        await removed
      },
    }
    for (const leave of Object.values(ways)) {
      const { controller, getByOffset, server } = open('a', 'b', 'c', 'd', 'e')
      const getOpen = getByOffset.extend({ schema: new Collection([Item], { belongs: ({ isDone }) => !isDone }) })
      const pages = pagesOf(controller, getOpen)
      await watched(pages)
      server.rows.splice(1, 1)
      await leave(controller, () => void pages.getSnapshot())
      expect(ids(pages)).toBe('a')
      await pages.fetchNext()
      await pages.fetchNext()
      expect(server.log.slice(1)).toEqual(['GET /items?offset=1', 'GET /items?offset=3'])
      expect(ids(pages)).toBe('acde')
    }
  })

  test('the first page is one, also if it is requested by its number; so is any other whose number is text', async () => {
    const { controller, getItems, getByOffset, server } = open('a', 'b', 'c', 'd', 'e')
    const pages = pagesOf(controller, getItems)
    await watched(pages)
    await controller.fetch(getItems.getPage, { page: 1 })
    expect(pages.getSnapshot()).toMatchObject({ pages: 1, hasNext: true })
    await pages.fetchNext()
    await controller.fetch(getItems.getPage, { page: '2' })
    expect(pages.getSnapshot()).toMatchObject({ pages: 2, hasNext: true })
    await pages.fetchNext()
    expect(server.log.at(-1)).toBe('GET /items?page=3')
    expect(ids(pages)).toBe('abcde')
    const offsets = pagesOf(controller, getByOffset, { group: 'g' })
    await watched(offsets)
    for (const offset of [0, '2']) await controller.fetch(getByOffset.getPage, { group: 'g', offset })
    await offsets.fetchNext()
    expect(server.log.at(-1)).toBe('GET /items?group=g&offset=4')
    expect(ids(offsets)).toBe('abcde')
  })

  test('the later one of two first pages counts', async () => {
    const { controller, getItems, server } = open()
    const pages = pagesOf(controller, getItems)
    await watched(pages)
    expect(pages.getSnapshot()).toMatchObject({ pages: 1, hasNext: false })
    server.rows.push({ id: 'a' }, { id: 'b' }, { id: 'c' })
    await controller.fetch(getItems.getPage, { page: 1 })
    expect(pages.getSnapshot()).toMatchObject({ pages: 1, hasNext: true })
    await pages.fetchNext()
    expect(ids(pages)).toBe('abc')
  })

  test('a number that a page of 0 may begin with is left to nextPage', async () => {
    const { controller, getItems } = open('a', 'b', 'c', 'd')
    const fromZero = getItems.extend({ nextPage: ({ params }) => ({ page: Number(params.page ?? 0) + 1 }) })
    const pages = pagesOf(controller, fromZero)
    await watched(pages)
    await pages.fetchNext()
    expect(pages.getSnapshot()).toMatchObject({ pages: 2, hasNext: true })
  })

  test('a cursor comes from the last page, and the end is where there is none', async () => {
    const { controller, getFeed, server } = open('a', 'b', 'c', 'd', 'e')
    const pages = pagesOf(controller, getFeed, { group: 'g' })
    await watched(pages)
    await pages.fetchNext()
    await pages.fetchNext()
    expect(ids(pages)).toBe('abcde')
    expect(pages.getSnapshot()).toMatchObject({ pages: 3, hasNext: false })
    expect(server.log.at(-1)).toBe('GET /items?cursor=e&group=g')
  })

  test('nextPage is given the page alone: its data, members, params and index', async () => {
    const { controller, getFeed } = open('a', 'b', 'c', 'd', 'e')
    const seen: unknown[] = []
    const spied = getFeed.extend({
      nextPage: ({ response, items, params, index }) => {
        seen.push([response.items?.map(({ id }) => id), items.map(({ id }) => id), params, index, response.next])
        return response.next ? { cursor: response.next } : null
      },
    })
    const pages = pagesOf(controller, spied, { group: 'g' })
    await watched(pages)
    await controller.fetch(getFeed.push, { group: 'g' }, { id: 'x' })
    await pages.fetchNext()
    pages.getSnapshot()
    expect(seen[0]).toEqual([['a', 'b'], ['a', 'b'], { group: 'g' }, 0, 'c'])
    expect(seen.at(-1)).toEqual([['c', 'd'], ['c', 'd'], { group: 'g', cursor: 'c' }, 1, 'e'])
  })

  test('created and removed members do not change which page comes next', async () => {
    const { controller, getItems, server } = open('a', 'b', 'c', 'd', 'e', 'f')
    const pages = pagesOf(controller, getItems)
    await watched(pages)
    await controller.fetch(getItems.push, {}, { id: 'x' })
    server.rows.shift()
    server.rows.push({ id: 'x' })
    await pages.fetchNext()
    await pages.fetchNext()
    expect(server.log.filter((line) => line.startsWith('GET'))).toEqual([
      'GET /items',
      'GET /items?page=2',
      'GET /items?page=3',
    ])
    expect([...ids(pages)].sort().join('')).toBe('abcdefx')
  })

  test('a last page whose members were all deleted is not the end; one that came empty is', async () => {
    const { controller, getItems, server } = open('a', 'b', 'c', 'd', 'e')
    const pages = pagesOf(controller, getItems)
    await watched(pages)
    await pages.fetchNext()
    for (const id of ['c', 'd']) await controller.fetch(removeItem, { id })
    expect(ids(pages)).toBe('ab')
    expect(pages.getSnapshot()).toMatchObject({ pages: 2, hasNext: true })
    await pages.fetchNext()
    expect(ids(pages)).toBe('abe')
    for (const id of ['a', 'b', 'e']) await controller.fetch(removeItem, { id })
    server.rows.splice(0)
    await pages.refetch()
    expect(pages.getSnapshot()).toMatchObject({ data: [], hasNext: false })
  })

  test('the only page, too', async () => {
    const { controller, getItems, server } = open('a', 'b', 'c')
    const pages = pagesOf(controller, getItems)
    await watched(pages)
    for (const id of ['a', 'b']) await controller.fetch(removeItem, { id })
    expect(pages.getSnapshot()).toMatchObject({ data: [], hasNext: true })
    server.rows.splice(0)
    await pages.refetch()
    expect(pages.getSnapshot()).toMatchObject({ data: [], hasNext: false })
  })

  test.each([
    ['the last page', 2],
    ['the only page', 1],
  ])('members that were taken out of %s before anybody looked do not end the list', async (_, count) => {
    const { controller, getItems } = open('a', 'b', 'c', 'd', 'e')
    await controller.fetch(getItems, {})
    if (count === 2) await controller.fetch(getItems.getPage, { page: 2 })
    const takeOut = getItems.remove.extend({ fetch: async () => ({}) as never })
    for (const id of count === 2 ? ['c', 'd'] : ['a', 'b']) await controller.fetch(takeOut, {}, { id })
    const pages = pagesOf(controller, getItems)
    await watched(pages)
    expect(ids(pages)).toBe(count === 2 ? 'ab' : '')
    expect(pages.getSnapshot()).toMatchObject({ pages: count, hasNext: true })
  })

  test('an offset goes on from the last page, also if pages overlap since a deletion', async () => {
    const { controller, getByOffset, server } = open('a', 'b', 'c', 'd', 'e', 'f')
    const pages = pagesOf(controller, getByOffset)
    await watched(pages)
    server.rows.splice(1, 1)
    await controller.fetch(removeItem, { id: 'b' })
    await pages.fetchNext()
    await pages.refetch()
    expect(ids(pages)).toBe('acd')
    await pages.fetchNext()
    expect(server.log.at(-1)).toBe('GET /items?offset=3')
    expect(ids(pages)).toBe('acdef')
  })

  test('an offset moves up by who is deleted after the last page was read, however many pages are before', async () => {
    const { controller, getByOffset, server } = open('a', 'b', 'c', 'd', 'e', 'f')
    const pages = pagesOf(controller, getByOffset)
    await watched(pages)
    await pages.fetchNext()
    server.rows.splice(0, 1)
    const takeOut = getByOffset.remove.extend({ fetch: async () => ({}) as never })
    await controller.fetch(takeOut, {}, { id: 'a' })
    await pages.fetchNext()
    expect(server.log.at(-1)).toBe('GET /items?offset=3')
    expect(ids(pages)).toBe('bcdef')
  })

  test('of an endpoint with a mark have the data that it shows', async () => {
    const { controller, getItems, server } = open('a', 'b', 'c')
    const marked = select(getItems, (items: readonly Item[]) => items.length)
    const pages = pagesOf(controller, marked)
    expect(pagesOf(controller, marked)).toBe(pages)
    const { changes } = await watched(pages)
    expect(pages.getSnapshot()).toMatchObject({ data: 2, pages: 1, hasNext: true, fetchingNext: false })
    server.hold()
    const fetched = pages.fetchNext()
    expect(pages.getSnapshot()).toMatchObject({ data: 2, fetchingNext: true, refreshing: false })
    await server.release()
    await fetched
    expect(pages.getSnapshot()).toMatchObject({ data: 3, pages: 2, fetchingNext: false })
    expect(changes()).toBeGreaterThan(1)
    await pages.getSnapshot().refetch()
    expect(server.log).toEqual(['GET /items', 'GET /items?page=2', 'GET /items', 'GET /items?page=2'])
    expect(pagesOf(controller, marked, null).getSnapshot()).toMatchObject({ status: 'idle', hasNext: undefined })
  })

  test('after as many deletions as the last page has members, the next page leaves the others as they are', async () => {
    const { pages, server } = await firstDeleted('abc')
    expect(server.log).toEqual(['GET /items', 'GET /items?offset=2', 'GET /items?offset=2'])
    expect(ids(pages)).toBe('bc')
    expect(pages.getSnapshot()).toMatchObject({ pages: 2, hasNext: false })
    await pages.refetch()
    expect(ids(pages)).toBe('bc')
    expect(pages.getSnapshot()).toMatchObject({ pages: 2, hasNext: false })
  })

  test('after as many deletions as the last page has members, a next page of a map leaves the others as they are', async () => {
    const { controller, getByOffset, server } = open('a', 'b', 'c', 'd')
    const byId = (rows: readonly { id: string }[]) => Object.fromEntries(rows.map((row) => [row.id, row]))
    const getMap = new RestEndpoint({
      path: '/items',
      schema: new Collection(new Values(Item)),
      paginationField: 'offset',
      fetchResponse: async (url, init) =>
        Response.json(byId((await (await getByOffset.fetchResponse(url, init)).json()) as { id: string }[])),
    })
    const pages = pagesOf(controller, getMap)
    await watched(pages)
    await pages.fetchNext()
    server.rows.splice(0, 2)
    for (const id of 'ab') await controller.fetch(removeItem, { id })
    await pages.fetchNext()
    expect(server.log.at(-1)).toBe('GET /items?offset=2')
    expect(Object.keys(pages.getSnapshot().data ?? {}).join('')).toBe('cd')
    expect(pages.getSnapshot()).toMatchObject({ pages: 2, hasNext: false })
  })

  test('an empty page is the end, also if its offset is before that of a loaded page', async () => {
    const { controller, getByOffset, server } = open('a', 'b', 'c', 'd', 'e')
    const pages = pagesOf(controller, getByOffset)
    await watched(pages)
    await pages.fetchNext()
    await pages.fetchNext()
    server.rows.splice(0, 2)
    for (const id of 'ab') await controller.fetch(removeItem, { id })
    await pages.fetchNext()
    expect(server.log.at(-1)).toBe('GET /items?offset=3')
    expect(ids(pages)).toBe('cde')
    expect(pages.getSnapshot()).toMatchObject({ hasNext: false })
    await pages.fetchNext()
    expect(server.log).toHaveLength(4)
  })

  test('a page by an offset before that of a loaded page comes after it', async () => {
    const { controller, pages, server } = await firstDeleted('abcdefgh')
    server.rows.splice(0, 4)
    for (const id of 'bcde') await controller.fetch(removeItem, { id })
    await pages.fetchNext()
    expect(server.log.slice(2)).toEqual(['GET /items?offset=3', 'GET /items?offset=1'])
    expect(ids(pages)).toBe('fgh')
    await pages.fetchNext()
    expect(server.log.at(-1)).toBe('GET /items?offset=3')
    expect(pages.getSnapshot()).toMatchObject({ hasNext: false })
  })

  test.each([
    ['getByOffset', 'offset=2', 'offset=4'],
    ['getItems', 'page=2', 'page=3'],
  ] as const)(
    'a page that created members have moved to where it repeats others is not the end: %s',
    async (name, ...asked) => {
      const opened = open(...'abc')
      const { controller, server } = opened
      const list = opened[name] as typeof opened.getItems
      const pages = pagesOf(controller, list)
      await watched(pages)
      for (const id of 'xy') await controller.fetch(list.unshift, {}, { id })
      expect(ids(pages)).toBe('yxab')
      await pages.fetchNext()
      expect(pages.getSnapshot()).toMatchObject({ hasNext: true })
      await pages.fetchNext()
      expect(ids(pages)).toBe('yxabc')
      expect(server.log.filter((line) => line.startsWith('GET')).slice(1)).toEqual(
        asked.map((params) => `GET /items?${params}`),
      )
    },
  )

  test('a created member that is deleted after a page was read moves the next offset up', async () => {
    const { controller, getByOffset, server } = open(...'abcde')
    const pages = pagesOf(controller, getByOffset)
    await watched(pages)
    await controller.fetch(getByOffset.unshift, {}, { id: 'x' })
    await pages.fetchNext()
    expect(ids(pages)).toBe('xabc')
    server.rows.splice(0, 1)
    await controller.fetch(removeItem, { id: 'x' })
    await pages.fetchNext()
    expect(server.log.at(-1)).toBe('GET /items?offset=3')
    expect(ids(pages)).toBe('abcde')
  })

  test('a deletion counts although the first page alone was read again since', async () => {
    const { controller, getByOffset, server } = open(...'abcdef')
    const pages = pagesOf(controller, without(getByOffset, { refreshPages: 'first' }))
    await watched(pages)
    await pages.fetchNext()
    server.rows.splice(0, 1)
    await controller.fetch(removeItem, { id: 'a' })
    await pages.refetch()
    await pages.fetchNext()
    expect(server.log.slice(2)).toEqual(['GET /items', 'GET /items?offset=3'])
    expect(ids(pages)).toBe('bcdef')
  })

  test.each([
    ['all pages are', 'abc', 3],
    ['more pages follow', 'abcde', 2],
  ])('fetchNext repeats a refresh that has failed, if %s loaded', async (_, rows, count) => {
    const { controller, getItems, server } = open(...rows)
    const pages = pagesOf(controller, getItems)
    await watched(pages)
    for (let page = 2; page <= count; page++) await pages.fetchNext()
    const { hasNext } = pages.getSnapshot()
    const shown = ids(pages)
    server.failAt(() => new Error('down'))
    await pages.refetch()
    expect(pages.getSnapshot()).toMatchObject({ status: 'failed', hasNext })
    server.failAt(undefined)
    server.log.length = 0
    const tried = pages.fetchNext()
    expect(pages.getSnapshot()).toMatchObject({ fetchingNext: true })
    await tried
    expect(server.log).toEqual(['GET /items', 'GET /items?page=2', 'GET /items?page=3'].slice(0, count))
    expect(pages.getSnapshot()).toMatchObject({ status: 'ready', error: undefined, pages: count, hasNext })
    expect(ids(pages)).toBe(shown)
  })

  test("a resource's list has nextPage", async () => {
    const { server } = open('a', 'b', 'c', 'd')
    const Items = resource({
      path: '/items/:id',
      schema: Item,
      paginationField: 'after',
      nextPage: ({ items, params }) => (items.length < 2 ? undefined : { after: Number(params.after ?? 0) + 2 }),
      fetchResponse: (url, init) =>
        server.respond(url, init, ({ searchParams }) =>
          server.rows.slice(Number(searchParams.get('after') ?? 0)).slice(0, 2),
        ),
    })
    const pages = pagesOf(new Controller({ env: new HandClock() }), Items.getList)
    await watched(pages)
    while (pages.getSnapshot().hasNext) await pages.fetchNext()
    expect(server.log).toEqual(['GET /items', 'GET /items?after=2', 'GET /items?after=4'])
    expect(ids(pages)).toBe('abcd')
  })

  test('fetchNext twice at once is one request, from any reader of the key', async () => {
    const { controller, getItems, server } = open('a', 'b', 'c')
    const pages = pagesOf(controller, getItems)
    expect(pagesOf(controller, getItems)).toBe(pages)
    const { changes } = await watched(pages)
    server.hold()
    const [one, two] = [pages.fetchNext(), pagesOf(controller, getItems).fetchNext()]
    expect(one).toBe(two)
    expect(pages.getSnapshot()).toMatchObject({ fetchingNext: true, refreshing: false, loading: false })
    expect(changes()).toBeGreaterThan(0)
    await server.release()
    await one
    expect(pages.getSnapshot()).toMatchObject({ fetchingNext: false, pages: 2 })
    expect(server.log).toEqual(['GET /items', 'GET /items?page=2'])
  })

  test('fetchNext before the first page waits for it, also without a subscriber', async () => {
    const { controller, getItems, server } = open('a', 'b', 'c')
    const pages = pagesOf(controller, getItems)
    await pages.fetchNext()
    expect(ids(pages)).toBe('abc')
    expect(server.log).toEqual(['GET /items', 'GET /items?page=2'])
  })

  test('fetchNext after the first page has failed fetches that page, once however often it is called', async () => {
    const { controller, getItems, server } = open('a', 'b', 'c')
    server.failAt(() => new Error('no page'))
    const pages = pagesOf(controller, getItems)
    await watched(pages)
    expect(pages.getSnapshot()).toMatchObject({ status: 'failed', pages: 0, hasNext: undefined })
    await pages.fetchNext()
    expect(pages.getSnapshot()).toMatchObject({ status: 'failed', pages: 0 })
    server.failAt(undefined)
    await Promise.all([pages.fetchNext(), pages.fetchNext()])
    expect(pages.getSnapshot()).toMatchObject({ status: 'ready', error: undefined, pages: 1, hasNext: true })
    expect(server.log).toEqual(['GET /items', 'GET /items', 'GET /items'])
  })

  test.each([
    ['fetches', ({ controller, getItems }: ReturnType<typeof open>) => controller.fetch(getItems.getPage, { page: 2 })],
    ['writes', ({ controller, getItems }) => controller.setResponse(getItems.getPage, { page: 2 }, [])],
  ] as [string, (opened: ReturnType<typeof open>) => unknown][])(
    'whoever shows pages is notified when somebody else %s the end of the list, with and without a mark',
    async (_, end) => {
      const opened = open('a', 'b')
      const { controller, getItems } = opened
      const both = [getItems, select(getItems, (items: readonly Item[]) => items.length)].map((endpoint) => {
        const pages = pagesOf(controller, endpoint)
        const seen: unknown[] = []
        pages.subscribe(() => {
          const { pages: count, hasNext } = pages.getSnapshot()
          seen.push([count, hasNext])
        })
        return seen
      })
      await settle()
      await end(opened)
      for (const seen of both) {
        expect(seen).toEqual([
          [1, true],
          [2, false],
        ])
      }
    },
  )

  test('a listener that throws is reported: others are called, and fetchNext goes on', async () => {
    const { controller, getItems, reported } = open('a', 'b', 'c')
    const pages = pagesOf(controller, getItems)
    let heard = 0
    pages.subscribe(() => {
      throw new Error('broken listener')
    })
    pages.subscribe(() => heard++)
    await settle()
    heard = 0
    await pages.fetchNext()
    await pages.refetch()
    expect(heard).toBeGreaterThan(0)
    expect(ids(pages)).toBe('abc')
    expect(reported[0]).toMatchObject({ name: 'CallbackError' })
  })

  test.each(['page', 'offset'])(
    'the %s after many is found by the last one: the others are not visited again',
    async (field) => {
      const { controller, getItems, getByOffset, server } = open(...Array.from({ length: 120 }, (_, i) => `${i}`))
      const pages = pagesOf(controller, field === 'page' ? getItems : getByOffset)
      await watched(pages)
      const parse = vi.spyOn(JSON, 'parse')
      const parsed: number[] = []
      for (let page = 2; page <= 60; page++) {
        const before = parse.mock.calls.length
        await pages.fetchNext()
        parsed.push(parse.mock.calls.length - before)
      }
      parse.mockRestore()
      expect(server.log).toHaveLength(60)
      expect(pages.getSnapshot().pages).toBe(60)
      expect(parsed.at(-1)).toBe(parsed[5])
    },
  )

  test('a failed page leaves the list and sets the error until the next try', async () => {
    const { controller, getItems, server } = open('a', 'b', 'c')
    const pages = pagesOf(controller, getItems)
    const list = controller.watch(getItems)
    await watched(pages)
    const { changes } = await watched(pages)
    server.failAt(() => new Error('no page'))
    await expect(pages.fetchNext()).resolves.toBeUndefined()
    expect(pages.getSnapshot()).toMatchObject({ status: 'failed', pages: 1, hasNext: true, loading: false })
    expect(pages.getSnapshot().error?.message).toContain('no page')
    expect(ids(pages)).toBe('ab')
    expect(list.getSnapshot()).toMatchObject({ status: 'ready', error: undefined })
    expect(changes()).toBeGreaterThan(0)
    server.failAt(undefined)
    await pages.fetchNext()
    expect(pages.getSnapshot()).toMatchObject({ status: 'ready', error: undefined, pages: 2 })
    expect(ids(pages)).toBe('abc')
  })

  test.each([
    ['the list is refreshed', ({ controller, getItems }: ReturnType<typeof open>) => controller.expireAll(getItems)],
    ['the page comes by itself', ({ controller, getItems }) => controller.fetch(getItems.getPage, { page: 2 })],
  ] as [string, (opened: ReturnType<typeof open>) => unknown][])(
    'the error of a failed page goes when %s, but not with a response that was requested before',
    async (_, succeed) => {
      const opened = open('a', 'b', 'c')
      const { controller, getItems, server } = opened
      const pages = pagesOf(controller, getItems)
      let shown = pages.getSnapshot()
      pages.subscribe(() => {
        shown = pages.getSnapshot()
      })
      await settle()
      server.hold()
      const early = controller.fetch(getItems, {})
      server.failAt(({ search }) => (search === '' ? undefined : new Error('no page')))
      const next = pages.fetchNext()
      await server.release()
      await Promise.all([early, next])
      expect(shown.error?.message).toContain('no page')
      server.failAt(undefined)
      await succeed(opened)
      await settle()
      expect(shown).toMatchObject({ status: 'ready', error: undefined })
      expect(pages.getSnapshot()).toBe(shown)
    },
  )

  test('an explicit page that fails rejects for its caller, and the list stays ready', async () => {
    const { controller, getItems, server } = open('a', 'b', 'c')
    const list = controller.watch(getItems)
    const stop = list.subscribe(() => {})
    await settle()
    server.failAt((url) => (url.searchParams.has('page') ? new Error('no page') : undefined))
    await expect(controller.fetch(getItems.getPage, { page: 2 })).rejects.toThrow('no page')
    expect(list.getSnapshot()).toMatchObject({ status: 'ready', error: undefined })
    expect(controller.getError(getItems)).toBeUndefined()
    stop()
  })

  test('a page that a reader shows without its list keeps its own error', async () => {
    const { controller, getItems, server } = open('a')
    server.failAt(() => new Error('no page'))
    const page = controller.watch(getItems.getPage, { page: 2 })
    const stop = page.subscribe(() => {})
    await settle()
    expect(page.getSnapshot().error?.message).toContain('no page')
    expect(server.log).toHaveLength(1)
    stop()
  })

  test('refetch refreshes all loaded pages in order, or only the first', async () => {
    const { controller, getItems, server } = open('a', 'b', 'c', 'd')
    const pages = pagesOf(controller, getItems)
    await watched(pages)
    await pages.fetchNext()
    server.log.length = 0
    await pages.refetch()
    expect(server.log).toEqual(['GET /items', 'GET /items?page=2'])
    server.log.length = 0
    await pagesOf(controller, getItems.extend({ refreshPages: 'first' })).refetch()
    expect(server.log).toEqual(['GET /items'])
    expect(ids(pages)).toBe('abcd')
  })

  test('a created member that no page has stays at the end when all loaded pages are requested again: its own page is not', async () => {
    const { controller, getItems, server } = open('a', 'b', 'c', 'd', 'e')
    const pages = pagesOf(controller, getItems)
    await watched(pages)
    await pages.fetchNext()
    await controller.fetch(getItems.push, {}, { id: 'x' })
    expect(ids(pages)).toBe('abcdx')
    // The server puts it behind all others.
    server.rows.push(server.rows.shift() as Item)
    await pages.refetch()
    expect(ids(pages)).toBe('abcdx')
    await pages.fetchNext()
    expect(ids(pages)).toBe('abcdex')
  })

  test('a member of no page about which two moves disagreed is gone when all loaded pages were requested again', async () => {
    class Task extends Entity {
      static override key = 'Task'
      id = ''
      group = ''
    }
    const moves: { body: { group: string }; answer: (response: Response) => void }[] = []
    const Tasks = resource({
      path: '/tasks/:id',
      schema: Task,
      searchParams: {} as { group: string },
      paginationField: 'page',
    })
    const transport = async (url: unknown, { method, body }: RequestInit): Promise<Response> => {
      if (method === 'PATCH')
        return new Promise((answer) => moves.push({ body: JSON.parse(String(body)), answer: (its) => answer(its) }))
      const page = Number(/page=(\d)/.exec(String(url))?.[1] ?? 1)
      return Response.json([1, 2].map((i) => ({ id: `${page}${i}`, group: 'x' })))
    }
    const controller = new Controller({ env: new HandClock(), transport })
    const pages = pagesOf(controller, Tasks.getList, { group: 'x' })
    await watched(pages)
    await pages.fetchNext()
    for (const group of ['y', 'x']) void controller.fetch(Tasks.getList.move, { id: 'a' }, { group })
    const shown = (): readonly string[] => pages.getSnapshot().data?.map(({ id }) => id) ?? []
    await settle()
    for (const { body, answer } of moves.reverse()) {
      answer(Response.json({ id: 'a', ...body }))
      await settle()
      // The server has applied the first one last.
      expect(shown()).toEqual(['11', '12', '21', '22', ...(body.group === 'x' ? ['a'] : [])])
    }
  })

  test.each([
    [
      'throws',
      () => {
        throw new Error('broken')
      },
      /nextPage/,
    ],
    ['returns a number', () => 5 as never, /nextPage' of getFeed returned 5: return the params/],
    ['returns a list', () => [{ cursor: 'c' }] as never, /returned an array/],
  ])('a nextPage that %s is an error beside the data, and nothing is sent', async (_, nextPage, message) => {
    const { controller, getFeed, server } = open('a', 'b', 'c')
    const pages = pagesOf(controller, getFeed.extend({ nextPage }))
    await watched(pages)
    const snapshot = pages.getSnapshot()
    expect(snapshot).toMatchObject({ status: 'failed', hasNext: undefined, pages: 1 })
    expect(snapshot.error?.message).toMatch(message)
    expect(ids(pages)).toBe('ab')
    await pages.fetchNext()
    expect(server.log).toHaveLength(1)
  })

  test('a nextPage that returns a page that is loaded already has come to the end', async () => {
    const { controller, getFeed, server } = open('a', 'b', 'c')
    const pages = pagesOf(controller, getFeed.extend({ nextPage: () => ({ cursor: 'c' }) }))
    await watched(pages)
    await pages.fetchNext()
    expect(pages.getSnapshot()).toMatchObject({ hasNext: false, pages: 2, error: undefined })
    expect(server.log).toHaveLength(2)
  })

  test('a cursor without nextPage, and an endpoint without pages, say what to write', async () => {
    const { controller, getFeed, getItems } = open('a', 'b', 'c')
    const unknown = pagesOf(controller, without(getFeed, { nextPage: undefined }), { group: 'u' })
    const none = pagesOf(controller, without(getItems, { paginationField: undefined, path: '/others' }))
    for (const pages of [unknown, none]) await watched(pages)
    expect(unknown.getSnapshot().error?.message).toContain('nextPage: ({ response }) =>')
    expect(none.getSnapshot().error?.message).toContain("Option 'paginationField' of getItems is missing")
    expect(ids(unknown)).toBe('ab')
  })

  test('pagesOf without a controller, or as a kind for observe, says what to write', () => {
    const { controller, getItems } = open('a')
    // Types exclude both.
    const untyped = pagesOf as unknown as (...args: readonly unknown[]) => never
    const message = /controller' of pagesOf must be a Controller\. Call pagesOf\(controller, /
    expect(() => untyped(getItems, {})).toThrow(message)
    expect(() => controller.observe(untyped as never, getItems, {})).toThrow(message)
  })

  test('null and a call that cannot be made have no pages', async () => {
    const { controller, getItems, server } = open('a')
    const idle = pagesOf(controller, getItems, null)
    expect(idle.getSnapshot()).toMatchObject({ status: 'idle', pages: 0, hasNext: undefined, fetchingNext: false })
    // Types exclude it.
    const wrong = pagesOf(controller, getItems.push as unknown as typeof getItems)
    expect(wrong.getSnapshot()).toMatchObject({ status: 'failed', pages: 0 })
    await Promise.all([idle, wrong].flatMap((pages) => [pages.fetchNext(), pages.refetch()]))
    expect(server.log).toEqual([])
  })

  test('a reset while the next page is requested starts over without its error', async () => {
    const { controller, getItems, server } = open('a', 'b', 'c')
    const pages = pagesOf(controller, getItems)
    await watched(pages)
    server.hold()
    const next = pages.fetchNext()
    controller.resetEntireStore()
    await expect(next).resolves.toBeUndefined()
    await settle()
    expect(pages.getSnapshot()).toMatchObject({ loading: true, error: undefined, pages: 0 })
    await server.release()
    expect(pages.getSnapshot()).toMatchObject({ pages: 1, hasNext: true, error: undefined })
    expect(ids(pages)).toBe('ab')
  })

  test('who reads it later goes on where the list is', async () => {
    const { controller, getItems, server } = open('a', 'b', 'c', 'd', 'e')
    await pagesOf(controller, getItems).fetchNext()
    const { stop } = await watched(pagesOf(controller, getItems))
    stop()
    await settle()
    await pagesOf(controller, getItems).fetchNext()
    expect(server.log).toEqual(['GET /items', 'GET /items?page=2', 'GET /items?page=3'])
  })

  test('the same snapshot until something changes', async () => {
    const { controller, getItems } = open('a', 'b', 'c')
    const pages = pagesOf(controller, getItems)
    const { changes } = await watched(pages)
    const before = pages.getSnapshot()
    const times = changes()
    await pages.refetch()
    expect(pages.getSnapshot()).toBe(before)
    expect(changes()).toBe(times)
  })
})

describe('refreshing pages that nextPage has found', () => {
  /** Three pages on the screen, and the log of what is requested from then on. */
  async function threePages(...rows: string[]) {
    const opened = open(...rows)
    const { controller, getFeed, server } = opened
    const pages = pagesOf(controller, getFeed, { group: 'g' })
    await watched(pages)
    await pages.fetchNext()
    await pages.fetchNext()
    server.log.length = 0
    const cursors = () => server.log.map((line) => /cursor=(\w+)/.exec(line)?.[1] ?? '')
    return { ...opened, pages, cursors }
  }

  const refreshes = {
    refetch: ({ pages }) => pages.refetch(),
    'an explicit fetch': ({ controller, getFeed }) => controller.fetch(getFeed, { group: 'g' }),
    expireAll: async ({ controller, getFeed }) => {
      controller.expireAll(getFeed)
      for (let page = 0; page < 3; page++) await settle()
    },
  } satisfies Record<string, (at: Awaited<ReturnType<typeof threePages>>) => unknown>

  test.each(Object.keys(refreshes))(
    '%s asks for each page by what the fresh one before says: no row is lost',
    async (how) => {
      const at = await threePages(...'abcdefgh')
      at.server.rows.unshift({ id: 'x' })
      await refreshes[how as keyof typeof refreshes](at)
      await settle()
      expect(at.cursors()).toEqual(['', 'b', 'd'])
      expect(ids(at.pages)).toBe('xabcde')
      expect(at.pages.getSnapshot()).toMatchObject({ pages: 3, hasNext: true })
      await at.pages.fetchNext()
      expect(ids(at.pages)).toBe('xabcdefg')
    },
  )

  test('rows that moved up are where the server has them, and what the list has no more is gone', async () => {
    const { pages, server, cursors } = await threePages(...'abcdefgh')
    server.rows.splice(0, 3)
    await pages.refetch()
    expect(cursors()).toEqual(['', 'f', 'h'])
    expect(ids(pages)).toBe('defgh')
    expect(pages.getSnapshot()).toMatchObject({ pages: 3, hasNext: false })
  })

  test('it ends where the list ends: pages that were there before are gone', async () => {
    const { pages, server, cursors } = await threePages(...'abcdefgh')
    server.rows.splice(1, 5)
    await pages.refetch()
    expect(cursors()).toEqual(['', 'h'])
    expect(ids(pages)).toBe('agh')
    expect(pages.getSnapshot()).toMatchObject({ pages: 2, hasNext: false, data: { items: [{}, {}, {}] } })
    server.rows.splice(0, 2)
    await pages.refetch()
    expect(ids(pages)).toBe('h')
    expect(pages.getSnapshot()).toMatchObject({ pages: 1, hasNext: false })
  })

  test('nothing that exists vanishes between', async () => {
    const { pages, server } = await threePages(...'abcdefgh')
    server.rows.unshift({ id: 'x' })
    const seen: string[] = []
    pages.subscribe(() => seen.push(ids(pages)))
    await pages.refetch()
    for (const shown of seen) for (const id of 'abcde') expect(shown).toContain(id)
    expect(seen.at(-1)).toBe('xabcde')
  })

  test('a page that fails leaves the pages behind it as they were, and the next refresh mends all', async () => {
    const { pages, server } = await threePages(...'abcdefgh')
    server.rows.unshift({ id: 'x' })
    server.failAt((url) => (url.searchParams.has('cursor') ? new Error('no page') : undefined))
    await pages.refetch()
    expect([...ids(pages)].sort().join('')).toBe('abcdefx')
    server.failAt(undefined)
    await pages.refetch()
    expect(ids(pages)).toBe('xabcde')
  })

  test.each([
    { change: 'a row was deleted', edit: (rows: { id: string }[]) => void rows.shift(), shown: 'bcdefghi' },
    {
      change: 'a row was created',
      edit: (rows: { id: string }[]) => void rows.unshift({ id: 'x' }),
      shown: 'xabcdefg',
    },
  ])('a next page that is requested in between stays behind the others, and no row is lost: $change', async (of) => {
    const { pages, server } = await threePages(...'abcdefghijkl')
    of.edit(server.rows)
    server.hold()
    const refreshed = pages.refetch()
    await settle()
    const next = pages.fetchNext()
    await settle()
    await server.release()
    await Promise.all([refreshed, next])
    expect(ids(pages)).toBe(of.shown)
    await pages.refetch()
    expect(ids(pages)).toBe(of.shown)
    expect(pages.getSnapshot()).toMatchObject({ pages: 4, hasNext: true })
  })

  test('stored cursors leave nothing behind, however often the list is refreshed', async () => {
    const { pages, server } = await threePages(...'abcdefgh')
    for (const id of '123456') {
      server.rows.unshift({ id })
      await pages.refetch()
    }
    expect(ids(pages)).toBe('654321')
    await pages.fetchNext()
    expect(ids(pages)).toBe('654321ab')
  })
})

describe('a row that was created here and deleted elsewhere', () => {
  test.each([
    ['numbers', 'getItems', true],
    ['offsets', 'getByOffset', true],
    ['cursors', 'getFeed', true],
    ['numbers', 'getItems', false],
    ['offsets', 'getByOffset', false],
    ['cursors', 'getFeed', false],
  ] as const)('leaves a list with %s when all of it was read again (%s, to its end: %s)', async (_, name, isWhole) => {
    const opened = open(...'abcde')
    const { controller, server } = opened
    const list = opened[name] as typeof opened.getItems
    const pages = pagesOf(controller, list)
    await watched(pages)
    for (let page = 2; page <= (isWhole ? 4 : 2); page++) await pages.fetchNext()
    await controller.fetch(list.push, {}, { id: 'x' })
    expect(ids(pages)).toBe(isWhole ? 'abcdex' : 'abcdx')
    server.rows.splice(0, 1)
    await pages.refetch()
    // Its page has not been read, so nobody knows.
    expect(ids(pages)).toBe(isWhole ? 'abcde' : 'abcdx')
  })

  test('stays if it is created while the list is read again', async () => {
    const { controller, getItems, server } = open(...'abc')
    const pages = pagesOf(controller, getItems)
    await watched(pages)
    await pages.fetchNext()
    await pages.fetchNext()
    server.hold()
    const refreshed = pages.refetch()
    await settle()
    const created = controller.fetch(
      getItems.push.extend({ fetch: async () => ({ id: 'x' }) as never }),
      {},
      { id: 'x' },
    )
    await created
    await server.release()
    await refreshed
    expect(ids(pages)).toBe('abcx')
  })
})

describe('nextPage is given the page as it came', () => {
  test.each(['before anybody looked', 'after'])('members that were deleted %s are among its items', async (when) => {
    const { controller, getItems, server } = open('a', 'b', 'c', 'd', 'e')
    const given: string[] = []
    const full = getItems.extend({
      nextPage: ({ items, index }) => {
        given.push(items.map(({ id }) => id).join(''))
        return items.length < 2 ? undefined : { page: index + 2 }
      },
    })
    await controller.fetch(full, {})
    const early = when === 'after' ? pagesOf(controller, full) : undefined
    early?.getSnapshot()
    await controller.fetch(removeItem, { id: 'a' })
    await controller.fetch(full.remove.extend({ fetch: async () => ({}) as never }), {}, { id: 'b' })
    const pages = pagesOf(controller, full)
    await watched(pages)
    expect(pages.getSnapshot()).toMatchObject({ pages: 1, hasNext: true })
    await pages.fetchNext()
    expect(new Set(given)).toEqual(new Set(['ab', 'cd']))
    expect(server.log).toEqual(['GET /items', 'GET /items?page=2'])
  })
})
