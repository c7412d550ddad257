import { mkdtempSync, readlinkSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BrowserContext, type CDPSession, chromium } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { type Site, serveSite } from '../../../benchmarks/browser/serve.js'
import { findChromium } from '../../../scripts/chromium.mjs'
import { TaskServer } from '../../core/offline/todo-server.js'
import { HANGS } from '../../hangs.js'
import type { OfflinePage } from './pages/main.js'

/** A user's browser, and the server of its application. */
export interface Laptop {
  /** The server of this test. */
  readonly tasks: TaskServer
  /** The bodies of forms that were sent. */
  readonly forms: readonly string[]
  readonly origin: string
  /** Starts the browser with what is on the disk, and opens the page; `before` runs in each page before all else. */
  start(before?: () => void): ReturnType<typeof startBrowser>
}

let site: Site
let tasks: TaskServer
let http: Server
let api = ''
let profile = ''
let forms: string[] = []
const started: BrowserContext[] = []

/** Registers what starts and ends with each test. */
export function newLaptop(): Laptop {
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

  return {
    get tasks() {
      return tasks
    },
    get forms() {
      return forms
    },
    get origin() {
      return site.url
    },
    start: startBrowser,
  }
}

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

/** Opens a page of the application, for a user. */
async function openPage(context: BrowserContext, before: () => void, user: string) {
  const tab = await context.newPage()
  await tab.addInitScript(before)
  await tab.goto(`${site.url}/?api=${encodeURIComponent(api)}&user=${user}`)
  await tab.waitForFunction(() => 'page' in window)
  /** Stops the page while it is frozen. */
  let debug: CDPSession | undefined
  return {
    tab,
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
    /** Ends its process, as a crash does. */
    async crash() {
      const crashed = new Promise((resolve) => tab.once('crash', resolve))
      const session = await context.newCDPSession(tab)
      session.send('Page.crash').catch(() => {})
      await crashed
    },
    /**
     * Stops all that it does, or goes on. A page without a window is never hidden, so the browser freezes none: it is
     * told as a page is that will be, and its scripts are stopped by the debugger.
     */
    async freeze(isFrozen: boolean) {
      const tell = (type: string) => tab.evaluate((of) => void document.dispatchEvent(new Event(of)), type)
      if (!isFrozen) {
        await debug?.send('Debugger.resume')
        await debug?.detach()
        await tell('resume')
        return
      }
      await tell('freeze')
      debug = await context.newCDPSession(tab)
      await debug.send('Debugger.enable')
      const session = debug
      const stopped = new Promise((resolve) => session.once('Debugger.paused', resolve))
      session.send('Runtime.evaluate', { expression: 'debugger' }).catch(() => {})
      await stopped
    },
  }
}

async function startBrowser(before: () => void = () => {}) {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error('No Chromium found. Install one, or set CHROMIUM_PATH.')
  const args = ['--no-sandbox', '--disable-gpu']
  const context = await chromium.launchPersistentContext(profile, { executablePath, args, timeout: HANGS })
  context.setDefaultTimeout(HANGS)
  started.push(context)
  return {
    ...(await openPage(context, before, 'ann')),
    /** Opens another tab. */
    open: (user = 'ann') => openPage(context, before, user),
    async kill() {
      const closed = new Promise((resolve) => context.once('close', resolve))
      kill()
      await closed
    },
    context,
  }
}
