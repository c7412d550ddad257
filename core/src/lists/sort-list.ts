import type { ListMembers, ListSchema, Member, RowRecord } from '../schema/schema.js'
import type { ListValue } from '../table/row.js'
import { edited } from '../util/edits.js'
import { ordering } from '../util/ordered.js'
import { edit, findIn } from './edits.js'
import { arrayOf, sameRef } from './members.js'

/** If one member in sixteen has changed, sorting all takes no more comparisons than placing each. */
const FEW_OF = 16

/**
 * Returns members in their Collection's order, those without a row last.
 *
 * @param options - `moved`: the members that may be out of order; undefined if all may be
 */
export function sortMembers(
  { compare }: ListSchema,
  { args, members }: Pick<ListValue, 'args' | 'members'>,
  { moved, isLayer }: { readonly moved: readonly Member[] | undefined; readonly isLayer: boolean },
  recordOf: (ref: Member) => RowRecord | undefined,
): ListMembers {
  if (compare === undefined || moved?.length === 0) return members
  const refs = arrayOf(members)
  const isFew = moved !== undefined && moved.length * FEW_OF <= refs.length
  const records = isFew ? undefined : refs.map(recordOf)
  const order = (a: number, b: number): number => {
    const one = records === undefined ? recordOf(refs[a] as Member) : records[a]
    const other = records === undefined ? recordOf(refs[b] as Member) : records[b]
    if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined)
    return compare(one, other, args)
  }
  const places = isFew ? placesOf(refs, moved, members instanceof Map) : undefined
  if (places?.length === 0) return members
  if (!(members instanceof Map)) {
    const change = ordering(refs, places, order)
    return change === undefined ? members : edit(refs, change, isLayer)
  }
  const entries = [...members]
  const change = ordering(entries, places, order)
  return change === undefined ? members : new Map(edited(entries, change))
}

/** Returns the positions of members in ascending order. A map may have a member under several keys. */
function placesOf(refs: readonly Member[], moved: readonly Member[], mayRepeat: boolean): readonly number[] {
  const places = mayRepeat
    ? refs.flatMap((ref, at) => (moved.some((other) => sameRef(other, ref)) ? at : []))
    : moved.map((ref) => findIn(refs, ref)).filter((at) => at >= 0)
  return [...new Set(places)].sort((a, b) => a - b)
}
