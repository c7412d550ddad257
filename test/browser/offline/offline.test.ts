import { mkdtempSync, readlinkSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BrowserContext, chromium } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Site, serveSite } from '../../../benchmarks/browser/serve.js'
import { findChromium } from '../../../scripts/chromium.mjs'
import { TaskServer } from '../../core/offline/todo-server.js'
import { HANGS } from '../../hangs.js'
import { eventually } from '../adapters/eventually.js'
import type { OfflinePage } from './pages/main.js'

let site: Site
let tasks: TaskServer
let http: Server
let api = ''
let profile = ''
/** The bodies of forms that were sent. */
let forms: string[] = []
const started: BrowserContext[] = []

beforeAll(async () => {
  site = await serveSite(fileURLToPath(new URL('./pages/', import.meta.url)))
})
afterAll(() => site?.close())

beforeEach(async () => {
  tasks = new TaskServer()
  forms = []
  profile = mkdtempSync(join(tmpdir(), 'roundtable-profile-'))
  http = createServer(async (request, response) => {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', '*')
    response.setHeader('access-control-allow-methods', '*')
    if (request.method === 'OPTIONS') {
      response.end()
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const isForm = request.headers['content-type']?.startsWith('multipart/') === true
    if (isForm) forms.push(text)
    const { method = 'GET', url = '/' } = request
    const init = { method, headers: request.headers as HeadersInit, body: isForm || text === '' ? null : text }
    const answer = await tasks.transport(`http://localhost${url}`, init, undefined as never)
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(await answer.text())
  })
  await new Promise<void>((resolve) => http.listen(0, 'localhost', resolve))
  api = `http://localhost:${(http.address() as { readonly port: number }).port}`
})

afterEach(async () => {
  for (const context of started.splice(0)) await context.close()
  http.closeAllConnections()
  http.close()
  rmSync(profile, { recursive: true, force: true, maxRetries: 10 })
})

/** Ends a browser as a loss of power would: with all of its processes, at once. */
function kill(): void {
  // Chromium notes whose profile it is: the machine, and the process, which leads the group of all others.
  const pid = /\d+$/.exec(lockOf(profile) ?? '')?.[0]
  if (pid !== undefined) process.kill(-Number(pid), 'SIGKILL')
}

function lockOf(folder: string): string | undefined {
  try {
    return readlinkSync(join(folder, 'SingletonLock'))
  } catch {
    // It has ended by itself.
    return undefined
  }
}

/** Starts the browser of a user, with what is on the disk, and opens the page. */
async function start(before: () => void = () => {}) {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error('No Chromium found. Install one, or set CHROMIUM_PATH.')
  const args = ['--no-sandbox', '--disable-gpu']
  const context = await chromium.launchPersistentContext(profile, { executablePath, args, timeout: HANGS })
  context.setDefaultTimeout(HANGS)
  started.push(context)
  const tab = await context.newPage()
  await tab.addInitScript(before)
  await tab.goto(`${site.url}/?api=${encodeURIComponent(api)}`)
  await tab.waitForFunction(() => 'page' in window)
  return {
    tab,
    async kill() {
      const closed = new Promise((resolve) => context.once('close', resolve))
      kill()
      await closed
    },
    /** Calls a function of the page. */
    call: <Name extends keyof OfflinePage>(name: Name, ...args: readonly unknown[]) =>
      tab.evaluate(
        ([of, given]) => {
          const { page } = window as unknown as { readonly page: Record<string, unknown> }
          const member = page[of as string]
          return typeof member === 'function' ? member(...(given as [])) : member
        },
        [name, args] as const,
      ),
  }
}

test('a browser that was killed shows its rows at the next start, without a request', async () => {
  for (const title of ['a', 'b']) tasks.add(title)
  const first = await start()
  await first.call('load')
  await first.call('flush')
  const { length } = tasks.reached
  await first.kill()
  const second = await start()
  expect(await second.call('titles')).toEqual(['a', 'b'])
  expect(tasks.reached).toHaveLength(length)
  expect(await second.call('reported')).toEqual([])
})

test('a browser that is killed while the answer to a request is on its way sends it again with the same key: it is applied once', async () => {
  tasks.beforeAnswer = () => new Promise(() => {})
  const first = await start()
  await first.call('create', 'Milk')
  await eventually(() => tasks.applied.length, 1)
  await first.kill()
  tasks.beforeAnswer = () => {}
  const second = await start()
  await eventually(() => second.call('waiting'), [])
  expect(tasks.applied).toEqual(['POST /tasks {"title":"Milk"}'])
  const keys = tasks.reached.filter(({ line }) => line.startsWith('POST')).map(({ key }) => key)
  expect(keys).toEqual([keys[0], keys[0]])
})

test('what was created and edited without a server shows after the browser was killed, and is sent', async () => {
  tasks.add('a')
  const first = await start()
  await first.call('load')
  tasks.refuse = () => 503
  await first.call('create', 'Milk')
  await first.call('edit', 1, 'A')
  await eventually(() => tasks.reached.filter(({ line }) => !line.startsWith('GET')).length, 2)
  await first.kill()
  const second = await start()
  expect(await second.call('titles')).toEqual(['A', 'Milk'])
  tasks.refuse = () => undefined
  await eventually(() => second.call('waiting'), [])
  expect([...tasks.applied].sort()).toEqual(['PATCH /tasks/1 {"title":"A"}', 'POST /tasks {"title":"Milk"}'])
  expect(await second.call('titles')).toEqual(['A', 'Milk'])
})

test('a file that was chosen without a server arrives after the browser was killed', async () => {
  tasks.refuse = () => 503
  const first = await start()
  await first.call('send', 'milk.png', 'pixels')
  await eventually(() => forms.length, 1)
  await first.kill()
  const second = await start()
  tasks.refuse = () => undefined
  await eventually(() => second.call('waiting'), [])
  expect(forms.at(-1)).toContain('filename="milk.png"')
  expect(forms.at(-1)).toContain('pixels')
})

test('a damaged record costs itself only', async () => {
  for (const title of ['a', 'b']) tasks.add(title)
  const first = await start()
  await first.call('load')
  await first.call('flush')
  await first.tab.evaluate(
    () =>
      new Promise((resolve) => {
        indexedDB.open('tasks').onsuccess = ({ target }) => {
          const transaction = (target as IDBOpenDBRequest).result.transaction('records', 'readwrite')
          transaction.objectStore('records').add('[1,"",0,')
          transaction.oncomplete = resolve
        }
      }),
  )
  await first.tab.reload()
  await first.tab.waitForFunction(() => 'page' in window)
  expect(await first.call('titles')).toEqual(['a', 'b'])
  expect(await first.call('reported')).toEqual([expect.stringContaining('damaged record')])
})

test('a browser that refuses the database has an application that works as without', async () => {
  tasks.add('a')
  const { call } = await start(() => {
    Object.defineProperty(IDBFactory.prototype, 'open', {
      value() {
        throw new DOMException('refused', 'SecurityError')
      },
    })
  })
  expect(await call('load')).toBe(1)
  await call('create', 'Milk')
  await eventually(() => tasks.applied.length, 1)
  await eventually(() => call('titles'), ['a', 'Milk'])
  expect((await call('reported')) as readonly string[]).toEqual([
    expect.stringContaining('could not be read'),
    expect.stringContaining('could not be written'),
  ])
})
