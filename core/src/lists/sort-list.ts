import { type ListMembers, type ListSchema, type Member, pkOfRef, type RowRecord } from '../schema/schema.js'
import type { LevelReader } from '../table/level.js'
import { isThere } from '../table/row.js'
import { edited } from '../util/edits.js'
import { CallbackError } from '../util/errors.js'
import { ordering } from '../util/ordered.js'
import type { MemberDraft } from './member-draft.js'
import { placeFinder } from './member-places.js'
import { refKey } from './membership.js'

/** If every sixteenth member or more has changed, sorting all takes no more comparisons than placing each. */
const FEW_OF = 16

/**
 * Puts members into their Collection's order, those without a row last; false if `compare` throws.
 *
 * @param changed - The positions of members that may be out of order, ascending, while all others are in order; undefined if any may be.
 */
export function sortMembers(
  schema: ListSchema,
  draft: MemberDraft,
  changed: readonly number[] | undefined,
  level: LevelReader,
): boolean {
  const { compare } = schema
  const { members } = draft
  if (compare === undefined || changed?.length === 0) return true
  // What is no map is an array.
  const refs = members instanceof Map ? [...members.values()] : (members as readonly Member[])
  const few = changed === undefined || changed.length * FEW_OF > refs.length ? undefined : changed
  const records = few === undefined ? refs.map((ref) => sortedRecord(schema, ref, level)) : undefined
  const recordAt = (at: number): RowRecord | undefined =>
    records === undefined ? sortedRecord(schema, refs[at] as Member, level) : records[at]
  const order = (a: number, b: number): number => {
    const one = recordAt(a)
    const other = recordAt(b)
    if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined)
    return compare(one, other)
  }
  try {
    if (members instanceof Map) {
      const edit = ordering([...members], few, order)
      if (edit !== undefined) draft.members = new Map(edited([...members], edit))
    } else {
      const edit = ordering(refs, few, order)
      if (edit !== undefined) draft.edit(edit)
    }
    return true
  } catch (cause) {
    level.report(new CallbackError('compare', schema.key, { cause }))
    return false
  }
}

/** The positions of some members, ascending. */
export function placesOf(members: ListMembers, wanted: readonly Member[]): readonly number[] {
  if (wanted.length === 0) return []
  if (!(members instanceof Map)) {
    const placeIn = placeFinder(members)
    return [...new Set(wanted.map(placeIn))].filter((at) => at >= 0).sort((a, b) => a - b)
  }
  const keys = new Set(wanted.map(refKey))
  return [...members.values()].flatMap((ref, at) => (keys.has(refKey(ref)) ? at : []))
}

function sortedRecord(schema: ListSchema, ref: Member, level: LevelReader): RowRecord | undefined {
  const entity = schema.entityOf(ref)
  const value = entity === undefined ? undefined : level.valueOf(level.row(entity, pkOfRef(ref)))
  return isThere(value) ? value : undefined
}
