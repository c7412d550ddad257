import { chromium } from 'playwright-core'
import { Server } from './server.js'

/** The processor time of Chromium's main thread while a page works, with what it stores and without, in microseconds. */
export async function measureMainThread(executablePath: string, script: string, isStored: boolean): Promise<number> {
  const server = new Server(script)
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const page = await browser.newPage()
    await page.goto(await server.listen())
    await page.waitForFunction(() => 'busy' in window)
    const session = await page.context().newCDPSession(page)
    // Of the thread, not of the clock: what else the machine does adds nothing.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    const taken = async (): Promise<number> => {
      const { metrics } = await session.send('Performance.getMetrics')
      const duration = metrics.find(({ name }) => name === 'TaskDuration')
      if (duration === undefined) throw new Error('Chromium tells no TaskDuration.')
      return duration.value * 1_000_000
    }
    const before = await taken()
    await page.evaluate((stored) => window.busy(stored), isStored)
    return Math.round((await taken()) - before)
  } finally {
    await browser.close()
    server.close()
  }
}
