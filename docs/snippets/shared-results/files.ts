import { randomUUID } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createStorage } from 'unstorage'
import fs from 'unstorage/drivers/fs-lite'
import { type Lock, sharedResults } from './shared.js'

/** A lock for the processes of one machine. One that is older than the lease was left behind by a process that has died. */
function fileLock(folder: string, lease: number): Lock {
  return async (key) => {
    const path = join(folder, `${encodeURIComponent(key)}.lock`)
    const own = `${path}.${randomUUID()}`
    await writeFile(own, `${Date.now()}`)
    try {
      // Unlike a new file, a link has its text from the start.
      await link(own, path)
      return () => rm(path, { force: true })
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'EEXIST') throw error
      const takenAt = Number(await readFile(path, 'utf8').catch(() => NaN))
      if (Date.now() - takenAt > lease) await rm(path, { force: true })
      return undefined
    } finally {
      await rm(own)
    }
  }
}

const folder = process.env.SHARED_FOLDER ?? '/var/cache/shop'

export const shared = sharedResults({
  storage: createStorage({ driver: fs({ base: join(folder, 'results') }) }),
  lock: fileLock(folder, 10_000), // longer than the API takes
  lifetime: 60_000,
})
