import type { LogTabs } from './tabs.js'

/** A record to append to a log: written as a whole, or not at all. */
export interface LogEntry {
  /** One line of text. */
  readonly text: string
  /** Files that the text refers to by their index. */
  readonly files?: readonly Blob[] | undefined
}

/** A written record of a log. */
export interface LogRecord extends LogEntry {
  /** Its place in the log: later records have greater numbers. */
  readonly number: number
}

/**
 * The storage of one user: an append-only log. `memoryLog`, `indexedDbLog` and `fileLog` return one; for another
 * storage write these four functions.
 *
 * @example
 * ```ts
 * const log: OfflineLog = memoryLog()
 * await log.append({ text: '{}' }, true)
 * const [record] = await log.read(0)
 * console.log(record?.text) // → {}
 * ```
 */
export interface OfflineLog {
  /**
   * Adds a record at the end, and resolves with its number when it is written; with `isDurable`, when it also
   * survives a power loss. A call that rejects has written nothing.
   */
  append(entry: LogEntry, isDurable: boolean): Promise<number>
  /**
   * Returns the records with greater numbers than `after`, in their order. A damaged record is returned unchanged or
   * omitted.
   */
  read(after: number): Promise<readonly LogRecord[]>
  /**
   * Atomically replaces all records by the result of `merge`: a crash leaves the old ones or the new one, and nothing
   * is appended in between. The new record has the number of the last one; `undefined` changes nothing.
   */
  rewrite(merge: (records: readonly LogRecord[]) => LogEntry | undefined): Promise<void>
  /** Deletes all records. */
  clear(): Promise<void>
  /** Connects the tabs that share the log; without it, a page sees others' records only when it writes one itself. */
  readonly tabs?: LogTabs | undefined
}

/**
 * Creates a log in memory, for tests and for platforms without storage: it ends with the process.
 *
 * @example
 * ```ts
 * const log = memoryLog()
 * ```
 */
export function memoryLog(): OfflineLog {
  let records: readonly LogRecord[] = []
  let last = 0
  return {
    async append(entry) {
      last += 1
      records = [...records, { ...entry, number: last }]
      return last
    },
    async read(after) {
      return records.filter(({ number }) => number > after)
    },
    async rewrite(merge) {
      const merged = merge(records)
      if (merged !== undefined) records = [{ ...merged, number: last }]
    },
    async clear() {
      records = []
    },
  }
}
