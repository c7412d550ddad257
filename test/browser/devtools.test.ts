import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Session } from '../../devtools/src/session.js'
import type { LogEvent } from '../../devtools/src/story.js'
import { BoardPage } from './board-page.js'
import { type BoardServer, startBoard } from './board-server.js'
import { startChromium } from './chromium.js'

const folder = fileURLToPath(new URL('../../examples/board/', import.meta.url))
const screenshots = fileURLToPath(new URL('./screenshots/', import.meta.url))
const PANELS = ['board', 'detail', 'insights', 'activity'] as const

let server: BoardServer
let browser: Browser
let board: BoardPage

beforeAll(async () => {
  server = await startBoard()
  browser = await startChromium()
})

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

afterEach(async () => {
  await board?.close()
})

/** What the page has for these tests. */
interface Watched {
  readonly __ROUNDTABLE__: Map<string, Session>
  readonly mutated: Set<string>
}

async function openWhy(options: Parameters<typeof BoardPage.open>[2] = {}): Promise<Page> {
  board = await BoardPage.open(browser, server.url, options)
  const { page } = board
  await page.locator('#why').click()
  await page.locator('roundtable-devtools [role=option]').first().waitFor()
  return page
}

const events = (page: Page): Promise<LogEvent[]> =>
  page.evaluate(() =>
    [...((globalThis as unknown as Watched).__ROUNDTABLE__.get('board')?.events() ?? [])].map(
      (event) =>
        JSON.parse(JSON.stringify(event, (key, value) => (key === 'notified' ? undefined : value))) as LogEvent,
    ),
  )

describe('on the board, three frameworks on one controller', () => {
  test('toggling a task in Svelte is one chain: call, layer, request, commit, and the panels that rendered', async () => {
    const page = await openWhy()
    const id = await board.chooseFirst('doing')
    await board.isQuiet()
    const box = page.locator('#insights .latest input[type=checkbox]').first()
    const before = (await events(page)).at(-1)?.n ?? 0
    await page.evaluate((panels) => {
      const watched = globalThis as unknown as { mutated: Set<string> }
      watched.mutated = new Set()
      for (const panel of panels) {
        const element = document.querySelector(panel === 'activity' ? '#activity .focus-line' : `#${panel}`)
        const options = { subtree: true, childList: true, characterData: true, attributes: true }
        if (element) new MutationObserver(() => watched.mutated.add(panel)).observe(element, options)
      }
    }, PANELS)
    // The panel may stand in front of it.
    await box.evaluate((element) => (element as HTMLElement).click())
    await expect
      .poll(async () => (await events(page)).some(({ n, type }) => n > before && type === 'settle'))
      .toBe(true)
    const chain = await page.evaluate((first) => {
      const session = (globalThis as unknown as Watched).__ROUNDTABLE__.get('board') as Session
      const call = session.events().find(({ n, type }) => n > first && type === 'fetch') as LogEvent
      return session.explain(call).map(({ event }) => ({
        type: event.type,
        cause: event.type === 'fetch' ? event.cause.type : undefined,
        rows: event.type === 'commit' ? event.facts.rows().map(({ kind }) => kind) : [],
        readers: session.readersOf(event).map(({ key }) => key),
      }))
    }, before)
    expect(chain.map(({ type }) => type).slice(0, 3)).toEqual(['fetch', 'commit', 'commit'])
    expect(chain.at(-1)?.type).toBe('settle')
    expect(chain[0]?.cause).toBe('call')
    // The layer's commit changed the task and its lists, and told React's columns and Svelte's numbers.
    expect(chain[1]?.rows).toContain('Task')
    const told = new Set(chain.flatMap(({ readers }) => readers))
    expect(told.size).toBeGreaterThan(1)
    const mutated = await page.evaluate(() => [...(globalThis as unknown as Watched).mutated].sort())
    const toggled = Number(await page.locator('#insights .latest li').first().getAttribute('data-task'))
    expect(mutated).toEqual(toggled === id ? ['activity', 'board', 'detail', 'insights'] : ['board', 'insights'])
  })

  test('no request and no commit is without a cause, and the panel shows each', async () => {
    const page = await openWhy()
    await board.chooseFirst('todo')
    await page.reload()
    await board.isReady()
    const all = await events(page)
    const requests = all.filter((event) => event.type === 'fetch')
    expect(requests.length).toBeGreaterThan(3)
    expect(requests.every(({ cause }) => typeof cause.type === 'string')).toBe(true)
    const commits = all.filter((event) => event.type === 'commit')
    expect(commits.every(({ facts }) => facts.causes.length > 0)).toBe(true)
  })

  test('by keyboard alone: open, walk, search, go to a row, close', async () => {
    const page = await openWhy()
    await board.chooseFirst('todo')
    await page.locator('#why').focus()
    await page.keyboard.press('Enter')
    await page.locator('roundtable-devtools').waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    const why = page.locator('roundtable-devtools .detail')
    await page.locator('roundtable-devtools .list').waitFor()
    await page.keyboard.press('End')
    await why.locator('.chain .step').first().waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('people')
    await expect.poll(() => page.locator('roundtable-devtools [role=option]:not([hidden])').count()).toBeLessThan(6)
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('ArrowRight')
    await page.locator('roundtable-devtools select[aria-label="Kind of rows"]').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('roundtable-devtools').waitFor({ state: 'detached' })
    expect(board.errors).toEqual([])
  })

  test('1,000 rows that change each second take no more frames from the page with the panel than without', async () => {
    const page = await openWhy()
    const open = await framesPerSecond(page)
    await page.locator('#why').evaluate((button) => (button as HTMLElement).click())
    await page.locator('roundtable-devtools').waitFor({ state: 'detached' })
    const closed = await framesPerSecond(page)
    console.log(`${open.toFixed(1)} frames per second with the panel open, ${closed.toFixed(1)} with it closed`)
    expect(open).toBeGreaterThan(Math.min(50, closed * 0.6))
  })
})

/** Frames while 1,000 rows are written each second, one by one. */
function framesPerSecond(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const session = (globalThis as unknown as Watched).__ROUNDTABLE__.get('board') as Session
    const pks = session.primaryKeys('Task').slice(1, 1_001)
    let count = 0
    let isOn = true
    const step = (): void => {
      count++
      if (isOn) requestAnimationFrame(step)
    }
    requestAnimationFrame(step)
    const start = performance.now()
    for (let round = 0; round < 2; round++) {
      const at = performance.now()
      for (let i = 0; i < pks.length; i += 100) {
        for (const pk of pks.slice(i, i + 100)) session.edit('Task', pk, { title: `changed ${start} ${round}` })
        await new Promise((resolve) => setTimeout(resolve, 0))
      }
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, 1_000 - (performance.now() - at))))
    }
    isOn = false
    return (count * 1_000) / (performance.now() - start)
  })
}

describe('looks', () => {
  test.each([
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['320px', { colorScheme: 'light', viewport: { width: 320, height: 640 } }],
  ] as const)('%s: nothing overflows, and hostile strings are text', async (name, options) => {
    const page = await openWhy(options)
    await page.evaluate(() => {
      const session = (globalThis as unknown as Watched).__ROUNDTABLE__.get('board') as Session
      const [pk = ''] = session.primaryKeys('Task').slice(-1)
      session.edit('Task', pk, { title: '<img src=x onerror="document.title=1"><b>bold</b>' })
    })
    await page.locator('roundtable-devtools .row.tone-commit').last().click()
    await page.locator('roundtable-devtools .chain .step').first().waitFor()
    mkdirSync(screenshots, { recursive: true })
    await page.screenshot({ path: join(screenshots, `devtools-${name}.png`) })
    for (const tab of ['Table', 'Requests', 'Layers', 'Readers']) {
      await page.locator('roundtable-devtools').getByRole('tab', { name: tab }).click()
      await page.screenshot({ path: join(screenshots, `devtools-${name}-${tab.toLowerCase()}.png`) })
    }
    const found = await page.evaluate(() => {
      const root = document.querySelector('roundtable-devtools')?.shadowRoot
      const panel = root?.querySelector('.panel')
      return {
        markup: root?.querySelectorAll('img, b').length,
        over: (panel?.scrollWidth ?? 0) - (panel?.clientWidth ?? 0),
      }
    })
    expect(found).toEqual({ markup: 0, over: 0 })
    expect(board.errors).toEqual([])
  })
})

describe('a page with a strict policy', () => {
  test('Content Security Policy and Trusted Types: the panel opens, and nothing is refused', async () => {
    board = new BoardPage(await (await browser.newContext()).newPage())
    const { page } = board
    await page.route('**/*', async (route) => {
      const response = await route.fetch()
      const isPage = route.request().resourceType() === 'document'
      const text = isPage ? (await response.text()).replace(/<script>[\s\S]*?<\/script>/, '') : undefined
      const policy =
        "default-src 'self'; img-src data:; require-trusted-types-for 'script'; trusted-types vue svelte-trusted-html"
      const headers = isPage ? { ...response.headers(), 'content-security-policy': policy } : response.headers()
      await route.fulfill({ response, headers, ...(text !== undefined && { body: text }) })
    })
    await page.goto(server.url)
    await page.locator('#why').click()
    await page.locator('roundtable-devtools [role=option]').first().click()
    await page.locator('roundtable-devtools .chain .step').first().waitFor()
    const shown = await page.locator('roundtable-devtools .panel').evaluate((panel) => getComputedStyle(panel).display)
    expect(shown).toBe('flex')
    expect(board.errors.filter((error) => error.includes('roundtable-devtools'))).toEqual([])
  })
})

test('a production build without the flag contains nothing of the tools', async () => {
  const outDir = mkdtempSync(join(tmpdir(), 'board-without-'))
  const before = process.env.VITE_DEVTOOLS
  process.env.VITE_DEVTOOLS = ''
  try {
    await build({ root: folder, logLevel: 'error', build: { outDir, emptyOutDir: true, minify: false } })
    const files = readdirSync(join(outDir, 'assets'))
    const code = files.map((file) => readFileSync(join(outDir, 'assets', file), 'utf8')).join('\n')
    for (const text of ['roundtable-devtools', '__ROUNDTABLE__', 'A reader mounted, and', 'Select an event to see'])
      expect(code.includes(text), text).toBe(false)
    expect(files.filter((file) => file.includes('devtools'))).toEqual([])
  } finally {
    if (before === undefined) delete process.env.VITE_DEVTOOLS
    else process.env.VITE_DEVTOOLS = before
    rmSync(outDir, { recursive: true, force: true })
  }
})
