import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { build } from 'vite'
import { afterEach, describe, expect, test } from 'vitest'
import type { Session } from '../../devtools/src/session.js'
import type { LogEvent } from '../../devtools/src/story.js'
import { BoardPage } from './board-page.js'
import { startBoardInDevelopment } from './board-server.js'
import { openBoard } from './open-board.js'

const folder = fileURLToPath(new URL('../../examples/board/', import.meta.url))
const screenshots = fileURLToPath(new URL('./screenshots/', import.meta.url))
const PANELS = ['board', 'detail', 'insights', 'activity'] as const

let board: BoardPage
const site = openBoard()

afterEach(async () => {
  await board?.close()
})

/** What the page has for these tests. */
interface Watched {
  readonly __ROUNDTABLE__: Map<string, Session>
  readonly mutated: Set<string>
}

async function openWhy(options: Parameters<typeof BoardPage.open>[2] = {}, works = 'online'): Promise<Page> {
  board = await site.open(options)
  const { page } = board
  if (works === 'offline') {
    // Only a page that keeps changes has an outbox to show.
    await page.getByRole('button', { name: 'Work offline' }).click()
    await board.isReady()
  }
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
    await page.evaluate(watchPanels, PANELS)
    // The page has made room: what was below the panel can be reached.
    await box.click()
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
    const toggled = Number(await page.locator('#insights .latest li').first().getAttribute('data-task'))
    expect(await mutated(page)).toEqual(
      toggled === id ? ['activity', 'board', 'detail', 'insights'] : ['board', 'insights'],
    )
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

  test('the page ends above the docked panel, and is as before when it floats or is closed', async () => {
    const page = await openWhy()
    const room = (): Promise<readonly [end: number, padding: string, variable: string]> =>
      page.evaluate(() => {
        const { style } = document.documentElement
        window.scrollTo(0, document.documentElement.scrollHeight)
        const end = document.querySelector('.desk')?.getBoundingClientRect().bottom ?? 0
        return [end, style.paddingBlockEnd, style.getPropertyValue('--roundtable-devtools-height')] as const
      })
    const top = (await page.locator('roundtable-devtools').boundingBox())?.y ?? 0
    const [end, padding, variable] = await room()
    expect(end).toBeLessThanOrEqual(top)
    expect([padding, variable]).toEqual(['380px', '380px'])
    await page.locator('roundtable-devtools').getByRole('button', { name: 'Dock or float' }).click()
    await expect.poll(async () => (await room()).slice(1)).toEqual(['', ''])
    await page.locator('roundtable-devtools').getByRole('button', { name: 'Dock or float' }).click()
    await expect.poll(async () => (await room())[1]).toBe('380px')
    await page.locator('roundtable-devtools').getByRole('button', { name: 'Close' }).click()
    expect((await room()).slice(1)).toEqual(['', ''])
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
})

/** The functions and files of a folder of the board: the names that its readers can have. */
function namesIn(part: string): Set<string> {
  const source = join(folder, 'src', part)
  return new Set(
    readdirSync(source).flatMap((file) => [
      file.replace(/\.(?:vue|svelte)$/, ''),
      ...[...readFileSync(join(source, file), 'utf8').matchAll(/function (\w+)/g)].map(([, name = '']) => name),
    ]),
  )
}

describe('in development, where readers are named after their components', () => {
  test('toggling the chosen task in Svelte notifies exactly the parts of the page that change', async () => {
    const development = await startBoardInDevelopment()
    try {
      board = await BoardPage.open(site.browser, development.url)
      const { page } = board
      await page.locator('#insights .latest li button').first().click()
      await board.field('title').waitFor()
      await board.isQuiet()
      const before = (await events(page)).at(-1)?.n ?? 0
      await page.evaluate(watchPanels, PANELS)
      await page.locator('#insights .latest input[type=checkbox]').first().click()
      await expect
        .poll(async () => (await events(page)).some(({ n, type }) => n > before && type === 'settle'))
        .toBe(true)
      await board.isQuiet()
      const readers = await page.evaluate((first) => {
        const session = (globalThis as unknown as Watched).__ROUNDTABLE__.get('board') as Session
        const call = session.events().find(({ n, type }) => n > first && type === 'fetch') as LogEvent
        return session.explain(call).flatMap(({ event }) => session.readersOf(event).map(({ names }) => names))
      }, before)
      const names = new Set(readers.flat())
      const parts = PANELS.filter((part) => [...namesIn(part)].some((name) => names.has(name)))
      expect(readers.every((one) => one.length > 0)).toBe(true)
      const changed = await mutated(page)
      expect(parts.sort()).toEqual(changed)
      // The script reads in a listener, which Svelte's part has triggered: it has its own name.
      expect(changed).toEqual(['activity', 'board', 'detail', 'insights'])
      await page.locator('#why').click()
      await page.locator('roundtable-devtools .row', { hasText: 'PATCH' }).first().click()
      // The call tells which component has sent it, and the line in its source.
      const callers = page.locator('roundtable-devtools .callers li')
      const source = readFileSync(join(folder, 'src/insights/task-picks.svelte'), 'utf8').split('\n')
      const line = async (): Promise<string | undefined> => {
        const [, file, number] = /([\w-]+\.svelte):(\d+)/.exec(await callers.first().innerText()) ?? []
        return file === 'task-picks.svelte' ? source[Number(number) - 1] : undefined
      }
      await expect.poll(line).toContain('controller.fetch(changeTask')
      expect(await page.locator('roundtable-devtools .row[aria-selected=true] .note').innerText()).toBe(
        'call · task-picks',
      )
      mkdirSync(screenshots, { recursive: true })
      await page.screenshot({ path: join(screenshots, 'devtools-named.png') })
      expect(board.errors).toEqual([])
    } finally {
      await development.close()
    }
  })
})

/** Runs in the page: notes which panels change. */
function watchPanels(panels: readonly string[]): void {
  const watched = globalThis as unknown as { mutated: Set<string> }
  watched.mutated = new Set()
  for (const panel of panels) {
    const element = document.querySelector(panel === 'activity' ? '#activity .focus-line' : `#${panel}`)
    const options = { subtree: true, childList: true, characterData: true, attributes: true }
    if (element) new MutationObserver(() => watched.mutated.add(panel)).observe(element, options)
  }
}

const mutated = (page: Page): Promise<string[]> =>
  page.evaluate(() => [...(globalThis as unknown as Watched).mutated].sort())

test('a row that new events move away under the pointer is the one that is selected', async () => {
  const page = await openWhy()
  const pressed = page.locator('roundtable-devtools .row:has(.number:not(:empty))').last()
  await pressed.hover()
  const row = await pressed.elementHandle()
  const numberOf = (): Promise<string | null | undefined> =>
    page.evaluate((element) => element?.querySelector('.number')?.textContent, row)
  const number = await numberOf()
  if (!number) throw new Error('No request is shown.')
  await page.mouse.down()
  const before = (await events(page)).length
  await page.evaluate(() => {
    const session = (globalThis as unknown as Watched).__ROUNDTABLE__.get('board') as Session
    const [pk = ''] = session.primaryKeys('Task')
    for (let number = 1; number <= 40; number++) session.edit('Task', pk, { title: `Title ${number}` })
  })
  await expect.poll(async () => (await events(page)).length).toBeGreaterThan(before + 39)
  await expect.poll(numberOf).not.toBe(number)
  await page.mouse.up()
  await page.locator('roundtable-devtools .chain .step').first().waitFor()
  expect(await page.locator('roundtable-devtools .detail .title strong').textContent()).toContain(number)
})

describe('looks', () => {
  test.each([
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['320px', { colorScheme: 'light', viewport: { width: 320, height: 640 } }],
  ] as const)('%s: nothing overflows, and hostile strings are text', async (name, options) => {
    const page = await openWhy(options, 'offline')
    await page.evaluate(() => {
      const session = (globalThis as unknown as Watched).__ROUNDTABLE__.get('board') as Session
      const [pk = ''] = session.primaryKeys('Task').slice(-1)
      session.edit('Task', pk, { title: '<img src=x onerror="document.title=1"><b>bold</b>' })
    })
    await page.locator('roundtable-devtools .row.tone-commit').last().click()
    await page.locator('roundtable-devtools .chain .step').first().waitFor()
    mkdirSync(screenshots, { recursive: true })
    await page.screenshot({ path: join(screenshots, `devtools-${name}.png`) })
    for (const tab of ['Table', 'Requests', 'Layers', 'Readers', 'Outbox']) {
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
    board = new BoardPage(await (await site.browser.newContext()).newPage())
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
    await page.addInitScript(() => {
      const refused: string[] = []
      Object.assign(window, { refused })
      addEventListener('securitypolicyviolation', ({ violatedDirective, sourceFile }) =>
        refused.push(`${violatedDirective} ${sourceFile}`),
      )
    })
    const refused = (): Promise<string[]> => page.evaluate(() => (window as unknown as { refused: string[] }).refused)
    await page.goto(`${site.server.url}/?log=device`)
    await board.isReady()
    await page.getByRole('switch', { name: 'Offline' }).click()
    await board.rename(await board.idOf(board.card('review')), 'It waits')
    // The board itself asks for some things that this policy refuses.
    const before = await refused()
    await page.locator('#why').click()
    await page.locator('roundtable-devtools [role=option]').first().click()
    await page.locator('roundtable-devtools .chain .step').first().waitFor()
    for (const tab of ['Table', 'Requests', 'Layers', 'Readers']) {
      await page.locator('roundtable-devtools').getByRole('tab', { name: tab }).click()
      const first = page.locator('roundtable-devtools [role=option]:not([hidden])').first()
      if ((await first.count()) > 0) await first.click()
    }
    const shown = await page.locator('roundtable-devtools .panel').evaluate((panel) => getComputedStyle(panel).display)
    expect(shown).toBe('flex')
    expect(await page.evaluate(() => document.documentElement.style.paddingBlockEnd)).toBe('380px')
    expect(await refused()).toEqual(before)
  })
})

test('a production build without the flag contains nothing of the tools', async () => {
  const outDir = mkdtempSync(join(tmpdir(), 'board-without-'))
  const before = process.env.VITE_DEVTOOLS
  process.env.VITE_DEVTOOLS = ''
  try {
    await build({ root: folder, logLevel: 'error', build: { outDir, emptyOutDir: true, minify: false } })
    // The style of the page knows how high the panel is, if there is one.
    const files = readdirSync(join(outDir, 'assets')).filter((file) => file.endsWith('.js'))
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
