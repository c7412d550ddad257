import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

const screenshots = fileURLToPath(new URL('./screenshots/', import.meta.url))

/** The name of the chosen task in each panel. */
export interface Titles {
  readonly react: string | undefined
  readonly vue: string | undefined
  readonly svelte: string | undefined
  readonly script: string | undefined
}

/** The board's page in a browser, by what a person sees in it. */
export class BoardPage {
  readonly page: Page
  /** Errors on the console, and uncaught ones. */
  readonly errors: string[] = []

  constructor(page: Page) {
    this.page = page
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.errors.push(message.text())
    })
    page.on('pageerror', (error) => this.errors.push(String(error.stack)))
  }

  /** Opens the page and waits until it is ready. */
  static async open(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<BoardPage> {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      colorScheme: 'light',
      ...options,
    })
    const board = new BoardPage(await context.newPage())
    await board.page.goto(url)
    await board.isReady()
    return board
  }

  /** Waits until the panels show all tasks. */
  async isReady(): Promise<void> {
    await this.page.locator('.card').first().waitFor()
    await this.page.locator('#traffic[data-state="idle"]').waitFor({ state: 'attached' })
    await this.page.locator('.counts').waitFor({ state: 'attached' })
  }

  /** The card of a task: by its id, or the first of a column. */
  card(task: number | string): Locator {
    return typeof task === 'number'
      ? this.page.locator(`.card[data-task="${task}"]`)
      : this.page.locator(`.column[data-status="${task}"] .card`).first()
  }

  async idOf(card: Locator): Promise<number> {
    return Number(await card.getAttribute('data-task'))
  }

  /** The column in which the card of a task is. */
  async columnOf(id: number): Promise<string | null> {
    return this.page.locator(`.column:has(.card[data-task="${id}"])`).getAttribute('data-status')
  }

  /** Chooses the first task of a column and waits until all panels show it. */
  async chooseFirst(status: string): Promise<number> {
    const id = await this.idOf(this.card(status))
    await this.card(id).locator('.card-open').click()
    await this.field('title').waitFor()
    return id
  }

  /** A field of the detail panel. */
  field(name: string): Locator {
    return this.page.locator(`#detail [name="${name}"]`)
  }

  switch(name: string): Locator {
    return this.page.locator(`#activity [name="${name}"]`)
  }

  get notice(): Locator {
    return this.page.locator('.notice.is-failed')
  }

  /** The names of a chosen task in the four panels. */
  async titles(id: number): Promise<Titles> {
    return this.page.evaluate((task) => {
      const text = (selector: string): string | undefined => document.querySelector(selector)?.textContent?.trim()
      return {
        react: text(`.card[data-task="${task}"] .card-title`),
        vue: document.querySelector<HTMLTextAreaElement>('#detail [name="title"]')?.value,
        svelte: text('#insights .chosen-title'),
        script: text('#activity .focus-line b'),
      }
    }, id)
  }

  /** Waits until all four panels call a task so. */
  async allSay(id: number, title: string): Promise<void> {
    const wanted = { react: title, vue: title, svelte: title, script: title }
    await expect.poll(() => this.titles(id)).toEqual(wanted)
  }

  /** How many tasks each status has, as the insights count. */
  async counts(): Promise<Record<string, number>> {
    const texts = await this.page
      .locator('.counts [data-status]:has(dd)')
      .evaluateAll((parts) =>
        parts.map((part) => [part.getAttribute('data-status'), part.querySelector('dd')?.textContent]),
      )
    return Object.fromEntries(texts.map(([status, text]) => [status, Number(text?.replaceAll(',', ''))]))
  }

  /** The number of tasks in the board and in the insights. */
  async totals(): Promise<readonly [react: number, svelte: number]> {
    const heads = await this.page.locator('.column-head .count').allTextContents()
    const react = heads.reduce((sum, text) => sum + Number(text.replaceAll(',', '')), 0)
    return [react, Object.values(await this.counts()).reduce((sum, count) => sum + count, 0)]
  }

  /** Goes to a project and waits until the panels show all of it. */
  async goTo(project: string, total: number): Promise<void> {
    await this.page.getByRole('button', { name: project, exact: true }).click()
    await expect.poll(() => this.totals()).toEqual([total, total])
  }

  /** The titles in the insights' list of the latest changes. */
  async latest(): Promise<string[]> {
    return (await this.page.locator('#insights .latest li button').allTextContents()).map((text) => text.trim())
  }

  /** Renames the card of a task with the keyboard. */
  async rename(id: number, title: string): Promise<void> {
    await this.card(id).locator('.card-open').focus()
    await this.page.keyboard.press('F2')
    await this.page.locator('.rename').fill(title)
    await this.page.keyboard.press('Enter')
  }

  async drag(card: Locator, target: Locator): Promise<void> {
    const from = await box(card)
    const to = await box(target)
    await this.page.mouse.move(from.x + from.width / 2, from.y + 20)
    await this.page.mouse.down()
    await this.page.mouse.move(from.x + from.width / 2 + 20, from.y + 30)
    await this.page.mouse.move(to.x + to.width / 2, to.y + 8, { steps: 6 })
    await this.page.locator('.drop-line').waitFor()
    await this.page.mouse.up()
  }

  /** Waits until the log shows a response for every request. */
  async isQuiet(): Promise<void> {
    await expect.poll(() => this.page.locator('#activity .log [data-kind="asked"]').count()).toBe(0)
  }

  async shoot(name: string): Promise<void> {
    mkdirSync(screenshots, { recursive: true })
    await this.page.screenshot({ path: join(screenshots, `${name}.png`), animations: 'disabled' })
  }

  close(): Promise<void> {
    return this.page.context().close()
  }
}

async function box(locator: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const found = await locator.boundingBox()
  if (found === null) throw new Error('Not on the screen.')
  return found
}
