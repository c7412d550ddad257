import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { Browser } from 'playwright-core'
import { createServer, defaultClientConditions, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from './adapters/eventually.js'
import { startChromium } from './chromium.js'

const cacheDir = mkdtempSync(join(tmpdir(), 'roundtable-development-'))
let server: ViteDevServer
let browser: Browser

beforeAll(async () => {
  server = await createServer({
    configFile: false,
    root: fileURLToPath(new URL('./development/', import.meta.url)),
    cacheDir,
    logLevel: 'error',
    plugins: [react()],
    resolve: { conditions: ['@roundtable/source', ...defaultClientConditions] },
    // Ours are read as they are. Vite would find their packages late, and load the page again.
    optimizeDeps: {
      entries: ['index.html'],
      include: ['@roundtable/core > path-to-regexp'],
      exclude: ['@roundtable/core', '@roundtable/react'],
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

test('React says nothing about components that show requests while others start them by rendering', async () => {
  const tab = await browser.newPage()
  const said: string[] = []
  tab.on('pageerror', (error) => said.push(String(error)))
  tab.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') said.push(message.text())
  })
  await tab.goto(server.resolvedUrls?.local[0] ?? '')
  for (const id of [1, 2]) {
    await tab.getByRole('button', { name: 'Next' }).click()
    await eventually(() => tab.locator('output').innerText(), `t${id}`)
  }
  await eventually(() => tab.locator('p').innerText(), 'false,false,false,0,false')
  expect(said).toEqual([])
})

describe('a logout asks for nobody who leaves', () => {
  const ways = [
    'state, then reset',
    'reset, then state',
    'after an await',
    'transition, then reset',
    'reset, then transition',
  ]
  test.each([...ways, 'reset, then a long transition'])('%s', async (way) => {
    const tab = await browser.newPage()
    await tab.goto(`${server.resolvedUrls?.local[0] ?? ''}session.html`)
    const told = (): Promise<string[]> => tab.evaluate(() => (window as unknown as { told(): string[] }).told())
    await tab.getByRole('button', { name: 'in', exact: true }).click()
    await eventually(() => tab.locator('li').allInnerTexts(), ['nullable suspended', '1', '2', '3'])
    expect((await told()).sort()).toEqual(['0 resets', '1 ann', '2 ann', '3 ann', 'nullable ann', 'suspended ann'])
    await tab.getByRole('button', { name: way }).click()
    await eventually(() => tab.locator('li').allInnerTexts(), ['none none'])
    // Whatever would be asked for is sent when the page is idle, or half a second later.
    await tab.waitForTimeout(600)
    expect(await told()).toEqual(['0 resets'])
    await tab.close()
  })
})
