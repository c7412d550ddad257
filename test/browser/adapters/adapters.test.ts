import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { startChromium } from '../chromium.js'
import { boundaries } from './boundaries.js'
import { buildPages, type Pages } from './build-pages.js'
import { contract } from './contract.js'
import { Tabs } from './tabs.js'
import { tearing } from './tearing.js'

let pages: Pages
let browser: Browser

beforeAll(async () => {
  pages = await buildPages(['react', 'vue', 'svelte', 'boundaries', 'counts'])
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
