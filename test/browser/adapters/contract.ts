import { describe, expect } from 'vitest'
import { eventually } from './eventually.js'
import type { ReaderPage } from './reader-page.js'
import type { Tabs } from './tabs.js'

/** The behaviour of every framework in a browser. Prefixes are the ids of scenarios. */
export function contract(framework: string, tabs: Tabs): void {
  /** React shows that it waits when arguments change outside a transition; the others keep what is there. */
  const keepsLast = framework !== 'react'
  for (const hook of ['suspense', 'dle'] as const) {
    describe(`${framework}, ${hook}`, () => {
      const meanwhile = hook === 'suspense' && keepsLast ? [] : ['loading']
      reads((name, work, more = '') => tabs.test(name, `${framework}.html?hook=${hook}${more}`, work), meanwhile)
    })
  }
  describe(`${framework}, live`, () => {
    polls((name, work) => tabs.test(name, `${framework}.html?hook=live&read=ticker`, work))
  })
}

/** The server's data of a todo. */
export const row = (id = '1', title = `t${id}`): object => ({ id, title })

type Test = (name: string, work: (page: ReaderPage) => Promise<void>, more?: string) => void

function reads(test: Test, meanwhile: readonly string[]): void {
  test('a miss shows that it waits, then the data', async (page) => {
    const request = await page.server.requested('GET /todos/1')
    await page.hasShown(['loading'])
    await request.answer(row())
    await page.hasShown(['loading', 't1'])
    expect(page.server.names).toHaveLength(1)
  })

  test(
    'stale data is shown while it is fetched again',
    async (page) => {
      await (await page.server.requested('GET /todos/1')).answer(row())
      await page.shows('t1')
      await page.press('Close', 0)
      await page.press('Open', 0)
      const second = await page.server.requested('GET /todos/1', 'GET /todos/1')
      await page.hasShown(['loading', 't1', '', 't1'])
      await second.answer(row('1', 'new'))
      await page.hasShown(['loading', 't1', '', 't1', 'new'])
    },
    '&read=stale',
  )

  test('a fetch by other code leaves the data on the screen until the new data arrives', async (page) => {
    await (await page.server.requested('GET /todos/1')).answer(row())
    await page.shows('t1')
    await page.press('Reload')
    await (await page.server.requested('GET /todos/1', 'GET /todos/1')).answer(row('1', 'new'))
    await page.hasShown(['loading', 't1', 'new'])
  })

  test('C7: a hard error is shown; a retry fetches once, and shows the result', async (page) => {
    await (await page.server.requested('GET /todos/1')).fail(404)
    await page.hasShown(['loading', 'failed'])
    await page.press('Try again', 0)
    const second = await page.server.requested('GET /todos/1', 'GET /todos/1')
    await page.shows('loading')
    await second.fail(404)
    await page.hasShown(['loading', 'failed', 'loading', 'failed'])
    await page.press('Try again', 0)
    const third = await page.server.requested('GET /todos/1', 'GET /todos/1', 'GET /todos/1')
    await page.shows('loading')
    await third.answer(row())
    await page.hasShown(['loading', 'failed', 'loading', 'failed', 'loading', 't1'])
    await page.rest()
    expect(page.server.names).toHaveLength(3)
  })

  test('a soft error leaves the data on the screen', async (page) => {
    await (await page.server.requested('GET /todos/1')).answer(row())
    await page.shows('t1')
    await page.press('Reload')
    await (await page.server.requested('GET /todos/1', 'GET /todos/1')).fail(503)
    await page.rest()
    await page.hasShown(['loading', 't1'])
    expect(page.server.names).toHaveLength(2)
  })

  test('other arguments have another response; stored data is there at once', async (page) => {
    await (await page.server.requested('GET /todos/1')).answer(row())
    await page.shows('t1')
    await page.press('Todo 2', 0)
    await (await page.server.requested('GET /todos/1', 'GET /todos/2')).answer(row('2'))
    await page.hasShown(['loading', 't1', ...meanwhile, 't2'])
    await page.press('Todo 1', 0)
    await page.hasShown(['loading', 't1', ...meanwhile, 't2', 't1'])
    expect(page.server.names).toHaveLength(2)
  })

  test('R18: arguments that go 1, 2, 1 under way never show 2', async (page) => {
    await page.press('Todo 2', 0)
    await page.press('Todo 1', 0)
    await eventually(() => page.server.names.includes('GET /todos/1'), true)
    await page.rest()
    for (const request of page.server.requests.filter(({ name }) => name === 'GET /todos/2')) {
      await request.answer(row('2'))
    }
    await page.rest()
    await page.hasShown(['loading'])
    const firsts = page.server.requests.filter(({ name }) => name === 'GET /todos/1')
    expect(firsts).toHaveLength(1)
    await firsts[0]?.answer(row())
    await page.hasShown(['loading', 't1'])
  })

  test('an optimistic response is shown before the server gets the request', async (page) => {
    await (await page.server.requested('GET /todos/1')).answer(row())
    await page.shows('t1')
    await page.press('Rename')
    const patch = await page.server.requested('GET /todos/1', 'PATCH /todos/1')
    await page.hasShown(['loading', 't1', 'mine'])
    await patch.answer(row('1', 'Mine, says the server'))
    await page.hasShown(['loading', 't1', 'mine', 'Mine, says the server'])
  })

  test('R1: an optimistic response is removed when the server refuses', async (page) => {
    await (await page.server.requested('GET /todos/1')).answer(row())
    await page.shows('t1')
    await page.press('Rename')
    const patch = await page.server.requested('GET /todos/1', 'PATCH /todos/1')
    await page.shows('mine')
    await patch.fail(500)
    await page.hasShown(['loading', 't1', 'mine', 't1'])
  })

  test(
    'two readers are one request',
    async (page) => {
      await (await page.server.requested('GET /todos/1')).answer(row())
      await page.hasShown(['loading', 't1'], 0)
      await page.hasShown(['loading', 't1'], 1)
      await page.rest()
      expect(page.server.names).toHaveLength(1)
    },
    '&readers=2',
  )

  test('C5: a reader that leaves while it is pending leaves the response to later readers', async (page) => {
    const request = await page.server.requested('GET /todos/1')
    await page.press('Close', 0)
    await request.answer(row())
    await page.rest()
    await page.press('Open', 0)
    await page.hasShown(['loading', '', 't1'])
    expect(page.server.names).toHaveLength(1)
  })
}

function polls(test: Test): void {
  test('F18: a poll goes on while its reader is there, stops with it, and begins again', async (page) => {
    const first = await page.server.requested('GET /todos/1')
    page.server.answers = () => row('1', `t${page.server.requests.length}`)
    await first.answer(row())
    await eventually(async () => (await page.seen()).includes('t3'), true)
    await page.press('Close', 0)
    await page.shows('')
    await page.rest()
    const requested = page.server.names.length
    await page.rest()
    expect(page.server.names).toHaveLength(requested)
    await page.press('Open', 0)
    await eventually(() => page.server.names.length > requested + 2, true)
    const seen = await page.seen()
    expect(seen[0]).toBe('loading')
    expect(seen.filter((text) => text === 'loading')).toHaveLength(1)
  })
}
