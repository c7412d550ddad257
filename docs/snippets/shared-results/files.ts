import { rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createStorage } from 'unstorage'
import fs from 'unstorage/drivers/fs-lite'
import { type Lock, sharedResults } from './shared.js'

/** A lock for the processes of one machine. One that is older than the lease was left behind by a process that has died. */
function fileLock(folder: string, lease: number): Lock {
  return async (key) => {
    const path = join(folder, `${encodeURIComponent(key)}.lock`)
    try {
      await writeFile(path, '', { flag: 'wx' })
      return () => rm(path, { force: true })
    } catch (error) {
      const file = await stat(path).catch(() => undefined)
      if (
        file === undefined &&
        (error as { code?: unknown }).code !== 'EEXIST'
      )
        throw error
      if (file !== undefined && Date.now() - file.mtimeMs > lease)
        await rm(path, { force: true })
      return undefined
    }
  }
}

const folder = process.env.SHARED_FOLDER ?? '/var/cache/shop'

export const shared = sharedResults({
  storage: createStorage({ driver: fs({ base: join(folder, 'results') }) }),
  lock: fileLock(folder, 10_000), // longer than the API takes
  lifetime: 60_000,
})
