import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../examples/board/server/app.js'
import { openDatabase } from '../../examples/board/server/db/open.js'
import { builtPage } from '../../examples/board/server/http/page.js'
import { TaskNews } from '../../examples/board/server/task-news.js'

/** A JSON object as a test reads it. */
export type Row = Record<string, unknown>

/** A response with its body read: JSON as a value, no body as null. */
export interface Answer<Body = Row> {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

/** The board's server without a socket. */
export interface Board {
  /** Sends a request; a body that is not a text is sent as JSON. */
  send<Body = Row>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<Body>>
  fetch(path: string, headers?: Record<string, string>): Promise<Response>
  /** Answers a request, as a server's function does. */
  answer(request: Request): Promise<Response>
  close(): Promise<void>
}

/** The time at which the tests take place: the seed's dates lie around it. */
export const NOW = new Date('2026-03-02T10:00:00.000Z')

/** Makes an empty folder that `remove` takes away. */
export function temporaryFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'board-'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/**
 * Opens the board on a data folder. With BOARD_TEST_DATABASE_URL the same tests run on that PostgreSQL server, whose
 * database must be empty.
 */
export async function openBoard(dataDir: string, now: () => Date = () => NOW, taskCount = 2_240): Promise<Board> {
  const { BOARD_TEST_DATABASE_URL: databaseUrl } = process.env
  const db = await openDatabase({ databaseUrl, dataDir }, { now, taskCount, print: () => {} })
  const app = createApp({ db, now, news: new TaskNews(db) }, builtPage(join(dataDir, 'page')))
  return {
    async send<Body>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
      const answer = await app.request(path, {
        method,
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await answer.text()
      // Each test states which body it expects, and then reads it.
      return { status: answer.status, headers: answer.headers, body: (text === '' ? null : JSON.parse(text)) as Body }
    },
    fetch: async (path, headers = {}) => await app.request(path, { headers }),
    answer: async (request) => await app.fetch(request),
    close: () => db.destroy(),
  }
}
