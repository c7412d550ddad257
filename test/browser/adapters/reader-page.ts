import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { eventually } from './eventually.js'
import { HandServer } from './hand-server.js'

/** A page of readers in a browser, by what a person sees in it. */
export class ReaderPage {
  readonly page: Page
  readonly server: HandServer
  /** Console messages, and uncaught errors. */
  readonly errors: string[] = []

  constructor(page: Page, server: HandServer) {
    this.page = page
    this.server = server
    page.on('console', (message) => this.errors.push(message.text()))
    page.on('pageerror', (error) => this.errors.push(String(error.stack)))
  }

  /** Shows a page, such as `react.html?hook=dle`, in a tab that may have shown another. */
  static async open(page: Page, address: string): Promise<ReaderPage> {
    const opened = new ReaderPage(page, await HandServer.behind(page))
    await page.goto(address)
    await page.evaluate(writeDownWhatIsSeen)
    return opened
  }

  /** Presses a button: of a reader, or of the page. */
  press(name: string, reader?: number): Promise<void> {
    const place = reader === undefined ? this.page : this.page.locator(`[data-reader="${reader}"]`)
    return place.getByRole('button', { name, exact: true }).click()
  }

  /** A field of a reader. */
  field(label: string, reader = 0): Locator {
    return this.page.locator(`[data-reader="${reader}"]`).getByLabel(label)
  }

  /** Everything that a reader has shown up to now, one after another. */
  seen(reader = 0): Promise<string[]> {
    return this.page.evaluate((index) => (window as unknown as Seen).seen[index] ?? [], reader)
  }

  /** Waits until a reader has shown exactly this, one after another. */
  async hasShown(texts: readonly string[], reader = 0): Promise<void> {
    await eventually(() => this.seen(reader), [...texts])
  }

  /** Waits until a reader shows this. */
  async shows(text: string, reader = 0): Promise<void> {
    await eventually(async () => (await this.seen(reader)).at(-1), text)
  }

  /**
   * Lets the page do what it has to do: responses that were sent arrive there, and requests that it has sent arrive
   * here.
   */
  async rest(): Promise<void> {
    await this.page.evaluate(() => fetch('/api/rest').then((response) => response.text()))
    await this.page.waitForTimeout(100)
  }

  /** Ends the test: nothing went to the console but the browser's own messages about failed responses. */
  async close(): Promise<void> {
    this.page.removeAllListeners('console').removeAllListeners('pageerror')
    // Polls must not reach the next test.
    await this.page.goto('about:blank')
    await this.page.unrouteAll({ behavior: 'ignoreErrors' })
    expect(this.errors.filter((text) => !text.startsWith('Failed to load resource'))).toEqual([])
  }
}

interface Seen {
  readonly seen: Record<number, string[]>
}

/** Runs in the page: reads the text of each reader after each frame, and records every change. */
function writeDownWhatIsSeen(): void {
  const seen: Record<string, string[]> = {}
  Object.assign(window, { seen })
  const shown = (output: HTMLElement | null): string =>
    output?.querySelector('[role=alert]')?.checkVisibility() ? 'failed' : (output?.innerText.trim() ?? '')
  const look = (): void => {
    for (const section of document.querySelectorAll<HTMLElement>('[data-reader]')) {
      const index = section.dataset.reader ?? ''
      const texts = seen[index] ?? []
      seen[index] = texts
      const text = shown(section.querySelector('output'))
      if (texts.at(-1) !== text) texts.push(text)
    }
  }
  // A message that is sent while a frame is made arrives when that has been painted.
  const painted = new MessageChannel()
  painted.port1.onmessage = look
  const frame = (): void => {
    painted.port2.postMessage(undefined)
    requestAnimationFrame(frame)
  }
  look()
  frame()
}
