import type { Registry } from '../client/registry.js'
import type { EndpointInterface } from '../endpoint/options.js'
import type { Row } from '../table/row.js'
import type { Flights } from './flights.js'
import type { Step } from './mutation.js'
import type { StorageError } from './storage-error.js'
import type { LogTabs, Positions } from './tabs.js'

/** The members of the manager that the courier needs. */
export interface CourierHost {
  readonly registry: Registry
  readonly maxAttempts: number
  /** The other tabs, which may have the same mutations. */
  readonly tabs: LogTabs | undefined
  readonly positions: Positions
  readonly flights: Flights
  /** The endpoint of a name, and the name of an endpoint. */
  endpointOf(name: string): EndpointInterface | undefined
  nameOf(endpoint: EndpointInterface): string | undefined
  /** Writes steps, in the record of the rows that are new, and returns its number; 0 if it could not be written. */
  write(steps: readonly Step[], isDurable: boolean): Promise<number>
  /** Reads what other tabs have written. */
  readOn(): Promise<unknown>
  /** Called when the response of another tab has been written: it is in the log. */
  onTold(): void
  report(error: StorageError): void
  /** True for a row that must not be stored. */
  isSecret(row: Row): boolean
}
