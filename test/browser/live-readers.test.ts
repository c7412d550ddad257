import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import react from '@vitejs/plugin-react'
import vue from '@vitejs/plugin-vue'
import type { Browser } from 'playwright-core'
import { createServer, defaultClientConditions, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TaskServer } from '../core/live/task-server.js'
import { HANGS } from '../hangs.js'
import { startChromium } from './chromium.js'

const cacheDir = mkdtempSync(join(tmpdir(), 'roundtable-live-readers-'))
const tasks = new TaskServer()
let server: ViteDevServer
let browser: Browser

beforeAll(async () => {
  const target = await tasks.listen()
  server = await createServer({
    configFile: false,
    root: fileURLToPath(new URL('./live/readers/', import.meta.url)),
    cacheDir,
    logLevel: 'error',
    plugins: [react(), vue(), svelte({ configFile: false })],
    resolve: { conditions: ['@roundtable/source', ...defaultClientConditions] },
    // Ours are read as they are. Vite would find their packages late, and load the page again.
    optimizeDeps: {
      include: ['@roundtable/core > path-to-regexp', '@roundtable/core > eventsource-parser'],
      exclude: ['core', 'react', 'vue', 'svelte'].map((name) => `@roundtable/${name}`),
    },
    server: { port: 0, fs: { strict: false }, proxy: { '^/(?:tasks$|sse)': { target } } },
  })
  await server.listen()
  browser = await startChromium()
})

afterAll(async () => {
  await browser?.close()
  await server?.close()
  await tasks.close()
  rmSync(cacheDir, { recursive: true, force: true })
})

test.each(['react', 'vue', 'svelte'])(
  'in development two components of %s have one connection and one request, and it is closed after the last has left',
  async (framework) => {
    tasks.put({ id: 1, title: 'one' })
    const page = await (await browser.newContext()).newPage()
    const said: string[] = []
    page.on('pageerror', (error) => said.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') said.push(message.text())
    })
    // What the page was sent first may be reloaded, when the development server has found a package.
    await page.goto(`${server.resolvedUrls?.local[0] ?? ''}#${framework}`)
    const titles = (): Promise<string[]> => page.locator('output').allInnerTexts()
    await expect.poll(titles, { timeout: HANGS }).toEqual(['one', 'one'])
    await page.reload()
    await expect.poll(titles, { timeout: HANGS }).toEqual(['one', 'one'])
    await expect.poll(() => tasks.open, { timeout: HANGS }).toBe(1)
    const { lists, connections } = tasks
    await page.reload()
    await expect.poll(titles, { timeout: HANGS }).toEqual(['one', 'one'])
    await expect.poll(() => tasks.connections, { timeout: HANGS }).toBe(connections + 1)
    tasks.put({ id: 1, title: 'uno' })
    await expect.poll(titles, { timeout: HANGS }).toEqual(['uno', 'uno'])
    tasks.put({ id: 2, title: 'due' })
    await expect.poll(titles, { timeout: HANGS }).toEqual(['uno,due', 'uno,due'])
    await page.getByRole('button', { name: 'Close' }).first().click()
    tasks.delete(2)
    await expect.poll(titles, { timeout: HANGS }).toEqual(['uno'])
    expect([tasks.lists, tasks.connections]).toEqual([lists + 1, connections + 1])
    await page.getByRole('button', { name: 'Close' }).click()
    // The connection of the page before may have been closed late.
    await expect.poll(() => tasks.open, { timeout: HANGS }).toBe(0)
    expect([tasks.lists, tasks.connections]).toEqual([lists + 1, connections + 1])
    expect(said).toEqual([])
    await page.context().close()
  },
)
