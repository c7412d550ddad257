import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where the server listens and keeps its data. */
export interface Config {
  /** The first port to try. */
  readonly port: number
  /** The address to listen on; undefined for this machine alone. */
  readonly host: string | undefined
  readonly dataDir: string
  /** The address of a PostgreSQL server; undefined for the embedded database. */
  readonly databaseUrl: string | undefined
  /** The number of tasks in a new database. */
  readonly taskCount: number
  /** The folder of the board's package: the page is built in its `dist/client`. */
  readonly root: string
  /** Serves the page from its sources instead. */
  readonly isDevelopment: boolean
}

/**
 * Reads the configuration from the environment: `PORT` (4173), `HOST` (this machine alone), `DATA_DIR` (`.data`
 * beside the package file), `DATABASE_URL` (none), `TASKS` (2,240); and from the flag `--dev`.
 *
 * @throws Error when PORT, DATABASE_URL or TASKS has a form that cannot be.
 */
export function readConfig(env: Record<string, string | undefined>, flags: readonly string[]): Config {
  const root = packageFolder(dirname(fileURLToPath(import.meta.url)))
  return {
    port: readPort(env.PORT || '4173'),
    host: env.HOST || undefined,
    dataDir: resolve(env.DATA_DIR || join(root, '.data')),
    databaseUrl: readDatabaseUrl(env.DATABASE_URL || undefined),
    taskCount: readTaskCount(env.TASKS || '2240'),
    root,
    isDevelopment: flags.includes('--dev'),
  }
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw new Error(`PORT must be a number from 0 to 65535, not "${text}".`)
}

function readDatabaseUrl(url: string | undefined): string | undefined {
  if (url === undefined || /^postgres(ql)?:\/\//.test(url)) return url
  throw new Error('DATABASE_URL must begin with postgres:// or postgresql://. Leave it out for the embedded database.')
}

function readTaskCount(text: string): number {
  const count = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN
  if (count >= 100 && count <= 200_000) return count
  throw new Error(`TASKS must be a number from 100 to 200000, not "${text}".`)
}

// The same module runs from server/ and, built, from dist/server/.
function packageFolder(folder: string): string {
  if (existsSync(join(folder, 'package.json')) || dirname(folder) === folder) return folder
  return packageFolder(dirname(folder))
}
