import { type FileHandle, open, readFile, rename } from 'node:fs/promises'
import type { LogEntry, LogRecord, OfflineLog } from './log.js'

/**
 * Creates a log in a file, for Node, Deno, Bun and the main process of Electron. One process writes to it.
 *
 * @remarks
 * Each record is a line. A durable one is on disk (`fsync`) when the promise resolves. A last line torn by a crash is
 * cut off. It stores no files: a mutation whose arguments contain a `File` or a `Blob` is sent, but does not survive
 * a crash.
 *
 * @param path - the file, whose folder exists
 * @example
 * ```ts
 * const log = fileLog('/var/lib/kiosk/orders.log')
 * ```
 */
export function fileLog(path: string): OfflineLog {
  let last = 0
  /** The length of the file up to the end of its last whole line; undefined if not known yet. */
  let size: number | undefined
  let queue: Promise<unknown> = Promise.resolve()

  /** One after the other: an append must not come into the middle of a rewrite. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = queue.then(work)
    queue = result.catch(() => {})
    return result
  }

  /** Reads all whole lines, and finds out where they end. */
  async function readLines(): Promise<readonly LogRecord[]> {
    const bytes = await readFile(path).catch((error: { readonly code?: unknown }) => {
      if (error.code === 'ENOENT') return new Uint8Array()
      throw error
    })
    size = bytes.lastIndexOf(NEW_LINE) + 1
    const lines = new TextDecoder().decode(bytes.subarray(0, size)).split('\n').slice(0, -1)
    let number = 0
    const records = lines.map((line): LogRecord => {
      const [, digits, text = line] = /^(\d+) (.*)$/s.exec(line) ?? []
      number = digits === undefined ? number : Number(digits)
      return { number, text }
    })
    last = Math.max(last, number)
    return records
  }

  /** Writes after the last whole line; a torn line behind it, left by a crash or a full disk, is cut off. */
  async function write(line: string, isDurable: boolean): Promise<void> {
    const start = size ?? 0
    const bytes = new TextEncoder().encode(line)
    await withFile(path, 'a', async (file) => {
      try {
        if ((await file.stat()).size > start) await file.truncate(start)
        await file.appendFile(bytes)
        if (isDurable) await file.sync()
        size = start + bytes.length
      } catch (error) {
        // Nothing of it may be read again.
        await file.truncate(start).catch(() => {})
        throw error
      }
    })
  }

  /** Replaces the file in one step. */
  async function replace(text: string): Promise<void> {
    const temporary = `${path}.new`
    const bytes = new TextEncoder().encode(text)
    await withFile(temporary, 'w', async (file) => {
      await file.writeFile(bytes)
      await file.sync()
    })
    await rename(temporary, path)
    size = bytes.length
    // The name is durable when its folder is. Some platforms open no folders.
    await withFile(folderOf(path), 'r', (folder) => folder.sync()).catch(() => {})
  }

  return {
    append: (entry, isDurable) =>
      inTurn(async () => {
        const text = textOf(entry)
        if (size === undefined) await readLines()
        await write(`${last + 1} ${text}\n`, isDurable)
        last += 1
        return last
      }),
    read: (after) => inTurn(async () => (await readLines()).filter(({ number }) => number > after)),
    rewrite: (merge) =>
      inTurn(async () => {
        const merged = merge(await readLines())
        if (merged !== undefined) await replace(`${last} ${textOf(merged)}\n`)
      }),
    clear: () => inTurn(() => replace('')),
  }
}

const NEW_LINE = 10

function textOf({ text, files }: LogEntry): string {
  if (files?.length) throw new TypeError('A log in a file keeps no files.')
  return text
}

/** Both separators, for Windows. */
function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1) || '.'
}

async function withFile(path: string, flags: string, work: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await open(path, flags)
  try {
    await work(file)
  } finally {
    await file.close()
  }
}
