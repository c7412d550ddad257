import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Controller } from '@roundtable/core'
import type { LogEvent } from '@roundtable/devtools'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Site, serveSite } from '../../benchmarks/browser/serve.js'
import type { Shown, Todo, TodoResource } from './causes/app.js'
import { startChromium } from './chromium.js'
import { workOf } from './work.js'

const screenshots = fileURLToPath(new URL('./screenshots/', import.meta.url))
const FRAMEWORKS = ['react', 'vue', 'svelte'] as const
type Framework = (typeof FRAMEWORKS)[number]

/** What the page has for this test. */
interface InPage {
  readonly server: { fails: boolean; waiting: (() => void)[] | undefined; steady: number }
  readonly controller: Controller
  readonly TodoResource: typeof TodoResource
  readonly Todo: typeof Todo
  readonly pollMany: (element: HTMLElement) => void
  readonly show: Readonly<Record<Framework, (shown: Shown) => void | Promise<void>>>
  readonly connectAnother: () => void
}

let site: Site
let browser: Browser
let page: Page

beforeAll(async () => {
  site = await serveSite(fileURLToPath(new URL('./causes/', import.meta.url)))
  browser = await startChromium()
  page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage()
  await page.clock.install()
  await page.goto(site.url)
  await page.locator('roundtable-devtools').waitFor()
})

afterAll(async () => {
  await browser?.close()
  await site?.close()
})

/**
 * Shows something in a framework's reader, which has then left what it showed, and waits until its data or its error is
 * there.
 */
async function show(framework: Framework, part: Shown['part'], id = ''): Promise<void> {
  await page.evaluate(([name, shown]) => (window as unknown as InPage).show[name as Framework](shown as Shown), [
    framework,
    { part, id },
  ] as const)
  if (part !== 'none') await hasSettled(framework)
}

async function hasSettled(framework: Framework): Promise<void> {
  const output = page.locator(`#${framework} output`)
  await expect.poll(() => output.textContent()).not.toBe('…')
}

const press = (framework: Framework, name: string): Promise<void> =>
  page
    .locator(`#${framework}`)
    .getByRole('button', { name })
    .evaluate((button) => (button as HTMLElement).click())

const announceVisible = (isVisible: boolean): Promise<void> =>
  page.evaluate((visible) => {
    Object.defineProperty(document, 'visibilityState', { value: visible ? 'visible' : 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isVisible)

/** Resolves when the page knows, since it counts its pauses from then on. */
const goOnline = async (isOnline: boolean): Promise<void> => {
  await page.context().setOffline(!isOnline)
  await expect.poll(() => page.evaluate(() => navigator.onLine)).toBe(isOnline)
}

const setServer = (change: Partial<Record<'fails' | 'waits', boolean>>): Promise<void> =>
  page.evaluate(({ fails, waits }) => {
    const { server } = window as unknown as InPage
    if (fails !== undefined) server.fails = fails
    if (waits === true) server.waiting = []
    if (waits === false) {
      for (const go of server.waiting ?? []) go()
      server.waiting = undefined
    }
  }, change)

/** Twelve ways to cause a request: what is done, the word in the timeline, and what the panel says when it is asked why. */
const ways: readonly [
  name: string,
  act: (framework: Framework, id: string) => Promise<void>,
  word: RegExp,
  because: RegExp,
][] = [
  ['a reader mounts', (framework, id) => show(framework, 'todo', id), /^mount$/, /A reader mounted/],
  ['it gets new arguments', (framework, id) => show(framework, 'todo', `${id}b`), /^args$/, /changed its arguments/],
  [
    'it mounts when the lifetime of its data is over',
    async (framework, id) => {
      await show(framework, 'none')
      await page.clock.fastForward(61_000)
      await show(framework, 'todo', `${id}b`)
    },
    /^expired$/,
    /the lifetime of the data was over/,
  ],
  ['it calls refetch', (framework) => press(framework, 'Refetch'), /^refetch$/, /called refetch\(\)/],
  [
    'its error is dropped',
    async (framework, id) => {
      await setServer({ fails: true })
      await show(framework, 'todo', `${id}c`)
      await setServer({ fails: false })
      await press(framework, 'Retry')
    },
    /^retry #\d+$/,
    /An error was dropped/,
  ],
  [
    'a poll is due',
    async (framework, id) => {
      await show(framework, 'price', id)
      await page.clock.fastForward(5_100)
    },
    /^poll 5 s$/,
    /it runs every 5 s/,
  ],
  [
    'the user comes back',
    async (framework, id) => {
      await show(framework, 'todo', id)
      await announceVisible(false)
      await page.clock.fastForward(61_000)
      await announceVisible(true)
    },
    /^focus #\d+$/,
    /came back to the page/,
  ],
  [
    'the network is back',
    async () => {
      await goOnline(false)
      await page.clock.fastForward(61_000)
      await goOnline(true)
      await page.clock.fastForward(3_000)
    },
    /^online #\d+$/,
    /network was back/,
  ],
  [
    'its key is invalidated',
    (_, id) =>
      page.evaluate((todo) => {
        const { controller, TodoResource } = window as unknown as InPage
        controller.invalidate(TodoResource.get, { id: todo })
      }, id),
    /^invalidate #\d+$/,
    /invalidated by #\d+/,
  ],
  [
    'an entity in it is invalidated',
    (_, id) =>
      page.evaluate((todo) => {
        const { controller, Todo } = window as unknown as InPage
        controller.invalidateBy(Todo, todo)
      }, id),
    /^invalidate #\d+$/,
    /invalidated by #\d+/,
  ],
  [
    'a write overlaps with its request',
    async (framework, id) => {
      await setServer({ waits: true })
      await press(framework, 'Refetch')
      await page.evaluate(async (todo) => {
        const { controller, TodoResource } = window as unknown as InPage
        await controller.fetch(TodoResource.partialUpdate, { id: todo }, { title: 'new' })
      }, id)
      await setServer({ waits: false })
    },
    /^contested #\d+$/,
    /overlapped/,
  ],
  [
    'the next page is wanted',
    async (framework, id) => {
      await show(framework, 'list', id)
      await press(framework, 'Next')
    },
    /^page$/,
    /next page/,
  ],
]

const requests = (): Promise<Extract<LogEvent, { type: 'fetch' }>[]> =>
  page.evaluate(() => {
    const events = globalThis.__ROUNDTABLE__?.get('default')?.events() ?? []
    return events.filter((event) => event.type === 'fetch').map((event) => ({ ...event }))
  })

/** What led to the request that is selected in the panel, as the lines of its chain. */
const chain = (): Promise<string[]> => page.locator('roundtable-devtools .chain .plain').allInnerTexts()

test.each(FRAMEWORKS)('in %s, each of twelve ways to cause a request is told by its own cause', async (framework) => {
  const id = `${FRAMEWORKS.indexOf(framework) + 1}`
  for (const [name, act, word, because] of ways) {
    const before = (await requests()).at(-1)?.id ?? 0
    await act(framework, id)
    const caused = async (): Promise<number | undefined> =>
      (await requests()).findLast((request) => request.id > before && !request.edits && word.test(wordOf(request)))?.id
    await expect.poll(caused, { message: `${framework}: ${name}` }).toBeDefined()
    const number = await caused()
    const row = page.locator('roundtable-devtools .row:not([hidden])', {
      has: page.locator('.number', { hasText: new RegExp(`^#${number}$`) }),
    })
    const asked = row.filter({ has: page.locator('.verb', { hasText: 'request' }) })
    expect(await asked.locator('.note').innerText(), name).toMatch(word)
    await asked.click()
    expect(await page.locator('roundtable-devtools .because').innerText(), name).toMatch(because)
    const lines = await chain()
    if (name.startsWith('its key')) expect(lines[0]).toMatch(new RegExp(`invalidate.*/todos/${id}\\b`, 's'))
    if (name.startsWith('an entity')) expect(lines[0]).toMatch(new RegExp(`invalidate.*Todo ${id}`, 's'))
    if (name.startsWith('a write')) expect(lines[0]).toMatch(new RegExp(`request.*PATCH /todos/${id}`, 's'))
    // What follows is seen as it comes.
    await hasSettled(framework)
    await page.locator('roundtable-devtools .list').press('End')
  }
  mkdirSync(screenshots, { recursive: true })
  await page.screenshot({ path: join(screenshots, `devtools-causes-${framework}.png`) })
  await show(framework, 'none')
})

test('of a poll that changes 1,000 rows each second the open panel draws what can be seen', async () => {
  const tab = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage()
  // Time passes when this test says so: the panel draws in pauses.
  await tab.clock.install()
  await tab.goto(site.url)
  await tab.locator('roundtable-devtools').waitFor()
  const polled = (): Promise<number> =>
    tab.evaluate(
      () =>
        [...(globalThis.__ROUNDTABLE__?.get('default')?.events() ?? [])].filter(
          (event) => event.type === 'commit' && event.facts.rowCount === 1_000,
        ).length,
    )
  const poll = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time++) {
      const before = await polled()
      await tab.clock.runFor(1_000)
      await expect.poll(polled).toBeGreaterThan(before)
    }
  }
  await tab.evaluate(() => (window as unknown as InPage).pollMany(document.querySelector('#react') as HTMLElement))
  await expect.poll(polled).toBe(1)
  await poll(4)
  const open = await workOf(tab, () => poll(4))
  await tab.evaluate(() => document.querySelector('roundtable-devtools')?.remove())
  await poll(1)
  const closed = await workOf(tab, () => poll(4))
  // It was 1.7 % more calls, and 4,500 changes; a line of seven elements for each row that changed would be 28,000.
  expect(open.changes).toBeGreaterThan(closed.changes)
  expect(open.changes).toBeLessThan(10_000)
  expect(open.calls).toBeLessThan(closed.calls * 1.05)
  await tab.context().close()
})

test('polls that change nothing are one line with a count, between what changed and what failed', async () => {
  const tab = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage()
  await tab.clock.install()
  await tab.goto(site.url)
  const panel = tab.locator('roundtable-devtools')
  await panel.waitFor()
  await tab.evaluate(() => (window as unknown as InPage).show.react({ part: 'price', id: 'steady' }))
  const poll = async (times: number, change: Partial<InPage['server']> = {}): Promise<void> => {
    await tab.evaluate((to) => void Object.assign((window as unknown as InPage).server, to), change)
    for (let time = 0; time < times; time++) await tab.clock.runFor(5_000)
  }
  const notes = async (): Promise<string[]> => {
    await tab.clock.runFor(500)
    const rows = panel.locator('.row:not([hidden])', { has: tab.locator('.verb', { hasText: 'request' }) })
    return rows.locator('.note').allInnerTexts()
  }
  await expect.poll(() => tab.locator('#react output').textContent()).toBe('1')
  await poll(3)
  await expect.poll(notes).toEqual(['mount', 'poll 5 s ×3'])
  const quiet = panel.locator('.row', { hasText: '×3' })
  await quiet.click()
  await expect.poll(() => panel.locator('.because').innerText()).toMatch(/runs every 5 s\. Nothing had changed/)
  await poll(1)
  await expect.poll(notes).toEqual(['mount', 'poll 5 s ×4'])
  // The line is still the one that was selected.
  await expect.poll(() => panel.locator('.row[aria-selected=true] .note').innerText()).toBe('poll 5 s ×4')
  await poll(1, { steady: 2 })
  await poll(2)
  await poll(1, { fails: true })
  await expect.poll(notes).toEqual(['mount', 'poll 5 s ×4', 'poll 5 s', 'poll 5 s ×2', 'poll 5 s'])
  expect(await panel.locator('.row.tone-error:not([hidden])').count()).toBe(1)
  await tab.screenshot({ path: join(screenshots, 'devtools-polls.png') })
  await tab.context().close()
})

/** What the panel is full of, or not at all. */
const states: Readonly<Record<string, (tab: Page) => Promise<void>>> = {
  empty: async () => {},
  errors: async (tab) => {
    await tab.evaluate(async () => {
      const { controller, server, TodoResource, show } = window as unknown as InPage
      server.fails = true
      for (const framework of ['react', 'vue', 'svelte'] as const) show[framework]({ part: 'todo', id: framework })
      await controller.fetch(TodoResource.partialUpdate, { id: '1' }, { title: 'new' }).catch(() => {})
    })
  },
  '1,000 events': (tab) =>
    tab.evaluate(() => {
      const { controller, Todo } = window as unknown as InPage
      for (let i = 0; i < 600; i++) controller.set(Todo, { id: '1' }, { id: '1', title: `title ${i}` })
    }),
  '100,000 rows': (tab) =>
    tab.evaluate(() => {
      const { controller, Todo } = window as unknown as InPage
      controller.notifyOnce(() => {
        for (let i = 0; i < 100_000; i++) controller.set(Todo, { id: `${i}` }, { id: `${i}`, title: `title ${i}` })
      })
    }),
}

/** How many lines there are, about. */
const SIZES = { empty: 0, errors: 100, '1,000 events': 1_000, '100,000 rows': 100_000 }

describe('looks', () => {
  test.each([
    ['empty', 'Timeline', {}],
    ['empty', 'Table', { colorScheme: 'dark' }],
    ['errors', 'Timeline', { colorScheme: 'dark' }],
    ['errors', 'Requests', { viewport: { width: 320, height: 640 } }],
    ['1,000 events', 'Timeline', {}],
    ['100,000 rows', 'Table', {}],
    ['100,000 rows', 'Timeline', { viewport: { width: 320, height: 640 }, colorScheme: 'dark' }],
  ] as const)('%s, %s, %o: nothing overflows, and only what can be seen is there', async (state, view, options) => {
    const tab = await (await browser.newContext({ viewport: { width: 1280, height: 720 }, ...options })).newPage()
    await tab.goto(site.url)
    const panel = tab.locator('roundtable-devtools')
    await panel.waitFor()
    await states[state]?.(tab)
    await panel.getByRole('tab', { name: view }).click()
    if (state === 'empty') await panel.locator('.list .empty').waitFor()
    else {
      await panel.locator('.row:not([hidden])').first().waitFor()
      const list = panel.locator('.list')
      await list.focus()
      const { most } = await workOf(tab, async () => {
        await tab.keyboard.press('End')
        await panel.locator('.row[aria-selected=true]').waitFor()
      })
      // A list looks for what is selected a few times; once for each line would be as many times as there are lines.
      expect(most).toBeLessThan(5 * SIZES[state])
      expect(await panel.locator('.row').count()).toBeLessThan(60)
      await expect.poll(() => panel.locator('.detail > *').count()).toBeGreaterThan(1)
    }
    mkdirSync(screenshots, { recursive: true })
    const width = 'viewport' in options ? '-320' : ''
    await tab.screenshot({
      path: join(screenshots, `devtools-is-${state.replaceAll(/\W+/g, '-')}-${view}${width}.png`),
    })
    const over = await panel.locator('.panel').evaluate((element) => element.scrollWidth - element.clientWidth)
    expect(over).toBe(0)
    await tab.context().close()
  })
})

describe('the panel', () => {
  async function openPanel(): Promise<Locator> {
    const tab = await (await browser.newContext({ viewport: { width: 900, height: 720 } })).newPage()
    await tab.goto(site.url)
    const panel = tab.locator('roundtable-devtools')
    await panel.waitFor()
    return panel
  }

  const height = (panel: Locator): Promise<number> => panel.evaluate((element) => (element as HTMLElement).offsetHeight)

  test('of a page with two controllers shows the one that is chosen', async () => {
    const panel = await openPanel()
    const choice = panel.getByLabel('Controller')
    expect(await choice.isVisible()).toBe(false)
    await panel.page().evaluate(() => {
      const { controller, Todo, connectAnother } = window as unknown as InPage
      connectAnother()
      controller.set(Todo, { id: '1' }, { id: '1', title: 'of the first' })
    })
    await choice.waitFor()
    await panel.getByRole('option', { name: 'commit' }).first().waitFor()
    await choice.selectOption('default 2')
    await panel.getByText('Nothing has happened yet.').waitFor()
    await choice.selectOption('default')
    await panel.getByRole('option', { name: 'commit' }).first().waitFor()
    await panel.page().context().close()
  })

  test('says that a search has found nothing, and that a controller was disposed', async () => {
    const panel = await openPanel()
    await panel.page().evaluate(() => {
      const { controller, Todo } = window as unknown as InPage
      controller.set(Todo, { id: '1' }, { id: '1', title: 'a title' })
      controller.dispose()
    })
    await panel.getByLabel('Search').fill('nowhere')
    await panel.getByText('Nothing matches “nowhere”.').waitFor()
    await panel.getByRole('tab', { name: 'Table' }).click()
    await panel.getByText('This controller was disposed').waitFor()
    await panel.page().context().close()
  })

  test('is as high as the keyboard has made it, also after a reload', async () => {
    const panel = await openPanel()
    expect(await height(panel)).toBe(380)
    await panel.getByRole('separator', { name: 'Height' }).press('ArrowUp')
    await expect.poll(() => height(panel)).toBe(420)
    await panel.page().reload()
    await expect.poll(() => height(panel)).toBe(420)
    await panel.page().context().close()
  })
})

function wordOf({ cause }: Extract<LogEvent, { type: 'fetch' }>): string {
  return cause.type === 'poll' ? 'poll 5 s' : 'by' in cause ? `${cause.type} #${cause.by}` : cause.type
}
