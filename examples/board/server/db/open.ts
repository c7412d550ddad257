import { openDataFolder, type Surroundings } from './data-folder.js'
import { openServer } from './server-pool.js'
import type { Database } from './tables.js'

/** Opens the database that the configuration names: a PostgreSQL server where there is an address, else the folder. */
export function openDatabase(
  where: { databaseUrl: string | undefined; dataDir: string },
  surroundings: Surroundings,
): Promise<Database> {
  return where.databaseUrl === undefined
    ? openDataFolder(where.dataDir, surroundings)
    : openServer(where.databaseUrl, surroundings)
}
