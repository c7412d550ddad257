import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BoardPage } from './board-page.js'
import { type BoardServer, startBoard } from './board-server.js'
import { startChromium } from './chromium.js'
import { type MainThread, watchMainThread } from './main-thread.js'
import { type Work, workOf } from './work.js'

/** As many tasks as the server is started with here. */
const TASKS = 50_000

/**
 * How often one function may be called while people do something: to look at each task calls one 50,000 times, to look
 * for a card in the longest column 21,600 times, which a move with the mouse does once. All else was 400 to 6,200
 * calls.
 */
const CALLS = TASKS / 2

/**
 * How often each task is looked at when other tasks are chosen: once for each of the four columns, and once for the
 * numbers.
 */
const WALKS = 5

/** How much of the document may change: a card for each task would be 50,000 elements. It was 14 to 282. */
const CHANGES = 1_000

let server: BoardServer
let browser: Browser
let board: BoardPage
const lines: string[] = []

beforeAll(async () => {
  server = await startBoard({ TASKS: `${TASKS}` })
  browser = await startChromium()
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  board = new BoardPage(await context.newPage())
  const start = performance.now()
  const since = (): string => `${Math.round(performance.now() - start)} ms`
  const load = await watchMainThread(browser, board.page, async () => {
    await board.page.goto(server.url)
    await board.card('todo').waitFor()
    lines.push(`the first cards after ${since()}`)
    await board.isReady()
    lines.push(`all tasks after ${since()}`)
  })
  lines.push(`which took ${Math.round(load.busy)} ms of processor time`)
  lines.push(lineOf('the first load', load))
})

afterAll(async () => {
  console.log(['With 50,000 tasks, where times are for people to read and decide nothing:', ...lines].join('\n'))
  await browser?.close()
  await server?.close()
})

interface Action {
  readonly name: string
  /** Leads to the state from which the action starts; not measured. */
  readonly before?: () => Promise<unknown>
  readonly run: () => Promise<unknown>
  /** How often other tasks are chosen: after each letter. Default: never, so no task is looked at that nobody sees. */
  readonly choices?: number
}

let moved = 0
const actions: readonly Action[] = [
  {
    name: 'show a project',
    before: () => board.goTo('All', TASKS),
    run: async () => board.goTo('Crew App', await countOf('projectId=3')),
    choices: 1,
  },
  {
    name: 'show all projects',
    before: async () => board.goTo('Crew App', await countOf('projectId=3')),
    run: () => board.goTo('All', TASKS),
    choices: 1,
  },
  { name: 'type a filter', before: () => filter(''), run: () => filter('refund'), choices: 'refund'.length + 1 },
  { name: 'clear the filter', before: () => filter('refund'), run: () => filter(''), choices: 1 },
  {
    name: 'move a card to the next column with the keyboard',
    before: focusFirst,
    run: async () => {
      await board.page.keyboard.press('Shift+ArrowRight')
      await expect.poll(() => board.columnOf(moved)).toBe('doing')
    },
  },
  {
    name: 'move a card down its column with the keyboard',
    before: focusFirst,
    run: async () => {
      await board.page.keyboard.press('Shift+ArrowDown')
      await expect.poll(() => placeOf(moved)).toBe('2')
    },
  },
  {
    name: 'move a card with the mouse',
    before: focusFirst,
    run: async () => {
      await board.drag(board.card(moved), board.page.locator('.column[data-status="done"] li[aria-posinset="3"] .card'))
      await expect.poll(() => board.columnOf(moved)).toBe('done')
    },
  },
  {
    name: 'rename a card',
    before: focusFirst,
    run: async () => {
      await board.rename(moved, `Renamed ${moved} ${performance.now()}`)
      await expect.poll(() => board.latest()).toContainEqual(expect.stringContaining(`Renamed ${moved}`))
    },
  },
  {
    name: 'delete a card',
    before: focusFirst,
    run: async () => {
      await board.page.keyboard.press('Delete')
      await expect.poll(() => board.card(moved).count()).toBe(0)
    },
  },
  {
    name: 'add a card',
    run: async () => {
      const title = `Added ${performance.now()}`
      await board.switch('quick').fill(title)
      await board.page.keyboard.press('Enter')
      await expect.poll(() => board.latest()).toContain(title)
    },
  },
  {
    name: 'scroll to the end of a column',
    run: async () => {
      const scroller = board.page.locator('[data-column="todo"]')
      for (const part of [0.2, 0.4, 0.6, 0.8, 1, 0]) {
        await scroller.evaluate((element, at) => element.scrollTo(0, element.scrollHeight * at), part)
        await settle()
      }
    },
  },
  {
    name: 'choose a task',
    run: async () => {
      await board.chooseFirst('review')
      await board.chooseFirst('doing')
    },
  },
  {
    name: 'a poll with the change of somebody else',
    before: focusFirst,
    run: async () => {
      const title = `Elsewhere ${moved} ${performance.now()}`
      const headers = { 'content-type': 'application/json' }
      await fetch(`${server.url}/api/tasks/${moved}`, { method: 'PATCH', headers, body: JSON.stringify({ title }) })
      await expect.poll(() => board.latest()).toContain(title)
    },
  },
]

test('the page has all 50,000 tasks', async () => {
  await expect.poll(() => board.totals()).toEqual([TASKS, TASKS])
})

test.each(actions)('with 50,000 tasks the page does little when people $name', async (action) => {
  const { name, before, run, choices = 0 } = action
  const act = async (): Promise<void> => {
    await run()
    await settle()
  }
  await before?.()
  await settle()
  const { most, changes } = await workOf(board.page, act)
  await before?.()
  await settle()
  lines.push(lineOf(name, await watchMainThread(browser, board.page, act), { most, changes }))
  expect(most).toBeLessThan(CALLS + choices * WALKS * TASKS)
  expect(changes).toBeLessThan(CHANGES)
})

test('nothing was reported in the console', () => {
  expect(board.errors).toEqual([])
})

function lineOf(name: string, { longestBusy, longest }: MainThread, work?: Pick<Work, 'most' | 'changes'>): string {
  const time = `${longestBusy.toFixed(1).padStart(6)} ms of processor time in the longest task, ${longest.toFixed(1)} ms in all`
  return `${name.padEnd(50)} ${time}${work ? `; ${work.most} calls of one function, ${work.changes} changes` : ''}`
}

async function countOf(query: string): Promise<number> {
  const response = await fetch(`${server.url}/api/tasks?limit=1&${query}`)
  return Number(response.headers.get('x-total-count'))
}

async function filter(words: string): Promise<void> {
  const field = board.page.getByLabel('Filter titles')
  await field.fill('')
  await field.pressSequentially(words, { delay: 40 })
  const wanted = await countOf(`q=${words}`)
  await expect.poll(async () => (await board.totals())[0]).toBe(wanted)
}

/** Gives the focus to the first card to do; it is the one that is moved next. */
async function focusFirst(): Promise<void> {
  await board.page.locator('[data-column="todo"]').evaluate((element) => element.scrollTo(0, 0))
  await settle()
  moved = await board.idOf(board.card('todo'))
  await board.card(moved).locator('.card-open').focus()
}

async function placeOf(id: number): Promise<string | null> {
  return board.page.locator(`li:has(.card[data-task="${id}"])`).getAttribute('aria-posinset')
}

/** Waits until the server has answered and the page has shown it. */
async function settle(): Promise<void> {
  await board.isQuiet()
  await board.page.waitForTimeout(250)
}
