import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive, startOf } from './process.js'

/** A data folder that is ours until we let go. */
export interface FolderLock {
  /** Tells a second server the address of the first. */
  announce(url: string): void
  release(): void
}

/** Another process works in the data folder. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError'
  readonly pid: number
  readonly url: string | undefined

  constructor(folder: string, { pid, url }: Holder) {
    const where = url === undefined ? '' : `, which answers at ${url}`
    super(
      `The data folder ${folder} is in use by process ${pid}${where}. Stop that process, or name another folder in DATA_DIR.`,
    )
    this.pid = pid
    this.url = url
  }
}

/**
 * Takes the data folder for this process alone. The embedded database does not look whether another process has its
 * files open, and two of them ruin it. A lock whose process has died is taken over.
 *
 * @throws FolderInUseError while another process lives that holds it.
 */
export async function lockFolder(dataDir: string): Promise<FolderLock> {
  const folder = resolve(dataDir)
  const file = join(folder, 'lock.json')
  const me: Holder = { token: randomUUID(), pid: process.pid, started: startOf(process.pid), url: undefined }
  mkdirSync(folder, { recursive: true })
  if (!create(file, me)) await takeOver(folder, file, me)
  return {
    announce: (url) => replace(file, { ...me, url }),
    release: () => {
      if (read(file)?.token === me.token) rmSync(file, { force: true })
    },
  }
}

interface Holder {
  readonly token: string
  readonly pid: number
  /** When the process started, as the system reports it, since the pid may be reused by another process. */
  readonly started: string | undefined
  readonly url: string | undefined
}

async function takeOver(folder: string, file: string, me: Holder): Promise<void> {
  const holder = await readTwice(file)
  if (holder !== undefined && isAlive(holder)) throw new FolderInUseError(folder, holder)
  rmSync(file, { force: true })
  const isCreated = create(file, me)
  // Another start may have seen the same dead lock, and removed ours after its own look: the last one to write has it.
  await sleep(100)
  const winner = read(file)
  if (winner !== undefined && (!isCreated || winner.token !== me.token)) throw new FolderInUseError(folder, winner)
}

// The file is empty for a moment between its creation and its writing.
async function readTwice(file: string): Promise<Holder | undefined> {
  const holder = read(file)
  if (holder !== undefined) return holder
  await sleep(200)
  return read(file)
}

function create(file: string, holder: Holder): boolean {
  try {
    writeFileSync(file, JSON.stringify(holder), { flag: 'wx' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

function replace(file: string, holder: Holder): void {
  const draft = `${file}.${holder.pid}`
  writeFileSync(draft, JSON.stringify(holder))
  renameSync(draft, file)
}

function read(file: string): Holder | undefined {
  try {
    const holder: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isHolder(holder) ? holder : undefined
  } catch {
    return undefined
  }
}

function isHolder(value: unknown): value is Holder {
  return (
    typeof value === 'object' && value !== null && 'pid' in value && Number.isInteger(value.pid) && 'token' in value
  )
}
