import type { Entry } from '../engine/entry.js'
import type { Call, Flight } from '../engine/flight.js'
import type { Change } from '../table/change.js'
import type { EntityRow } from '../table/row.js'
import { isThere } from '../table/value.js'
import type { StoredFields } from './conflict-error.js'

/** The validators of the response to a request of a key, either to its URL or to a page of its list. */
export interface Note {
  readonly call: Call
  /** The row of the response, if it was a single entity. */
  readonly row: EntityRow | undefined
  change: Change
  /** The validator of the response. */
  etag?: string | undefined
  /** The row's value for the server's current representation, and its strong validator. Mutations renew both. */
  base: StoredFields
  current?: string | undefined
  /** Settles with the row's last mutation: each waits for the previous one, whose response has its validator. */
  tail?: Promise<unknown>
  /** Mutations of the row that may still be sent, with the version that each is based on: its user saw no newer one. */
  readonly updates: Map<Flight, Pick<Note, 'base' | 'current'>>
}

/** The notes of each key, by request: one for the key itself, and one for each page of its list. */
const notesOf = new WeakMap<Entry, Map<string, Note>>()

/** Returns the note of a request, or without a request key that of the whole result. */
export function noteOf(entry: Entry, requestKey: string = entry.row.pk): Note | undefined {
  return notesOf.get(entry)?.get(requestKey)
}

/** Stores the note of a request as long as its key. */
export function keepNote(entry: Entry, requestKey: string, note: Note): void {
  notesOf.set(entry, (notesOf.get(entry) ?? new Map<string, Note>()).set(requestKey, note))
}

/** Returns the fields of a note's row in server state. */
export function storedFields({ row }: Note, base: (row: EntityRow) => EntityRow['value']): StoredFields {
  const value = row && base(row)
  return isThere(value) ? value : {}
}

/** Returns the note of the URL whose response was a row. */
export function noteFor({ owner }: Pick<Flight, 'owner'>, url: string): Note | undefined {
  const notes = owner.store.entriesOf(`GET ${url}`).map((entry) => noteOf(entry))
  return notes.find((one) => one?.row)
}
