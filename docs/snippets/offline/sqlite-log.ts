import type { LogRecord, OfflineLog } from '@roundtable/core/offline'

type Value = string | number

/** A connection to a file that belongs to the log, in the words of your driver; promises and plain results both do. */
export interface Connection {
  run(sql: string, values: Value[]): unknown
  all(sql: string, values: Value[]): unknown
}

const TABLE =
  'CREATE TABLE IF NOT EXISTS log (number INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT)'

export function sqliteLog({ run, all }: Connection): OfflineLog {
  // One after the other: an append must not get into the transaction of a rewrite.
  let queue: Promise<unknown> = Promise.resolve()
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = queue.then(async () => {
      await run(TABLE, [])
      return work()
    })
    queue = result.catch(() => {})
    return result
  }

  async function recordsAfter(number: number): Promise<LogRecord[]> {
    const sql =
      'SELECT number, text FROM log WHERE number > ? ORDER BY number'
    return (await all(sql, [number])) as LogRecord[]
  }

  return {
    append: ({ text, files }) =>
      inTurn(async () => {
        if (files?.length) throw new TypeError('This log keeps no files.')
        const sql = 'INSERT INTO log (text) VALUES (?) RETURNING number'
        const [record] = (await all(sql, [text])) as [{ number: number }]
        return record.number
      }),
    read: (after) => inTurn(() => recordsAfter(after)),
    rewrite: (merge) =>
      inTurn(async () => {
        await run('BEGIN IMMEDIATE', [])
        try {
          const records = await recordsAfter(0)
          const merged = merge(records)
          const last = records.at(-1)
          if (merged !== undefined && last !== undefined) {
            await run('DELETE FROM log', [])
            await run('INSERT INTO log VALUES (?, ?)', [
              last.number,
              merged.text,
            ])
          }
          await run('COMMIT', [])
        } catch (error) {
          await run('ROLLBACK', [])
          throw error
        }
      }),
    clear: () =>
      inTurn(async () => void (await run('DELETE FROM log', []))),
  }
}
