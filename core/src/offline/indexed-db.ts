import type { LogEntry, LogRecord, OfflineLog } from './log.js'
import { browserTabs } from './tabs.js'

/** The only object store of a log's database. */
const RECORDS = 'records'

/**
 * Creates a log in a database of the browser. Name it after the user, so that no other user reads or sends its content.
 *
 * @remarks
 * A durable record is written with the durability `strict`. If the browser refuses the database, as some do in private
 * windows, each call rejects, and the next one tries again.
 *
 * @param name - the name of the database, which only this log uses
 * @example
 * ```ts
 * const log = indexedDbLog('board:42')
 * ```
 */
export function indexedDbLog(name: string): OfflineLog {
  let connection: IDBDatabase | undefined
  let uses = 0

  /** Running transactions are completed first. The next call opens another connection. */
  function close(): void {
    connection?.close()
    connection = undefined
  }

  /** Counts the controllers that have joined and the transactions that run: only they need the connection. */
  function use(change: number): void {
    uses += change
    if (uses === 0) close()
  }

  function open(): Promise<IDBDatabase> {
    return new Promise((resolve, reject) => {
      const request = indexedDB.open(name, 1)
      request.onupgradeneeded = () => request.result.createObjectStore(RECORDS, { autoIncrement: true })
      request.onerror = () => reject(request.error)
      request.onsuccess = () => {
        // Another call may have opened one meanwhile.
        close()
        connection = request.result
        // Another tab deletes the database, or the browser has evicted it.
        connection.onversionchange = connection.onclose = close
        resolve(connection)
      }
    })
  }

  /** Runs one transaction: `work` makes its requests, and `done` sets the value that the promise resolves with. */
  async function transact<Result>(
    mode: IDBTransactionMode,
    work: (store: IDBObjectStore, done: (result: Result) => void) => void,
    isDurable = false,
  ): Promise<Result> {
    const database = connection ?? (await open())
    const transaction = database.transaction(RECORDS, mode, { durability: isDurable ? 'strict' : 'relaxed' })
    use(1)
    return new Promise<Result>((resolve, reject) => {
      let finish = (): void => {}
      // Chromium completes a transaction before large values are written, and fires each request's event when they
      // are: wait for both.
      transaction.oncomplete = () => finish()
      transaction.onabort = () => reject(transaction.error ?? new DOMException('The transaction was aborted.'))
      try {
        work(transaction.objectStore(RECORDS), (result) => {
          finish = () => resolve(result)
        })
      } catch (error) {
        reject(error)
        transaction.abort()
      }
    }).finally(() => use(-1))
  }

  return {
    tabs: browserTabs(name, use),
    append: ({ text, files }, isDurable) =>
      transact<number>(
        'readwrite',
        (store, done) => {
          // Most records are their text alone.
          const request = store.add(files ? { text, files } : text)
          // The keys of this store are its own numbers.
          request.onsuccess = () => done(request.result as number)
        },
        isDurable,
      ),
    read: (after) =>
      transact<readonly LogRecord[]>('readonly', (store, done) => {
        readAll(store, IDBKeyRange.lowerBound(after, true), done)
      }),
    rewrite: (merge) =>
      transact<void>(
        'readwrite',
        (store, done) => {
          readAll(store, null, (records) => {
            const merged = merge(records)
            const last = records.at(-1)
            if (merged === undefined || last === undefined) {
              done()
              return
            }
            const { text, files } = merged
            store.clear()
            store.put(files ? { text, files } : text, last.number).onsuccess = () => done()
          })
        },
        true,
      ),
    clear: () =>
      transact<void>(
        'readwrite',
        (store, done) => {
          store.clear().onsuccess = () => done()
        },
        true,
      ),
  }
}

/**
 * Reads keys and values by two requests, which is many times faster than a cursor. An error in `use` aborts the
 * transaction.
 */
function readAll(store: IDBObjectStore, range: IDBKeyRange | null, use: (records: readonly LogRecord[]) => void): void {
  const keys = store.getAllKeys(range)
  const values = store.getAll(range)
  // Requests succeed in the order in which they were made.
  values.onsuccess = () => {
    const numbers = keys.result as readonly number[]
    use(values.result.map((value: unknown, i) => ({ ...entryOf(value), number: numbers[i] as number })))
  }
}

/** Other code may have written something else into the database. */
function entryOf(value: unknown): LogEntry {
  if (typeof value === 'string') return { text: value }
  const { text, files } = (value ?? {}) as Partial<LogEntry>
  return { text: String(text), files }
}
