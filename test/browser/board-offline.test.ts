import { beforeEach, describe, expect, test } from 'vitest'
import { HANGS } from '../hangs.js'
import type { BoardPage } from './board-page.js'
import { openBoard } from './open-board.js'

let board: BoardPage
const site = openBoard(
  (opened) => {
    board = opened
    board.page.setDefaultTimeout(HANGS)
  },
  // The browser itself reports responses of 409; nothing else may be in the console.
  /^Failed to load resource/,
)

/** Lets the page keep what it reads and what is changed. */
async function keep(): Promise<void> {
  await board.page.getByRole('button', { name: 'Work offline' }).click()
  await board.page.locator('#device [role="switch"]').waitFor()
  await board.isReady()
}

const toggle = () => board.page.getByRole('switch', { name: 'Offline' })
const summary = () => board.page.locator('.device-summary')
const entries = () => board.page.locator('.device-list li')
const mark = (title: string) => cardOf(title).locator('.mark')
const cardOf = (title: string) => board.page.locator('.card', { hasText: title })

/** Adds a task to a column with the field at its head. */
async function add(column: string, title: string): Promise<void> {
  await board.page.getByRole('button', { name: `New task in ${column}` }).click()
  await board.page.getByLabel('Title of the new task').fill(title)
  await board.page.keyboard.press('Enter')
  await board.page.keyboard.press('Escape')
  await cardOf(title).waitFor()
}

/** The titles that the server has for a text. */
async function onServer(words: string): Promise<unknown[]> {
  const answer = await fetch(`${site.server.url}/api/tasks?q=${encodeURIComponent(words)}`)
  const tasks = (await answer.json()) as { title: string; status: string }[]
  return tasks.map(({ title, status }) => `${title}: ${status}`)
}

/** What the columns show, with the marks. */
const picture = () =>
  board.page.locator('.column').evaluateAll((columns) =>
    columns.map((column) =>
      [...column.querySelectorAll('.card')].slice(0, 6).map((card) => {
        const title = card.querySelector('.card-title')?.textContent
        return `${title} ${card.querySelector('.mark')?.textContent ?? ''}`
      }),
    ),
  )

/** Creates a task offline, renames and moves it, and renames one that the server has. */
async function workOffline(): Promise<void> {
  await toggle().click()
  await add('To do', 'Made in a tunnel')
  await cardOf('Made in a tunnel').locator('.card-open').focus()
  await board.page.keyboard.press('F2')
  await board.page.locator('.rename').fill('Made and named in a tunnel')
  await board.page.keyboard.press('Enter')
  await mark('Made and named in a tunnel').waitFor()
  await cardOf('Made and named in a tunnel').getByRole('button', { name: 'Move to In progress' }).click()
  await board.page.locator('.column[data-status="doing"] .card', { hasText: 'Made and named' }).waitFor()
  const id = await board.idOf(board.card('review'))
  await board.rename(id, 'Other words from a tunnel')
  await mark('Other words from a tunnel').waitFor()
}

describe('the switch takes the network away', () => {
  beforeEach(keep)

  test('what is made, renamed and moved meanwhile is marked, also after a reload, and reaches the server once', async () => {
    await workOffline()
    await expect.poll(() => summary().textContent()).toContain('4 changes wait')
    await board.shoot('offline')
    const before = await picture()
    expect(before.flat().filter((text) => text.includes('Waits'))).toHaveLength(2)
    await board.page.reload()
    await board.card('todo').waitFor()
    await expect.poll(picture).toEqual(before)
    expect(await onServer('tunnel')).toEqual([])

    await toggle().click()
    await expect.poll(() => summary().textContent()).toContain('Nothing waits')
    expect(await board.page.locator('.mark').count()).toBe(0)
    expect((await onServer('tunnel')).sort()).toEqual([
      'Made and named in a tunnel: doing',
      'Other words from a tunnel: review',
    ])
    await board.isReady()
    await board.page.reload()
    await board.isReady()
    await expect.poll(picture).toEqual(before.map((column) => column.map((text) => text.replace(/Waits$/, ''))))
  })

  test('a new task can be opened at once, and goes on under its number when the server has given it one', async () => {
    await toggle().click()
    await add('To do', 'Opened before it was numbered')
    await cardOf('Opened before it was numbered').locator('.card-open').click()
    await expect.poll(() => board.field('title').inputValue()).toBe('Opened before it was numbered')
    expect(await board.page.locator('#detail .kbd').textContent()).toBe('new')
    await toggle().click()
    await expect.poll(() => board.page.locator('#detail .kbd').textContent()).toMatch(/^#\d+$/)
    expect(board.page.url()).toMatch(/[?&]task=\d+$/)
    expect(await board.page.locator('.card[aria-current="true"]').textContent()).toContain('Opened before')
  })

  test('a change is given up in the list: the board shows what was before', async () => {
    const id = await board.idOf(board.card('review'))
    const title = await board.card(id).locator('.card-title').textContent()
    await toggle().click()
    await board.rename(id, 'Never to be sent')
    await mark('Never to be sent').waitFor()
    await summary().click()
    expect(await entries().allTextContents()).toEqual([expect.stringMatching(/^Waits.*Rename.*Never to be sent/)])
    await entries().getByRole('button', { name: 'Discard' }).click()
    await expect.poll(() => board.card(id).locator('.card-title').textContent()).toBe(title)
    await expect.poll(() => summary().textContent()).toContain('Nothing waits')
    expect(await board.notice.count()).toBe(0)
    await toggle().click()
    await board.isReady()
    expect(await onServer('Never to be sent')).toEqual([])
  })

  test('all of it works with the keyboard, and the focus stays in the list', async () => {
    await toggle().focus()
    await board.page.keyboard.press('Space')
    expect(await toggle().getAttribute('aria-checked')).toBe('true')
    await add('Review', 'First of two')
    await add('Review', 'Second of two')
    await summary().focus()
    await board.page.keyboard.press('Enter')
    await board.page.keyboard.press('Tab')
    await board.page.keyboard.press('Tab')
    await board.page.keyboard.press('Tab')
    const focused = () => board.page.evaluate(() => document.activeElement?.closest('li')?.textContent ?? '')
    expect(await focused()).toContain('First of two')
    await board.page.keyboard.press('Enter')
    await expect.poll(focused).toContain('Second of two')
    await board.page.keyboard.press('Enter')
    await expect.poll(() => summary().textContent()).toContain('Nothing waits')
    expect(await board.page.evaluate(() => document.activeElement === document.body)).toBe(false)
  })

  test('many changes show how many of them are sent', async () => {
    await toggle().click()
    await board.page.getByRole('button', { name: 'New task in To do' }).click()
    for (let number = 1; number <= 12; number++) {
      await board.page.getByLabel('Title of the new task').fill(`Of a dozen ${number}`)
      await board.page.keyboard.press('Enter')
    }
    await expect.poll(() => summary().textContent()).toContain('12 changes wait')
    await board.switch('delay').selectOption('400')
    await toggle().click()
    await expect.poll(() => summary().textContent()).toMatch(/Sending ([3-9]|1\d) of 12/)
    expect(await board.page.getByRole('progressbar').getAttribute('max')).toBe('12')
    await expect.poll(() => summary().textContent(), { timeout: HANGS }).toContain('Nothing waits')
    expect(await onServer('Of a dozen')).toHaveLength(12)
  })

  test('a request whose answer is lost with the network is sent again, and applied once', async () => {
    await board.page.route('**/api/tasks', (route) => route.continue({ url: `${route.request().url()}?late=10000` }))
    await add('Review', 'Answered too late')
    await expect.poll(() => onServer('Answered too late')).toHaveLength(1)
    await toggle().click()
    await board.page.unroute('**/api/tasks')
    await expect.poll(() => summary().textContent()).toContain('1 change waits')
    await toggle().click()
    await expect.poll(() => summary().textContent()).toContain('Nothing waits')
    expect(await onServer('Answered too late')).toHaveLength(1)
    expect(await cardOf('Answered too late').count()).toBe(1)
  })
})

describe('a change that the server refuses', () => {
  test('is kept with its text and the reason, also over a reload, until it is sent again', async () => {
    await keep()
    await board.switch('fail').selectOption('409')
    const id = await board.idOf(board.card('review'))
    const title = await board.card(id).locator('.card-title').textContent()
    await board.rename(id, 'Refused words')
    await board.notice.waitFor()
    await expect.poll(() => board.card(id).locator('.mark').textContent()).toBe('Refused')
    expect(await board.card(id).locator('.card-title').textContent()).toBe(title)
    await board.notice.getByRole('button', { name: 'Show it' }).click()
    expect(await entries().allTextContents()).toEqual([expect.stringMatching(/^Refused.*Refused words.*409/)])
    await board.shoot('refused')
    await board.page.reload()
    await board.isReady()
    await summary().click()
    expect(await entries().allTextContents()).toEqual([expect.stringMatching(/^Refused.*Refused words.*409/)])
    await entries().getByRole('button', { name: 'Send again' }).click()
    await expect.poll(() => onServer('Refused words')).toHaveLength(1)
    await expect.poll(() => board.card(id).locator('.card-title').textContent()).toBe('Refused words')
    expect(await entries().count()).toBe(0)
  })

  test('keeps its text on a page without a log too when its notice is dismissed', async () => {
    await board.switch('fail').selectOption('503')
    const id = await board.idOf(board.card('review'))
    await board.rename(id, 'Written only once')
    await board.notice.getByRole('button', { name: 'Dismiss' }).click()
    await expect.poll(() => summary().textContent()).toContain('1 change refused')
    await summary().click()
    expect(await entries().allTextContents()).toEqual([expect.stringMatching(/Written only once.*503/)])
    await board.switch('fail').selectOption('0')
    await entries().getByRole('button', { name: 'Send again' }).click()
    await expect.poll(() => board.card(id).locator('.card-title').textContent()).toBe('Written only once')
    await expect.poll(() => board.page.locator('.device-row').count()).toBe(0)
  })

  test('keeps its text when newer notices push its own out', async () => {
    await board.switch('fail').selectOption('503')
    for (const title of ['Pushed out', 'Second', 'Third', 'Fourth']) {
      await board.page.getByLabel('Quick task').fill(title)
      await board.page.keyboard.press('Enter')
      await board.notice.filter({ hasText: title }).waitFor()
    }
    expect(await board.notice.count()).toBe(3)
    await expect.poll(() => summary().textContent()).toContain('1 change refused')
    await summary().click()
    expect(await entries().allTextContents()).toEqual([expect.stringContaining('Pushed out')])
    await entries().getByRole('button', { name: 'Discard' }).click()
    await expect.poll(() => entries().count()).toBe(0)
  })
})

describe('the devtools', () => {
  const panel = () => board.page.locator('roundtable-devtools')

  test('have no tab for the outbox of a page that keeps nothing', async () => {
    await board.page.locator('#why').click()
    await panel().getByRole('tab', { name: 'Readers' }).waitFor()
    expect(await panel().getByRole('tab', { name: 'Outbox' }).count()).toBe(0)
  })

  test('show what waits, and give it up or send it again by keyboard', async () => {
    await keep()
    await board.switch('fail').selectOption('409')
    const id = await board.idOf(board.card('review'))
    await board.rename(id, 'Seen in the tools')
    await expect.poll(() => board.card(id).locator('.mark').textContent()).toBe('Refused')
    await board.page.locator('#why').focus()
    await board.page.keyboard.press('Enter')
    await panel().getByRole('tab', { name: 'Timeline' }).focus()
    await board.page.keyboard.press('ArrowLeft')
    expect(await panel().getByRole('tab', { name: 'Outbox' }).getAttribute('aria-selected')).toBe('true')
    await panel().locator('.list').focus()
    await board.page.keyboard.press('End')
    const detail = panel().locator('.detail')
    await detail.getByRole('button', { name: 'Send again' }).waitFor()
    expect(await detail.textContent()).toMatch(/changeTask.*refused.*409.*Seen in the tools/)
    expect(await detail.getByRole('button', { name: `Task ${id}` }).count()).toBe(1)
    await board.shoot('devtools-outbox')
    await board.switch('fail').selectOption('0')
    await detail.getByRole('button', { name: 'Send again' }).focus()
    await board.page.keyboard.press('Enter')
    await expect.poll(() => onServer('Seen in the tools')).toHaveLength(1)
    await expect.poll(() => panel().locator('.list [role=option]:not([hidden])').count()).toBe(0)
  })
})

describe('two tabs beside each other', () => {
  test('share the log and the network: what one has made offline is in the other too, and is sent once', async () => {
    await keep()
    await board.page.getByRole('link', { name: 'Two tabs' }).click()
    const [first, second] = ['#first', '#second'].map((frame) => board.page.frameLocator(frame))
    if (first === undefined || second === undefined) throw new Error('There are two frames.')
    for (const tab of [first, second]) await tab.locator('.card').first().waitFor()
    await first.getByRole('switch', { name: 'Offline' }).click()
    await expect.poll(() => second.getByRole('switch', { name: 'Offline' }).getAttribute('aria-checked')).toBe('true')
    for (const [tab, title] of [
      [first, 'From the first tab'],
      [second, 'From the second tab'],
    ] as const) {
      await tab.getByRole('button', { name: 'New task in To do' }).click()
      await tab.getByLabel('Title of the new task').fill(title)
      await board.page.keyboard.press('Enter')
      await tab.locator('.card', { hasText: title }).locator('.mark').waitFor()
    }
    // Each shows what the other has made, though no request can be sent.
    await second.locator('.card', { hasText: 'From the first tab' }).locator('.mark').waitFor()
    await first.locator('.card', { hasText: 'From the second tab' }).locator('.mark').waitFor()
    await board.shoot('two-tabs')
    await second.getByRole('switch', { name: 'Offline' }).click()
    await expect.poll(() => onServer('From the')).toHaveLength(2)
    for (const tab of [first, second])
      await expect.poll(() => tab.locator('.device-summary').textContent()).toContain('Nothing waits')
    expect(await onServer('From the')).toHaveLength(2)
  })
})
