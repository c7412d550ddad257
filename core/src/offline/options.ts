import type { OfflineLog } from './log.js'
import type { Outbox } from './outbox.js'

/** The options of `offline`. */
export interface OfflineOptions {
  /**
   * The log that stores it: `indexedDbLog(name)`, `fileLog(path)` of `@roundtable/core/offline/file`, `memoryLog()`.
   * One for each user.
   */
  readonly log: OfflineLog
  /**
   * The version of the application's data: data that another version has stored is not read. Change it when a key's
   * fields change.
   *
   * @default ''
   */
  readonly version?: string | undefined
  /**
   * Returns true for data to store: it is called with the keys of entities and Collections, and with fetch keys. Stored
   * data for which it returns false by now is not read, and the next summary removes it.
   *
   * @default all
   */
  readonly include?: ((name: string) => boolean) | undefined
  /**
   * The mutations that are stored until the server responds: `outbox({ TodoResource })`.
   *
   * @default none
   */
  readonly outbox?: Outbox | undefined
}
