import type { Request } from 'playwright-core'
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
  // The browser reports connections that fail, the controller a stream that is refused; nothing else may be in the console.
  /^Failed to load resource|^LiveRefusedError/,
)

const toggle = () => board.page.getByRole('switch', { name: 'Live' })
const line = () => board.page.locator('.live-line')
const said = () => board.page.locator('.live-text')
const cards = (title: string) => board.page.locator('.card', { hasText: title })
const log = () => board.page.locator('#activity .log .what').allTextContents()
const marks = () => board.page.locator('.live-mark').allTextContents()

/** Waits until the panels of all three frameworks, and the script, tell the same of the stream. */
async function isConnected(status: string, word: string): Promise<void> {
  await expect.poll(() => line().getAttribute('data-connection'), { timeout: HANGS }).toBe(status)
  await expect.poll(marks).toEqual([word, word, word])
}

async function goLive(): Promise<void> {
  await toggle().click()
  await isConnected('open', 'Live')
}

/** What somebody else does. */
async function elsewhere(method: string, path: string, body?: unknown): Promise<{ readonly id: number }> {
  const answer = await fetch(`${site.server.url}/api/tasks${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return method === 'DELETE' ? { id: 0 } : ((await answer.json()) as { id: number })
}

const makeElsewhere = (title: string) =>
  elsewhere('POST', '', { projectId: 1, title, status: 'todo', position: -1_000 })

/** The requests for what has changed, from now on. */
function polls(): Request[] {
  const seen: Request[] = []
  board.page.on('request', (request) => {
    if (request.url().includes('/api/tasks/changes')) seen.push(request)
  })
  return seen
}

/** The most cards of a title that have been there at once, from now on. */
async function watchCards(title: string): Promise<() => Promise<number>> {
  await board.page.evaluate((words) => {
    const seen = { most: 0 }
    Object.assign(window, { seen })
    const count = (): void => {
      const titles = [...document.querySelectorAll('.card-title')]
      seen.most = Math.max(seen.most, titles.filter(({ textContent }) => textContent === words).length)
    }
    new MutationObserver(count).observe(document.body, { childList: true, subtree: true, characterData: true })
  }, title)
  return () => board.page.evaluate(() => (window as unknown as { seen: { most: number } }).seen.most)
}

describe('with the switch Live', () => {
  beforeEach(goLive)

  test('what others make, change and delete is on the screen without a request', async () => {
    await expect.poll(() => said().textContent()).toBe('The server tells what changes.')
    await board.isQuiet()
    const asked = polls()
    const { id } = await makeElsewhere('From elsewhere')
    await cards('From elsewhere').waitFor()
    await elsewhere('PATCH', `/${id}`, { title: 'Renamed elsewhere' })
    await cards('Renamed elsewhere').waitFor()
    await expect.poll(log).toContain('task.changed (1 in this frame) from tasks /tasks/events')
    await board.shoot('live')
    await elsewhere('DELETE', `/${id}`)
    await cards('Renamed elsewhere').waitFor({ state: 'detached' })
    expect(asked).toEqual([])
  })

  test('a task that is made here is one card, though its echo comes long before its answer', async () => {
    await board.page.route('**/api/tasks', (route) => route.continue({ url: `${route.request().url()}?late=3000` }))
    const most = await watchCards('Answered late')
    await board.page.getByLabel('Quick task').fill('Answered late')
    await board.page.keyboard.press('Enter')
    await cards('Answered late').waitFor()
    // By then its own echo has come too.
    await expect
      .poll(async () => ((await (await fetch(`${site.server.url}/api/tasks?q=Answered`)).json()) as unknown[]).length)
      .toBe(1)
    await makeElsewhere('After it')
    await cards('After it').waitFor()
    await expect.poll(() => cards('Answered late').getAttribute('data-task'), { timeout: HANGS }).toMatch(/^\d+$/)
    expect(await most()).toBe(1)
  })

  test('the panels tell that the server does not answer, it is asked meanwhile, and all goes on when it is back', async () => {
    const asked = polls()
    await site.server.kill()
    await isConnected('waiting', 'Waiting')
    await expect
      .poll(() => said().textContent())
      .toMatch(/^The connection was lost\. Attempt \d+ follows; asks every 10 s/)
    await board.shoot('live-waiting')
    await expect.poll(() => asked.length, { timeout: HANGS }).toBeGreaterThan(0)
    await site.server.restart()
    await makeElsewhere('Made while nobody listened')
    await isConnected('open', 'Live')
    await cards('Made while nobody listened').waitFor()
    await makeElsewhere('Made afterwards')
    await cards('Made afterwards').waitFor()
  })

  test('a server that refuses is not asked for a stream again, but for changes as ever', async () => {
    await board.page.route('**/api/tasks/events*', (route) => route.fulfill({ status: 403, body: '' }))
    await toggle().click()
    await expect.poll(() => line().getAttribute('data-connection')).toBe('off')
    // The stream outlives its last reader by five seconds.
    await board.page.reload()
    await board.isReady()
    const asked = polls()
    await toggle().click()
    await isConnected('refused', 'Refused')
    expect(await said().textContent()).toMatch(/^The server refuses the stream \(403\)\./)
    await makeElsewhere('Found by asking')
    await expect.poll(() => asked.length, { timeout: HANGS }).toBeGreaterThan(0)
    await cards('Found by asking').waitFor()
  })

  test('the switches of the server cut the stream, and it comes back when they are off', async () => {
    await board.switch('scope').selectOption('all')
    await board.switch('fail').selectOption('503')
    await isConnected('waiting', 'Waiting')
    await expect.poll(() => said().textContent(), { timeout: HANGS }).toMatch(/^The server answered 503\./)
    await makeElsewhere('Made while it failed')
    await board.switch('fail').selectOption('0')
    await isConnected('open', 'Live')
    await cards('Made while it failed').waitFor()
  })

  test('the devtools tell which messages led to a commit, and what a reconnection has fetched', async () => {
    await board.page.locator('#why').click()
    const panel = board.page.locator('roundtable-devtools')
    const row = (verb: string, words: string) =>
      panel.locator('.row:not([hidden])', { has: board.page.locator('.verb', { hasText: verb }), hasText: words })
    await makeElsewhere('Seen in the tools')
    await row('message', 'task.created').first().click()
    await expect.poll(() => panel.locator('.chain .plain').allInnerTexts()).toHaveLength(2)
    const [message, commit] = await panel.locator('.chain .plain').allInnerTexts()
    expect(message).toMatch(/message.*task\.created \(1 in this frame\) from tasks \/api\/tasks\/events/s)
    expect(commit).toMatch(/commit/)
    await board.switch('scope').selectOption('all')
    await board.switch('fail').selectOption('503')
    await row('connection', 'cut').first().waitFor()
    await site.server.kill()
    await site.server.restart()
    await board.switch('fail').selectOption('0')
    // A server that was started anew knows none of the events of the former one.
    await row('connection', 'open again after cut, may lack something').first().click()
    await expect
      .poll(() => panel.locator('.chain .plain').allInnerTexts())
      .toContainEqual(expect.stringMatching(/request.*GET \/api\/tasks\/changes/s))
    await board.shoot('live-devtools')
  })

  test('a reload goes on live', async () => {
    await board.page.reload()
    await board.isReady()
    await isConnected('open', 'Live')
    await makeElsewhere('After the reload')
    await cards('After the reload').waitFor()
  })
})

test('the switch works with the keyboard, and the polls are back when it is off', async () => {
  await toggle().focus()
  await board.page.keyboard.press('Space')
  await isConnected('open', 'Live')
  expect(await toggle().getAttribute('aria-checked')).toBe('true')
  await board.page.keyboard.press('Space')
  expect(await toggle().getAttribute('aria-checked')).toBe('false')
  const asked = polls()
  await makeElsewhere('Polled again')
  await expect.poll(() => asked.length, { timeout: HANGS }).toBeGreaterThan(0)
  await cards('Polled again').waitFor()
})

test('offline the stream waits; what the outbox sends then is one card, and what others made is there', async () => {
  await board.page.getByRole('button', { name: 'Work offline' }).click()
  const offline = () => board.page.getByRole('switch', { name: 'Offline' })
  await offline().waitFor()
  await board.isReady()
  await goLive()
  await offline().click()
  await isConnected('waiting', 'Waiting')
  await expect.poll(() => said().textContent()).toBe('Offline: connects when the network is back.')
  const most = await watchCards('Made offline')
  await board.page.getByLabel('Quick task').fill('Made offline')
  await board.page.keyboard.press('Enter')
  await cards('Made offline').locator('.mark').waitFor()
  await makeElsewhere('Made by others meanwhile')
  await board.shoot('live-offline')
  await offline().click()
  await isConnected('open', 'Live')
  await cards('Made by others meanwhile').waitFor()
  await expect.poll(() => cards('Made offline').getAttribute('data-task'), { timeout: HANGS }).toMatch(/^\d+$/)
  await makeElsewhere('The last one')
  await cards('The last one').waitFor()
  expect(await most()).toBe(1)
})

test('on a phone in the dark the activity panel has room for it', async () => {
  const phone = await site.open({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
  await phone.page.locator('.tab[data-tab="activity"]').click()
  await phone.page.getByRole('switch', { name: 'Live' }).click()
  await expect.poll(() => phone.page.locator('.live-line').getAttribute('data-connection')).toBe('open')
  await phone.shoot('live-phone')
  const overflow = await phone.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
  await phone.close()
})
