import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Site, serveSite } from '../../benchmarks/browser/serve.js'
import { HANGS } from '../hangs.js'
import { startChromium } from './chromium.js'
import type { LoadPage, Mode } from './live/main.js'
import { type Load, QuoteServer } from './live/quote-server.js'

const server = new QuoteServer()
let url: string
let site: Site
let browser: Browser

beforeAll(async () => {
  url = await server.listen()
  site = await serveSite(fileURLToPath(new URL('./live/', import.meta.url)))
  browser = await startChromium()
})

afterAll(async () => {
  await browser?.close()
  await site?.close()
  server.close()
})

interface InPage {
  readonly page: LoadPage
}

/** Opens 10,000 rows in groups of 100, each with a reader of its own, and lets the server send. */
async function open(load: Load, mode: Mode, options: Parameters<LoadPage['start']>[2] = {}): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await page.goto(site.url)
  server.load = load
  server.sent = 0
  await page.evaluate(([how, to, rest]) => (window as unknown as InPage).page.start(how, to, rest), [
    mode,
    url,
    options,
  ] as const)
  return page
}

const counts = (page: Page) =>
  page.evaluate(() => {
    const { read, mostRead, commits, mostCommits, renders } = (window as unknown as InPage).page
    return { read, mostRead, commits, mostCommits, renders }
  })

/** Waits until all was read and is on the screen. */
async function isShown(page: Page, { count }: Load): Promise<void> {
  await expect.poll(async () => (await counts(page)).read, { timeout: HANGS }).toBe(count)
  await expect
    .poll(() => page.evaluate(() => (window as unknown as InPage).page.shown()), { timeout: HANGS })
    .toEqual(server.values)
}

/** Returns a function that tells how long scripts have had the processor since then, in ms. */
async function watchScripts(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const total = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0) * 1_000
  }
  const before = await total()
  return async () => (await total()) - before
}

describe('10,000 mounted rows', () => {
  /** The processor time of scripts for 1,000 messages, in ms. */
  const spent: Record<string, number> = {}

  test.each([
    ['live', { count: 10_000, perSecond: 1_000 }],
    ['live', { count: 30_000, perSecond: 10_000 }],
    ['set', { count: 10_000, perSecond: 1_000 }],
  ] as const)('with %s, of %o all are shown', async (mode, load) => {
    const loaded = await open(load, mode)
    const spentSince = await watchScripts(loaded)
    await isShown(loaded, load)
    const ms = (await spentSince()) / (load.count / 1_000)
    const { commits, mostCommits, renders } = await counts(loaded)
    spent[`${mode} ${load.perSecond}`] = ms
    console.log(
      `${mode}, ${load.perSecond} messages a second: ${ms.toFixed(1)} ms of scripts for 1,000, ${commits} commits, ${renders} renders`,
    )
    if (mode === 'live') {
      expect(mostCommits).toBe(1)
      expect(commits).toBeLessThan(load.count / 2)
      expect(renders).toBeLessThanOrEqual(load.count)
    } else {
      expect(commits).toBe(load.count)
      console.log(`set / live at 1,000 a second: ${(ms / (spent['live 1000'] ?? Number.NaN)).toFixed(1)}`)
    }
    await loaded.context().close()
  })
})

describe('a page whose frames take 2 s', () => {
  const load = { count: 60_000, perSecond: 10_000 }

  test('reads no more than 1,000 messages in each', async () => {
    const page = await open(load, 'live', { frame: 2_000, maxBuffer: 500 })
    await expect.poll(async () => (await counts(page)).commits, { timeout: HANGS }).toBeGreaterThanOrEqual(4)
    const { read, mostRead, commits } = await counts(page)
    console.log(`${read} messages read in ${commits} frames, ${mostRead} at most in one; ${server.sent} sent`)
    expect(mostRead).toBeLessThanOrEqual(1_000)
    expect(read).toBeLessThanOrEqual((commits + 1) * 1_000)
    await page.context().close()
  })

  test('lets the rest wait at the server, once the system holds no more', async () => {
    // The system's own buffers hold 33 MB.
    const page = await open({ ...load, length: 4_000 }, 'live', { frame: 2_000, maxBuffer: 500 })
    await expect.poll(async () => (await counts(page)).commits, { timeout: HANGS }).toBeGreaterThanOrEqual(4)
    const { read, mostRead } = await counts(page)
    console.log(`${read} long messages read, ${mostRead} at most in one frame; ${server.sent} sent`)
    expect(mostRead).toBeLessThanOrEqual(1_000)
    expect(server.sent).toBeLessThan(load.count / 2)
    await page.context().close()
  })
})
