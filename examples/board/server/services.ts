import type { Database } from './db/tables.js'
import type { TaskNews } from './task-news.js'

/** The services that the routes use. */
export interface Services {
  readonly db: Database
  /** The current time; tests set their own. */
  readonly now: () => Date
  /** The latest changes, for listeners. */
  readonly news: TaskNews
}
