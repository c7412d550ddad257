import {
  Collection,
  Controller,
  Endpoint,
  Entity,
  Invalidate,
  type LastPage,
  pagesOf,
  RestEndpoint,
} from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { HandClock, settle } from './clock.js'

class Item extends Entity {
  static override key = 'Item'
  id = ''
  group = ''
}

interface Row {
  readonly id: string
  readonly group: string
}

/** A request: the server applies it, and later its answer arrives. */
interface Asked {
  readonly apply: () => unknown
  readonly answer: () => Promise<void>
}

const plain = new Collection([Item])
const knowing = new Collection([Item], { belongs: (row, { group }) => row.group === group })

/** The ways to take a row out of a list: the list's schema, the mutation's schema, and what it does at the server. */
const TAKES = {
  'a deletion': [plain, new Invalidate(Item), (row: Row) => ({ ...row, group: '' })],
  remove: [plain, plain.remove, (row: Row) => ({ ...row, group: 'none' })],
  move: [plain, plain.move, (row: Row) => ({ ...row, group: 'other' })],
  'an edit by which it does not belong': [knowing, Item, (row: Row) => ({ ...row, group: 'other' })],
} as const
type Take = keyof typeof TAKES
const TAKEN = Object.keys(TAKES) as Take[]

/** Pages of two: by the position of their first row, by their number, or by the id of the row before them. */
const FIELDS = {
  offset: (named) => Number(named),
  page: (named) => Number(named) * 2 - 2,
  cursor: (named, rows) => rows.findIndex(({ id }) => id === named) + 1,
} satisfies Record<string, (named: string, rows: readonly Row[]) => number>
type Field = keyof typeof FIELDS
const SECOND = { offset: 2, page: 2, cursor: 'b' }

/** The orders of the steps of two requests: P is a step of the page's, M of the mutation's. */
function interleavings(p: number, m: number): readonly string[] {
  if (p + m === 0) return ['']
  const after = (step: string, rest: readonly string[]): readonly string[] => rest.map((steps) => step + steps)
  return [...(p > 0 ? after('P', interleavings(p - 1, m)) : []), ...(m > 0 ? after('M', interleavings(p, m - 1)) : [])]
}
/** Each request is sent, applied and answered. */
const ORDERS = interleavings(3, 3)
const APART = ['PPPMMM', 'MMMPPP']
const OVERLAPPING = ORDERS.filter((order) => !APART.includes(order))

/** A list with its first pages, of a server whose requests a test applies and answers. */
async function open(take: Take, field: Field, { loaded = 1, isOptimistic = false } = {}) {
  const [schema, mutation, change] = TAKES[take]
  let rows: readonly Row[] = [...'abcdefgh'].map((id) => ({ id, group: 'g' }))
  const inGroup = (): readonly Row[] => rows.filter(({ group }) => group === 'g')
  const asked: Asked[] = []
  const send = (act: () => unknown): Promise<Response> =>
    new Promise((resolve) => {
      let said: Response | undefined
      const apply = (): Response => {
        said ??= Response.json(act())
        return said
      }
      const answer = (): Promise<void> => {
        resolve(apply())
        return settle()
      }
      asked.push({ apply, answer })
    })
  const list = new RestEndpoint({
    path: '/items',
    searchParams: {} as { group: string },
    schema: schema as typeof plain,
    paginationField: field,
    dataExpiryLength: 600_000,
    ...(field === 'cursor' && { nextPage: ({ items }: LastPage) => ({ cursor: (items.at(-1) as Row).id }) }),
    fetchResponse: (url) => {
      const named = new URL(String(url), 'http://api.test').searchParams.get(field)
      return send(() => {
        const from = named === null ? 0 : FIELDS[field](named, inGroup())
        return inGroup().slice(from, from + 2)
      })
    },
  })
  const taking = new Endpoint(
    async ({ id }: { id: string }) => {
      const response = await send(() => {
        rows = rows.map((row) => (row.id === id ? change(row) : row))
        return change({ id, group: 'g' })
      })
      return response.json()
    },
    { name: 'take', schema: mutation as typeof Item, sideEffect: true },
  )
  const optimistic = taking.extend({ getOptimisticResponse: (_, { id }) => change({ id, group: 'g' }) })
  const create = new Endpoint(
    async (_: { group: string }, row: Row) => {
      const response = await send(() => {
        rows = [row, ...rows]
        return row
      })
      return response.json()
    },
    { name: 'create', schema: (schema as typeof plain).unshift, sideEffect: true },
  )
  const controller = new Controller({ env: new HandClock() })
  const pages = pagesOf(controller, list, { group: 'g' })
  pages.subscribe(() => {})
  await settle()
  await asked[0]?.answer()
  for (let i = 1; i < loaded; i++) {
    void pages.fetchNext()
    await settle()
    await asked[i]?.answer()
  }
  asked.length = 0
  const sent = async (of: Promise<unknown>): Promise<Asked> => {
    void of
    await settle()
    return asked.at(-1) as Asked
  }
  return {
    pages,
    asked,
    shown: () =>
      pages
        .getSnapshot()
        .data?.map(({ id }) => id)
        .join(''),
    atServer: () =>
      inGroup()
        .map(({ id }) => id)
        .join(''),
    take: (id: string) => sent(controller.fetch(isOptimistic ? optimistic : taking, { id })),
    create: () => sent(controller.fetch(create, { group: 'g' }, { id: 'x', group: 'g' })),
    fetchNext: () => sent(pages.fetchNext()),
    getPage: () => sent(controller.fetch(list.getPage, { group: 'g', [field]: SECOND[field] } as never)),
    refetch: () => sent(pages.refetch()),
    fetchOther: () => sent(controller.fetch(list, { group: 'other' })),
    /** Answers requests in order until there are no more; fails after ten. */
    answerAll: async () => {
      for (let i = 0; i < asked.length && i < 10; i++) await asked[i]?.answer()
      expect(asked.length).toBeLessThan(10)
    },
    loadAll: async () => {
      while (pages.getSnapshot().hasNext) await (await sent(pages.fetchNext())).answer()
    },
  }
}

/** Runs the steps of a page and a mutation in an order, and answers what is asked then. */
async function run(
  order: string,
  send: Readonly<Record<string, () => Promise<Asked>>>,
  answerAll: () => Promise<void>,
) {
  const sent: Partial<Record<string, Asked>> = {}
  const applied = new Set<string>()
  for (const step of order) {
    const request = sent[step]
    if (request === undefined) sent[step] = await send[step]?.()
    else if (applied.has(step)) await request.answer()
    else {
      request.apply()
      applied.add(step)
    }
  }
  await settle()
  await answerAll()
}

const cases = TAKEN.flatMap((take) =>
  (['offset', 'page'] as const).flatMap((field) =>
    [true, false].map((isOptimistic) => ({ take, field, isOptimistic })),
  ),
)

describe.each(cases)('$take, pages by $field, optimistic: $isOptimistic', ({ take, field, isOptimistic }) => {
  describe.each(['fetchNext', 'getPage'] as const)('the second page is requested by %s', (way) => {
    const outcome = async (order: string) => {
      const opened = await open(take, field, { isOptimistic })
      await run(order, { P: opened[way], M: () => opened.take('a') }, opened.answerAll)
      return opened
    }

    test.each(OVERLAPPING)('%s: no row is missing', async (order) => {
      const { shown, atServer, asked, loadAll } = await outcome(order)
      expect(shown()).toBe(atServer().slice(0, 4))
      // One refresh of both pages.
      expect(asked).toHaveLength(4)
      await loadAll()
      expect(shown()).toBe(atServer())
    })

    test.each(APART)('%s: nothing more is requested', async (order) => {
      const { asked } = await outcome(order)
      expect(asked).toHaveLength(2)
    })
  })
})

describe('a refresh of three pages, each of which is applied and answered', () => {
  /** Takes a row out during a refresh that has started. */
  const outcome = async (order: string, { take, field, isOptimistic, id }: (typeof cases)[number] & { id: string }) => {
    const opened = await open(take, field, { loaded: 3, isOptimistic })
    const { asked, answerAll } = opened
    let page = await opened.refetch()
    let mutation: Asked | undefined
    const steps = { P: 0, M: 0 }
    for (const step of order as Iterable<'P' | 'M'>) {
      steps[step]++
      if (step === 'M') {
        if (steps.M === 1) mutation = await opened.take(id)
        else if (steps.M === 2) mutation?.apply()
        else await mutation?.answer()
      } else if (steps.P % 2 === 1) page.apply()
      else {
        const before = asked.length
        await page.answer()
        page = asked[before] ?? page
      }
    }
    await answerAll()
    return opened
  }

  test.each(cases.flatMap((each) => [...'ace'].map((id) => ({ ...each, id }))))(
    '$take of $id, pages by $field, optimistic: $isOptimistic: no row is missing in any order',
    async (of) => {
      for (const order of interleavings(6, 3)) {
        const { shown, atServer, asked } = await outcome(order, of)
        const isApart = order === 'PPPPPPMMM'
        expect([order, shown()]).toEqual([order, atServer().slice(0, isApart ? 5 : 6)])
        if (isApart) expect(asked).toHaveLength(4)
      }
    },
  )
})

describe('nothing more is requested', () => {
  test.each(ORDERS)('%s: by cursor, a row was deleted', async (order) => {
    const opened = await open('a deletion', 'cursor')
    await run(order, { P: opened.fetchNext, M: () => opened.take('a') }, opened.answerAll)
    expect(opened.asked).toHaveLength(2)
    expect(opened.shown()).toBe(opened.atServer().slice(0, 3))
  })

  test.each(ORDERS.filter((order) => order.startsWith('P')))('%s: a row was created', async (order) => {
    const opened = await open('a deletion', 'offset')
    await run(order, { P: opened.fetchNext, M: opened.create }, opened.answerAll)
    expect(opened.asked).toHaveLength(2)
  })

  test.each(ORDERS)('%s: a row that no page has was deleted', async (order) => {
    const opened = await open('a deletion', 'offset')
    await run(order, { P: opened.fetchNext, M: () => opened.take('h') }, opened.answerAll)
    expect(opened.asked).toHaveLength(2)
    expect(opened.shown()).toBe('abcd')
  })

  test.each(APART)('%s: a slower request is in flight', async (order) => {
    const opened = await open('a deletion', 'offset')
    const slow = await opened.fetchOther()
    const answerAll = (): Promise<void> => slow.answer()
    await run(order, { P: opened.fetchNext, M: () => opened.take('a') }, answerAll)
    expect(opened.asked).toHaveLength(3)
  })

  test.each(ORDERS.filter((order) => order.endsWith('P')))('%s: a row that only the page has left', async (order) => {
    const opened = await open('an edit by which it does not belong', 'offset')
    await run(order, { P: opened.fetchNext, M: () => opened.take('c') }, opened.answerAll)
    expect(opened.asked).toHaveLength(2)
  })
})
