import { join } from 'node:path'
import { createApp } from './app.js'
import type { Config } from './config.js'
import { openDatabase } from './db/open.js'
import { builtPage, type Page } from './http/page.js'
import { listen } from './listen.js'
import { lockFolder } from './lock.js'
import { TaskNews } from './task-news.js'

/** A server that answers. */
export interface RunningServer {
  readonly url: string
  /** Ends running requests, closes the database and gives the data folder back. */
  stop(): Promise<void>
}

type Closer = () => unknown

/** Locks the data folder, opens the database, listens. What was opened is closed again when a later step fails. */
export async function startServer(config: Config, print: (line: string) => void): Promise<RunningServer> {
  const closers: Closer[] = []
  try {
    const url = await open(config, print, closers)
    return { url, stop: () => closeAll(closers) }
  } catch (error) {
    await closeAll(closers)
    throw error
  }
}

async function open(config: Config, print: (line: string) => void, closers: Closer[]): Promise<string> {
  const lock = config.databaseUrl === undefined ? await lockFolder(config.dataDir) : undefined
  closers.push(() => lock?.release())

  const now = (): Date => new Date()
  const db = await openDatabase(config, { now, print, taskCount: config.taskCount })
  closers.push(() => db.destroy())

  const page = await pageOf(config)
  closers.push(() => page.close())

  const news = new TaskNews(db)
  const { port, close } = await listen(createApp({ db, now, news }, page).fetch, config.port, config.host)
  closers.push(close)
  // Before the socket, which waits for requests that run.
  closers.push(() => news.close())

  if (port !== config.port && config.port !== 0) print(`Port ${config.port} is busy, so the board is on port ${port}.`)
  const url = addressOf(config.host ?? 'localhost', port)
  lock?.announce(url)
  return url
}

// The colons of an IPv6 address need brackets beside the port's.
function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

async function pageOf({ root, isDevelopment }: Config): Promise<Page> {
  if (!isDevelopment) return builtPage(join(root, 'dist/client'))
  const { developedPage } = await import('./http/dev-page.js')
  return await developedPage(root)
}

async function closeAll(closers: Closer[]): Promise<void> {
  for (const close of [...closers].reverse()) await close()
}
