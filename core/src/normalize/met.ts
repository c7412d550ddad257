import type { Owner, RowRecord } from '../schema/schema.js'
import type { KnownEntity } from '../table/entity-infos.js'

/** The things that a schema object has said about the values below it. */
export interface Place {
  /** The input of the current schema. */
  readonly source: unknown
  readonly isCreating?: boolean
}

/** A class in the response. */
export interface Met extends Pick<KnownEntity, 'info' | 'kind'> {
  /** For a class with relations, the value that last wrote each row, by the rows' indexes. */
  readonly inputs: object[]
  /** For rows written by several values, the record of each value, by the rows' indexes. */
  readonly made: Map<object, RowRecord>[]
  /** The visited classes of its relations, by the relations' indexes. */
  readonly targets: Met[]
}

/**
 * Records the record of a value whose row another value has already written, since either value may be visited again.
 * Returns true if the other value's record is now recorded, too.
 */
export function noteMade(
  { inputs, made }: Met,
  at: number,
  written: RowRecord,
  [input, record]: readonly [object, RowRecord],
): boolean {
  const by = made[at] ?? new Map<object, RowRecord>()
  made[at] = by
  const before = inputs[at]
  const isNew = before !== undefined && !by.has(before)
  if (isNew) by.set(before, written)
  by.set(input, record)
  return isNew
}

/** True at the first visit of a value at this parent and field, which a class's `process` may read. */
export function isFirstFrom(
  value: object,
  place: readonly [Owner | undefined, field: string | undefined],
  met: Map<object, Set<string>>,
): boolean {
  const places = met.get(value) ?? new Set()
  met.set(value, places)
  return places.size < places.add(JSON.stringify(place)).size
}
