import type { Browser, Page } from 'playwright-core'
import { afterEach, describe, expect, test } from 'vitest'
import { eventually } from './eventually.js'
import { ReaderPage } from './reader-page.js'

/** Where the scenarios are run: known once the pages are built and the browser is there. */
export interface Place {
  readonly browser: Browser
  readonly url: string
}

/** What every framework does in front of a person. Names in front are those of the list of scenarios. */
export function contract(framework: string, place: () => Place): void {
  const open = opener(place)
  /** React shows that it waits when arguments change outside a transition; the others keep what is there. */
  const keepsLast = framework !== 'react'
  for (const hook of ['suspense', 'dle'] as const) {
    describe(`${framework}, ${hook}`, () =>
      reads((more = '') => open(`${framework}.html?hook=${hook}${more}`), {
        meanwhile: hook === 'suspense' && keepsLast ? [] : ['loading'],
      }))
  }
  describe(`${framework}, live`, () => polls(() => open(`${framework}.html?hook=live&read=ticker`)))
}

/** Opens pages, all in one tab. */
export function opener(place: () => Place): (address: string) => Promise<ReaderPage> {
  let tab: Page | undefined
  let opened: ReaderPage | undefined
  afterEach(async () => {
    const last = opened
    opened = undefined
    await last?.close()
  })
  return async (address) => {
    tab ??= await place().browser.newPage()
    opened = await ReaderPage.open(tab, `${place().url}/${address}`)
    return opened
  }
}

/** What the server says of a todo. */
export const row = (id = '1', title = `t${id}`): object => ({ id, title })

type Open = (more?: string) => Promise<ReaderPage>

function reads(open: Open, { meanwhile }: { readonly meanwhile: readonly string[] }): void {
  test('a miss shows that it waits, then the data', async () => {
    const page = await open()
    const request = await page.server.asked('GET /todos/1')
    await page.hasShown(['loading'])
    await request.answer(row())
    await page.hasShown(['loading', 't1'])
    expect(page.server.names).toHaveLength(1)
  })

  test('what is out of date is shown while it is asked for again', async () => {
    const page = await open('&read=stale')
    await (await page.server.asked('GET /todos/1')).answer(row())
    await page.shows('t1')
    await page.press('Close', 0)
    await page.press('Open', 0)
    const second = await page.server.asked('GET /todos/1', 'GET /todos/1')
    await page.hasShown(['loading', 't1', '', 't1'])
    await second.answer(row('1', 'new'))
    await page.hasShown(['loading', 't1', '', 't1', 'new'])
  })

  test('a fetch that somebody starts leaves the data on the screen until the new is there', async () => {
    const page = await open()
    await (await page.server.asked('GET /todos/1')).answer(row())
    await page.shows('t1')
    await page.press('Reload')
    await (await page.server.asked('GET /todos/1', 'GET /todos/1')).answer(row('1', 'new'))
    await page.hasShown(['loading', 't1', 'new'])
  })

  test('C7: a hard error is shown; a retry asks once, and shows what comes of it', async () => {
    const page = await open()
    await (await page.server.asked('GET /todos/1')).fail(404)
    await page.hasShown(['loading', 'failed'])
    await page.press('Try again', 0)
    const second = await page.server.asked('GET /todos/1', 'GET /todos/1')
    await page.shows('loading')
    await second.fail(404)
    await page.hasShown(['loading', 'failed', 'loading', 'failed'])
    await page.press('Try again', 0)
    const third = await page.server.asked('GET /todos/1', 'GET /todos/1', 'GET /todos/1')
    await page.shows('loading')
    await third.answer(row())
    await page.hasShown(['loading', 'failed', 'loading', 'failed', 'loading', 't1'])
    await page.rest()
    expect(page.server.names).toHaveLength(3)
  })

  test('a soft error leaves the data on the screen', async () => {
    const page = await open()
    await (await page.server.asked('GET /todos/1')).answer(row())
    await page.shows('t1')
    await page.press('Reload')
    await (await page.server.asked('GET /todos/1', 'GET /todos/1')).fail(503)
    await page.rest()
    await page.hasShown(['loading', 't1'])
    expect(page.server.names).toHaveLength(2)
  })

  test('other arguments are another answer; what was there before is there at once', async () => {
    const page = await open()
    await (await page.server.asked('GET /todos/1')).answer(row())
    await page.shows('t1')
    await page.press('Todo 2', 0)
    await (await page.server.asked('GET /todos/1', 'GET /todos/2')).answer(row('2'))
    await page.hasShown(['loading', 't1', ...meanwhile, 't2'])
    await page.press('Todo 1', 0)
    await page.hasShown(['loading', 't1', ...meanwhile, 't2', 't1'])
    expect(page.server.names).toHaveLength(2)
  })

  test('R18: arguments that go 1, 2, 1 under way never show 2', async () => {
    const page = await open()
    await page.press('Todo 2', 0)
    await page.press('Todo 1', 0)
    await eventually(() => page.server.names).toContain('GET /todos/1')
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

  test('an optimistic answer is shown before the server has heard of it', async () => {
    const page = await open()
    await (await page.server.asked('GET /todos/1')).answer(row())
    await page.shows('t1')
    await page.press('Rename')
    const patch = await page.server.asked('GET /todos/1', 'PATCH /todos/1')
    await page.hasShown(['loading', 't1', 'mine'])
    await patch.answer(row('1', 'Mine, says the server'))
    await page.hasShown(['loading', 't1', 'mine', 'Mine, says the server'])
  })

  test('R1: an optimistic answer goes when the server refuses', async () => {
    const page = await open()
    await (await page.server.asked('GET /todos/1')).answer(row())
    await page.shows('t1')
    await page.press('Rename')
    const patch = await page.server.asked('GET /todos/1', 'PATCH /todos/1')
    await page.shows('mine')
    await patch.fail(500)
    await page.hasShown(['loading', 't1', 'mine', 't1'])
  })

  test('two readers are one request', async () => {
    const page = await open('&readers=2')
    await (await page.server.asked('GET /todos/1')).answer(row())
    await page.hasShown(['loading', 't1'], 0)
    await page.hasShown(['loading', 't1'], 1)
    await page.rest()
    expect(page.server.names).toHaveLength(1)
  })

  test('C5: who leaves while it is pending leaves the answer to who comes later', async () => {
    const page = await open()
    const request = await page.server.asked('GET /todos/1')
    await page.press('Close', 0)
    await request.answer(row())
    await page.rest()
    await page.press('Open', 0)
    await page.hasShown(['loading', '', 't1'])
    expect(page.server.names).toHaveLength(1)
  })
}

function polls(open: Open): void {
  test('F18: a poll goes on while its reader is there, stops with it, and begins again', async () => {
    const page = await open()
    const first = await page.server.asked('GET /todos/1')
    page.server.answers = () => row('1', `t${page.server.requests.length}`)
    await first.answer(row())
    await eventually(() => page.seen()).toContain('t3')
    await page.press('Close', 0)
    await page.shows('')
    const asked = page.server.names.length
    await page.rest()
    expect(page.server.names).toHaveLength(asked)
    await page.press('Open', 0)
    await eventually(() => page.server.names.length).toBeGreaterThan(asked + 2)
    const seen = await page.seen()
    expect(seen[0]).toBe('loading')
    expect(seen.filter((text) => text === 'loading')).toHaveLength(1)
  })
}
