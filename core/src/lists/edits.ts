import { type Inline, type ListMembers, type Member, type MembershipChange, pkOfRef } from '../schema/schema.js'
import type { Derived } from '../table/items.js'
import type { Splice } from '../table/splices.js'
import { type Edit, editedCopy } from '../util/edits.js'
import { distinct, placeIn, refKey, sameRef } from './members.js'

/** The edits that turned another array into this one, so that views need not compare them. */
export const derivations: WeakMap<readonly Member[], Derived<Member>> = new WeakMap()

/** The index of positions of an array's members. */
interface Places {
  searches: number
  /** The recorded position of each member; undefined until searching has cost enough. */
  noted: Map<string | Inline, number> | undefined
  /** The maximum distance of members from their recorded positions. */
  drift: number
}

/** Indexes of long arrays that are searched repeatedly. */
const places = new WeakMap<readonly Member[], Places>()

/** The maximum number of changes to record: beyond it, comparing the arrays takes no longer. */
const MOST_CHANGES = 16

/** The number of searches of an array after which recording positions pays. */
const SEARCHES = 16

/** The drift, in addition to a fraction of the length, after which all positions are recorded again. */
const NEAR = 64

/** Returns the position of a member in a list; -1 if there is none. */
export function findIn(members: readonly Member[], ref: Member): number {
  if (members.length <= NEAR) return placeIn(members, ref)
  const index = places.get(members) ?? { searches: 0, noted: undefined, drift: 0 }
  places.set(members, index)
  if (index.noted === undefined && ++index.searches <= SEARCHES) return placeIn(members, ref)
  index.noted ??= placesOf(members)
  const place = index.noted.get(refKey(ref)) ?? -Infinity
  const isAt = (at: number): boolean => at in members && sameRef(members[at] as Member, ref)
  for (let off = 0; off <= index.drift && place >= 0; off++) {
    if (isAt(place - off)) return place - off
    if (isAt(place + off)) return place + off
  }
  return -1
}

function placesOf(members: readonly Member[]): Map<string | Inline, number> {
  const noted = new Map<string | Inline, number>()
  for (let at = 0; at < members.length; at++) noted.set(refKey(members[at] as Member), at)
  return noted
}

/**
 * Returns members after an edit, and passes the index of positions on to them.
 *
 * @param isLayer - true for an optimistic layer: the index stays with the members below it
 */
export function edit(members: readonly Member[], change: Edit<Member>, isLayer: boolean): readonly Member[] {
  const after = editedCopy(members, change)
  // Only the last edit of each list is needed. It must not retain older arrays.
  derivations.delete(members)
  const splices = splicesBy(change)
  if (splices.length <= MOST_CHANGES)
    derivations.set(after, { before: members, splices, isDistinct: typeof after[0] === 'string' })
  const index = isLayer ? undefined : places.get(members)
  if (index === undefined) return after
  places.delete(members)
  places.set(after, index)
  for (const at of change.removed) index.noted?.delete(refKey(members[at] as Member))
  for (const [i, { at, item }] of change.added.entries()) index.noted?.set(refKey(item), at + i)
  index.drift += change.removed.length + change.added.length
  if (index.drift <= NEAR + after.length / 32) return after
  index.noted = undefined
  index.drift = 0
  return after
}

/** Returns members without some of them: the same members if it has none of those. */
export function without(members: ListMembers, leaving: readonly Member[], isLayer: boolean): ListMembers {
  if (leaving.length === 0) return members
  if (members instanceof Map) {
    const gone = new Set(leaving.map(refKey))
    const left = [...members].filter(([, member]) => !gone.has(refKey(member)))
    return left.length === members.size ? members : new Map(left)
  }
  // Members that are no map are an array.
  const all = members as readonly Member[]
  const found = new Set(leaving.map((ref) => findIn(all, ref)).filter((at) => at >= 0))
  return found.size === 0 ? members : edit(all, { removed: [...found].sort((a, b) => a - b), added: [] }, isLayer)
}

/** A new member of a list, with its key in a map. */
export type Entering = readonly [ref: Member, key: string | undefined]

/**
 * Returns members with new ones, none of which the list has.
 *
 * @param isLater - true for members that a later operation added: new members go before such members at the end (after such
 * members at the start), so that members are in the order of the operations' starts, in whatever order responses arrive
 */
export function withMore(
  members: ListMembers,
  entering: readonly Entering[],
  at: MembershipChange['at'],
  isLayer: boolean,
  isLater?: (ref: Member) => boolean,
): ListMembers {
  if (entering.length === 0) return members
  if (members instanceof Map) {
    const more = new Map<string, Member>(members)
    for (const [ref, key] of entering) more.set(key ?? pkOfRef(ref), ref)
    return more
  }
  // Members that are no map are an array.
  const all = members as readonly Member[]
  const refs = distinct(entering.map(([ref]) => ref))
  if (typeof at === 'function') return distinct(at(all, refs))
  let run = 0
  while (run < all.length && isLater?.(all.at(at === 'end' ? -1 - run : run) as Member)) run++
  const place = at === 'end' ? all.length - run : run
  return edit(all, { removed: [], added: refs.map((item) => ({ at: place, item })) }, isLayer)
}

type Growing = { -readonly [Field in keyof Splice]: Splice[Field] }

/** Returns the edit as splices from left to right. */
function splicesBy({ removed, added }: Edit<Member>): Derived<Member>['splices'] {
  const splices: Growing[] = []
  let shift = 0
  for (let r = 0, a = 0; r < removed.length || a < added.length; ) {
    const from = Math.min(removed[r] ?? Infinity, added[a]?.at ?? Infinity)
    const splice: Growing = { at: from + shift, removed: 0, added: 0 }
    for (; added[a]?.at === from; a++) splice.added++
    for (; removed[r] === from + splice.removed; r++) {
      if (splice.removed > 0 && added[a]?.at === removed[r]) break
      splice.removed++
    }
    splices.push(splice)
    shift += splice.added - splice.removed
  }
  return splices
}
