import type { Flight } from '../engine/flight.js'
import { entityOf } from '../engine/scope.js'
import type { RestEndpoint } from '../rest/rest-endpoint.js'
import { Change } from '../table/change.js'
import type { Row } from '../table/row.js'
import { keepNote, type Note, noteFor } from './notes.js'

/** The version of a row on which a change is based: its validator and its fields. */
type Kept = Pick<Note, 'base' | 'current'>

/**
 * Returns the version on which a change is based, as JSON, so that the change can be sent after a restart; undefined for one
 * without a validator. Contains only the validator of a row that must not be stored: in a conflict, all of its fields count
 * as changed.
 */
export function keptOf(flight: Flight, isSecret: (row: Row) => boolean): unknown {
  const note = noteFor(flight, urlOf(flight))
  const seen = note?.updates.get(flight)
  if (note?.row === undefined || seen?.current === undefined) return undefined
  return [seen.current, isSecret(note.row) ? {} : seen.base, note.row.pk]
}

/** Sends a change from before a restart with the version on which it is based. */
export function resumeBy(flight: Flight, kept: unknown): void {
  // `keptOf` returned the value.
  const [current, base, pk] = kept as readonly [string, Kept['base'], string]
  const seen: Kept = { current, base }
  const url = urlOf(flight)
  const note = noteFor(flight, url) ?? noteAnew(flight, url, seen, pk)
  note?.updates.set(flight, seen)
}

function urlOf({ key }: Flight): string {
  return key.replace(/^[A-Z]+ /, '')
}

/**
 * Creates a note after a restart, when the row may not have been read and its stored form may be unreadable: the row then
 * has the old version, at the URL of the change.
 */
function noteAnew({ owner, endpoint, args }: Flight, url: string, seen: Kept, pk: string): Note | undefined {
  const schema = entityOf(endpoint.schema)
  if (schema === undefined) return undefined
  const { store } = owner
  // The part sends every change that has a validator.
  const read = (endpoint as RestEndpoint).extend({
    ...{ method: 'GET', body: undefined, schema, sideEffect: undefined, scope: undefined },
    ...{ getOptimisticResponse: undefined, update: undefined },
  } as never) as RestEndpoint
  const entry = store.entry(`GET ${url}`, schema)
  const change = new Change()
  change.result = pk
  const params = args.length > 1 || endpoint.schema !== schema ? args.slice(0, 1) : []
  const note: Note = {
    call: { endpoint: read, args: params, key: entry.key },
    row: store.infos.of(schema).kind.row(pk),
    change,
    ...seen,
    updates: new Map(),
  }
  keepNote(entry, entry.row.pk, note)
  return note
}
