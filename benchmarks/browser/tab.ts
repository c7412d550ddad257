import type { Browser, CDPSession, Page } from 'playwright-core'
import type { Contender } from './contenders.js'
import type { Bench, Sample } from './page/bench.js'

/** The page of one contender, in a process of its own. */
export class Tab {
  readonly contender: Contender
  /** What nobody caught in the page, and what it told to the console. */
  readonly complaints: string[] = []
  readonly #page: Page
  readonly #session: CDPSession

  constructor(contender: Contender, page: Page, session: CDPSession) {
    this.contender = contender
    this.#page = page
    this.#session = session
    page.on('console', (message) => this.complaints.push(message.text()))
    page.on('pageerror', (error) => this.complaints.push(String(error.stack)))
  }

  static async open(browser: Browser, url: string, contender: Contender): Promise<Tab> {
    const context = await browser.newContext()
    const page = await context.newPage()
    const tab = new Tab(contender, page, await context.newCDPSession(page))
    await tab.#session.send('Performance.enable')
    await page.goto(`${url}/?contender=${encodeURIComponent(contender.name)}`)
    await page.waitForFunction(() => 'bench' in window)
    return tab
  }

  /** Brings the page to where a scenario begins. */
  prepare(scenario: string, delay: number): Promise<void> {
    return this.#page.evaluate(([scenario, delay]) => (window as unknown as InPage).bench.prepare(scenario, delay), [
      scenario,
      delay,
    ] as const)
  }

  act(): Promise<Sample> {
    return this.#page.evaluate(() => (window as unknown as InPage).bench.act())
  }

  text(): Promise<string> {
    return this.#page.evaluate(() => (window as unknown as InPage).bench.text())
  }

  end(): Promise<void> {
    return this.#page.evaluate(() => (window as unknown as InPage).bench.end())
  }

  /** Shows a list of the scenario that is prepared and takes it off the screen, so many times. */
  cycle(times: number): Promise<void> {
    return this.#page.evaluate((times) => (window as unknown as InPage).bench.cycle(times), times)
  }

  /** Lets scripts run so many times slower. */
  async slowDown(times: number): Promise<void> {
    await this.#session.send('Emulation.setCPUThrottlingRate', { rate: times })
  }

  /** Milliseconds that the page's thread has worked since it was loaded: scripts with their microtasks, layout, painting. */
  async worked(): Promise<number> {
    const { metrics } = await this.#session.send('Performance.getMetrics')
    const seconds = metrics.find(({ name }) => name === 'TaskDuration')?.value
    if (seconds === undefined) throw new Error('Chromium does not tell TaskDuration.')
    return seconds * 1000
  }

  /** Bytes that are alive in the page. */
  async heap(): Promise<number> {
    for (let time = 0; time < 3; time++) await this.#session.send('HeapProfiler.collectGarbage')
    return (await this.#session.send('Runtime.getHeapUsage')).usedSize
  }

  close(): Promise<void> {
    return this.#page.context().close()
  }
}

interface InPage {
  readonly bench: Bench
}
