import type { Database } from './db/tables.js'

/** What the routes work with. */
export interface Services {
  readonly db: Database
  /** The current time; tests set their own. */
  readonly now: () => Date
}
