import { describe, expect, test } from 'vitest'
import type { BoardPage } from './board-page.js'
import { openBoard } from './open-board.js'

let board: BoardPage
const site = openBoard((opened) => {
  board = opened
})

describe('one table', () => {
  test('shows every task of the server, in React as in Svelte', async () => {
    const [react, svelte] = await board.totals()
    expect(react).toBe(svelte)
    expect(react).toBeGreaterThanOrEqual(2_000)
  })

  test('the four panels agree on the chosen task', async () => {
    const id = await board.chooseFirst('doing')
    const { react = '' } = await board.titles(id)
    expect(react).not.toBe('')
    await board.allSay(id, react)
  })

  test('a project is one list of its own; the address keeps it', async () => {
    await board.goTo('Crew App', 540)
    await board.page.reload()
    await board.isReady()
    expect(await board.totals()).toEqual([540, 540])
  })

  test('a long column shows the cards where it is scrolled to', async () => {
    const scroller = board.page.locator('[data-column="todo"]')
    const last = (await board.counts()).todo ?? 0
    await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await board.page.locator(`[data-column="todo"] li[aria-posinset="${last}"]`).waitFor()
    expect(await board.page.locator('.card').count()).toBeLessThan(150)
  })
})

describe('a change in one panel shows in the others', () => {
  test('a rename on the board', async () => {
    const id = await board.chooseFirst('doing')
    await board.rename(id, 'Renamed by React')
    await board.allSay(id, 'Renamed by React')
    await expect.poll(() => board.latest()).toContain('Renamed by React')
  })

  test('a rename in the detail', async () => {
    const id = await board.chooseFirst('review')
    await board.field('title').fill('Renamed by Vue')
    await board.page.keyboard.press('Enter')
    await board.allSay(id, 'Renamed by Vue')
  })

  test('a new task on the board', async () => {
    const before = await board.counts()
    await board.page.getByRole('button', { name: 'New task in Review' }).click()
    await board.page.getByLabel('Title of the new task').fill('Made by React')
    await board.page.keyboard.press('Enter')
    await expect.poll(() => board.latest()).toContain('Made by React')
    await expect.poll(() => board.counts()).toEqual({ ...before, review: (before.review ?? 0) + 1 })
    await expect.poll(() => board.idOf(board.card('review'))).toBeGreaterThan(2_240)
  })

  test('a new task by the script', async () => {
    await board.switch('quick').fill('Made by a script')
    await board.page.keyboard.press('Enter')
    await expect.poll(() => board.card('todo').locator('.card-title').textContent()).toBe('Made by a script')
    await expect.poll(() => board.latest()).toContain('Made by a script')
  })

  test('a move with the keyboard, with the focus staying on the card', async () => {
    const id = await board.chooseFirst('doing')
    await board.card(id).locator('.card-open').focus()
    await board.page.keyboard.press('Shift+ArrowRight')
    await expect.poll(() => board.columnOf(id)).toBe('review')
    expect(await board.field('status').inputValue()).toBe('review')
    await expect.poll(() => board.page.locator('#activity .focus-line').textContent()).toContain('Review')
    await expect
      .poll(() => board.page.evaluate(() => document.activeElement?.closest('.card')?.getAttribute('data-task')))
      .toBe(`${id}`)
  })

  test('a move with the mouse, to a place between two others', async () => {
    const before = await board.counts()
    const id = await board.chooseFirst('todo')
    const target = board.page.locator('.column[data-status="done"] li[aria-posinset="3"] .card')
    await board.drag(board.card(id), target)
    await expect
      .poll(() =>
        board.page.locator(`.column[data-status="done"] li:has([data-task="${id}"])`).getAttribute('aria-posinset'),
      )
      .toBe('3')
    expect(await board.field('status').inputValue()).toBe('done')
    expect(await board.counts()).toEqual({ ...before, todo: (before.todo ?? 0) - 1, done: (before.done ?? 0) + 1 })
    await board.isQuiet()
    await board.page.reload()
    await board.isReady()
    expect(await board.columnOf(id)).toBe('done')
  })

  test('a task finished in the insights', async () => {
    const entry = board.page.locator('#insights .latest li:has(input:not(:checked))').first()
    const id = Number(await entry.getAttribute('data-task'))
    await entry.locator('button').click()
    await entry.locator('input').click()
    await expect.poll(() => board.field('status').inputValue()).toBe('done')
    await expect.poll(() => board.page.locator('#activity .focus-line').textContent()).toContain('Done')
    expect(id).toBeGreaterThan(0)
  })

  test('a deletion, and the task put back', async () => {
    const id = await board.chooseFirst('review')
    const { react: title = '' } = await board.titles(id)
    const before = await board.counts()
    await board.card(id).locator('.card-open').focus()
    await board.page.keyboard.press('Delete')
    await expect.poll(() => board.card(id).count()).toBe(0)
    await expect.poll(() => board.counts()).toEqual({ ...before, review: (before.review ?? 0) - 1 })
    await expect.poll(() => board.page.locator('#detail').textContent()).toContain('No task chosen')
    expect(await board.latest()).not.toContain(title)
    await board.page.getByRole('button', { name: 'Put back as a new task' }).click()
    await expect.poll(() => board.card('review').locator('.card-title').textContent()).toBe(title)
  })

  test('comments are added and deleted', async () => {
    await board.chooseFirst('doing')
    await board.page.getByPlaceholder('Add a comment').fill('Said by a test')
    await board.page.keyboard.press('Enter')
    const comment = board.page.locator('.comment:not(.is-new)', { hasText: 'Said by a test' })
    await comment.waitFor()
    await comment.hover()
    await comment.getByRole('button', { name: 'Delete the comment' }).click()
    await expect.poll(() => comment.count()).toBe(0)
  })

  test('another assignee and date show on the card', async () => {
    const id = await board.chooseFirst('doing')
    await board.field('assignee').selectOption({ label: 'Kenji Watanabe' })
    await board.field('due').fill('2031-05-06')
    await expect.poll(() => board.card(id).locator('.avatar').textContent()).toBe('KW')
    await expect.poll(() => board.card(id).locator('.due').textContent()).toBe('6 May')
  })

  test('changes of somebody else come with the next poll', async () => {
    const id = await board.chooseFirst('doing')
    const body = JSON.stringify({ title: 'Renamed elsewhere' })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${site.server.url}/api/tasks/${id}`, { method: 'PATCH', headers, body })
    expect(answer.status).toBe(200)
    await board.allSay(id, 'Renamed elsewhere')
  })

  test('another project: the task leaves one list and enters the other', async () => {
    await board.goTo('Crew App', 540)
    await board.goTo('Timetable Service', 480)
    const id = await board.chooseFirst('doing')
    await board.field('project').selectOption({ label: 'Crew App' })
    await expect.poll(() => board.totals()).toEqual([479, 479])
    expect(await board.card(id).count()).toBe(0)
    await board.goTo('Crew App', 541)
  })
})
