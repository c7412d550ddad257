import { afterAll, beforeEach, expect, test, vi } from 'vitest'

const refresh = '../../../core/src/collections/refresh.js'

/** The library as a page has it that has just been loaded: the code that refreshes lists page by page is not there. */
async function freshPage() {
  const { Collection, Controller, Entity, pagesOf, RestEndpoint } = await import('@roundtable/core')
  class Item extends Entity {
    static override key = 'Item'
    id = ''
  }
  const rows = ['a', 'b', 'c', 'd']
  const log: string[] = []
  const getItems = new RestEndpoint({
    path: '/items',
    searchParams: {} as { page?: number } | undefined,
    schema: new Collection([Item]),
    paginationField: 'page',
    transport: async (input) => {
      const { pathname, searchParams } = new URL(String(input), 'http://api.test')
      log.push(`${pathname}?${searchParams}`)
      const page = Number(searchParams.get('page') ?? 1)
      return Response.json(rows.slice(2 * page - 2, 2 * page).map((id) => ({ id })))
    },
  })
  const controller = new Controller()
  const ids = () =>
    controller
      .get(getItems.schema, {})
      ?.map(({ id }) => id)
      .join('')
  return { controller, getItems, pagesOf, rows, log, ids }
}

/** Lets the code of pages arrive when the test says so, or not while its network is gone. */
function holdCode() {
  const network = { isGone: false }
  let arrive = (): void => {}
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  let attempts = 0
  let ask = (): void => {}
  const asked = new Promise<void>((resolve) => {
    ask = resolve
  })
  vi.doMock(refresh, async () => {
    attempts++
    ask()
    // A failure takes longer than a response, as it does in a busy browser.
    if (network.isGone) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      throw new Error('The network is gone')
    }
    await arrived
    return vi.importActual(refresh)
  })
  return { network, arrive, asked, attempts: () => attempts }
}

// Each test replaces the mock of the one before. Vitest loads the actual module for an import that begins while the mock
// of another one is still at work, so these tests also say that the library never asks twice at a time.
beforeEach(() => void vi.resetModules())
afterAll(() => {
  vi.doUnmock(refresh)
  vi.resetModules()
})

test('a list and its pages do not wait for the code that refreshes them; the first refresh does', async () => {
  const code = holdCode()
  const { controller, getItems, rows, ids } = await freshPage()
  await controller.fetch(getItems, {})
  await controller.fetch(getItems.getPage, { page: 2 })
  expect(ids()).toBe('abcd')
  expect(code.attempts()).toBe(0)
  rows.splice(0, 4, 'e', 'f', 'g', 'h')
  const refreshed = controller.fetch(getItems, {})
  await code.asked
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(ids()).toBe('abcd')
  code.arrive()
  await refreshed
  expect(ids()).toBe('efgh')
  expect(code.attempts()).toBe(1)
})

test('a list that tells its next page is asked for it by its first response, once the code is there', async () => {
  const code = holdCode()
  const { controller, getItems, pagesOf } = await freshPage()
  const nextPage = vi.fn(({ items }: { readonly items: readonly unknown[] }) =>
    items.length < 2 ? undefined : { page: 2 },
  )
  const list = getItems.extend({ nextPage })
  const first = controller.fetch(list, {})
  code.arrive()
  await first
  expect(nextPage).toHaveBeenCalledTimes(1)
  expect(pagesOf(controller, list, {}).getSnapshot()).toMatchObject({ pages: 1, hasNext: true })
})

test('if the code does not load, a refresh brings the first page, and the next one loads it again', async () => {
  const code = holdCode()
  code.network.isGone = true
  code.arrive()
  const { controller, getItems, rows, log, ids } = await freshPage()
  await controller.fetch(getItems, {})
  await controller.fetch(getItems.getPage, { page: 2 })
  rows.splice(0, 4, 'e', 'f', 'g', 'h')
  log.length = 0
  await controller.fetch(getItems, {})
  expect(log).toEqual(['/items?'])
  expect(code.attempts()).toBeGreaterThan(0)
  code.network.isGone = false
  await controller.fetch(getItems, {})
  expect(ids()).toBe('efgh')
  expect(log).toEqual(['/items?', '/items?', '/items?page=2'])
})
