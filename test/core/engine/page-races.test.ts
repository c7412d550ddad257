import { Collection, Controller, Entity, pagesOf, poll, RestEndpoint } from '@roundtable/core'
import { describe, expect, test } from 'vitest'
import { HandClock, settle } from './clock.js'

class Item extends Entity {
  static override key = 'Item'
  id = ''
}

interface Feed {
  items: Item[]
  next: string
}

interface Asked {
  readonly line: string
  /** Answers with the server's rows of this moment. */
  readonly answer: () => Promise<void>
  readonly fail: () => Promise<void>
}

/** The cursors of a server: the text for the position before a row, and the row for the text. */
interface Cursors {
  /** Cursor of the page that begins with the row `at`. */
  write(rows: readonly string[], at: number): string
  read(rows: readonly string[], cursor: string): number
}

let count = 0

/** A page that begins with a row that is gone is empty. */
function positionOf(rows: readonly string[], id: string): number {
  const at = rows.indexOf(id)
  return at < 0 ? rows.length : at
}

const cursors: Readonly<Record<string, Cursors>> = {
  'the id of their first row': {
    write: (rows, at) => rows[at] ?? '',
    read: (rows, cursor) => positionOf(rows, cursor),
  },
  'the id before them': {
    write: (rows, at) => rows[at - 1] ?? '',
    read: (rows, cursor) => rows.indexOf(cursor) + 1,
  },
  'text that differs in each response': {
    write: (rows, at) => `${++count}-${rows[at]}`,
    read: (rows, cursor) => positionOf(rows, cursor.split('-')[1] ?? ''),
  },
}

/** A list by pages of two, with the first `loaded` pages, whose requests a test answers. */
async function open(kind: Cursors, { loaded = 1, ids = 'abcdefgh', endpoint = {} } = {}) {
  const rows = [...ids]
  const asked: Asked[] = []
  const clock = new HandClock()
  const controller = new Controller({ env: clock })
  const pageAt = (from: number): Feed => {
    const items = rows.slice(from, from + 2).map((id) => ({ id }) as Item)
    return { items, next: from + 2 < rows.length ? kind.write(rows, from + 2) : '' }
  }
  const list = new RestEndpoint({
    path: '/feed',
    searchParams: {} as { group?: string },
    name: 'getFeed',
    schema: { items: new Collection([Item]), next: '' },
    paginationField: 'cursor',
    dataExpiryLength: 60_000,
    nextPage: ({ response }) => (response.next ? { cursor: response.next } : undefined),
    fetchResponse: (url) =>
      new Promise((resolve, reject) => {
        const { searchParams, search } = new URL(String(url), 'http://api.test')
        const cursor = searchParams.get('cursor')
        asked.push({
          line: `GET ${search}`,
          answer: () => {
            resolve(Response.json(pageAt(cursor === null ? 0 : kind.read(rows, cursor))))
            return settle()
          },
          fail: () => {
            reject(new TypeError('connection lost'))
            return settle()
          },
        })
      }),
    ...(endpoint as object),
  })
  const pages = pagesOf(controller, list, { group: 'g' })
  const stop = pages.subscribe(() => {})
  await settle()
  await asked[0]?.answer()
  for (let i = 1; i < loaded; i++) {
    void pages.fetchNext()
    await settle()
    await asked[i]?.answer()
  }
  asked.length = 0
  return {
    controller,
    clock,
    list,
    pages,
    rows,
    asked,
    stop,
    pageAt,
    shown: () => (pages.getSnapshot().data as Feed | undefined)?.items.map(({ id }) => id).join(''),
    /** Answers requests in order until there are no more; fails after ten. */
    answerAll: async (from: number) => {
      for (let i = from; i < asked.length && i < 10; i++) await asked[i]?.answer()
      expect(asked.length).toBeLessThan(10)
    },
    fetchNext: async () => {
      const state = { isSettled: false }
      void pages.fetchNext().then(() => {
        state.isSettled = true
      })
      await settle()
      return state
    },
    refetch: async () => {
      void pages.refetch()
      await settle()
    },
  }
}

const changes: Readonly<Record<string, (rows: string[], at: number) => void>> = {
  'rows were added': (rows) => void rows.unshift('x'),
  'more rows than a page has were added': (rows) => void rows.unshift('x', 'y', 'z'),
  'a row was added between': (rows, at) => void rows.splice(at - 1, 0, 'x'),
  'a row was deleted': (rows) => void rows.splice(0, 1),
  'the last row of the page before was deleted': (rows, at) => void rows.splice(at - 1, 1),
  'the first row of the page was deleted': (rows, at) => void rows.splice(at, 1),
  'the list was emptied': (rows) => void rows.splice(0),
  'the list ends before it': (rows, at) => void rows.splice(at),
  nothing: () => {},
}

describe.each(Object.entries(cursors))('a page by a cursor that is %s', (_, kind) => {
  describe.each([1, 2, 3])('after %i loaded', (loaded) => {
    test.each(
      Object.entries(changes).flatMap(([what, change]) =>
        (['before', 'after'] as const).map((when) => ({ what, when, change })),
      ),
    )('is read where the earlier pages end if $what and a refresh that started $when it ended first', async (of) => {
      const opened = await open(kind, { loaded })
      const { asked, rows, pages, shown } = opened
      const old = asked.length
      if (of.when === 'before') await opened.refetch()
      const next = await opened.fetchNext()
      if (of.when === 'after') await opened.refetch()
      const late = asked[of.when === 'before' ? 1 : 0] as Asked
      of.change(rows, loaded * 2)
      for (let i = old; i < asked.length; i++) if (asked[i] !== late) await asked[i]?.answer()
      expect(next.isSettled).toBe(false)
      const count = asked.length
      await late.answer()
      expect(asked.length - count).toBeLessThan(2)
      await opened.answerAll(count)
      expect(next.isSettled).toBe(true)
      expect(asked.length - count).toBeLessThan(2)
      const { hasNext, error } = pages.getSnapshot()
      expect({ shown: shown(), hasNext, error }).toEqual({
        shown: rows.slice(0, loaded * 2 + 2).join(''),
        hasNext: rows.length > loaded * 2 + 2,
        error: undefined,
      })
      // From here on, the list is like any other.
      await opened.refetch()
      await opened.answerAll(asked.length - 1)
      expect(shown()).toBe(rows.slice(0, loaded * 2 + 2).join(''))
      opened.stop()
    })
  })
})

const byRow = cursors['the id of their first row'] as Cursors
const changing = cursors['text that differs in each response'] as Cursors

/** Requests the second page and a refresh, which ends first after `x` was added in front. */
async function raced(kind: Cursors = byRow, options: Parameters<typeof open>[1] = {}) {
  const opened = await open(kind, options)
  const next = await opened.fetchNext()
  await opened.refetch()
  opened.rows.unshift('x')
  await opened.asked[1]?.answer()
  return { ...opened, next }
}

test('a page of an outdated cursor is shown until the page of the new one replaces it', async () => {
  const { asked, shown, next } = await raced()
  expect(shown()).toBe('xa')
  await asked[0]?.answer()
  expect(shown()).toBe('xacd')
  expect(next.isSettled).toBe(false)
  expect(asked.map(({ line }) => line)).toEqual(['GET ?cursor=c&group=g', 'GET ?group=g', 'GET ?cursor=b&group=g'])
  await asked[2]?.answer()
  expect(shown()).toBe('xabc')
})

test('if the request with the new cursor fails, the list is out of date, and the next refresh mends it', async () => {
  const { asked, shown, next, pages, clock, stop, ...opened } = await raced()
  await asked[0]?.answer()
  await asked[2]?.fail()
  expect(next.isSettled).toBe(true)
  expect(pages.getSnapshot()).toMatchObject({ status: 'failed', error: { message: 'connection lost' }, pages: 2 })
  expect(shown()).toBe('xacd')
  stop()
  await clock.advance(2_000)
  pages.subscribe(() => {})
  await settle()
  await opened.answerAll(3)
  expect(pages.getSnapshot()).toMatchObject({ status: 'ready', error: undefined, pages: 2 })
  expect(shown()).toBe('xabc')
  expect(asked).toHaveLength(5)
})

test('a server that names another cursor each time is asked once more for each page, and all are loaded', async () => {
  const opened = await open(changing, { ids: 'abcdef' })
  const { asked, pages, shown } = opened
  for (const expected of ['abcd', 'abcdef']) {
    const before = asked.length
    await opened.fetchNext()
    await opened.refetch()
    const [late, ...refresh] = asked.slice(before)
    await refresh[0]?.answer()
    for (let i = before + 2; i < asked.length; i++) await asked[i]?.answer()
    const count = asked.length
    await late?.answer()
    await opened.answerAll(count)
    expect(asked).toHaveLength(count + 1)
    expect(shown()).toBe(expected)
  }
  expect(pages.getSnapshot()).toMatchObject({ pages: 3, hasNext: false, error: undefined })
})

test('polls that overtake each page with another cursor do not keep it from being loaded', async () => {
  const opened = await open(changing)
  const { asked, controller, list, shown } = opened
  const polled = controller.observe(poll, list.extend({ pollFrequency: 1_000 }), { group: 'g' })
  const stop = polled.subscribe(() => {})
  const next = await opened.fetchNext()
  for (let i = 1; i < 4; i++) {
    await opened.clock.advance(1_000)
    await settle()
    expect(asked).toHaveLength(i + 1)
    await asked[i]?.answer()
  }
  await asked[0]?.answer()
  expect(shown()).toBe('abcd')
  // A poll overtakes the further request, too.
  await opened.clock.advance(1_000)
  await settle()
  await asked[5]?.answer()
  await asked[4]?.answer()
  await opened.answerAll(6)
  expect(next.isSettled).toBe(true)
  expect(shown()).toBe('abcd')
  expect(asked).toHaveLength(7)
  stop()
})

test.each([
  { what: 'before the page with the new cursor', order: [2, 4, 3] },
  { what: 'after it', order: [3, 2, 4] },
  { what: 'around it', order: [2, 3, 4] },
])('a refresh that is in flight when the page arrives, and ends $what, reads all pages itself', async ({ order }) => {
  const opened = await raced()
  const { asked, shown, rows, pages } = opened
  await opened.refetch()
  rows.unshift('y')
  await asked[0]?.answer()
  for (const i of order) await asked[i]?.answer()
  expect(
    asked
      .map(({ line }) => line)
      .slice(2)
      .sort(),
  ).toEqual(['GET ?cursor=a&group=g', 'GET ?cursor=b&group=g', 'GET ?group=g'])
  expect(shown()).toBe('yxab')
  expect(pages.getSnapshot()).toMatchObject({ status: 'ready', pages: 2, hasNext: true })
})

test('data that was not requested here counts as well: from another tab, or written by the application', async () => {
  const opened = await open(byRow)
  const { asked, controller, list, rows, shown } = opened
  await opened.fetchNext()
  rows.unshift('x')
  controller.setResponse(list, { group: 'g' }, opened.pageAt(0) as never)
  await opened.answerAll(0)
  expect(asked.map(({ line }) => line)).toEqual(['GET ?cursor=c&group=g', 'GET ?cursor=b&group=g'])
  expect(shown()).toBe('xabc')
})

test.each(['before', 'after'])(
  'a page that a call jumps to, %s a refresh, is not the one that follows',
  async (when) => {
    const opened = await open(byRow)
    const { asked, controller, list, rows } = opened
    if (when === 'before') await opened.refetch()
    void controller.fetch(list.getPage, { group: 'g', cursor: 'e' })
    await settle()
    if (when === 'after') await opened.refetch()
    const jump = asked.find(({ line }) => line.includes('cursor=e'))
    rows.unshift('x')
    await asked.find((one) => one !== jump)?.answer()
    await jump?.answer()
    expect(asked).toHaveLength(2)
  },
)

test('a page that was requested before its list went out of date is requested again, with the list, once it has arrived', async () => {
  const opened = await open(cursors['the id of their first row'] as Cursors)
  const { pages, asked, controller, list, shown } = opened
  void pages.fetchNext()
  await settle()
  controller.expireAll(list)
  await settle()
  await asked[1]?.answer()
  expect(asked.map(({ line }) => line)).toEqual(['GET ?cursor=c&group=g', 'GET ?group=g'])
  await asked[0]?.answer()
  await opened.answerAll(2)
  expect(asked.slice(2).map(({ line }) => line)).toEqual(['GET ?group=g', 'GET ?cursor=c&group=g'])
  expect(shown()).toBe('abcd')
})

test('numbers name the same page after any refresh: nothing else is requested', async () => {
  const numbers: Cursors = { write: (_, at) => String(at / 2), read: (_, cursor) => Number(cursor) * 2 }
  for (const endpoint of [{}, { nextPage: undefined, paginationField: 'page' }]) {
    const { asked, next } = await raced(numbers, { endpoint })
    await asked[0]?.answer()
    expect(next.isSettled).toBe(true)
    expect(asked).toHaveLength(2)
  }
})

test('a nextPage that throws for the refreshed page leaves the page that was requested before', async () => {
  let isBroken = false
  const opened = await open(byRow, {
    endpoint: {
      nextPage: ({ response }: { response: Feed }) => {
        if (isBroken) throw new Error('no cursor')
        return { cursor: response.next }
      },
    },
  })
  const { asked, shown, pages } = opened
  const next = await opened.fetchNext()
  await opened.refetch()
  isBroken = true
  await asked[1]?.answer()
  await asked[0]?.answer()
  expect(next.isSettled).toBe(true)
  expect(asked).toHaveLength(2)
  expect(shown()).toBe('abcd')
  expect(pages.getSnapshot().error?.message).toContain('nextPage')
})

test.each(['in order', 'in reverse'])(
  'refreshes that overtake each other keep the number of pages, answered %s',
  async (order) => {
    const opened = await open(changing, { loaded: 2 })
    const { asked, shown, pages, rows } = opened
    await opened.refetch()
    await asked[0]?.answer()
    await opened.refetch()
    rows.unshift('x')
    await asked[2]?.answer()
    const [overtaken, latest] = [asked[1], asked[3]]
    for (const one of order === 'in order' ? [overtaken, latest] : [latest, overtaken]) await one?.answer()
    expect(asked).toHaveLength(4)
    expect(pages.getSnapshot()).toMatchObject({ status: 'ready', pages: 2, hasNext: true })
    expect(shown()).toBe('xabc')
  },
)

test.each([
  { loaded: 2, order: 'in order' },
  { loaded: 3, order: 'in order' },
  { loaded: 3, order: 'the last one first' },
  { loaded: 4, order: 'the last one first' },
])(
  'a late page in the middle of another refresh does not end that: $loaded loaded, $order',
  async ({ loaded, order }) => {
    const opened = await open(byRow, { loaded, ids: 'abcdefghijklmnop' })
    const { asked, rows } = opened
    await opened.fetchNext()
    await opened.refetch()
    rows.unshift('x')
    for (let i = 1; i < asked.length; i++) await asked[i]?.answer()
    const another = asked.length
    await opened.refetch()
    rows.unshift('y')
    await asked[another]?.answer()
    await asked[0]?.answer()
    const waiting = [...asked.keys()].slice(another + 1)
    while (waiting.length > 0) {
      const { length } = asked
      const at = order === 'in order' ? waiting.shift() : waiting.pop()
      await asked[at as number]?.answer()
      for (let i = length; i < asked.length; i++) waiting.push(i)
    }
    expect(opened.shown()).toBe(rows.slice(0, loaded * 2 + 2).join(''))
    opened.stop()
  },
)

test('a late page is kept if nextPage throws for the page before it, which was not requested here', async () => {
  let isBroken = false
  const nextPage = ({ response }: { response: Feed }) => {
    if (isBroken) throw new Error('no cursor')
    return { cursor: response.next }
  }
  const { asked, rows, controller, list, fetchNext, pageAt, shown, stop } = await open(byRow, {
    endpoint: { nextPage },
  })
  await fetchNext()
  isBroken = true
  rows.unshift('x')
  controller.setResponse(list, { group: 'g' }, pageAt(0) as never)
  await asked[0]?.answer()
  expect(shown()).toBe('xacd')
  stop()
})
