import type { Entry } from '../engine/entry.js'
import type { Call, Flight } from '../engine/flight.js'
import type { Change } from '../table/change.js'
import type { EntityRow } from '../table/row.js'
import { isThere } from '../table/value.js'
import type { StoredFields } from './conflict-error.js'

/** The validators of the response to one request of a key: to its URL, or to a page of its list. */
export interface Note {
  readonly call: Call
  /** The row that the response was, if it was one entity. */
  readonly row: EntityRow | undefined
  change: Change
  /** The validator of that very response. */
  etag?: string | undefined
  /** The row's value for the server's present representation, and the strong validator of that: mutations renew both. */
  base: StoredFields
  current?: string | undefined
  /** Settles when the row's last mutation has: they are sent one after the other, each with the validator that the one before brought. */
  tail?: Promise<unknown>
  /** Mutations of the row that may still be sent, with the versions that they were made on: no newer one was shown. */
  readonly updates: Map<Flight, Pick<Note, 'base' | 'current'>>
}

/** The notes of each key, by request: one for the key itself, and one for each page of its list. */
const notesOf = new WeakMap<Entry, Map<string, Note>>()

/** Returns the note of a request; without a request key that of the whole result. */
export function noteOf(entry: Entry, requestKey: string = entry.row.pk): Note | undefined {
  return notesOf.get(entry)?.get(requestKey)
}

/** Keeps the note of a request as long as its key. */
export function keepNote(entry: Entry, requestKey: string, note: Note): void {
  notesOf.set(entry, (notesOf.get(entry) ?? new Map<string, Note>()).set(requestKey, note))
}

/** The key whose response a flight brings. */
export function entryOf({ owner, key, endpoint }: Flight): Entry {
  return owner.store.entry(key, endpoint.schema)
}

/** The fields of a note's row in server state. */
export function storedFields({ row }: Note, base: (row: EntityRow) => EntityRow['value']): StoredFields {
  const value = row && base(row)
  return isThere(value) ? value : {}
}

/** The note of the row that the response to a URL was. */
export function noteFor({ owner }: Pick<Flight, 'owner'>, url: string): Note | undefined {
  const notes = owner.store.entriesOf(`GET ${url}`).map((entry) => noteOf(entry))
  return notes.find((one) => one?.row)
}
