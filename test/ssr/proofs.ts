import type { Controller, ReadEndpoint } from '@roundtable/core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HOSTILE } from '../../examples/ssr/api.js'
import { startChromium } from '../browser/chromium.js'
import { HANGS } from '../hangs.js'
import { apiAt, buildExample, type Example, openSite, runToEnd, type Site } from './site.js'

/** What a framework can, besides what all can. */
export interface Abilities {
  /** Sends the HTML of a boundary before the next is there. */
  readonly streams?: boolean
  /** Has links to `/issues/1` and back to `/`, which load no page. */
  readonly navigates?: boolean
  /** Compares also constant text of the page with its own, as React does. */
  readonly comparesText?: boolean
  /** A program that renders in advance, or builds static pages, and ends by itself. */
  readonly prerender?: readonly string[]
  /**
   * Forwards browsers' requests to the API, has forms that add an issue (on `/`) and rename one (on `/issues/1`), and a
   * page for what is missing.
   */
  readonly changes?: boolean
  /** The path of a page that was made by the build: the issues, and who is signed in only in a browser. */
  readonly staticPage?: string
  /** The path of a page of which a part fails on the server: who is signed in, and the name of the error. */
  readonly failingPage?: string
  /** The path of a page whose slow number follows its HTML in the same response, as data. */
  readonly streamedPage?: string
}

/** Scripts come two seconds late. */
function withLateScripts(page: Page): Promise<unknown> {
  return page.route(/\.js(\?|$)/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    await route.continue()
  })
}

/** What the browser had to say and to ask. */
interface Opened {
  readonly page: Page
  readonly told: string[]
  readonly asked: string[]
  heading(): Promise<string | null>
  open(): Promise<string | null>
  items(): Promise<string[]>
  close(): Promise<void>
}

/** An example that runs, and a browser. */
interface Opening {
  readonly site: Site
  readonly browser: Browser
  /** How each program of the build ended. */
  readonly builds: readonly string[]
  visit(prepare?: (page: Page) => Promise<unknown>, path?: string): Promise<Opened>
  /** Opens the page, waits until the framework has taken it over, and until what it would ask or tell has come. */
  visitAndSettle(prepare?: (page: Page) => Promise<unknown>, path?: string): Promise<Opened>
  /** All data is shown. */
  expectAll(opened: Opened): Promise<void>
}

/** What the examples put on `window`. */
interface App {
  readonly controller: Controller
  readonly getStats: ReadEndpoint
}

/**
 * Declares the proofs for one framework. Titles begin with the number of the proof, of which `scripts/test-ssr.mjs`
 * makes a table.
 *
 * Every example shows the same page: who is signed in (`h1`, after 50 ms), the issues (`li`, after 400 ms), and how
 * many are open (`output`, after 1,500 ms).
 */
export function prove(
  framework: string,
  example: Example,
  { streams, navigates, changes, comparesText, prerender, staticPage, streamedPage, failingPage }: Abilities = {},
): void {
  describe(framework, () => {
    const opening = openBeforeAll(example)
    const { visit, visitAndSettle, expectAll } = opening

    const htmlFor = async (token: string, path = ''): Promise<string> =>
      (await fetch(`${opening.site.url}${path}`, { headers: { cookie: `token=${token}` } })).text()

    /**
     * Reads a page, of which each step is a text and the path of the API that is not answered before this text has
     * come: a page that waits for all its data never comes. @returns for each step, which of the texts were there when
     * its own came
     */
    async function arrivals(
      path: string,
      steps: readonly (readonly [text: string, held?: string])[],
    ): Promise<readonly (readonly string[])[]> {
      const { api, url } = opening.site
      const releases = new Map(steps.map(([text, held]) => [text, held === undefined ? () => {} : api.hold(held)]))
      try {
        // Crawlers, to some servers also Node, get the page in one piece.
        const headers = { cookie: 'token=ann', 'user-agent': 'Mozilla/5.0 Chrome/140.0.0.0' }
        const response = await fetch(`${url}${path}`, { headers, signal: AbortSignal.timeout(HANGS) })
        const arrived: string[][] = []
        let html = ''
        for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
          html += part.replaceAll(/<!--.*?-->/g, '')
          const there = steps.map(([text]) => text).filter((text) => html.includes(text))
          for (let step = steps[arrived.length]; step && there.includes(step[0]); step = steps[arrived.length]) {
            arrived.push(there)
            releases.get(step[0])?.()
          }
        }
        return arrived
      } finally {
        for (const release of releases.values()) release()
      }
    }

    test('1 the HTML has the data', async () => {
      const html = (await htmlFor('ann')).replaceAll(/<!--.*?-->/g, '')
      expect(html).toContain('<h1>Name of ann</h1>')
      expect(html).toContain('First issue')
      expect(html).toContain('2 open')
      expect(html).not.toContain(HOSTILE)
    })

    test('1 the page has the data without JavaScript', async () => {
      const context = await opening.browser.newContext({ javaScriptEnabled: false })
      await context.addCookies([{ name: 'token', value: 'ann', url: opening.site.url }])
      const page = await context.newPage()
      await page.goto(opening.site.url)
      expect(await page.textContent('h1')).toBe('Name of ann')
      expect(await page.textContent('output')).toBe('2 open')
      expect(await page.locator('li').allTextContents()).toHaveLength(2)
      await context.close()
    })

    if (streams) {
      test('1 the first boundary comes before the slow one is done', async () => {
        const [heading, list, open] = ['<h1>Name of ann</h1>', 'First issue', '2 open'] as const
        const arrived = await arrivals('', [[heading, '/api/issues'], [list, '/api/stats'], [open]])
        expect(arrived).toEqual([[heading], [heading, list], [heading, list, open]])
      })
    }

    if (failingPage) {
      test('1 an error inside a boundary is part of the page, and costs no other part', async () => {
        const path = failingPage.slice(1)
        const html = await htmlFor('ann', path)
        expect(html).toContain('<h1>Name of ann</h1>')
        expect(html).toContain('<p role="alert">NetworkError</p>')
        const opened = await visitAndSettle(undefined, path)
        expect(await opened.heading()).toBe('Name of ann')
        expect(await opened.page.locator('p').allTextContents()).toEqual(['NetworkError'])
        // Chromium tells of a 404 if the error was too old for the browser.
        expect(opened.told.filter((text) => !text.includes('404'))).toEqual([])
        await opened.close()
      })
    }

    if (streamedPage) {
      test('1 slow data follows the HTML in the same response', async () => {
        const path = streamedPage.slice(1)
        const [heading, data] = ['<h1>Name of ann</h1>', '/api/stats'] as const
        expect(await arrivals(path, [[heading, '/api/stats'], [data]])).toEqual([[heading], [heading, data]])
        const opened = await visitAndSettle(undefined, path)
        await expect.poll(opened.open).toBe('2 open')
        expect(opened.asked).toEqual([])
        expect(opened.told).toEqual([])
        await opened.close()
      })
    }

    test('2 the browser requests nothing, and writes nothing to the console', async () => {
      const opened = await visitAndSettle()
      await expectAll(opened)
      expect(opened.asked).toEqual([])
      expect(opened.told).toEqual([])
      await opened.close()
    })

    test('2 scripts that come two seconds late change nothing', async () => {
      const opened = await visitAndSettle(withLateScripts)
      await expectAll(opened)
      expect(opened.asked).toEqual([])
      expect(opened.told).toEqual([])
      await opened.close()
    })

    test('2 a slow machine changes nothing', async () => {
      const opened = await visitAndSettle(async (page) => {
        const session = await page.context().newCDPSession(page)
        await session.send('Emulation.setCPUThrottlingRate', { rate: 6 })
      })
      await expectAll(opened)
      expect(opened.asked).toEqual([])
      expect(opened.told).toEqual([])
      await opened.close()
    })

    test('2 a mismatch elsewhere on the page costs no request', async () => {
      opening.site.api.rewrite = (html) => html.replace('>Made with Roundtable<', '>Made with something else<')
      try {
        const opened = await visitAndSettle()
        await expectAll(opened)
        expect(opened.asked).toEqual([])
        // React tells of the mismatch, and of nothing else; Vue and Svelte do not compare constant text.
        expect(opened.told.filter((text) => !/#418/.test(text))).toEqual([])
        if (comparesText) expect(opened.told).not.toEqual([])
        await opened.close()
      } finally {
        opening.site.api.rewrite = undefined
      }
    })

    test('3 a hostile title is text, under a policy without unsafe-inline', async () => {
      const { headers } = await fetch(opening.site.url, { headers: { cookie: 'token=ann' } })
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain('script-src')
      expect(policy).not.toContain('unsafe-inline')
      const opened = await visitAndSettle()
      expect(await opened.items()).toContain(`${HOSTILE} (Name of ann)`)
      expect(await opened.page.evaluate(() => 'pwned' in window)).toBe(false)
      expect(opened.told).toEqual([])
      await opened.close()
    })

    test.each([
      ['behind', -300_000],
      ['ahead', 300_000],
    ])('4 with a clock five minutes %s nothing is requested, and everything ages', async (_, ms) => {
      const opened = await visitAndSettle((page) => page.addInitScript(shiftClock, ms))
      await expectAll(opened)
      expect(opened.asked).toEqual([])
      const refetch = () => opened.page.evaluate(fetchStatsIfStale)
      await refetch()
      expect(opened.asked).toHaveLength(0)
      await opened.page.evaluate(() => Object.assign(window, { later: 61_000 }))
      await refetch()
      expect(opened.asked).toHaveLength(1)
      await opened.close()
    })

    test('5 of 200 users at once, no page has the data of another', async () => {
      const namesFor = async (user: string): Promise<string[]> => {
        const page = await htmlFor(user)
        return [...new Set([...page.matchAll(/Name of (\w+)/g)].map(([, name = '']) => name))]
      }
      const users = Array.from({ length: 200 }, (_, i) => `user${i}x`)
      const pages = await Promise.all(users.map(async (user) => [user, await namesFor(user)] as const))
      for (const [user, names] of pages) {
        // A machine with much else to do may refuse a connection: that page has an error and no name.
        expect(names.length > 0 ? names : await namesFor(user)).toEqual([user])
      }
    })

    test('5 after 2,500 requests the heap is as it was', async () => {
      opening.site.api.pace = 0.02
      const load = async (count: number): Promise<void> => {
        const users = Array.from({ length: count }, (_, i) => `user${i}x`)
        const workers = Array.from({ length: 20 }, async () => {
          for (let user = users.pop(); user !== undefined; user = users.pop()) await htmlFor(user)
        })
        await Promise.all(workers)
      }
      await load(1_000)
      const before = await opening.site.heap()
      const later: number[] = []
      for (let round = 0; round < 3; round++) {
        await load(500)
        later.push(await opening.site.heap())
      }
      opening.site.api.pace = 1
      // Pools and compilers take and give back some MB; a controller that stays is tens of kB for each request.
      expect((Math.min(...later) - before) / 1_000).toBeLessThan(10_000)
    })

    if (prerender) {
      test('5 a process that has rendered in advance ends by itself', async () => {
        expect(await runToEnd(example.folder, prerender, { ...example.env, ...apiAt(opening.site.api) })).toBe(
          'ended with 0',
        )
      })
    }

    if (staticPage) {
      test('5 a build that has made a page in advance ends by itself', () => {
        expect(opening.builds).toEqual(example.build.map(() => 'ended with 0'))
      })

      const path = staticPage.slice(1)
      const asked = ({ asked }: Opened): string[] => asked.map((url) => new URL(url).pathname).sort()

      test('5 a page that was made in advance holds what is the same for all, and the browser asks for the rest', async () => {
        const html = await htmlFor('ann', path)
        expect(html).toContain('First issue')
        expect(html).not.toContain('<h1>')
        // The page is not old yet.
        const opened = await visitAndSettle((page) => page.addInitScript(shiftClock, -3_600_000), path)
        await expect.poll(opened.heading).toBe('Name of ann')
        expect(await opened.items()).toContain('First issue (Name of nobody)')
        expect(asked(opened)).toEqual(['/api/me'])
        expect(opened.told).toEqual([])
        await opened.close()
      })

      test('4 a page that was made in advance is as old as it is, and the browser asks once for what is out of date', async () => {
        const opened = await visitAndSettle((page) => page.addInitScript(shiftClock, 61_000), path)
        await expect.poll(opened.items).toContain('First issue (Name of ann)')
        expect(asked(opened)).toEqual(['/api/issues', '/api/me'])
        expect(opened.told).toEqual([])
        await opened.close()
      })
    }

    test('6 a value that changed before the page was taken over is shown after it, and is no error', async () => {
      const opened = await visit((page) => page.addInitScript(changeStats))
      await expect.poll(opened.open).toBe('7 open')
      await expect.poll(opened.items).toHaveLength(2)
      expect(opened.asked).toEqual([])
      expect(opened.told).toEqual([])
      await opened.close()
    })

    if (navigates) {
      test('7 going back to a page costs at most one request for each key, and none by the browser for what is in date', async () => {
        const opened = await visitAndSettle((page) => page.addInitScript(shiftClock, 0))
        const { page, asked } = opened
        const go = (href: string, selector: string, ...paths: string[]) =>
          navigate(opening, opened, href, selector, paths)
        expect(await go('/issues/1', 'article', '/api/issues/1')).toEqual({ '/api/issues/1': 1 })
        expect(await page.textContent('article:visible')).toContain('All about 1')
        asked.length = 0
        // A server that renders at each navigation requests once what it shows.
        expect(Math.max(0, ...Object.values(await go('/', 'ul')))).toBeLessThan(2)
        expect(asked).toEqual([])
        await page.evaluate(() => Object.assign(window, { later: 61_000 }))
        expect(await go('/issues/1', 'article', '/api/issues/1')).toMatchObject({ '/api/issues/1': 1 })
        const all = ['/api/me', '/api/issues', '/api/stats']
        expect(await go('/', 'ul', ...all)).toEqual({ '/api/me': 1, '/api/issues': 1, '/api/stats': 1 })
        expect(opened.told).toEqual([])
        await opened.close()
      })
    }

    if (changes) {
      const sent = (): readonly string[] =>
        opening.site.api.log.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`)

      /** Opens the page where only its own server answers, as a user of whom the other proofs know nothing. */
      async function visitServer(path: string, user: string): Promise<Page> {
        const { site: server } = opening.site.api
        const context = await opening.browser.newContext()
        await context.addCookies([{ name: 'token', value: user, url: server }])
        const page = await context.newPage()
        await page.goto(`${server}${path}`)
        await page.waitForFunction(() => 'app' in window)
        await page.waitForTimeout(1_000)
        opening.site.api.log.length = 0
        return page
      }

      test('8 a browser adds an issue through the server of the page', async () => {
        const page = await visitServer('/', 'eve')
        await page.fill('[aria-label="Title"]', 'Third issue')
        await page.click('text=Add')
        await expect.poll(() => page.locator('li').allTextContents()).toContain('Third issue (Name of eve)')
        expect(sent()).toEqual(['POST /api/issues'])
        expect(opening.site.api.log.every(({ user }) => user === 'eve')).toBe(true)
        await page.context().close()
      })

      test('8 an action of the server renames an issue, and the page shows it', async () => {
        const page = await visitServer('/issues/1', 'mel')
        await page.fill('[aria-label="New title"]', 'Renamed')
        await page.click('text=Rename')
        await expect.poll(() => page.textContent('h2')).toBe('Renamed')
        expect(sent()).toEqual(['PATCH /api/issues/1'])
        await page.click('a[href="/"]')
        await expect.poll(() => page.locator('li').allTextContents()).toContain('Renamed (Name of mel)')
        await page.context().close()
      })

      test('8 what the API does not have is a page that says so', async () => {
        const page = await visitServer('/issues/99', 'ann')
        await expect.poll(() => page.textContent('body')).toContain('There is no such issue.')
        await page.context().close()
      })
    }
  })
}

/**
 * Declares the proofs for a development build of React, where StrictMode renders everything twice, and runs effects
 * twice: nothing is requested twice, and nothing is lost.
 */
export function proveStrictMode(
  framework: string,
  example: Example,
  { navigates }: Pick<Abilities, 'navigates'> = {},
): void {
  describe(`${framework}, StrictMode`, () => {
    const opening = openBeforeAll({ ...example, env: { ...example.env, NODE_ENV: 'development' } })
    const { visit, visitAndSettle, expectAll } = opening
    const isHint = (text: string): boolean => text.includes('React DevTools')

    test('2 a page that is taken over while it streams requests nothing', async () => {
      const opened = await visitAndSettle()
      await expectAll(opened)
      expect(opened.asked).toEqual([])
      // React says this in development alone.
      expect(opened.told.filter(isHint)).toHaveLength(1)
      expect(opened.told.filter((text) => !isHint(text))).toEqual([])
      await opened.close()
    })

    test('2 a page that is taken over once it is complete requests nothing', async () => {
      const opened = await visitAndSettle(withLateScripts)
      await expectAll(opened)
      expect(opened.asked).toEqual([])
      expect(opened.told.filter((text) => !isHint(text))).toEqual([])
      await opened.close()
    })

    test('6 a value that changed before the page was taken over is shown after it, and is no error', async () => {
      const opened = await visit((page) => page.addInitScript(changeStats))
      await expect.poll(opened.open).toBe('7 open')
      await expect.poll(opened.items).toHaveLength(2)
      expect(opened.asked).toEqual([])
      expect(opened.told.filter((text) => !isHint(text))).toEqual([])
      await opened.close()
    })

    if (navigates) {
      test('7 going to a page and back costs one request for each key', async () => {
        const opened = await visitAndSettle()
        expect(await navigate(opening, opened, '/issues/1', 'article', ['/api/issues/1'])).toEqual({
          '/api/issues/1': 1,
        })
        const back = await navigate(opening, opened, '/', 'ul', [])
        expect(Math.max(0, ...Object.values(back))).toBeLessThan(2)
        await expectAll(opened)
        expect(opened.asked).toEqual([])
        expect(opened.told.filter((text) => !isHint(text))).toEqual([])
        await opened.close()
      })
    }
  })
}

/** Builds an example and starts it, and a browser, before the tests of this `describe`. */
function openBeforeAll(example: Example): Opening {
  let browser: Browser
  let site: Site
  let builds: readonly string[] = []
  beforeAll(async () => {
    builds = await buildExample(example)
    site = await openSite(example)
    browser = await startChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  async function visit(prepare: (page: Page) => Promise<unknown> = async () => {}, path = ''): Promise<Opened> {
    const context = await browser.newContext()
    await context.addCookies([{ name: 'token', value: 'ann', url: site.url }])
    const page = await context.newPage()
    const told: string[] = []
    const asked: string[] = []
    page.on('console', (message) => told.push(message.text()))
    page.on('pageerror', (error) => told.push(String(error)))
    page.on('request', (request) => void (request.url().includes('/api/') && asked.push(request.url())))
    await prepare(page)
    await page.goto(`${site.url}${path}`)
    return {
      page,
      told,
      asked,
      heading: () => page.textContent('h1'),
      open: () => page.textContent('output'),
      items: () => page.locator('li').allTextContents(),
      close: () => context.close(),
    }
  }

  async function visitAndSettle(prepare?: (page: Page) => Promise<unknown>, path?: string): Promise<Opened> {
    const opened = await visit(prepare, path)
    await opened.page.waitForFunction(() => 'app' in window)
    await opened.page.waitForTimeout(700)
    return opened
  }

  async function expectAll({ page, heading, open, items }: Opened): Promise<void> {
    await expect.poll(heading).toBe('Name of ann')
    await expect.poll(open).toBe('2 open')
    expect(await items()).toEqual(['First issue (Name of ann)', `${HOSTILE} (Name of ann)`])
    expect(await page.evaluate(() => 'pwned' in window)).toBe(false)
  }

  return {
    get site() {
      return site
    },
    get browser() {
      return browser
    },
    get builds() {
      return builds
    },
    visit,
    visitAndSettle,
    expectAll,
  }
}

/**
 * Clicks on a link, and waits for the requests that must come. @returns what that costs the API, by the browser and by
 * the server
 */
async function navigate(
  { site }: Opening,
  { page }: Opened,
  href: string,
  selector: string,
  awaited: readonly string[],
): Promise<Readonly<Record<string, number>>> {
  site.api.log.length = 0
  await page.click(`a[href="${href}"]`)
  await page.waitForSelector(`${selector}:visible`)
  await expect.poll(() => site.api.log.map(({ path }) => path)).toEqual(expect.arrayContaining([...awaited]))
  // Others must not come.
  await page.waitForTimeout(2_500)
  const counts: Record<string, number> = {}
  for (const { path } of site.api.log) counts[path] = (counts[path] ?? 0) + 1
  return counts
}

/** Runs in the page before all else: its clocks are off by so many ms, and later by `window.later` more. */
function shiftClock(ms: number): void {
  const global = window as unknown as { later?: number }
  const { now } = Date
  const { performance } = window
  const mono = performance.now.bind(performance)
  Date.now = () => now() + ms + (global.later ?? 0)
  performance.now = () => mono() + (global.later ?? 0)
}

/** Runs in the page. */
async function fetchStatsIfStale(): Promise<void> {
  const { controller, getStats } = (window as unknown as { app: App }).app
  await controller.fetchIfStale(getStats)
}

/**
 * Runs in the page: as soon as there is a controller, and before the framework has begun, the server pushes other
 * statistics.
 */
function changeStats(): void {
  Object.defineProperty(window, 'app', {
    set({ controller, getStats }: App) {
      controller.setResponse(getStats, { open: 7 })
    },
  })
}
