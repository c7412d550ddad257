import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startChromium } from '../chromium.js'
import { type ExampleSite, HOSTILE, openExample } from './site.js'

let browser: Browser
beforeAll(async () => {
  browser = await startChromium()
})
afterAll(() => browser?.close())

describe.each(['react', 'vue', 'svelte'] as const)(
  'a page of an own server with %s, built for production',
  (framework) => {
    let site: ExampleSite
    beforeAll(async () => {
      site = await openExample(framework)
    })
    afterAll(() => site?.close())

    /** Opens the page as a user; what it asks of the API, and all that it writes to the console. */
    async function open(prepare: (page: Page) => Promise<unknown> = async () => {}) {
      const context = await browser.newContext()
      await context.addCookies([{ name: 'token', value: 'ann', url: site.url }])
      const page = await context.newPage()
      const told: string[] = []
      const asked: string[] = []
      page.on('console', (message) => told.push(message.text()))
      page.on('pageerror', (error) => told.push(String(error)))
      page.on('request', (request) => void (request.url().includes('/api/') && asked.push(request.url())))
      await prepare(page)
      await page.goto(site.url)
      const heading = () => page.textContent('h1')
      const items = () => page.locator('li').allTextContents()
      return { page, told, asked, heading, items, close: () => context.close() }
    }

    test('the HTML has the data, also without JavaScript', async () => {
      const html = await (await fetch(site.url, { headers: { cookie: 'token=ann' } })).text()
      expect(html).toContain('First issue')
      expect(html.replaceAll(/<!--.*?-->/g, '')).toContain('Name of ann: 2 open')
      expect(html).not.toContain(HOSTILE)
    })

    test('the browser asks for nothing, and writes nothing to the console', async () => {
      const { page, told, asked, heading, items, close } = await open()
      await page.waitForFunction(() => 'app' in window)
      await page.waitForTimeout(500)
      expect(await heading()).toBe('Name of ann: 2 open')
      expect(await items()).toEqual(['First issue (Name of ann)', `${HOSTILE} (Name of ann)`])
      expect(await page.evaluate(() => 'pwned' in window)).toBe(false)
      expect(asked).toEqual([])
      expect(told).toEqual([])
      await close()
    })

    test('a value that changed before the page was taken over is shown after it, and is no error', async () => {
      const { page, told, asked, heading, items, close } = await open((opened) => opened.addInitScript(changeStats))
      await expect.poll(heading).toBe('Name of ann: 7 open')
      expect(await items()).toHaveLength(2)
      expect(await page.evaluate(() => 'pwned' in window)).toBe(false)
      expect(asked).toEqual([])
      expect(told).toEqual([])
      await close()
    })

    test('a script that comes two seconds late changes nothing', async () => {
      const { page, told, asked, heading, close } = await open((opened) =>
        opened.route('**/client.js', async (route) => {
          await new Promise((resolve) => setTimeout(resolve, 2_000))
          await route.continue()
        }),
      )
      await page.waitForFunction(() => 'app' in window)
      await page.waitForTimeout(300)
      expect(await heading()).toBe('Name of ann: 2 open')
      expect(asked).toEqual([])
      expect(told).toEqual([])
      await close()
    })

    test('S1: of 200 users at once, no page has the data of another', async () => {
      const pages = await Promise.all(
        Array.from({ length: 200 }, async (_, i) => {
          const response = await fetch(site.url, { headers: { cookie: `token=user${i}x` } })
          return response.text()
        }),
      )
      for (const [i, page] of pages.entries()) {
        const names = new Set([...page.matchAll(/Name of (\w+)/g)].map(([, name]) => name))
        expect([...names]).toEqual([`user${i}x`])
      }
    })
  },
)

/** Runs in the page: as soon as there is a controller, and before the framework has begun, the server pushes other statistics. */
function changeStats(): void {
  Object.defineProperty(window, 'app', {
    set({ controller, getStats }) {
      controller.setResponse(getStats, { open: 7 })
    },
  })
}
