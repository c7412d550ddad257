import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { Server } from './server.js'

/** A browser with a profile that outlives it. */
class Device {
  readonly #profile = mkdtempSync(join(tmpdir(), 'roundtable-offline-'))
  readonly #executablePath: string
  readonly #url: string
  #context: BrowserContext | undefined

  constructor(executablePath: string, url: string) {
    this.#executablePath = executablePath
    this.#url = url
  }

  /** Opens a tab, and the browser if it is not open. */
  async open(): Promise<Page> {
    this.#context ??= await chromium.launchPersistentContext(this.#profile, {
      executablePath: this.#executablePath,
      args: ['--no-sandbox', '--disable-gpu'],
    })
    const page = await this.#context.newPage()
    await page.goto(this.#url)
    await page.waitForFunction(() => 'app' in window)
    await page.evaluate(() => window.app.start())
    return page
  }

  async setOffline(isOffline: boolean): Promise<void> {
    await this.#context?.setOffline(isOffline)
  }

  /** Ends the browser without a word to its pages: a crash, as far as they can see. */
  async crash(): Promise<void> {
    const context = this.#context
    this.#context = undefined
    const page = context?.pages()[0]
    if (context === undefined || page === undefined) return
    const closed = new Promise((resolve) => context.on('close', resolve))
    const session = await context.newCDPSession(page)
    await session.send('Browser.crash' as never).catch(() => {})
    await closed
  }

  async dispose(): Promise<void> {
    await this.#context?.close()
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** What was asked of each library: the name of a check, and what happened with it. */
export type Findings = Readonly<Record<string, string>>

type Check = (device: Device, server: Server) => Promise<string>

/** Runs all checks, each on a device and against a server of its own. */
export async function runChecks(executablePath: string, script: string): Promise<Findings> {
  const findings: Record<string, string> = {}
  for (const [name, check] of Object.entries(checks)) {
    const server = new Server(script)
    const device = new Device(executablePath, await server.listen().then((url) => url))
    try {
      findings[name] = await check(device, server)
    } finally {
      await device.dispose()
      server.close()
    }
  }
  return findings
}

const checks: Readonly<Record<string, Check>> = {
  'in flight, lost': async (device, server) => {
    await crashInFlight(device, server, 'hold')
    return times(server)
  },

  'in flight, answer lost': async (device, server) => {
    await crashInFlight(device, server, 'mute')
    return times(server)
  },

  'created and edited': async (device, server) => {
    const page = await device.open()
    await page.evaluate(() => window.app.load())
    await device.setOffline(true)
    await page.evaluate(async () => {
      const id = await window.app.create('new')
      await window.app.edit(id, 'edited')
    })
    await device.crash()
    await device.open()
    await settled(server)
    return `${server.asked.join(', ') || 'nothing'}; the server has ${server.titles().includes('edited') ? 'the edit' : 'not the edit'}`
  },

  'two tabs': async (device, server) => {
    const first = await device.open()
    const second = await device.open()
    for (const page of [first, second]) await page.evaluate(() => window.app.load())
    await device.setOffline(true)
    await first.evaluate(() => window.app.edit('1', 'edited'))
    await second.evaluate(() => window.app.edit('2', 'edited'))
    await second.evaluate(() => window.app.edit('3', 'edited'))
    await device.crash()
    await device.open()
    await settled(server)
    return `${server.titles().filter((title) => title === 'edited').length} of 3`
  },
}

/** An edit is sent, and the browser crashes before the answer comes. */
async function crashInFlight(device: Device, server: Server, changes: 'hold' | 'mute'): Promise<void> {
  server.changes = changes
  const page = await device.open()
  await page.evaluate(() => window.app.load())
  await page.evaluate(() => window.app.edit('1', 'edited'))
  if (server.unanswered !== 1) throw new Error(`${server.unanswered} requests are in flight`)
  await device.crash()
  server.changes = 'answer'
  await device.open()
  await settled(server)
}

/** How often the edit was done. */
function times({ asked }: Server): string {
  const done = asked.filter((line) => line.endsWith('done')).length
  return ['lost', 'done once'][done] ?? `done ${done} times`
}

/** Waits until nothing has been asked for three seconds. */
async function settled({ asked }: Server): Promise<void> {
  for (let quiet = 0, before = asked.length; quiet < 6; quiet++) {
    await new Promise((resolve) => setTimeout(resolve, 500))
    if (asked.length !== before) quiet = 0
    before = asked.length
  }
}
