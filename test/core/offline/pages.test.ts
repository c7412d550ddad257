import { Collection, pagesOf, RestEndpoint } from '@roundtable/core'
import { memoryLog } from '@roundtable/core/offline'
import { expect, test } from 'vitest'
import { begin } from './tabs-harness.js'
import { rest, Task } from './todo-server.js'

const ALL = [1, 2, 3, 4, 5, 6, 7, 8].map((id) => ({ id, title: `${id}` }))

/** A list with pages of two; the response tells where the next one begins. */
const makeFeed = (asked: number[]) =>
  new RestEndpoint({
    urlPrefix: 'https://api.test',
    path: '/feed',
    searchParams: {} as object | undefined,
    name: 'getFeed',
    dataExpiryLength: 60_000,
    schema: { items: new Collection([Task]), next: 0 },
    paginationField: 'cursor',
    nextPage: ({ response }) => (response.next ? { cursor: response.next } : undefined),
    fetchResponse: async (url) => {
      const from = Number(new URL(String(url)).searchParams.get('cursor') ?? 1) - 1
      asked.push(from + 1)
      return Response.json({ items: ALL.slice(from, from + 2), next: ALL[from + 2]?.id ?? 0 })
    },
  })

/** Opens the application in a tab. */
async function openFeed(open: ReturnType<typeof begin>['open']) {
  const app = await open()
  const asked: number[] = []
  const getFeed = makeFeed(asked)
  const pages = pagesOf(app.controller, getFeed)
  const stop = pages.subscribe(() => {})
  await rest()
  return {
    ...app,
    pages,
    stop,
    /** The first members of the pages that it has requested. */
    asked,
    ids: () => pages.getSnapshot().data?.items?.map(({ id }) => id),
    lifetime: () => app.controller.getResponse(getFeed).expiresAt - app.clock.now(),
  }
}

test('a further page leaves a list as old as it is: in its tab, in another one, and after a restart', async () => {
  const memory = memoryLog()
  const { open, pass, clock } = begin({ memory })
  const one = await openFeed(open)
  await pass(10_000)
  const other = await openFeed(open)
  await one.pages.fetchNext()
  await pass(10_000)
  expect(other.ids()).toEqual([1, 2, 3, 4])
  const fetchedAt = clock.now()
  const left = one.lifetime()
  expect(left).toBeLessThanOrEqual(40_000)
  expect(other.lifetime()).toBeCloseTo(left, -3)
  one.stop()
  other.stop()
  const late = begin({ memory })
  await late.clock.advance(fetchedAt - late.clock.now())
  const restarted = await openFeed(late.open)
  expect(restarted.ids()).toEqual([1, 2, 3, 4])
  expect(restarted.lifetime()).toBeCloseTo(left, -3)
  restarted.stop()
})

test('two tabs have loaded the second page: a third one of either goes on in both where it ends', async () => {
  const { open, pass } = begin()
  const one = await openFeed(open)
  await pass()
  const other = await openFeed(open)
  await Promise.all([one.pages.fetchNext(), other.pages.fetchNext()])
  await pass()
  await one.pages.fetchNext()
  await pass()
  expect(other.ids()).toEqual([1, 2, 3, 4, 5, 6])
  expect(other.pages.getSnapshot()).toMatchObject({ pages: 3, hasNext: true, data: { next: 7 } })
  await other.pages.fetchNext()
  expect(other.ids()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  expect(other.pages.getSnapshot()).toMatchObject({ pages: 4, hasNext: false })
  expect(one.asked).toEqual([1, 3, 5])
  expect(other.asked).toEqual([3, 7])
  one.stop()
  other.stop()
})
