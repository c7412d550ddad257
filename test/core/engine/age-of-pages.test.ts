import { Controller, Entity, ExpiryStatus, pagesOf, RestEndpoint } from '@roundtable/core'
import { dehydrate, hydrate } from '@roundtable/core/hydration'
import { describe, expect, test } from 'vitest'
import { HandClock, settle } from './clock.js'
import { itemsOf, listKinds, twoLists } from './two-lists.js'

class Item extends Entity {
  static override key = 'Item'
  id = ''
  title = ''
}

interface Stored {
  id: string
  title: string
}

/** A server with pages of two, requested by number or by a cursor; a test decides which requests fail. */
function open({ dataExpiryLength = 60_000 } = {}) {
  const rows: Stored[] = [...'abcdef'].map((id) => ({ id, title: id }))
  const log: string[] = []
  let fails: ((line: string) => boolean) | undefined
  const clock = new HandClock()
  const controller = new Controller({ env: clock })
  const respond = (url: unknown, init: RequestInit, read: (params: URLSearchParams) => unknown): Response => {
    const { pathname, searchParams, search } = new URL(String(url), 'http://api.test')
    const line = `${init.method ?? 'GET'} ${pathname}${search}`
    log.push(line)
    if (init.method === 'PATCH') {
      const row = rows.find(({ id }) => pathname.endsWith(id)) as Stored
      Object.assign(row, JSON.parse(String(init.body)))
      if (!fails?.(line)) return Response.json(row)
    }
    if (fails?.(line)) throw new TypeError('connection lost')
    return Response.json(read(searchParams))
  }
  const { getItems, getFeed } = twoLists({
    Item,
    rows,
    dataExpiryLength,
    respond: async (...request) => respond(...request),
  })
  const patch = new RestEndpoint({
    path: '/items/:id',
    method: 'PATCH',
    body: {} as { title: string },
    name: 'patch',
    schema: Item,
    fetchResponse: async (url, init) => respond(url, init, () => undefined),
  })
  return {
    controller,
    clock,
    rows,
    log,
    patch,
    getItems,
    getFeed,
    failAt: (when: typeof fails) => {
      fails = when
    },
  }
}

type Opened = ReturnType<typeof open>

const titles = (data: unknown): string =>
  itemsOf<Item>(data)
    .map(({ title }) => title)
    .join('')

async function watched({ controller }: Opened, endpoint: Opened['getItems']) {
  const pages = pagesOf(controller, endpoint)
  const stop = pages.subscribe(() => {})
  await settle()
  return { pages, stop, shown: () => titles(pages.getSnapshot().data) }
}

const isRead = (line: string): boolean => line.startsWith('GET')

describe.each(listKinds)('a further page of a list with %s', (_, name, second, third) => {
  test('leaves an earlier page out of date that a mutation with an unknown outcome has marked', async () => {
    const opened = open()
    const { controller, clock, log, patch, failAt } = opened
    const list = opened[name]
    const first = await watched(opened, list)
    failAt((line) => line.startsWith('PATCH') || isRead(line))
    await controller.fetch(patch, { id: 'a' }, { title: 'A' }).catch(() => {})
    await settle()
    expect(first.pages.getSnapshot()).toMatchObject({ status: 'ready', pages: 1 })
    failAt(undefined)
    log.length = 0
    await first.pages.fetchNext()
    expect(first.shown()).toBe('abcd')
    expect(log).toHaveLength(1)
    // The refetch that has failed is repeated after a pause.
    await clock.advance(3_000)
    await settle()
    expect(first.shown()).toBe('Abcd')
    expect(log).toHaveLength(3)
    first.stop()
  })

  test('does not stand in for a refetch that has failed: its error stays until one succeeds', async () => {
    const opened = open()
    const { failAt, rows } = opened
    const list = opened[name]
    const first = await watched(opened, list)
    rows[0] = { id: 'a', title: 'A' }
    failAt(isRead)
    await first.pages.refetch()
    const { error } = first.pages.getSnapshot()
    expect(error?.message).toBe('connection lost')
    failAt(undefined)
    await opened.controller.fetch(list.getPage, second)
    expect(first.pages.getSnapshot()).toMatchObject({ status: 'failed', error, pages: 2 })
    expect(first.shown()).toBe('abcd')
    await first.pages.refetch()
    expect(first.pages.getSnapshot()).toMatchObject({ status: 'ready', error: undefined })
    expect(first.shown()).toBe('Abcd')
    first.stop()
  })

  test('expires with the first one, and before it if its own lifetime is shorter', async () => {
    const opened = open()
    const { controller, clock } = opened
    const list = opened[name]
    const { pages, stop } = await watched(opened, list)
    const expiresAt = () => controller.getResponse(list).expiresAt - clock.now()
    await clock.advance(50_000)
    await pages.fetchNext()
    expect(expiresAt()).toBe(10_000)
    await controller.fetch(list.getPage.extend({ dataExpiryLength: 4_000 }), third)
    expect(expiresAt()).toBe(4_000)
    // A refresh requests each page as it was requested before.
    await pages.refetch()
    expect(expiresAt()).toBe(name === 'getItems' ? 4_000 : 60_000)
    stop()
  })

  test('does not make the list fetch itself again when it has expired while it is shown', async () => {
    const opened = open({ dataExpiryLength: 0 })
    opened.failAt(() => opened.log.length > 20)
    const { pages, stop, shown } = await watched(opened, opened[name])
    await pages.fetchNext()
    await pages.fetchNext()
    await settle()
    expect(shown()).toBe('abcdef')
    expect(opened.log).toHaveLength(3)
    stop()
  })

  test.each([
    { mark: 'invalidate', expected: { expiryStatus: ExpiryStatus.Invalid } },
    { mark: 'expireAll', expected: { expiresAt: 0 } },
  ] as const)('keeps its list out of date if it was requested after $mark, and the list before', async (of) => {
    const opened = open()
    const { controller, rows, log } = opened
    const list = opened[name]
    const { stop } = await watched(opened, list)
    stop()
    await settle()
    controller[of.mark](list)
    rows[0] = { id: 'a', title: 'A' }
    await controller.fetch(list.getPage, second)
    expect(controller.getResponse(list)).toMatchObject(of.expected)
    log.length = 0
    const again = await watched(opened, list)
    expect(again.shown()).toBe('Abcd')
    expect(log).toHaveLength(2)
    again.stop()
  })

  test('that arrives while the list is refetched does not stand in for the refetch', async () => {
    const opened = open()
    const { controller, rows } = opened
    const list = opened[name]
    const { stop, shown } = await watched(opened, list)
    rows[0] = { id: 'a', title: 'A' }
    controller.setResponse(
      list.getPage,
      second,
      (name === 'getItems' ? [rows[2], rows[3]] : { items: [rows[2], rows[3]], next: 'e' }) as never,
    )
    expect(shown()).toBe('abcd')
    controller.expireAll(list)
    await settle()
    expect(shown()).toBe('Abcd')
    stop()
  })

  test('a refresh of which a later page fails leaves the list out of date, though its first page is new', async () => {
    const opened = open()
    const { rows, log, failAt, clock } = opened
    const list = opened[name]
    const { pages, stop } = await watched(opened, list)
    await pages.fetchNext()
    rows[2] = { id: 'c', title: 'C' }
    failAt((line) => line.includes('?'))
    await pages.refetch()
    expect(pages.getSnapshot()).toMatchObject({ status: 'failed' })
    failAt(undefined)
    stop()
    await clock.advance(2_000)
    log.length = 0
    const again = await watched(opened, list)
    expect(again.shown()).toBe('abCd')
    expect(log).toHaveLength(2)
    again.stop()
  })
})

test('with refreshPages first, the first page alone renews the list: nothing else is ever requested', async () => {
  const opened = open()
  const { controller, log } = opened
  const list = opened.getItems.extend({ refreshPages: 'first' }) as typeof opened.getItems
  const { pages, stop } = await watched(opened, list)
  await pages.fetchNext()
  log.length = 0
  controller.expireAll(list)
  await settle()
  await settle()
  expect(log).toEqual(['GET /items'])
  expect(controller.getResponse(list).expiryStatus).toBe(ExpiryStatus.Valid)
  stop()
})

test.each(['expireAll', 'invalidateAll'] as const)(
  'the reader of a page fetches it once after %s, and the list remains to be fetched',
  async (mark) => {
    const opened = open()
    const { controller, log, getItems, failAt } = opened
    failAt(() => log.length > 20)
    const { pages, stop } = await watched(opened, getItems)
    await pages.fetchNext()
    stop()
    await settle()
    const page = controller.watch(getItems.getPage, { page: 2 })
    const leave = page.subscribe(() => {})
    await settle()
    log.length = 0
    controller[mark](getItems)
    for (let round = 0; round < 5; round++) await settle()
    expect(log).toEqual(['GET /items?page=2'])
    expect(page.getSnapshot()).toMatchObject({ status: 'ready' })
    const { expiresAt, expiryStatus } = controller.getResponse(getItems)
    expect(mark === 'expireAll' ? expiresAt === 0 : expiryStatus === ExpiryStatus.Invalid).toBe(true)
    leave()
  },
)

describe('a list that was fetched 50 s before its second page', () => {
  test.each(listKinds)(
    'is as old on another machine, with %s, and its end is that of the second page',
    async (_, name) => {
      const server = open()
      const { pages, stop } = await watched(server, server[name])
      await server.clock.advance(50_000)
      await pages.fetchNext()
      stop()
      const state = JSON.parse(JSON.stringify(dehydrate(server.controller)))
      const opened = open()
      hydrate(opened.controller, state)
      const list = opened[name]
      expect(opened.controller.getResponse(list).expiresAt - opened.clock.now()).toBe(10_000)
      const again = await watched(opened, list)
      expect(again.shown()).toBe('abcd')
      await again.pages.fetchNext()
      expect(again.shown()).toBe('abcdef')
      expect(opened.log).toHaveLength(1)
      again.stop()
    },
  )
})

describe('readers of pages, on a list that nobody reads as a whole', () => {
  /** Shows pages one after the other, as links to them do. */
  const openPages = async () => {
    const world = open()
    const show = async (page: string): Promise<string> => {
      const query = world.controller.watch(world.getItems.getPage, { page })
      const stop = query.subscribe(() => {})
      await settle()
      const { status } = query.getSnapshot()
      stop()
      await world.clock.advance(500)
      return status
    }
    await show('1')
    await world.controller.fetch(world.getItems.getPage, { page: '2' })
    return { ...world, show }
  }

  test.each([
    { what: 'expired', age: ({ clock }: ReturnType<typeof open>) => clock.advance(61_000) },
    {
      what: 'invalidated',
      age: async ({ controller, getItems }: ReturnType<typeof open>) => controller.invalidateAll(getItems),
    },
  ])('each page is fetched once after it was $what', async ({ age }) => {
    const world = await openPages()
    const { log, show, controller, getItems } = world
    expect(log).toHaveLength(2)
    await age(world)
    for (const page of ['2', '1', '2', '1', '2']) expect(await show(page)).toBe('ready')
    expect(log).toEqual(['GET /items?page=1', 'GET /items?page=2', 'GET /items?page=2', 'GET /items?page=1'])
    for (let times = 0; times < 3; times++) await controller.fetchIfStale(getItems.getPage, { page: '2' })
    expect(log).toHaveLength(4)
  })

  test('a page that a loader has fetched is not fetched again by its reader', async () => {
    const world = await openPages()
    const { log, show, controller, clock, getItems } = world
    await clock.advance(61_000)
    await controller.fetchIfStale(getItems.getPage, { page: '3' })
    await show('3')
    await show('3')
    expect(log).toHaveLength(3)
  })
})
