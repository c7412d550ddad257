import type { Browser, Page } from 'playwright-core'
import { test } from 'vitest'
import { ReaderPage } from './reader-page.js'

/** Where the scenarios are run: known once the pages are built and the browser is there. */
export interface Place {
  readonly browser: Browser
  readonly url: string
}

/** Tabs of a browser, each for one test at a time. */
export class Tabs {
  readonly #place: () => Place
  readonly #free: Page[] = []

  constructor(place: () => Place) {
    this.#place = place
  }

  /** A test on a page, beside others: most of its time it waits. */
  test(name: string, address: string, work: (page: ReaderPage) => Promise<void>): void {
    test.concurrent(name, () => this.on(address, work))
  }

  /** Does something on a page; the page must print nothing. */
  async on<Result>(address: string, work: (page: ReaderPage) => Promise<Result>): Promise<Result> {
    const { browser, url } = this.#place()
    const tab = this.#free.pop() ?? (await browser.newPage())
    const page = await ReaderPage.open(tab, `${url}/${address}`)
    const result = await work(page)
    await page.close()
    // A tab in which something failed is not used again.
    this.#free.push(tab)
    return result
  }
}
