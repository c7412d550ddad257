import { Collection, Controller, Entity, pagesOf, RestEndpoint } from '@roundtable/core'
import { dehydrate, hydrate } from '@roundtable/core/hydration'
import { describe, expect, test } from 'vitest'
import { HandClock, settle } from './clock.js'
import { itemsOf, listKinds, twoLists } from './two-lists.js'

class Item extends Entity {
  static override key = 'Item'
  id = ''
}

/** A server with pages of two, requested by number or by a cursor; a test answers each request, or lets all be answered. */
function open() {
  const rows = [...'abcdef'].map((id) => ({ id }))
  const log: string[] = []
  const held: { readonly line: string; answer(error?: Error): Promise<void> }[] = []
  let isHeld = false
  let fails: ((line: string) => boolean) | undefined
  const respond = async (url: unknown, read: (params: URLSearchParams) => unknown): Promise<Response> => {
    const { pathname, searchParams, search } = new URL(String(url), 'http://api.test')
    const line = `${pathname}${search}`
    log.push(line)
    if (isHeld) {
      await new Promise<void>((resolve, reject) => {
        const answer = (error?: Error): Promise<void> => {
          if (error) reject(error)
          else resolve()
          return settle()
        }
        held.push({ line, answer })
      })
    }
    if (fails?.(line)) throw new TypeError('connection lost')
    return Response.json(read(searchParams))
  }
  const { getItems, getFeed } = twoLists({
    Item,
    rows,
    dataExpiryLength: 60_000,
    respond: (url, _, read) => respond(url, read),
  })
  const add = new RestEndpoint({
    path: '/items',
    method: 'POST',
    body: {} as { id: string },
    name: 'add',
    schema: getItems.schema.push,
    getOptimisticResponse: (_, body: { id: string }) => body,
    fetchResponse: (url) => respond(url, () => rows.at(-1)),
  })
  return {
    controller: new Controller({ env: new HandClock() }),
    rows,
    log,
    held,
    add,
    getItems,
    getFeed,
    failAt: (when: typeof fails) => {
      fails = when
    },
    hold: () => {
      isHeld = true
    },
  }
}

type Opened = ReturnType<typeof open>

const ids = (data: unknown): string =>
  itemsOf<Item>(data)
    .map(({ id }) => id)
    .join('')

async function read({ controller }: Opened, endpoint: Opened['getItems']) {
  const query = controller.watch(endpoint)
  const stop = query.subscribe(() => {})
  await settle()
  return { query, stop, shown: () => ids(query.getSnapshot().data) }
}

const isFirst = (line: string): boolean => !line.includes('?')

describe.each(listKinds)('a list of which only a later page is loaded, by %s', (_, name, second, third) => {
  test('its reader requests the first page', async () => {
    const opened = open()
    const { controller, log } = opened
    expect(ids(await controller.fetch(opened[name].getPage, second))).toBe('cd')
    expect(controller.getResponse(opened[name]).expiresAt).toBe(0)
    const { query, shown } = await read(opened, opened[name])
    expect(log.filter(isFirst)).toHaveLength(1)
    expect(query.getSnapshot()).toMatchObject({ status: 'ready', error: undefined })
    expect(shown()).toBe('abcd')
  })

  test('a loader requests the first page, once', async () => {
    const { controller, log, [name]: list } = open()
    await controller.fetch(list.getPage, second)
    for (let times = 0; times < 2; times++) expect(ids(await controller.fetchIfStale(list))).toBe('abcd')
    expect(log.filter(isFirst)).toHaveLength(1)
  })

  test('the first page had failed: its reader requests it again, and shows its error if it fails again', async () => {
    const opened = open()
    const { controller, log } = opened
    opened.failAt(isFirst)
    const { query, shown } = await read(opened, opened[name])
    expect(query.getSnapshot().status).toBe('failed')
    expect(ids(await controller.fetch(opened[name].getPage, second))).toBe('cd')
    await settle()
    expect(log.filter(isFirst)).toHaveLength(2)
    expect(query.getSnapshot()).toMatchObject({ status: 'failed', error: { message: /connection lost/ } })
    await controller.fetch(opened[name].getPage, third)
    expect(query.getSnapshot()).toMatchObject({ status: 'failed', error: { message: /connection lost/ } })
    opened.failAt(undefined)
    await query.refetch()
    expect(query.getSnapshot()).toMatchObject({ status: 'ready', error: undefined })
    expect(shown()).toBe('abcdef')
  })

  test('the first page is in flight: it joins the list when it arrives, without another request for it', async () => {
    const opened = open()
    const { controller, log, held, [name]: list } = opened
    opened.hold()
    const { query, shown } = await read(opened, list)
    const page = controller.fetch(list.getPage, second)
    await settle()
    await held[1]?.answer()
    expect(ids(await page)).toBe('cd')
    expect(query.getSnapshot()).toMatchObject({ loading: false, refreshing: true })
    await held[0]?.answer()
    expect(shown()).toBe('abcd')
    for (const { answer } of held) await answer()
    expect(query.getSnapshot()).toMatchObject({ status: 'ready', refreshing: false })
    expect(shown()).toBe('abcd')
    expect(log.filter(isFirst)).toHaveLength(1)
  })

  test('the first page is in flight and was invalidated before the later page was requested: it is requested again', async () => {
    const opened = open()
    const { controller, log, held, [name]: list } = opened
    opened.hold()
    void controller.fetch(list)
    await settle()
    controller.expireAll(list)
    void controller.fetch(list.getPage, second)
    await settle()
    await held[1]?.answer()
    await held[0]?.answer()
    expect(log.filter(isFirst)).toHaveLength(1)
    void controller.fetchIfStale(list)
    await settle()
    expect(log.filter(isFirst)).toHaveLength(2)
  })

  test('the first page is in flight and fails: it is requested once more, and then the error is shown', async () => {
    const opened = open()
    const { controller, log, held, [name]: list } = opened
    opened.hold()
    const { query, shown } = await read(opened, list)
    void controller.fetch(list.getPage, second)
    await settle()
    await held[1]?.answer()
    await held[0]?.answer(new TypeError('connection lost'))
    expect(query.getSnapshot()).toMatchObject({ loading: false, refreshing: true })
    await held[2]?.answer(new TypeError('connection lost'))
    expect(query.getSnapshot()).toMatchObject({ status: 'failed', refreshing: false })
    expect(shown()).toBe('cd')
    expect(log.filter(isFirst)).toHaveLength(2)
  })

  test('fetchNext requests the first page', async () => {
    const { controller, log, [name]: list } = open()
    await controller.fetch(list.getPage, second)
    const pages = pagesOf(controller, list)
    await pages.fetchNext()
    expect(log.filter(isFirst)).toHaveLength(1)
    expect(ids(pages.getSnapshot().data)).toBe('abcd')
    await pages.fetchNext()
    expect(ids(pages.getSnapshot().data)).toBe('abcdef')
  })

  test('on another machine, too; a reader of the page has all it needs there', async () => {
    const server = open()
    await server.controller.fetch(server[name].getPage, second)
    const client = open()
    hydrate(client.controller, dehydrate(server.controller))
    const page = client.controller.watch(client[name].getPage, second)
    const stop = page.subscribe(() => {})
    await settle()
    expect(page.getSnapshot().status).toBe('ready')
    expect(client.log).toEqual([])
    stop()
    const { shown } = await read(client, client[name])
    expect(client.log.filter(isFirst)).toHaveLength(1)
    expect(shown()).toBe('abcd')
  })

  test('the page was loaded twice: its reader requests the first page', async () => {
    const opened = open()
    const { controller, log, [name]: list } = opened
    for (let times = 0; times < 2; times++) await controller.fetch(list.getPage, second)
    expect((await read(opened, list)).shown()).toBe('abcd')
    expect(log.filter(isFirst)).toHaveLength(1)
  })

  test('the readers of the page itself request nothing more', async () => {
    const { controller, log, [name]: list } = open()
    const page = controller.watch(list.getPage, second)
    page.subscribe(() => {})
    await settle()
    expect(page.getSnapshot()).toMatchObject({ status: 'ready', refreshing: false })
    await controller.fetchIfStale(list.getPage, second)
    expect(log).toHaveLength(1)
  })
})

test('a first page that was requested by its number is one', async () => {
  const opened = open()
  const { controller, log, getItems } = opened
  await controller.fetch(getItems.getPage, { page: 2 })
  await controller.fetch(getItems.getPage, { page: '1' })
  expect((await read(opened, getItems)).shown()).toBe('abcd')
  expect(log).toEqual(['/items?page=2', '/items?page=1'])
})

test('a response without the list is not requested again and again', async () => {
  const { controller, getFeed } = open()
  const log: string[] = []
  const getNothing = getFeed.extend({
    fetchResponse: async (url: unknown) => {
      log.push(String(url))
      return Response.json({ next: '' })
    },
  } as never) as unknown as typeof getFeed
  await controller.fetch(getFeed.getPage, { cursor: 'c' } as never)
  const query = controller.watch(getNothing)
  query.subscribe(() => {})
  await settle()
  expect(query.getSnapshot().refreshing).toBe(false)
  expect(log).toEqual(['/feed'])
})

test('the reader of an endpoint of its own that has pages requests its page once', async () => {
  const opened = open()
  const { log, getItems } = opened
  const getAlone = getItems.extend({
    schema: getItems.schema.paginated(({ page: _, ...rest }: { page?: number }) => [rest]),
    paginationField: undefined,
  } as never) as unknown as typeof getItems.getPage
  const query = opened.controller.watch(getAlone, { page: 2 })
  query.subscribe(() => {})
  await settle()
  expect(query.getSnapshot()).toMatchObject({ status: 'ready', refreshing: false })
  expect(log).toEqual(['/items?page=2'])
})

test('a created row is there before and after the first page comes', async () => {
  const opened = open()
  const { controller, rows, held, add, getItems } = opened
  await controller.fetch(getItems.getPage, { page: 2 })
  opened.hold()
  rows.push({ id: 'x' })
  const created = controller.fetch(add, { id: 'x' })
  const { query, shown } = await read(opened, getItems)
  expect(shown()).toBe('cdx')
  // The creation, and the first page meanwhile.
  expect(held).toHaveLength(2)
  await held[0]?.answer()
  await created
  for (const { answer } of held) await answer()
  for (const { answer } of held) await answer()
  expect(query.getSnapshot()).toMatchObject({ status: 'ready', refreshing: false })
  expect(shown()).toBe('abcdx')
})

test('a list whose pages have an order of their own', async () => {
  const opened = open()
  const { controller, log } = opened
  const ordered = opened.getItems.extend({
    schema: new Collection([Item], { pageOrder: ({ page }) => -(page ?? 0) }),
  }) as unknown as typeof opened.getItems
  await controller.fetch(ordered.getPage, { page: 2 })
  expect((await read(opened, ordered)).shown()).toBe('abcd')
  expect(log.filter(isFirst)).toHaveLength(1)
})
