import { describe, expect, test } from 'vitest'
import type { BoardPage } from './board-page.js'
import { openBoard } from './open-board.js'

const site = openBoard()

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }

/** A task of the second project that has comments, so that a picture shows some. */
const TALKED_ABOUT = '?project=2&task=1000'

describe('pictures', () => {
  test.each(['light', 'dark'] as const)('the desk, %s', async (colorScheme) => {
    const board = await site.open({ colorScheme })
    await board.page.goto(`${site.server.url}/${TALKED_ABOUT}`)
    await board.isReady()
    await board.field('title').waitFor()
    await board.rename(await board.idOf(board.card('doing')), 'Clean up the invoice numbers of group bookings')
    await board.isQuiet()
    await board.shoot(`desktop-${colorScheme}`)
    expect(await sidewaysScroll(board)).toBe(0)
    await board.close()
  })

  test('the toggle changes the colours, and a reload remembers', async () => {
    const board = await site.open({ colorScheme: 'light' })
    const background = (): Promise<string> =>
      board.page.evaluate(() => getComputedStyle(document.body.parentElement ?? document.body).backgroundColor)
    const light = await background()
    await board.page.locator('#theme').click()
    await board.page.locator('#theme').click()
    const dark = await background()
    expect(dark).not.toBe(light)
    await board.page.reload()
    await board.isReady()
    expect(await background()).toBe(dark)
    await board.close()
  })

  test('a phone: one panel at a time, nothing sticks out', async () => {
    const board = await site.open(phone)
    await board.shoot('phone-board')
    await board.card('todo').locator('.card-open').tap()
    await board.field('title').waitFor()
    expect(await board.page.locator('#board').isVisible()).toBe(false)
    await board.shoot('phone-task')
    for (const name of ['Insights', 'Activity']) {
      await board.page.locator('#tabs').getByRole('button', { name }).tap()
      await board.shoot(`phone-${name.toLowerCase()}`)
      expect(await sidewaysScroll(board)).toBe(0)
    }
    await board.close()
  })

  test('a tablet', async () => {
    const board = await site.open({ viewport: { width: 900, height: 1200 } })
    await board.shoot('tablet')
    expect(await sidewaysScroll(board)).toBe(0)
    await board.close()
  })

  test('nothing there', async () => {
    const board = await site.open()
    await board.page.getByLabel('Filter titles').fill('no title has these words')
    await expect.poll(() => board.page.locator('.card').count()).toBe(0)
    await board.shoot('empty')
    await board.close()
  })

  test('still loading', async () => {
    const board = await site.open()
    await board.page.route('**/api/**', () => {})
    await board.page.goto(`${site.server.url}/?task=5`)
    await board.page.locator('#board .skeleton').first().waitFor()
    await board.page.locator('#detail .skeleton').first().waitFor()
    await board.page.locator('#insights .skeleton').first().waitFor()
    await board.shoot('loading')
    await board.close()
  })
})

describe('for everybody', () => {
  test('the keyboard reaches a card, opens it, renames it and moves on', async () => {
    const board = await site.open()
    const { page } = board
    await page.locator('.board-filter').focus()
    for (let presses = 0; presses < 8; presses++) {
      await page.keyboard.press('Tab')
      if (await page.evaluate(() => document.activeElement?.matches('.card-open'))) break
    }
    const first = await focusedTask(board)
    expect(first).toBe(await board.card('todo').getAttribute('data-task'))
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => focusedTask(board)).not.toBe(first)
    await page.keyboard.press('ArrowRight')
    await expect.poll(async () => board.columnOf(Number(await focusedTask(board)))).toBe('doing')
    const second = Number(await focusedTask(board))
    await page.keyboard.press('Enter')
    await board.field('title').waitFor()
    expect(await board.field('title').inputValue()).toBe(await board.card(second).locator('.card-title').textContent())
    await page.keyboard.press('F2')
    await page.keyboard.type('By hand')
    await page.keyboard.press('Enter')
    await board.allSay(second, 'By hand')
    await expect.poll(() => focusedTask(board)).toBe(String(second))
    await board.close()
  })

  test('every button and field has a name', async () => {
    const board = await site.open()
    await board.chooseFirst('doing')
    const nameless = await board.page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('button, input, select, textarea')]
        .filter((control) => {
          const label =
            control.closest('label')?.textContent ?? control.getAttribute('aria-label') ?? control.textContent
          return !label?.trim()
        })
        .map((control) => control.outerHTML),
    )
    expect(nameless).toEqual([])
    await board.close()
  })
})

describe('2,000 tasks', () => {
  test('render no more than the visible cards: when they appear, are filtered, renamed and scrolled', async () => {
    const board = await site.open()
    const cards = board.page.locator('.card')
    expect(await cards.count()).toBeLessThan(100)
    await board.page.evaluate(() => {
      const work = { cards: 0, columns: 0 }
      Object.assign(window, { work })
      const count = (node: Node, selector: string): number =>
        node instanceof Element && node.matches(selector) ? 1 : 0
      new MutationObserver((changes) => {
        for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
          work.cards += node instanceof Element ? node.querySelectorAll('.card').length + count(node, '.card') : 0
          work.columns += count(node, '.column')
        }
      }).observe(document, { childList: true, subtree: true })
    })
    await board.rename(await board.idOf(board.card('doing')), 'Quick')
    await expect.poll(() => board.latest()).toContain('Quick')
    await board.isQuiet()
    expect(await takeWork(board)).toEqual({ cards: 0, columns: 0 })
    for (const letter of 'refund') {
      await board.page.getByLabel('Filter titles').press(letter)
      expect((await takeWork(board)).cards).toBeLessThan(100)
    }
    await board.page.getByLabel('Filter titles').fill('')
    const column = board.page.locator('[data-column="todo"]')
    const last = column.locator(`li[aria-posinset="${(await board.counts()).todo}"]`)
    // The column grows after the filter is cleared: its end may be further down at the next look.
    await expect
      .poll(async () => {
        await column.evaluate((element) => element.scrollTo(0, element.scrollHeight))
        return last.count()
      })
      .toBe(1)
    expect((await takeWork(board)).cards).toBeLessThan(200)
    expect(await cards.count()).toBeLessThan(150)
    await board.close()
  })
})

/** The number of elements that were added since the last call. */
function takeWork(board: BoardPage): Promise<{ cards: number; columns: number }> {
  return board.page.evaluate(() => {
    const { work } = window as unknown as { work: { cards: number; columns: number } }
    const taken = { ...work }
    Object.assign(work, { cards: 0, columns: 0 })
    return taken
  })
}

function focusedTask({ page }: BoardPage): Promise<string | null | undefined> {
  return page.evaluate(() => document.activeElement?.closest('.card')?.getAttribute('data-task'))
}

function sidewaysScroll({ page }: BoardPage): Promise<number> {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth))
}
