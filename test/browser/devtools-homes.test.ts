import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import react from '@vitejs/plugin-react'
import vue from '@vitejs/plugin-vue'
import type { Browser, Locator, Page } from 'playwright-core'
import { createServer, defaultClientConditions, type ViteDevServer } from 'vite'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startChromium } from './chromium.js'

const homes = new URL('./homes/', import.meta.url)
const screenshots = fileURLToPath(new URL('./screenshots/', import.meta.url))
/** What the first change reads like, once it is in the store. */
const FINISHED = '✓ todo 1, ○ todo 2, ○ todo 3'

// The packages of these tools are not installed with the others: npm run test:acceptance does that.
let server: ViteDevServer
let browser: Browser
let cacheDir: string
let page: Page
let errors: string[]

beforeAll(async () => {
  cacheDir = mkdtempSync(join(tmpdir(), 'devtools-homes-'))
  server = await createServer({
    configFile: false,
    root: fileURLToPath(new URL('./pages/', homes)),
    cacheDir,
    logLevel: 'error',
    plugins: [react(), vue(), svelte({ configFile: false })],
    resolve: {
      conditions: ['@roundtable/source', ...defaultClientConditions],
    },
    // Ours are read as they are.
    optimizeDeps: {
      entries: ['*.html'],
      exclude: ['core', 'react', 'vue', 'svelte', 'devtools'].map((name) => `@roundtable/${name}`),
    },
    server: { port: 0, fs: { strict: false } },
  })
  await server.listen()
  browser = await startChromium()
})

afterAll(async () => {
  await browser?.close()
  await server?.close()
  rmSync(cacheDir, { recursive: true, force: true })
})

afterEach(async () => {
  await page.context().close()
})

async function open(name: string, before?: () => void): Promise<void> {
  page = await (await browser.newContext({ viewport: { width: 1280, height: 860 } })).newPage()
  page.setDefaultTimeout(40_000)
  errors = []
  page.on('pageerror', (error) => errors.push(String(error.stack)))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  if (before !== undefined) await page.addInitScript(before)
  await page.goto(`${server.resolvedUrls?.local[0]}${name}.html`)
}

/** Changes a todo on the page; the panel shows the call, its commits and why. */
async function isAtWork(): Promise<void> {
  const panel = page.locator('roundtable-devtools')
  await panel.locator('[role=option]').first().waitFor()
  await page
    .locator('main button')
    .first()
    .evaluate((button) => (button as HTMLElement).click())
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
  test.each(['react', 'vue', 'svelte'])('of %s the panel is a plugin', async (framework) => {
    await open(`tanstack-${framework}`)
    const panel = page.locator('roundtable-devtools')
    if ((await panel.count()) === 0) await openPlugin()
    await isAtWork()
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
const say = (message: object): Promise<void> =>
  page.evaluate((given) => (window as unknown as FakeExtension & { told: unknown }).say(given), message)

describe('in the Redux DevTools extension', () => {
  test('events and rows are sent between START and STOP, and a jump is refused', async () => {
    await open('redux', fakeExtension)
    await page.locator('main button').click()
    await page.waitForTimeout(200)
    // Nobody looks: nothing is copied.
    expect(await told()).toEqual({ init: [], sent: [], errors: [] })
    await say({ type: 'START' })
    expect((await told()).init).toMatchObject([{ Todo: { 1: { title: 'todo 1', isDone: true } } }])
    await page.locator('main button').click()
    await expect.poll(async () => (await told()).sent.length).toBeGreaterThan(2)
    const { sent } = await told()
    expect(sent[0]?.[0].type).toMatch(/^fetch PATCH .*\/todos\/1: The application called controller\.fetch\(\)\.$/)
    expect(sent.at(-1)?.[1]).toMatchObject({ Todo: { 1: { isDone: true } } })
    await say({ type: 'DISPATCH', payload: { type: 'JUMP_TO_STATE' }, state: '{}' })
    expect((await told()).errors).toEqual([expect.stringContaining('cannot jump')])
    await say({ type: 'STOP' })
    await page.locator('main button').click()
    await page.waitForTimeout(200)
    expect((await told()).sent).toHaveLength(sent.length)
    await page.evaluate(() => (window as unknown as { end(): void }).end())
    expect(await page.evaluate(() => globalThis.__ROUNDTABLE__?.size)).toBe(0)
    expect(errors).toEqual([])
  })
})
