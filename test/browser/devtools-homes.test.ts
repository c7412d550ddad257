import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import react from '@vitejs/plugin-react'
import vue from '@vitejs/plugin-vue'
import type { Browser, Frame, Locator, Page } from 'playwright-core'
import { createServer, defaultClientConditions, type PluginOption, type ViteDevServer } from 'vite'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startChromium } from './chromium.js'

const homes = new URL('./homes/', import.meta.url)
const screenshots = fileURLToPath(new URL('./screenshots/', import.meta.url))
/** What the first change reads like, once it is in the store. */
const FINISHED = '✓ todo 1, ○ todo 2, ○ todo 3'

// The packages of these tools are not installed with the others: npm run test:acceptance does that.
const servers: ViteDevServer[] = []
const folders: string[] = []
let browser: Browser
let page: Page
let errors: string[]

beforeAll(async () => {
  browser = await startChromium()
})

afterAll(async () => {
  await browser?.close()
  await Promise.all(servers.map((server) => server.close()))
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

afterEach(async () => {
  await page.context().close()
})

/** Serves pages, and returns the address of the folder. */
async function serve(entries: string[], plugins: PluginOption[]): Promise<string> {
  const cacheDir = mkdtempSync(join(tmpdir(), 'devtools-homes-'))
  folders.push(cacheDir)
  const server = await createServer({
    configFile: false,
    root: fileURLToPath(new URL('./pages/', homes)),
    cacheDir,
    logLevel: 'error',
    plugins,
    resolve: {
      conditions: ['@roundtable/source', ...defaultClientConditions],
    },
    // Ours are read as they are. Vite would find their packages late, and load the page again.
    optimizeDeps: {
      entries,
      include: ['@roundtable/core > path-to-regexp', '@roundtable/devtools > @vue/devtools-api'],
      exclude: ['core', 'react', 'vue', 'svelte', 'devtools'].map((name) => `@roundtable/${name}`),
    },
    server: { port: 0, fs: { strict: false } },
  })
  servers.push(server)
  await server.listen()
  return server.resolvedUrls?.local[0] ?? ''
}

async function open(url: string, before?: () => void): Promise<void> {
  page = await (await browser.newContext({ viewport: { width: 1280, height: 860 } })).newPage()
  errors = []
  page.on('pageerror', (error) => errors.push(String(error.stack)))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  if (before !== undefined) await page.addInitScript(before)
  await page.goto(url)
}

const change = (): Promise<void> =>
  page
    .locator('main button')
    .first()
    .evaluate((button) => (button as HTMLElement).click())

/** Changes a todo on the page; the panel shows the call, its commits and why. */
async function isAtWork(panel: Locator): Promise<void> {
  await panel.locator('[role=option]').first().waitFor()
  await change()
  await expect.poll(() => page.locator('main button').first().textContent()).toBe(FINISHED)
  const call = panel.locator('[role=option]', { hasText: '/todos/1' }).filter({ hasText: 'request' })
  await call.click()
  await panel.locator('.because').getByText('The application called controller.fetch().').waitFor()
  expect(await panel.locator('.chain .step').count()).toBeGreaterThan(2)
}

async function shoot(name: string): Promise<void> {
  mkdirSync(screenshots, { recursive: true })
  await page.screenshot({ path: join(screenshots, `devtools-home-${name}.png`) })
}

describe('in TanStack Devtools', () => {
  let url: string

  beforeAll(async () => {
    const pages = ['react', 'vue', 'svelte'].map((framework) => `tanstack-${framework}.html`)
    url = await serve(pages, [react(), vue(), svelte({ configFile: false })])
  })

  test.each(['react', 'vue', 'svelte'])('of %s the panel is a plugin', async (framework) => {
    await open(`${url}tanstack-${framework}.html`)
    const panel = page.locator('roundtable-devtools')
    if ((await panel.count()) === 0) await openPlugin()
    await isAtWork(panel)
    await shoot(framework)
    expect(await panel.count()).toBe(1)
    // The shell's element decides how large it is.
    const [inner, outer] = await panel.evaluate((element) => [
      element.getBoundingClientRect().height,
      element.parentElement?.getBoundingClientRect().height,
    ])
    expect(inner).toBeLessThanOrEqual((outer ?? 0) + 1)
    expect(await page.evaluate(() => [...(globalThis.__ROUNDTABLE__?.keys() ?? [])])).toEqual(['default'])
    expect(errors).toEqual([])
  })
})

/** Chooses the plugin in the shell, which may start with another one or none. */
async function openPlugin(): Promise<void> {
  const shown: Locator = page.locator('roundtable-devtools')
  const choice = page.getByText('Roundtable', { exact: true })
  await expect.poll(async () => (await shown.count()) + (await choice.count())).toBeGreaterThan(0)
  if ((await shown.count()) === 0) await choice.first().click()
  await shown.waitFor()
}

describe('in Vue DevTools', () => {
  let url: string

  beforeAll(async () => {
    const file = new URL('./node_modules/vite-plugin-vue-devtools/dist/vite.js', homes)
    const { default: vueDevTools } = (await import(file.href)) as { default(): PluginOption }
    url = await serve(['vue-devtools.html'], [vue(), vueDevTools()])
  })

  /** Opens the page, and then Vue DevTools on it, which are a frame of the page. */
  async function openTools(): Promise<Frame> {
    await open(`${url}vue-devtools.html`)
    await page.locator('main button').waitFor()
    await page.locator('.vue-devtools__anchor').waitFor({ state: 'attached' })
    await page.keyboard.press('Alt+Shift+KeyD')
    return frame('__devtools__')
  }

  async function frame(part: string): Promise<Frame> {
    const find = (): Frame | undefined => page.frames().find((one) => one.url().includes(part))
    await expect.poll(() => find() !== undefined).toBe(true)
    return find() as Frame
  }

  const tab = (tools: Frame | Page): Locator => tools.locator('a[href^="/custom-tab-view/roundtable"]')
  const inspector = (tools: Frame): Locator => tools.locator('a[href^="/custom-inspector-tab-view/roundtable"]')

  test('the panel is a tab, with what happened since before the page was mounted', async () => {
    const tools = await openTools()
    await tab(tools).click()
    const panel = (await frame('blob:')).locator('roundtable-devtools')
    await panel.locator('[role=option]', { hasText: 'GET /todos' }).first().click()
    await panel.locator('.because').getByText('A reader mounted, and there was no data yet.').waitFor()
    await isAtWork(panel)
    const picture = join(screenshots, 'devtools-home-vue-devtools.png')
    await (await tools.frameElement()).screenshot({ path: picture })
    expect(await panel.getAttribute('theme')).toBe('light')
    await tools.evaluate(() => document.documentElement.classList.add('dark'))
    await expect.poll(() => panel.getAttribute('theme')).toBe('dark')
    await shoot('vue-devtools-dark')
    expect(await page.evaluate(() => [...(globalThis.__ROUNDTABLE__?.keys() ?? [])])).toEqual(['default'])
    expect(errors.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([])
  })

  test('a panel whose frame is taken away draws no more', async () => {
    const tools = await openTools()
    await tab(tools).click()
    const panel = (await frame('blob:')).locator('roundtable-devtools')
    await panel.locator('[role=option]').first().waitFor()
    const isConnected = await page.evaluate(() => {
      const within = (one: Window): Window[] => [
        one,
        ...Array.from({ length: one.length }, (_, i) => within(one[i] as Window)).flat(),
      ]
      const shown = within(window).find((one) => one.document.querySelector('roundtable-devtools') !== null) as Window
      const element = shown.document.querySelector('roundtable-devtools') as Element
      shown.frameElement?.remove()
      return element.isConnected
    })
    expect(isConnected).toBe(false)
  })

  test('the table is an inspector that follows', async () => {
    const tools = await openTools()
    await inspector(tools).click()
    await tools.getByText('Todo (3)', { exact: true }).waitFor()
    await tools.locator('i[class*=triangle-right]').first().click()
    await tools.locator('span', { hasText: /^1$/ }).last().click()
    await tools.getByText('isDone').waitFor()
    await tools.getByText('false', { exact: true }).waitFor()
    await change()
    await tools.getByText('true', { exact: true }).waitFor()
    await shoot('vue-devtools-inspector')
  })

  test('the events are a layer of the timeline, once each', async () => {
    const tools = await openTools()
    await inspector(tools).click()
    await tools.locator('li', { hasText: 'Timeline' }).click()
    await tools.locator('.recording-btn').first().click()
    await tools.locator('.recording').waitFor()
    await change()
    await tools.getByText('The server responded.').waitFor()
    expect(await tools.getByText('The application called controller.fetch().').count()).toBe(1)
    expect(await tools.getByText('The server responded.').count()).toBe(1)
    await shoot('vue-devtools-timeline')
  })

  test('in a window of their own the tab says where the panel is', async () => {
    await openTools()
    const apart = await page.context().newPage()
    await apart.goto(`${url}__devtools__/`)
    await tab(apart).click()
    await expect.poll(() => apart.frames().length).toBe(2)
    await (apart.frames()[1] as Frame).getByText('The panel needs the application’s page around it.').waitFor()
  })
})

/** What the extension puts into a page: it notes what it gets, and tells the page what its user does. */
interface FakeExtension {
  readonly told: {
    readonly init: unknown[]
    readonly sent: [action: { type: string }, state: unknown][]
    readonly errors: string[]
  }
  say(message: object): void
}

function fakeExtension(): void {
  const listeners = new Set<(message: object) => void>()
  const told: FakeExtension['told'] = { init: [], sent: [], errors: [] }
  Object.assign(window, {
    told,
    say: (message: object) => {
      for (const listener of listeners) listener(message)
    },
    __REDUX_DEVTOOLS_EXTENSION__: {
      connect: (options: { name: string }) => ({
        options,
        // The extension clones what it gets, and so refuses functions.
        init: (state: unknown) => told.init.push(structuredClone(state)),
        send: (action: { type: string }, state: unknown) =>
          told.sent.push([structuredClone(action), structuredClone(state)]),
        error: (message: string) => told.errors.push(message),
        subscribe: (listener: (message: object) => void) => {
          listeners.add(listener)
          return () => listeners.delete(listener)
        },
      }),
    },
  })
}

const told = (): Promise<FakeExtension['told']> => page.evaluate(() => (window as unknown as FakeExtension).told)
/** How many changes the server has saved. */
const saved = (): Promise<number> =>
  page.evaluate(
    () =>
      [...(globalThis.__ROUNDTABLE__?.values() ?? [])]
        .flatMap((session) => session.events())
        .filter((event) => event.type === 'settle' && event.key.startsWith('PATCH')).length,
  )
const say = (message: object): Promise<void> =>
  page.evaluate((given) => (window as unknown as FakeExtension & { told: unknown }).say(given), message)

describe('in the Redux DevTools extension', () => {
  test('events and rows are sent between START and STOP, and a jump is refused', async () => {
    await open(`${await serve(['redux.html'], [])}redux.html`, fakeExtension)
    await page.locator('main button').click()
    await expect.poll(saved).toBe(1)
    // Nobody looks: nothing is copied.
    expect(await told()).toEqual({ init: [], sent: [], errors: [] })
    await say({ type: 'START' })
    expect((await told()).init).toMatchObject([{ Todo: { 1: { title: 'todo 1', isDone: true } } }])
    await page.locator('main button').click()
    await expect
      .poll(async () => (await told()).sent.map(([{ type }]) => type))
      .toContainEqual(expect.stringMatching(/^settle PATCH/))
    const { sent } = await told()
    expect(sent[0]?.[0].type).toMatch(/^fetch PATCH .*\/todos\/1: The application called controller\.fetch\(\)\.$/)
    expect(sent.at(-1)?.[1]).toMatchObject({ Todo: { 1: { isDone: true } } })
    await say({ type: 'DISPATCH', payload: { type: 'JUMP_TO_STATE' }, state: '{}' })
    expect((await told()).errors).toEqual([expect.stringContaining('cannot jump')])
    await say({ type: 'STOP' })
    await page.locator('main button').click()
    await expect.poll(saved).toBe(3)
    await page.waitForTimeout(200)
    expect((await told()).sent).toHaveLength(sent.length)
    await page.evaluate(() => (window as unknown as { end(): void }).end())
    expect(await page.evaluate(() => globalThis.__ROUNDTABLE__?.size)).toBe(0)
    expect(errors).toEqual([])
  })
})
