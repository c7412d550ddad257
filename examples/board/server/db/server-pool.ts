import pg from 'pg'
import type { Surroundings } from './data-folder.js'
import { prepare } from './prepare.js'
import { reasonOf } from './reason.js'
import type { Database } from './tables.js'

/**
 * Opens the database on the PostgreSQL server that the address names.
 *
 * @throws Error that names server and database, without the password, when it cannot be reached or used.
 */
export async function openServer(url: string, surroundings: Surroundings): Promise<Database> {
  const pool = new pg.Pool({ connectionString: url, connectionTimeoutMillis: 10_000 })
  // Without a listener, a connection that breaks while nobody uses it would end the process.
  pool.on('error', (error) => surroundings.print(`A connection to the database broke: ${error.message}`))
  try {
    return await prepare(pool, surroundings)
  } catch (error) {
    const { host, pathname } = new URL(url)
    throw new Error(`The database ${pathname.slice(1)} on ${host} cannot be used: ${reasonOf(error)}`, { cause: error })
  }
}
