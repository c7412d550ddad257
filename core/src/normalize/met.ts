import type { Owner, RowRecord } from '../schema/schema.js'
import type { KnownEntity } from '../table/entity-infos.js'
import type { EntityRow } from '../table/row.js'

/** The place of the visitor, except for the path. */
export interface Place {
  /** The row of the entity that encloses the present value. */
  readonly owner: EntityRow | undefined
  /** The input of the current schema. */
  readonly source: unknown
  readonly isCreating: boolean
}

/** A class in this response. */
export interface Met extends Pick<KnownEntity, 'info' | 'kind'> {
  /** For a class with relations: the value that each row was last written by, by the rows' indexes. */
  readonly inputs: object[]
  /** The record that each value made of a row that several wrote, by the rows' indexes. */
  readonly made: Map<object, RowRecord>[]
  /** The classes of its relations, by their index, once they were met. */
  readonly targets: Met[]
}

/**
 * Notes the record that a value has made of a row which another value had written: either of them may be met again. True if the other
 * one's record is noted now, too.
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

/** True if a value is met for the first time at this place: classes with a `process` of their own may look at it. */
export function isFirstFrom(
  value: object,
  place: readonly [Owner | undefined, field: string | undefined],
  met: Map<object, Set<string>>,
): boolean {
  const places = met.get(value) ?? new Set()
  met.set(value, places)
  return places.size < places.add(JSON.stringify(place)).size
}
