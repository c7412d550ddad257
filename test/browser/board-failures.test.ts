import { beforeEach, describe, expect, test } from 'vitest'
import type { BoardPage } from './board-page.js'
import { openBoard } from './open-board.js'

let board: BoardPage
const site = openBoard(
  (opened) => {
    board = opened
  },
  // The browser itself reports failed requests; nothing else may be in the console.
  /^Failed to load resource/,
)

/** The server's response when the fail switch is on. */
const REASON = 'Failed with 503, as ?fail=503 asked for.'

describe('with fail=503 a change shows at once and is reverted', () => {
  beforeEach(async () => {
    await board.switch('delay').selectOption('2000')
    await board.switch('fail').selectOption('503')
  })

  test('a rename, in all four panels, and retrying works', async () => {
    const id = await board.chooseFirst('doing')
    const { react: title = '' } = await board.titles(id)
    await board.rename(id, 'It will not stay')
    await board.allSay(id, 'It will not stay')
    await board.shoot('failing-before')
    await board.allSay(id, title)
    await board.notice.waitFor()
    expect(await board.notice.textContent()).toContain(REASON)
    await board.shoot('failing')
    await board.switch('fail').selectOption('0')
    await board.notice.getByRole('button', { name: 'Try again' }).click()
    await board.allSay(id, 'It will not stay')
    await board.isQuiet()
    await board.allSay(id, 'It will not stay')
    expect(await board.notice.count()).toBe(0)
  })

  test('a new task', async () => {
    const before = await board.counts()
    await board.page.getByRole('button', { name: 'New task in Review' }).click()
    await board.page.getByLabel('Title of the new task').fill('Never made')
    await board.page.keyboard.press('Enter')
    await expect.poll(() => board.card('review').textContent()).toContain('Never made')
    expect(await board.latest()).toContain('Never made')
    expect(await board.counts()).toEqual({ ...before, review: (before.review ?? 0) + 1 })
    await board.notice.waitFor()
    expect(await board.card('review').textContent()).not.toContain('Never made')
    expect(await board.latest()).not.toContain('Never made')
    expect(await board.counts()).toEqual(before)
  })

  test('a move', async () => {
    const before = await board.counts()
    const id = await board.chooseFirst('doing')
    await board.card(id).getByRole('button', { name: 'Move to Review' }).click()
    await expect.poll(() => board.columnOf(id)).toBe('review')
    expect(await board.field('status').inputValue()).toBe('review')
    await board.notice.waitFor()
    expect(await board.columnOf(id)).toBe('doing')
    expect(await board.field('status').inputValue()).toBe('doing')
    expect(await board.counts()).toEqual(before)
    expect(await board.page.locator('#activity .focus-line').textContent()).toContain('In progress')
  })

  test('a task finished in the insights', async () => {
    const entry = board.page.locator('#insights .latest li:has(input:not(:checked))').first()
    const id = await entry.getAttribute('data-task')
    const box = board.page.locator(`#insights .latest li[data-task="${id}"] input`)
    await box.click()
    await expect.poll(() => box.isChecked()).toBe(true)
    await board.notice.waitFor()
    expect(await box.isChecked()).toBe(false)
  })

  test('a deletion; the task stays chosen', async () => {
    const before = await board.counts()
    const id = await board.chooseFirst('review')
    const { react: title = '' } = await board.titles(id)
    await board.card(id).getByRole('button', { name: 'Delete' }).click()
    await expect.poll(() => board.card(id).count()).toBe(0)
    await board.notice.waitFor()
    await board.allSay(id, title)
    expect(await board.counts()).toEqual(before)
  })

  test('a comment', async () => {
    await board.chooseFirst('doing')
    await board.page.locator('.comments-head .label').waitFor()
    await board.page.getByPlaceholder('Add a comment').fill('Never said')
    await board.page.keyboard.press('Enter')
    await board.page.locator('.comment.is-new', { hasText: 'Never said' }).waitFor()
    await board.notice.waitFor()
    expect(await board.page.locator('.comment', { hasText: 'Never said' }).count()).toBe(0)
  })
})

describe('requests that the server refuses or cannot find', () => {
  test('an unknown task: the reason of the 404, and a way out', async () => {
    await board.page.goto(`${site.server.url}/?task=999999`)
    const state = board.page.locator('#detail .state.is-failed')
    await expect.poll(() => state.textContent()).toContain('There is no task 999999.')
    await board.shoot('not-found')
    await state.getByRole('button', { name: 'Close' }).click()
    await expect.poll(() => board.page.locator('#detail').textContent()).toContain('No task chosen')
  })

  test('reads that fail with 503 leave the page as it was, and show an error', async () => {
    const id = await board.chooseFirst('doing')
    const { react: title = '' } = await board.titles(id)
    await board.switch('scope').selectOption('all')
    await board.switch('fail').selectOption('503')
    await board.page.getByRole('button', { name: 'Reload' }).click()
    await board.page.locator('#connection:not([hidden])').waitFor()
    await board.allSay(id, title)
    await board.switch('fail').selectOption('0')
    await board.page.locator('#connection').getByRole('button', { name: 'Try again' }).click()
    await board.page.locator('#connection').waitFor({ state: 'hidden' })
  })
})

describe('the server goes away', () => {
  test('before the first load: each panel shows an error, and retrying works', async () => {
    await board.page.route('**/api/**', (route) => route.abort('connectionrefused'))
    await board.page.goto(`${site.server.url}/?task=5`)
    for (const panel of ['board', 'detail', 'insights']) {
      const state = board.page.locator(`#${panel} .state.is-failed`).first()
      await expect.poll(() => state.textContent()).toContain('The server cannot be reached')
    }
    await board.shoot('no-server')
    await board.page.unroute('**/api/**')
    // One press is for all panels.
    await board.page.locator('#board').getByRole('button', { name: 'Try again' }).click()
    await board.isReady()
    await board.field('title').waitFor()
  })

  test('later: the data stays; after a restart retrying works, and so does a reload', async () => {
    const id = await board.chooseFirst('doing')
    await board.rename(id, 'Written before the power cut')
    await board.isQuiet()
    await site.server.kill()

    await board.page.getByRole('button', { name: 'Reload' }).click()
    const banner = board.page.locator('#connection:not([hidden])')
    await expect.poll(() => banner.textContent()).toContain('The server cannot be reached')
    await board.allSay(id, 'Written before the power cut')
    await board.rename(id, 'Lost')
    await board.notice.waitFor()
    await board.allSay(id, 'Written before the power cut')
    await board.shoot('server-away')

    await site.server.restart()
    await banner.getByRole('button', { name: 'Try again' }).click()
    await board.page.locator('#connection').waitFor({ state: 'hidden' })
    await board.notice.getByRole('button', { name: 'Try again' }).click()
    await board.allSay(id, 'Lost')
    await board.isQuiet()
    await board.page.reload()
    await board.isReady()
    await board.allSay(id, 'Lost')
  })
})
