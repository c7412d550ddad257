import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { frameworks } from '../../docs/.vitepress/frameworks.js'
import { startChromium } from '../browser/chromium.js'
import { pageAddresses, serveSite } from './dist.js'

let browser: Browser
let site: Awaited<ReturnType<typeof serveSite>>
const problems: string[] = []

beforeAll(async () => {
  site = await serveSite()
  browser = await startChromium()
})
afterAll(async () => {
  await browser.close()
  site.close()
})

/** A page with every dialect, in sections that are long enough to scroll. */
const guide = '/guides/errors'
const desktop = { width: 1280, height: 900 }
const phone = { width: 390, height: 844 }

async function open(address: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: desktop, ...options })
  const page = await context.newPage()
  page.on('pageerror', (error) => problems.push(`${address}: ${error}`))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(`${address}: ${message.text()}`)
  })
  // Nothing comes from elsewhere: the site works offline.
  page.on('request', (request) => {
    if (!request.url().startsWith(site.url) && !request.url().startsWith('data:'))
      problems.push(`${address}: ${request.url()}`)
  })
  await page.goto(site.url + address, { waitUntil: 'networkidle' })
  return page
}

const visible = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('.dialect')]
      .filter((each) => each.getClientRects().length > 0)
      .map((each) => each.className),
  )

describe('the framework switch', () => {
  test('shows one dialect, remembers it, and other pages show it too', async () => {
    const page = await open(guide)
    expect(new Set(await visible(page))).toEqual(new Set(['dialect react']))
    await page.locator('.framework-switch label', { hasText: 'Vue' }).click()
    expect(new Set(await visible(page))).toEqual(new Set(['dialect vue']))
    await page.reload({ waitUntil: 'networkidle' })
    expect(new Set(await visible(page))).toEqual(new Set(['dialect vue']))
    expect(await page.locator('.framework-switch input:checked').getAttribute('value')).toBe('vue')
    await page.goto(`${site.url}/start/react`)
    expect(await page.locator('html').getAttribute('data-framework')).toBe('vue')
    await page.context().close()
  })

  test('takes its value from the address, and changes it there', async () => {
    const page = await open(`${guide}?framework=svelte#boundaries`)
    expect(new Set(await visible(page))).toEqual(new Set(['dialect svelte']))
    await page.locator('.framework-switch label', { hasText: 'Script' }).click()
    expect(new URL(page.url()).search).toBe('?framework=script')
    await page.context().close()
  })

  test('works with the keyboard', async () => {
    const page = await open(guide)
    await page.locator('.framework-switch input').first().focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    expect(new Set(await visible(page))).toEqual(new Set(['dialect svelte']))
    const focused = page.locator('.framework-switch label:has(:focus-visible)')
    expect(await focused.evaluate((label) => getComputedStyle(label).outlineStyle)).toBe('solid')
    await page.context().close()
  })

  test.each([
    ['below dialects', '#keep-showing-data', desktop],
    ['at a heading before a dialect', '#boundaries', desktop],
    ['on a phone', '#abort', phone],
  ])('keeps the place: %s', async (_, hash, viewport) => {
    const page = await open(guide, { viewport })
    await page.evaluate((id) => document.querySelector(id)?.scrollIntoView({ behavior: 'instant' }), hash)
    await page.evaluate(() => scrollBy({ top: -100, behavior: 'instant' }))
    const top = () => page.evaluate((id) => document.querySelector(id)?.getBoundingClientRect().top, hash)
    const before = (await top()) ?? 0
    for (const name of ['Svelte', 'Script', 'React', 'Vue']) {
      if (viewport === phone) await page.locator('.framework-select').selectOption(name)
      else await page.locator('.framework-switch label', { hasText: name }).click()
      // A page scrolls by whole pixels.
      expect(Math.abs(((await top()) ?? Number.NaN) - before), name).toBeLessThanOrEqual(0.5)
    }
    await page.context().close()
  })

  test('anchors and the outline are the same for all', async () => {
    const seen: unknown[] = []
    for (const framework of frameworks) {
      const page = await open(`${guide}?framework=${framework}`)
      const heads = page.locator('.vp-doc :is(h1, h2, h3)')
      seen.push(await heads.evaluateAll((all) => all.map((head) => `${head.id} ${head.getClientRects().length}`)))
      await page.context().close()
    }
    expect(new Set(seen.map((each) => JSON.stringify(each))).size).toBe(1)
  })
})

test.each([
  ['desktop', desktop],
  ['phone', phone],
])('nothing moves while a page loads: %s', async (_, viewport) => {
  for (const address of ['/', `${guide}?framework=svelte`, '/reference/controller']) {
    const page = await open(address, { viewport })
    const shift = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let sum = 0
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value
          }).observe({ type: 'layout-shift', buffered: true })
          setTimeout(() => resolve(sum), 500)
        }),
    )
    // A dialect that changes would be a tenth, a font that takes the place of another a hundredth.
    expect(shift, address).toBeLessThan(0.005)
    await page.context().close()
  }
})

test('what is painted before all of a page is there stands at its place', async () => {
  const page = await open(guide)
  const places = () =>
    page.evaluate(() =>
      ['.aside-container', '.VPNavBarTitle span'].map(
        (name) => document.querySelector(name)?.getBoundingClientRect().x,
      ),
    )
  const before = await places()
  await page.evaluate(() => {
    // A slow page is painted without them. The outline comes before what it outlines.
    document.querySelector('.VPDoc .container > .content')?.remove()
    document.querySelector('.VPNavBarTitle .logo')?.removeAttribute('src')
  })
  expect(await places()).toEqual(before)
  expect(before).toEqual([expect.any(Number), expect.any(Number)])
  await page.context().close()
})

test('search opens with the keyboard and finds nonFilterArgumentKeys', async () => {
  const page = await open('/')
  const box = page.locator('.VPLocalSearchBox input')
  // On a busy machine the page may not listen yet.
  const openSearch = async (): Promise<boolean> => {
    if (!(await box.isVisible())) await page.keyboard.press('Control+k')
    return box.isVisible()
  }
  await expect.poll(openSearch).toBe(true)
  await box.fill('nonFilterArgumentKeys')
  const results = page.locator('.VPLocalSearchBox .result')
  await expect.poll(() => results.count()).toBeGreaterThan(1)
  const links = await results.evaluateAll((all) => all.map((each) => each.getAttribute('href') ?? ''))
  expect(links).toContainEqual(expect.stringMatching(/^\/reference\/.*nonFilterArgumentKeys$/))
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('h1').textContent()).not.toBe('')
  await page.context().close()
})

/** Scrolling hides the types that are shown, and is told of in the next frame, before what was asked for that frame. */
async function scrollTo(place: Locator): Promise<void> {
  await place.evaluate(async (each) => {
    each.scrollIntoView({ block: 'center', behavior: 'instant' })
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
  })
}

describe('the type of a name in code', () => {
  test.each([
    ['react', 'users', 'readonly User[]'],
    ['vue', 'users', 'Ref<readonly User[] | undefined'],
    ['svelte', 'users', 'DLE<readonly User[]>'],
    ['script', 'getSnapshot', 'Snapshot'],
  ])('is shown under the pointer: %s', async (framework, name, type) => {
    const page = await open(`/guides/reading?framework=${framework}`)
    const found = page.locator(`.dialect.${framework} [data-type]`, { hasText: new RegExp(`^\\s*${name}\\s*$`) })
    await scrollTo(found.first())
    await found.first().hover()
    const tip = page.getByRole('tooltip')
    await expect.poll(() => tip.textContent()).toContain(type)
    const { x = 0, width = 0 } = (await tip.boundingBox()) ?? {}
    expect(x + width).toBeLessThanOrEqual(desktop.width)
    await page.keyboard.press('Escape')
    expect(await tip.isHidden()).toBe(true)
    await page.context().close()
  })

  test('is shown by the keyboard, and on a phone within the screen', async () => {
    const page = await open('/start/react', { viewport: phone })
    const block = page.locator('.vp-doc pre', { hasText: 'useLoading' }).first()
    const tip = page.getByRole('tooltip')
    await scrollTo(block)
    await block.focus()
    // On a busy machine the page may still scroll, which hides it again.
    const show = async (): Promise<boolean> => {
      if (!(await tip.isVisible())) await page.keyboard.press('Enter')
      return tip.isVisible()
    }
    await expect.poll(show).toBe(true)
    const first = await tip.textContent()
    await page.keyboard.press('ArrowRight')
    expect(await tip.textContent()).not.toBe(first)
    const { x = -1, width = 999 } = (await tip.boundingBox()) ?? {}
    expect(x).toBeGreaterThanOrEqual(0)
    expect(x + width).toBeLessThanOrEqual(phone.width)
    await page.keyboard.press('Escape')
    expect(await tip.isHidden()).toBe(true)
    expect(await block.evaluate((each) => each === document.activeElement)).toBe(true)
    await page.context().close()
  })
})

test.each(['light', 'dark'] as const)('is readable in %s', async (colorScheme) => {
  for (const address of ['/', guide, '/reference/controller', '/errors/URL_PARAM']) {
    const page = await open(address, { colorScheme })
    expect(await page.locator('html').evaluate((html) => html.classList.contains('dark'))).toBe(colorScheme === 'dark')
    await page.evaluate(axe.source)
    const { violations } = await page.evaluate(() =>
      (globalThis as unknown as { axe: typeof axe }).axe.run({
        runOnly: ['color-contrast', 'label', 'link-name', 'button-name'],
      }),
    )
    const found = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
    expect([...new Set(found)], address).toEqual([])
    await page.context().close()
  }
})

test('no page is wider than a phone', async () => {
  const context = await browser.newContext({ viewport: phone })
  const page = await context.newPage()
  const wide: string[] = []
  for (const address of pageAddresses()) {
    await page.goto(site.url + address)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    if (width > phone.width) wide.push(`${address}: ${width}`)
  }
  expect(wide).toEqual([])
  await context.close()
})

// Last: all pages that were opened above.
test('nothing is reported in the console, and nothing is loaded from elsewhere', () => {
  expect(problems).toEqual([])
})
