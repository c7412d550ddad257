import { describe, expect, test } from 'vitest'
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

/** What has the focus: its panel, its task if it belongs to one, and its name. */
const focused = (): Promise<string> =>
  board.page.evaluate(() => {
    const { activeElement: element } = document
    if (element === null || element === document.body) return 'nothing'
    const task = element.closest<HTMLElement>('[data-task]')?.dataset.task
    const name = element.getAttribute('aria-label') ?? element.textContent?.trim()
    return [element.closest('.panel, .notices')?.id, task, task && !element.ariaLabel ? '' : name]
      .filter(Boolean)
      .join(' ')
  })

const press = async (...keys: readonly string[]): Promise<void> => {
  for (const key of keys) await board.page.keyboard.press(key)
}

async function focusFirst(status: string): Promise<number> {
  const id = await board.idOf(board.card(status))
  await board.card(id).locator('.card-open').focus()
  return id
}

/** The task below the first of a column. */
const secondOf = (status: string): Promise<number> =>
  board.idOf(board.page.locator(`.column[data-status="${status}"] .card`).nth(1))

async function fail(): Promise<void> {
  await board.switch('fail').selectOption('503')
}

describe('the focus stays where the keyboard works', () => {
  test('after a move that the server refuses', async () => {
    await fail()
    const id = await focusFirst('doing')
    const next = await secondOf('doing')
    await press('Shift+ArrowRight')
    await board.notice.waitFor()
    expect(await board.columnOf(id)).toBe('doing')
    await expect.poll(focused).toBe(`board ${id}`)
    await press('ArrowDown')
    await expect.poll(focused).toBe(`board ${next}`)
  })

  test('after a deletion that the server refuses, and when that is tried again', async () => {
    await fail()
    const id = await focusFirst('doing')
    const next = await secondOf('doing')
    await press('Delete')
    await board.notice.waitFor()
    await expect.poll(focused).toBe(`board ${next}`)
    await board.switch('fail').selectOption('0')
    await board.card(next).locator('.card-open').focus()
    await board.notice.getByRole('button', { name: 'Try again' }).focus()
    await press('Enter')
    await expect.poll(() => board.card(id).count()).toBe(0)
    await expect.poll(focused).toBe(`board ${next}`)
  })

  test('after a notice is dismissed', async () => {
    await fail()
    const id = await focusFirst('doing')
    await press('Shift+ArrowRight')
    await board.notice.waitFor()
    await expect.poll(focused).toBe(`board ${id}`)
    await board.notice.getByRole('button', { name: 'Dismiss' }).focus()
    await press('Enter')
    await expect.poll(() => board.notice.count()).toBe(0)
    await expect.poll(focused).toBe(`board ${id}`)
  })

  test('after Escape in a new task: on the card or the button that has opened it', async () => {
    const id = await focusFirst('review')
    await press('n')
    await expect.poll(focused).toBe('board Title of the new task')
    await press('Escape')
    await expect.poll(focused).toBe(`board ${id}`)
    await board.page.getByRole('button', { name: 'New task in Review' }).focus()
    await press('Enter')
    await expect.poll(focused).toBe('board Title of the new task')
    await press('Escape')
    await expect.poll(focused).toBe('board New task in Review')
  })

  test('after a new task was added by its button', async () => {
    await focusFirst('review')
    await press('n')
    await expect.poll(focused).toBe('board Title of the new task')
    await board.page.keyboard.type('Made by keyboard')
    while ((await focused()) !== 'board Add task') await press('Tab')
    await press('Enter')
    await expect.poll(() => board.card('review').locator('.card-title').textContent()).toBe('Made by keyboard')
    // Its button is disabled by then; the keyboard came from there.
    await expect.poll(focused).toBe('board Project')
  })

  test('after a rename that is given up, and one that is saved', async () => {
    const id = await focusFirst('todo')
    for (const end of ['Escape', 'Enter']) {
      await press('F2')
      await expect.poll(focused).toBe(`board ${id} Title`)
      await press(end)
      await expect.poll(focused).toBe(`board ${id}`)
    }
  })

  test('when somebody else deletes the task that has it', async () => {
    const id = await focusFirst('done')
    const next = await secondOf('done')
    expect((await fetch(`${site.server.url}/api/tasks/${id}`, { method: 'DELETE' })).ok).toBe(true)
    await expect.poll(() => board.card(id).count()).toBe(0)
    await expect.poll(focused).toBe(`board ${next}`)
  })

  test('in the detail: the title after Enter and Escape, a comment that is sent, one that is deleted', async () => {
    await board.chooseFirst('doing')
    for (const end of ['Enter', 'Escape']) {
      await board.field('title').focus()
      await press(end)
      await expect.poll(focused).toBe('detail Title')
    }
    await board.page.getByPlaceholder('Add a comment').fill('Said by keyboard')
    await press('Tab', 'Enter')
    const comment = board.page.locator('.comment:not(.is-new)', { hasText: 'Said by keyboard' })
    await comment.waitFor()
    await expect.poll(focused).toBe('detail Comment')
    await comment.getByRole('button', { name: 'Delete the comment' }).focus()
    await press('Enter')
    await expect.poll(() => comment.count()).toBe(0)
    await expect.poll(focused).toBe('detail Comment')
  })

  test('in the insights: on the box of a task that moves in the list', async () => {
    const entry = board.page.locator('#insights .latest li:has(input:not(:checked))').last()
    const id = await entry.getAttribute('data-task')
    await entry.locator('input').focus()
    await press('Space')
    await expect.poll(() => board.page.locator('#insights .latest li').first().getAttribute('data-task')).toBe(id)
    await board.isQuiet()
    expect(await focused()).toMatch(new RegExp(`^insights ${id} Done`))
  })

  test('but whoever leaves an element of their own accord is left alone', async () => {
    const id = await focusFirst('doing')
    await board.page.locator('h1').click()
    await expect.poll(focused).toBe('nothing')
    expect((await fetch(`${site.server.url}/api/tasks/${id}`, { method: 'DELETE' })).ok).toBe(true)
    await expect.poll(() => board.card(id).count()).toBe(0)
    expect(await focused()).toBe('nothing')
  })
})
