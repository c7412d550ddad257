import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Site, serveSite } from '../../../benchmarks/browser/serve.js'
import { eventually } from '../adapters/eventually.js'
import { startChromium } from '../chromium.js'
import type { TodoResource } from './pages/app.js'
import { TodoServer } from './todo-server.js'

/** What a page offers to tests. */
interface InPage {
  readonly page: {
    readonly controller: import('@roundtable/core').Controller
    readonly TodoResource: typeof TodoResource
    renders: number
    parses: number
    isAsking(): boolean
  }
}

let pages: Site
let browser: Browser

beforeAll(async () => {
  const folder = fileURLToPath(new URL('./pages/', import.meta.url))
  pages = await serveSite(folder, { names: ['react', 'vue', 'svelte'], isAsync: true })
  browser = await startChromium()
})

afterAll(async () => {
  await browser?.close()
  await pages?.close()
})

/** A part of the page of a framework, in a tab of its own, and what it has shown. */
async function open(framework: string, part: string, server: TodoServer, isTimed = false) {
  const context = await browser.newContext()
  const tab = await context.newPage()
  const errors: string[] = []
  tab.on('pageerror', (error) => errors.push(String(error)))
  if (isTimed) {
    // Time passes when a test says so.
    await tab.clock.install({ time: 1_000 })
    // Far enough ahead: until then it runs, however long this page takes.
    await tab.clock.pauseAt(600_000)
  }
  await tab.addInitScript(recordWhatIsShown)
  await tab.goto(`${pages.url}/${framework}.html?part=${part}&api=${encodeURIComponent(server.url)}`)
  const text = (): Promise<string> => tab.locator('output').innerText()
  return {
    tab,
    context,
    shows: (wanted: string) => eventually(text, wanted),
    seen: () => tab.evaluate(() => (window as unknown as { seen: string[] }).seen),
    press: (name: string) => tab.getByRole('button', { name, exact: true }).click(),
    async close() {
      await context.close()
      expect(errors).toEqual([])
    },
  }
}

/** Runs in the page: notes every text that the output has. */
function recordWhatIsShown(): void {
  const seen: string[] = []
  Object.assign(window, { seen })
  new MutationObserver(() => {
    const text = document.querySelector('output')?.textContent
    if (typeof text === 'string' && seen.at(-1) !== text) seen.push(text)
  }).observe(document, { subtree: true, childList: true, characterData: true })
}

/** Shows or hides a page, as the browser would when its tab is changed. */
function setVisible(tab: Page, isVisible: boolean): Promise<void> {
  return tab.evaluate((visible) => {
    Object.defineProperty(document, 'visibilityState', {
      value: visible ? 'visible' : 'hidden',
      configurable: true,
    })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isVisible)
}

/** Runs a test with a server of its own, and prints the requests that it got. */
async function withServer(name: string, todos: number, work: (server: TodoServer) => Promise<void>): Promise<void> {
  const server = await TodoServer.start(todos)
  try {
    await work(server)
  } finally {
    if (process.env.READS_LOG) console.info([name, ...server.log].join('\n  '))
    await server.close()
  }
}

describe.each(['react', 'vue', 'svelte'])('%s', (framework) => {
  const scenario = (name: string, todos: number, work: (server: TodoServer) => Promise<void>): void =>
    test.concurrent(name, () => withServer(`${framework}: ${name}`, todos, work))

  scenario('a search shows the previous results until the new ones are there, never nothing', 0, async (server) => {
    const { tab, shows, seen, close } = await open(framework, 'search', server)
    await shows('a1,a2')
    for (const q of ['ab', 'abc']) {
      await tab.locator('input').fill(q)
      await shows(`${q}1,${q}2`)
    }
    const texts = await seen()
    expect(texts.slice(texts.indexOf('a1,a2'))).toEqual(['a1,a2', 'a1,a2 …', 'ab1,ab2', 'ab1,ab2 …', 'abc1,abc2'])
    expect(server.log).toEqual(['GET /search?q=a 200', 'GET /search?q=ab 200', 'GET /search?q=abc 200'])
    await close()
  })

  scenario(
    'an infinite list of 10 pages, with a create, a delete and a refresh between: none is lost',
    30,
    async (server) => {
      const { tab, shows, press, close } = await open(framework, 'list', server)
      const upTo = (last: number, more = ' more'): string =>
        `${Array.from({ length: last }, (_, i) => i + 1).join(',')}${more}`
      await shows(upTo(3))
      for (let page = 2; page <= 4; page++) {
        await press('Next')
        await shows(upTo(page * 3))
      }
      await tab.evaluate(async () => {
        const { controller, TodoResource } = (window as unknown as InPage).page
        await controller.fetch(TodoResource.create, { title: 'New' } as never)
      })
      await shows(`${upTo(12, '')},31 more`)
      await press('Next')
      await shows(`${upTo(15, '')},31 more`)
      await tab.evaluate(async () => {
        const { controller, TodoResource } = (window as unknown as InPage).page
        await controller.fetch(TodoResource.delete, { id: 2 })
      })
      await shows('1,3,4,5,6,7,8,9,10,11,12,13,14,15,31 more')
      await press('Refresh')
      // Every page has moved up by one.
      await shows('1,3,4,5,6,7,8,9,10,11,12,13,14,15,16,31 more')
      for (let page = 6; page <= 9; page++) {
        await press('Next')
        await shows(`1,${Array.from({ length: page * 3 - 1 }, (_, i) => i + 3).join(',')},31 more`)
      }
      await press('Next')
      const all = [...server.todos.keys()].join(',')
      await shows(`${all} more`)
      await press('Next')
      await shows(all)
      const get = (page: number, status = 200): string => `GET /todos${page === 1 ? '' : `?page=${page}`} ${status}`
      expect(server.log).toEqual([
        ...[1, 2, 3, 4].map((page) => get(page)),
        'POST /todos 201',
        get(5),
        'DELETE /todos/2 204',
        ...[1, 2, 3, 4, 5].map((page) => get(page)),
        ...[6, 7, 8, 9, 10, 11].map((page) => get(page)),
      ])
      await close()
    },
  )

  scenario('503 twice, then 200: three requests, each no earlier than Retry-After asks', 0, async (server) => {
    server.failures.set('/flaky', [
      { status: 503, retryAfter: '1' },
      { status: 503, retryAfter: '2' },
    ])
    const { tab, shows, seen, close } = await open(framework, 'flaky', server, true)
    const sent = (count: number) => eventually(() => server.log.length, count)
    await sent(1)
    await tab.waitForTimeout(50)
    await tab.clock.runFor(999)
    expect(server.log).toHaveLength(1)
    // The page may see a response later than the server has sent it: then its timer starts later.
    const sentSoon = async (count: number) => {
      while (server.log.length < count) {
        await tab.clock.runFor(100)
        await tab.waitForTimeout(20)
      }
      expect(server.log).toHaveLength(count)
    }
    await sentSoon(2)
    await tab.waitForTimeout(50)
    await tab.clock.runFor(1_000)
    expect(server.log).toHaveLength(2)
    await sentSoon(3)
    await shows('flaky')
    expect(new Set(await seen())).toEqual(new Set(['loading', 'flaky']))
    expect(server.log).toEqual(['GET /flaky 503', 'GET /flaky 503', 'GET /flaky 200'])
    await close()
  })

  scenario('what is asked for offline waits for the network', 0, async (server) => {
    const { context, tab, shows, seen, close } = await open(framework, 'search', server)
    await shows('a1,a2')
    await context.setOffline(true)
    await tab.locator('input').fill('off')
    await shows('a1,a2 …')
    await tab.waitForTimeout(200)
    await context.setOffline(false)
    await shows('off1,off2')
    expect(await seen()).not.toContain('undefined')
    expect(server.log).toEqual(['GET /search?q=a 200', 'GET /search?q=off 200'])
    await close()
  })

  scenario('focus 20 times in 10 s: 2 requests at most, none for what is in date', 0, async (server) => {
    const { tab, shows, close } = await open(framework, 'both', server, true)
    await shows('fresh stale')
    await tab.clock.runFor(200)
    const before = server.log.length
    for (let turn = 0; turn < 20; turn++) {
      await setVisible(tab, false)
      await setVisible(tab, true)
      await tab.waitForTimeout(20)
      await tab.clock.runFor(500)
    }
    await eventually(() => server.log.length > before, true)
    await tab.waitForTimeout(100)
    const asked = server.log.slice(before)
    expect(new Set(asked)).toEqual(new Set(['GET /stale 304']))
    expect(asked.length).toBeLessThanOrEqual(2)
    await close()
  })

  scenario(
    'a poll of 1 Hz with a validator for 60 s: one 200 and 59 304, no parse and no render',
    0,
    async (server) => {
      const { tab, shows, close } = await open(framework, 'price', server, true)
      await shows('price')
      await eventually(() => server.log.length, 1)
      const counts = () =>
        tab.evaluate(() => {
          const { renders, parses } = (window as unknown as InPage).page
          return { renders, parses }
        })
      const isAsking = () => tab.evaluate(() => (window as unknown as InPage).page.isAsking())
      await eventually(isAsking, false)
      const before = await counts()
      for (let second = 2; second <= 60; second++) {
        await tab.clock.runFor(1_000)
        await eventually(() => server.log.length, second)
        // The response has to arrive before the next second begins.
        await eventually(isAsking, false)
      }
      expect(server.log.filter((line) => line === 'GET /price 200')).toHaveLength(1)
      expect(server.log.filter((line) => line === 'GET /price 304')).toHaveLength(59)
      expect(await counts()).toEqual(before)
      await close()
    },
  )
})

test.concurrent('two clients that PATCH different fields both win; the same field is a conflict', () =>
  withServer('conflicts', 1, async (server) => {
    const [ann, bob, eve] = await Promise.all(['react', 'vue', 'svelte'].map((name) => open(name, 'todo', server)))
    const all = [ann, bob, eve] as const
    const patch = (tab: Page, body: { title?: string; note?: string }): Promise<string> =>
      tab.evaluate((fields) => {
        const { controller, TodoResource } = (window as unknown as InPage).page
        const done = controller.fetch(TodoResource.partialUpdate, { id: 1 }, fields)
        return done.then(
          () => 'saved',
          (error: Error) => error.name,
        )
      }, body)
    for (const client of all) await client?.shows('Todo 1')
    expect(await patch(ann?.tab as Page, { title: 'Tea' })).toBe('saved')
    expect(await patch(bob?.tab as Page, { note: 'green' })).toBe('saved')
    await bob?.shows('Tea green')
    // What was read in between is older than what the mutation has brought.
    await eventually(() => server.log.length, 8)
    expect(await patch(eve?.tab as Page, { title: 'Beer' })).toBe('ConflictError')
    await eve?.shows('Tea green')
    expect(server.todos.get(1)).toMatchObject({ title: 'Tea', note: 'green' })
    expect(server.log.slice(3)).toEqual([
      'PATCH /todos/1 200',
      'PATCH /todos/1 412',
      'GET /todos/1 200',
      'PATCH /todos/1 200',
      'GET /todos/1 200',
      'PATCH /todos/1 412',
      'GET /todos/1 200',
    ])
    for (const client of all) await client?.close()
  }))
