import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { BoardPage } from './board-page.js'
import { type BoardServer, startBoard } from './board-server.js'
import { startChromium } from './chromium.js'

/** The built board, served for the tests of a file, and a browser. */
export interface OpenBoard {
  readonly server: BoardServer
  readonly browser: Browser
  /** Opens a page of it and waits until it is ready. */
  open(options?: BrowserContextOptions): Promise<BoardPage>
}

/**
 * Serves the board for the tests of a file. `onOpen` is given a page that is opened for each test and closed after it;
 * what that says on the console fails the test, unless it is `expected`.
 */
export function openBoard(onOpen?: (board: BoardPage) => void, expected?: RegExp): OpenBoard {
  let server: BoardServer
  let browser: Browser
  const opened: OpenBoard = {
    get server() {
      return server
    },
    get browser() {
      return browser
    },
    open: (options) => BoardPage.open(browser, server.url, options),
  }

  beforeAll(async () => {
    server = await startBoard()
    browser = await startChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.close()
  })

  if (onOpen === undefined) return opened
  let board: BoardPage
  beforeEach(async () => {
    board = await opened.open()
    onOpen(board)
  })
  afterEach(async () => {
    expect(board.errors.filter((text) => !expected?.test(text))).toEqual([])
    await board.close()
  })
  return opened
}
