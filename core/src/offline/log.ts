import type { LogTabs } from './tabs.js'

/** A piece of a log, which is written whole or not at all. */
export interface LogEntry {
  /** One line of text. */
  readonly text: string
  /** Files that the text refers to by their index. */
  readonly files?: readonly Blob[] | undefined
}

/** A piece of a log that was written. */
export interface LogRecord extends LogEntry {
  /** Its place in the log: later records have greater numbers. */
  readonly number: number
}

/**
 * The storage of one user: an append-only log. `memoryLog`, `indexedDbLog` and `fileLog` return one; for another storage write these four
 * functions.
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
   * Adds a record at the end, and resolves with its number when it is written; with `isDurable` when it also survives a loss of power.
   * A call that rejects has written nothing.
   */
  append(entry: LogEntry, isDurable: boolean): Promise<number>
  /** Returns the records with greater numbers than `after`, in their order. A record that is damaged is returned as it is, or left out. */
  read(after: number): Promise<readonly LogRecord[]>
  /**
   * Replaces all records by the result of `merge`, in one step: a crash leaves the old ones or the new one, and nobody appends in between.
   * The new record has the number of the last one; `undefined` leaves all as they are.
   */
  rewrite(merge: (records: readonly LogRecord[]) => LogEntry | undefined): Promise<void>
  /** Deletes all records. */
  clear(): Promise<void>
  /** Connects the tabs that share the log; without it a page learns of the records of others only when it writes one itself. */
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
