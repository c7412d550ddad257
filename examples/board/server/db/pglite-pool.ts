import type { PGlite } from '@electric-sql/pglite'
import type { PostgresPool, PostgresPoolClient } from 'kysely'

/**
 * Shows the embedded database to kysely as a pool of one connection: callers wait while it is in use.
 * With it the same dialect, and so the same SQL, runs here and on a PostgreSQL server.
 */
export function pglitePool(database: PGlite): PostgresPool {
  let returned: Promise<void> = Promise.resolve()
  return {
    async connect() {
      const turn = returned
      let release = (): void => {}
      returned = new Promise((resolve) => {
        release = resolve
      })
      await turn
      return client(database, release)
    },
    async end() {
      await returned
      await database.close()
    },
  }
}

function client(database: PGlite, release: () => void): PostgresPoolClient {
  // Kysely needs a cursor only for streamed queries, which the board never uses.
  return { query: ((sql: string, parameters: readonly unknown[]) => run(database, sql, parameters)) as never, release }
}

async function run(database: PGlite, sql: string, parameters: readonly unknown[]) {
  const { rows, affectedRows } = await database.query(sql, [...parameters])
  return { command: /^\s*(\w+)/.exec(sql)?.[1]?.toUpperCase() ?? '', rowCount: affectedRows ?? rows.length, rows }
}
