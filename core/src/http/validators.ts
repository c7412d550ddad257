import type { Flight, FlightReceived } from '../engine/flight.js'
import { isEntity } from '../schema/schema.js'
import { REMOVED, type Row } from '../table/row.js'
import { etagOf, strongTag, withHeader } from './headers.js'
import type { HeaderOf } from './lifetime.js'
import { keepNote, type Note, noteOf, storedFields } from './notes.js'

/** Sends a request with the stored validator. A 304 renews the stored response without parsing anything. */
export async function revalidate(
  flight: Flight,
  init: RequestInit,
  send: (init: RequestInit) => Promise<Response>,
): Promise<Response> {
  const { entry, requestKey } = flight
  const note = entry && noteOf(entry, requestKey)
  const asked = validatorOf(note)
  if (note === undefined || asked === undefined) return send(init)
  // The browser's own cache would replace a 304 by its stored response.
  const response = await send({ ...withHeader(init, 'if-none-match', asked), cache: 'no-store' })
  if (response.status !== 304) return response
  // A sweep may have dropped the data that a 304 confirms.
  if (validatorOf(note) === undefined) return send(init)
  flight.answer = { change: note.change, of: response }
  return response
}

/** Returns the validator to send; none if the table has dropped rows of the response, which a 304 would not restore. */
function validatorOf(note: Note | undefined): string | undefined {
  const isKept = ({ gcEpoch }: Pick<Row, 'gcEpoch'>): boolean => gcEpoch !== REMOVED
  const { rows, lists } = note?.change ?? {}
  return rows?.every(isKept) && lists?.every(({ row }) => isKept(row)) ? note?.etag : undefined
}

/** Notes the validators of a response that was written. */
export function noteValidators(flight: Flight, { response, change }: FlightReceived, header: HeaderOf): void {
  const { entry, requestKey, owner, key, endpoint, args } = flight
  // The data in the table is not that of a response that was overtaken.
  if (change === undefined || entry?.row.read !== response) return
  const noted = noteOf(entry, requestKey)
  const tag = etagOf(header) ?? (flight.answer && noted?.etag)
  const { schema } = endpoint
  const { result, results } = change
  const row = isEntity(schema) ? owner.store.infos.of(schema).kind.rows.get(result as string) : undefined
  const note: Note = noted ?? { call: { endpoint, args, key }, row, change, base: {}, updates: new Map() }
  note.change = change
  // Updaters of other results depend on the current results, so they cannot be repeated.
  note.etag = results.size > 0 ? undefined : tag
  // A mutation that completed later has renewed the note.
  if (row !== undefined && (row.mutated?.done ?? 0) < response.start) {
    note.current = strongTag(tag)
    note.base = storedFields(note, owner.store.base)
  }
  keepNote(entry, requestKey, note)
}
