import {
  type Inline,
  type ListMembers,
  type ListSchema,
  type Member,
  pkOfRef,
  type RowRecord,
} from '../schema/schema.js'
import type { LevelReader } from '../table/level.js'
import { isThere } from '../table/row.js'
import { CallbackError } from '../util/errors.js'
import { reorder } from '../util/ordered.js'
import { refKey } from './membership.js'

/** If every sixteenth member or more has changed, sorting all takes no more comparisons than placing each. */
const FEW_OF = 16

/**
 * The members in their Collection's order, those without a row last; the same ones if they are in order, undefined if `compare` throws.
 *
 * @param changed - Members that may be out of order, while all others are in order; undefined if any may be.
 */
export function sortList(
  schema: ListSchema,
  members: ListMembers,
  changed: readonly Member[] | undefined,
  level: LevelReader,
): ListMembers | undefined {
  const { compare } = schema
  if (compare === undefined || changed?.length === 0) return members
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
    const places = few === undefined ? undefined : placesOf(refs, few)
    if (!(members instanceof Map)) return reorder(refs, places, order)
    const entries = [...members]
    const sorted = reorder(entries, places, order)
    return sorted === entries ? members : new Map(sorted)
  } catch (cause) {
    level.report(new CallbackError('compare', schema.key, { cause }))
    return undefined
  }
}

/** Up to so many, a search for each is cheaper than one pass with a Set. */
const FEW_SEARCHED = 8

/** The positions of some members, ascending. */
function placesOf(members: readonly Member[], wanted: readonly Member[]): number[] {
  const keys = new Set<string | Inline>()
  for (const ref of wanted) keys.add(refKey(ref))
  const places: number[] = []
  if (keys.size <= FEW_SEARCHED && wanted.every((ref) => typeof ref === 'string')) {
    // Text is its own key.
    for (const ref of keys)
      for (let at = members.indexOf(ref as string); at >= 0; at = members.indexOf(ref as string, at + 1))
        places.push(at)
    return places.sort((a, b) => a - b)
  }
  for (let at = 0; at < members.length; at++) if (keys.has(refKey(members[at] as Member))) places.push(at)
  return places
}

function sortedRecord(schema: ListSchema, ref: Member, level: LevelReader): RowRecord | undefined {
  const entity = schema.entityOf(ref)
  const value = entity === undefined ? undefined : level.valueOf(level.row(entity, pkOfRef(ref)))
  return isThere(value) ? value : undefined
}
