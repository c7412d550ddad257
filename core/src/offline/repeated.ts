import type { Flight, FlightReceived } from '../engine/flight.js'
import { TOMBSTONE } from '../table/value.js'

/**
 * A deletion since a mutation was first sent came after it: the response to the mutation's repetition does not bring the
 * row back.
 */
export function keepDeleted({ change }: FlightReceived): void {
  if (change !== undefined) change.mayCreate = false
}

/** The repetition may also have created the row again, which only the server knows: who has shown it asks once. */
export function askForDeleted({ owner: { store }, start: by }: Flight, { change, response }: FlightReceived): void {
  const isKept = (row: NonNullable<typeof change>['rows'][number]): boolean =>
    store.base(row) === TOMBSTONE && change?.written(row) !== TOMBSTONE
  const stale = change?.rows.filter(isKept) ?? []
  if (stale.length > 0) store.commit({ stale, response, by })
}
