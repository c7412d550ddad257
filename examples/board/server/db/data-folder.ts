import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { isDamage } from './errors.js'
import { pglitePool } from './pglite-pool.js'
import { prepare } from './prepare.js'
import { reasonOf } from './reason.js'
import type { Database } from './tables.js'

/** The clock and the log of the code that opens a database, and the size of a new one. */
export interface Surroundings {
  readonly now: () => Date
  readonly taskCount: number
  readonly print: (line: string) => void
}

/**
 * Opens the embedded database in `<dataDir>/pg`; the caller has locked the folder. Files that do not open are set
 * aside under another name, with a message, and a new database is seeded in their place.
 */
export async function openDataFolder(dataDir: string, surroundings: Surroundings): Promise<Database> {
  const folder = join(dataDir, 'pg')
  mkdirSync(dataDir, { recursive: true })
  const isNew = !existsSync(folder)
  try {
    return await open(folder, surroundings)
  } catch (error) {
    if (isNew || !(error instanceof DamagedFolder)) throw error
    return await startAnew(folder, error, surroundings)
  }
}

/** The files do not make a database. */
class DamagedFolder extends Error {
  override readonly name = 'DamagedFolder'
}

async function open(folder: string, surroundings: Surroundings): Promise<Database> {
  const engine = await start(folder)
  try {
    return await prepare(pglitePool(engine), surroundings)
  } catch (error) {
    throw isDamage(error) ? new DamagedFolder(reasonOf(error), { cause: error }) : error
  }
}

async function start(folder: string): Promise<PGlite> {
  // The engine would write a new database over the rest of an old one.
  if (existsSync(folder) && !isDatabase(folder)) throw new DamagedFolder('it holds files, but no PG_VERSION')
  try {
    return await PGlite.create(folder)
  } catch (error) {
    throw new DamagedFolder(reasonOf(error), { cause: error })
  }
}

function isDatabase(folder: string): boolean {
  if (existsSync(join(folder, 'PG_VERSION'))) return true
  try {
    return readdirSync(folder).length === 0
  } catch {
    return false
  }
}

async function startAnew(folder: string, { message }: DamagedFolder, surroundings: Surroundings): Promise<Database> {
  const { now, print } = surroundings
  const aside = `${folder}-damaged-${now().toISOString().replaceAll(/[:.]/g, '-')}`
  renameSync(folder, aside)
  try {
    const db = await open(folder, surroundings)
    print(`The database in ${folder} does not open (${message}).`)
    print(`Its files are kept as ${aside}; the board starts with new data.`)
    return db
  } catch (error) {
    // A new database does not open here either: it is the machine, a full disk perhaps, and not the files.
    rmSync(folder, { recursive: true, force: true })
    renameSync(aside, folder)
    const reasons = `it: ${message}; a new one: ${reasonOf(error)}`
    throw new Error(`Neither the database in ${folder} opens nor a new one. Is the disk full? (${reasons})`)
  }
}
