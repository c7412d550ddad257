import { createApp } from './app.js'
import type { Config } from './config.js'
import { openDatabase } from './db/open.js'
import { listen } from './listen.js'
import { type FolderLock, lockFolder } from './lock.js'

/** A server that answers. */
export interface RunningServer {
  readonly url: string
  /** Ends running requests, closes the database and gives the data folder back. */
  stop(): Promise<void>
}

/** Locks the data folder, opens the database, listens. What was opened is closed again when a later step fails. */
export async function startServer(config: Config, print: (line: string) => void): Promise<RunningServer> {
  const lock = config.databaseUrl === undefined ? await lockFolder(config.dataDir) : undefined
  try {
    return await open(config, print, lock)
  } catch (error) {
    lock?.release()
    throw error
  }
}

async function open(config: Config, print: (line: string) => void, lock?: FolderLock): Promise<RunningServer> {
  const now = (): Date => new Date()
  const db = await openDatabase(config, { now, print })
  const app = createApp({ db, now }, config.pageFolder)
  const listening = await listen(app.fetch, config.port, config.host).catch(async (error: unknown) => {
    await db.destroy()
    throw error
  })
  const { port } = listening
  if (port !== config.port && config.port !== 0) print(`Port ${config.port} is busy, so the board is on port ${port}.`)
  const url = `http://${config.host ?? 'localhost'}:${port}`
  lock?.announce(url)
  return {
    url,
    stop: async () => {
      await listening.close()
      await db.destroy()
      lock?.release()
    },
  }
}
