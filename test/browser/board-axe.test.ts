import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { BrowserContextOptions } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { BoardPage } from './board-page.js'
import { openBoard } from './open-board.js'

/** The part of axe's report that is read here. */
interface AxeResults {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
  }[]
  readonly passes: readonly object[]
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const site = openBoard()

/** A state of the page, and how it comes about. */
const states: Readonly<Record<string, (board: BoardPage) => Promise<unknown>>> = {
  'the board': (board) => board.isQuiet(),
  'a task with comments': async (board) => {
    await board.page.goto(`${site.server.url}/?project=2&task=1000`)
    await board.isReady()
    await board.page.locator('.comment').first().waitFor()
  },
  'a filter that finds some': async (board) => {
    await board.page.getByLabel('Filter titles').fill('refund')
    await expect.poll(() => board.page.locator('.count').allTextContents()).not.toContain('620')
  },
  'a filter that finds nothing': async (board) => {
    await board.page.getByLabel('Filter titles').fill('no title has these words')
    await expect.poll(() => board.page.locator('.card').count()).toBe(0)
  },
  'a new task that is being written': async (board) => {
    await board.page.getByRole('button', { name: 'New task in Review' }).click()
    await board.page.getByLabel('Title of the new task').waitFor()
  },
  'a change that was refused': async (board) => {
    await board.switch('fail').selectOption('503')
    await board.rename(await board.chooseFirst('doing'), 'It will not stay')
    await board.notice.waitFor()
  },
  'changes that wait offline, and one that was refused': async (board) => {
    await board.page.goto(`${site.server.url}/?log=device`)
    await board.isReady()
    await board.switch('fail').selectOption('409')
    await board.rename(await board.chooseFirst('doing'), 'It will not stay')
    await board.notice.waitFor()
    await board.page.getByRole('switch', { name: 'Offline' }).click()
    await board.rename(await board.idOf(board.card('review')), 'It waits')
    await board.page.locator('.device-summary').click()
    await board.page.locator('.device-list li').nth(1).waitFor()
  },
  'a task that is not there': async (board) => {
    await board.page.goto(`${site.server.url}/?task=999999`)
    await board.page.locator('#detail .state.is-failed').waitFor()
  },
  'reads that fail while there is data': async (board) => {
    await board.chooseFirst('doing')
    await board.switch('scope').selectOption('all')
    await board.switch('fail').selectOption('503')
    await board.page.getByRole('button', { name: 'Reload' }).click()
    await board.page.locator('#connection:not([hidden])').waitFor()
  },
  'no server': async (board) => {
    await board.page.route('**/api/**', (route) => route.abort('connectionrefused'))
    await board.page.goto(`${site.server.url}/?task=5`)
    for (const panel of ['board', 'detail', 'insights']) {
      await board.page.locator(`#${panel} .state.is-failed`).first().waitFor()
    }
  },
}

describe.each(['light', 'dark'] as const)('axe finds nothing, %s', (colorScheme) => {
  const look: BrowserContextOptions = { colorScheme, reducedMotion: 'reduce' }

  test.each(Object.entries(states))('%s', async (name, reach) => {
    const board = await site.open(look)
    await reach(board)
    await board.shoot(`axe-${colorScheme}-${name.replaceAll(' ', '-')}`)
    expect(await violations(board)).toEqual([])
    await board.close()
  })

  test('a phone, panel by panel', async () => {
    const viewport = { width: 390, height: 844 }
    const board = await site.open({ ...look, viewport, hasTouch: true, isMobile: true })
    expect(await violations(board)).toEqual([])
    await board.card('todo').locator('.card-open').tap()
    await board.field('title').waitFor()
    expect(await violations(board)).toEqual([])
    for (const name of ['Insights', 'Activity']) {
      await board.page.locator('#tabs').getByRole('button', { name }).tap()
      expect(await violations(board)).toEqual([])
    }
    await board.close()
  })
})

test('axe finds an error in a page that has one', async () => {
  const board = await site.open({ reducedMotion: 'reduce' })
  await board.page
    .locator('.column-head .count')
    .first()
    .evaluate((count) => {
      count.style.color = '#999'
    })
  expect(await violations(board)).toEqual([expect.stringMatching(/^color-contrast: <span class="count"/)])
  await board.close()
})

/** The findings of axe, each with the element and what to do. */
async function violations({ page }: BoardPage): Promise<string[]> {
  await page.evaluate(axe)
  const { violations, passes } = await page.evaluate(() =>
    (window as unknown as { axe: { run(root: Document): Promise<AxeResults> } }).axe.run(document),
  )
  expect(passes.length).toBeGreaterThan(20)
  const texts = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`))
  return texts.map((text) => text.replaceAll(/\s+/g, ' '))
}
