import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { type Site, serveSite } from '../../../benchmarks/browser/serve.js'
import { startChromium } from '../chromium.js'
import { boundaries } from './boundaries.js'
import { contract } from './contract.js'
import { Tabs } from './tabs.js'
import { tearing } from './tearing.js'

let pages: Site
let browser: Browser

beforeAll(async () => {
  const folder = fileURLToPath(new URL('./pages/', import.meta.url))
  pages = await serveSite(folder, { names: ['react', 'vue', 'svelte', 'boundaries', 'counts'], isAsync: true })
  browser = await startChromium()
})

afterAll(async () => {
  await browser?.close()
  await pages?.close()
})

const tabs = new Tabs(() => ({ browser, url: pages.url }))

for (const framework of ['react', 'vue', 'svelte']) contract(framework, tabs)
boundaries(tabs)
tearing(tabs)
