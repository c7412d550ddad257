import { type Browser, chromium, type Page } from 'playwright-core'
import type { TestServer } from './server.js'

/** What an application has shown. */
export interface Findings {
  /** A message comes while the list is fetched: the title that the row has in the end. */
  readonly 'message during a slow fetch': string
  /** The connection breaks off for 2 s, and the server forgets what happens meanwhile: the row, 12 s later. */
  readonly 'cut of 2 s': string
  /** How often the list was rendered for 100 messages, one every 2 ms. */
  readonly 'renders for 100 messages': number
  /** An edit is shown at once; somebody else's change of another field comes before its answer, and so does its echo. */
  readonly 'edit and echo': string
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Checks an application; each check has a server of its own. */
export async function runChecks(executablePath: string, serve: () => TestServer): Promise<Findings> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    return {
      'message during a slow fetch': await withPage(browser, serve, { listTakes: 1_000 }, duringFetch),
      'cut of 2 s': await withPage(browser, serve, {}, afterCut),
      'renders for 100 messages': await withPage(browser, serve, {}, oneByOne),
      'edit and echo': await withPage(browser, serve, { changeTakes: 600 }, echoed),
    }
  } finally {
    await browser.close()
  }
}

type Check<Result> = (page: Page, server: TestServer) => Promise<Result>

async function withPage<Result>(
  browser: Browser,
  serve: () => TestServer,
  settings: Partial<Pick<TestServer, 'listTakes' | 'changeTakes'>>,
  check: Check<Result>,
): Promise<Result> {
  const server = Object.assign(serve(), settings)
  const page = await (await browser.newContext()).newPage()
  page.on('pageerror', (error) => console.error(error))
  // A development server on a busy machine.
  page.setDefaultTimeout(120_000)
  try {
    await page.goto(await server.listen())
    return await check(page, server)
  } finally {
    await page.context().close()
    server.close()
  }
}

const titleOf = async (page: Page, id: number): Promise<string> =>
  (await page.locator('li').count()) < id
    ? 'nothing'
    : page
        .locator('li')
        .nth(id - 1)
        .innerText()

async function until(is: () => boolean | Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < 20_000 && !(await is()); waited += 20) await pause(20)
}

async function isReady(page: Page, server: TestServer): Promise<void> {
  await page.locator('li').first().waitFor()
  await until(() => server.isStreaming)
  await pause(500)
}

async function duringFetch(page: Page, server: TestServer): Promise<string> {
  await until(() => server.lists > 0)
  await pause(400)
  server.change({ id: 2, title: 'changed meanwhile' })
  await until(async () => (await page.locator('li').count()) > 1)
  await pause(4_000)
  const title = await titleOf(page, 2)
  return title === 'changed meanwhile' ? 'shown' : `not shown: ${title}`
}

async function afterCut(page: Page, server: TestServer): Promise<string> {
  await isReady(page, server)
  const cut = server.cut(2_000)
  await pause(1_000)
  server.change({ id: 1, title: 'changed during the cut' })
  await cut
  await pause(12_000)
  const title = await titleOf(page, 1)
  server.change({ id: 4, title: 'changed afterwards' })
  await pause(1_000)
  const isConnected = (await titleOf(page, 4)) === 'changed afterwards'
  return `${title === 'changed during the cut' ? 'shown' : 'not shown'}, ${isConnected ? 'connected' : 'not connected'} again`
}

async function oneByOne(page: Page, server: TestServer): Promise<number> {
  await isReady(page, server)
  const before = await page.evaluate(() => window.app.renders)
  for (let id = 1; id <= 100; id++) {
    server.change({ id, title: `new ${id}` })
    await pause(2)
  }
  await until(async () => (await titleOf(page, 100)) === 'new 100')
  await pause(500)
  return (await page.evaluate(() => window.app.renders)) - before
}

async function echoed(page: Page, server: TestServer): Promise<string> {
  await isReady(page, server)
  await page.evaluate(() => {
    const row = document.querySelectorAll('li')[2] as HTMLElement
    const seen = [row.textContent]
    Object.assign(window, { seen })
    new MutationObserver(() => {
      if (row.textContent !== seen.at(-1)) seen.push(row.textContent)
    }).observe(row, { characterData: true, childList: true, subtree: true })
    window.app.edit('mine')
  })
  await pause(300)
  server.change({ id: 3, done: true })
  await pause(2_000)
  return (await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).join(' → ')
}
