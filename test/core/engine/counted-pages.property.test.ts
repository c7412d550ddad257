import { Collection, Controller, Endpoint, Entity, Invalidate, pagesOf, RestEndpoint } from '@roundtable/core'
import { dehydrate, hydrate } from '@roundtable/core/hydration'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cases } from '../../cases.js'
import { HandClock, settle } from './clock.js'

class Item extends Entity {
  static override key = 'Item'
  id = ''
  isDone = false
}

const at = fc.nat(30)
const creation = fc.record({ op: fc.constantFrom('unshift' as const, 'push' as const), at })
const departure = fc.record({ op: fc.constantFrom('delete' as const, 'remove' as const, 'finish' as const), at })
const next = fc.record({ op: fc.constantFrom('next' as const), at })
const restart = fc.record({ op: fc.constantFrom('restart' as const), at })
const refresh = fc.record({ op: fc.constantFrom('refresh' as const), at })
interface Step {
  readonly op: 'unshift' | 'push' | 'delete' | 'remove' | 'finish' | 'next' | 'refresh' | 'restart'
  readonly at: number
}

interface World {
  readonly field: 'offset' | 'page'
  readonly refreshPages: 'all' | 'first'
  readonly limit: number
  readonly count: number
  /** True if the server puts a row that was pushed anywhere. */
  readonly isSorted: boolean
}

const world = {
  refreshPages: fc.constantFrom('all' as const, 'first' as const),
  limit: fc.integer({ min: 1, max: 3 }),
  count: fc.nat(9),
  isSorted: fc.boolean(),
}

/** A server with rows in pages, of which some take as long as the test says, and a list of them. */
function open({ field, refreshPages, limit, count, isSorted }: World) {
  const rows = Array.from({ length: count }, (_, i) => `r${i}`)
  let made = 0
  const waiting: (() => void)[] = []
  const server = { rows, requests: 0, isHeld: false, release: () => waiting.splice(0).map((go) => go()) }
  let controller = new Controller({ env: new HandClock() })
  const getItems = new RestEndpoint({
    path: '/items',
    searchParams: {} as object | undefined,
    dataExpiryLength: 60_000,
    schema: new Collection([Item], { belongs: ({ isDone }) => !isDone }),
    paginationField: field,
    refreshPages,
    fetchResponse: async (url, { method, body }) => {
      if (method === 'POST') return Response.json(JSON.parse(String(body)))
      server.requests++
      const asked = Number(
        new URL(String(url), 'http://api.test').searchParams.get(field) ?? (field === 'page' ? 1 : 0),
      )
      const from = field === 'page' ? (asked - 1) * limit : asked
      const answer = (): Response => Response.json(rows.slice(from, from + limit).map((id) => ({ id })))
      if (!server.isHeld) return answer()
      // Half of the answers are of the time of the request, half of that of the response.
      const early = server.requests % 2 ? answer() : undefined
      await new Promise<void>((resolve) => waiting.push(resolve))
      return early ?? answer()
    },
  })
  const drop = (id: string) => void rows.splice(rows.indexOf(id), 1)
  const remove = new Endpoint(
    async ({ id }: { id: string }) => {
      drop(id)
      return { id }
    },
    { name: 'remove', schema: new Invalidate(Item), sideEffect: true },
  )
  const takeOut = getItems.remove.extend({ fetch: async () => ({}) as never })
  let pages = pagesOf(controller, getItems)
  pages.subscribe(() => {})
  const shown = () => pages.getSnapshot().data?.map(({ id }) => id) ?? []
  const step = async ({ op, at }: Step): Promise<unknown> => {
    const id = shown()[at % (shown().length || 1)]
    if (op === 'next') return pages.fetchNext()
    if (op === 'refresh') return pages.refetch()
    if (op === 'restart') {
      // A restored list does not know that its first page alone was read again.
      if (refreshPages === 'first') return undefined
      const state = JSON.stringify(dehydrate(controller))
      controller.dispose()
      controller = hydrate(new Controller({ env: new HandClock() }), state)
      pages = pagesOf(controller, getItems)
      pages.subscribe(() => {})
      return settle()
    }
    if (op === 'unshift' || op === 'push') {
      const id = `n${made++}`
      rows.splice(isSorted ? at % (rows.length + 1) : op === 'push' ? rows.length : 0, 0, id)
      return controller.fetch(getItems[op], {}, { id })
    }
    if (id === undefined) return undefined
    if (op === 'delete') return controller.fetch(remove, { id })
    drop(id)
    if (op === 'remove') return controller.fetch(takeOut, {}, { id })
    return controller.set(Item, { id }, { id, isDone: true })
  }
  /** Loads the list to its end; fails if it takes more requests than it can need. */
  const loadAll = async () => {
    server.requests = 0
    const most = 3 * rows.length + 20
    while (pages.getSnapshot().hasNext && server.requests < most) await pages.fetchNext()
    expect(server.requests).toBeLessThan(most)
    expect(pages.getSnapshot().hasNext).toBe(false)
  }
  return { server, step, shown, loadAll, refetch: () => pages.refetch(), end: () => controller.dispose() }
}

const anyStep = fc.oneof({ arbitrary: next, weight: 3 }, departure, creation, refresh)
const offsets = fc.record({ field: fc.constant('offset' as const), ...world })
const whole = { refreshPages: fc.constant('all' as const), isSorted: fc.constant(false) }
const numbers = fc.record({ field: fc.constant('page' as const), ...world, ...whole })

/** After these steps, a list that is loaded to its end has each row of the server once. */
async function isComplete(of: World, steps: readonly Step[]): Promise<void> {
  const { server, step, shown, loadAll, end } = open(of)
  await settle()
  for (const each of steps) await step(each)
  await loadAll()
  expect(shown().sort()).toEqual([...server.rows].sort())
  end()
}

test('offsets: a list that is loaded to its end has each row of the server once, whatever came and went meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(
      offsets,
      fc.array(fc.oneof({ arbitrary: anyStep, weight: 9 }, restart), { maxLength: 14 }),
      isComplete,
    ),
    { numRuns: cases(300) },
  )
})

test('numbers: a list that is loaded to its end has each row of the server once, whatever was created meanwhile', async () => {
  const steps = fc.array(fc.oneof({ arbitrary: next, weight: 3 }, creation, refresh), { maxLength: 14 })
  await fc.assert(fc.asyncProperty(numbers, steps, isComplete), { numRuns: cases(200) })
})

test('if rows come and go during requests, no row is shown twice, the list ends, and a refresh of all pages mends it', async () => {
  const crossing = fc.oneof(anyStep, fc.record({ op: fc.constant('arrive' as const), at }))
  await fc.assert(
    fc.asyncProperty(fc.oneof(offsets, numbers), fc.array(crossing, { maxLength: 20 }), async (of, steps) => {
      const { server, step, shown, loadAll, refetch, end } = open({ ...of, refreshPages: 'all' })
      await settle()
      server.isHeld = true
      for (const each of steps) {
        if (each.op === 'arrive') server.release()
        else void step(each)
        await settle()
        expect(new Set(shown()).size).toBe(shown().length)
      }
      server.isHeld = false
      server.release()
      await settle()
      await loadAll()
      await refetch()
      await loadAll()
      expect(shown().sort()).toEqual([...server.rows].sort())
      end()
    }),
    { numRuns: cases(300) },
  )
})

test.each([undefined, (params: object) => Number((params as { page?: number }).page)])(
  'a first page that is also requested by its number is one page: pageOrder %o',
  async (pageOrder) => {
    const env = new HandClock()
    const controller = new Controller({ env })
    const rows = Array.from({ length: 9 }, (_, i) => ({ id: `r${i}` }))
    const getItems = new RestEndpoint({
      path: '/items',
      searchParams: {} as object | undefined,
      schema: new Collection([Item], pageOrder && { pageOrder }),
      paginationField: 'page',
      fetchResponse: async (url) => {
        const page = Number(new URL(String(url), 'http://api.test').searchParams.get('page') ?? 1)
        return Response.json(rows.slice(3 * page - 3, 3 * page))
      },
    })
    const pages = pagesOf(controller, getItems)
    pages.subscribe(() => {})
    await pages.load()
    await controller.fetch(getItems.getPage, { page: 1 })
    for (let page = 2; page <= 4 && pages.getSnapshot().hasNext; page++) await pages.fetchNext()
    expect(pages.getSnapshot()).toMatchObject({ data: rows, hasNext: false })
    controller.dispose()
  },
)
