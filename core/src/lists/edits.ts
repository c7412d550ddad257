import { type Inline, type ListMembers, type Member, type MembershipChange, pkOfRef } from '../schema/schema.js'
import type { Derived } from '../table/items.js'
import { type Edit, editedCopy } from '../util/edits.js'
import { distinct, placeIn, refKey, sameRef } from './members.js'

/** The edits that made an array of another one, so that views need not compare the two; until that changes too. */
const derivations = new WeakMap<readonly Member[], Derived<Member>>()

/** The places where members of an array were found. */
interface Places {
  searches: number
  /** The position of each member when it came; undefined until searching has cost enough. */
  noted: Map<string | Inline, number> | undefined
  /** How far members may be from there by now. */
  drift: number
}

/** Positions in long arrays that are searched again and again. */
const places = new WeakMap<readonly Member[], Places>()

/** More changes than this are not noted: to compare the arrays takes no longer. */
const MOST_CHANGES = 16

/** After so many searches of an array it pays to note where its members are. */
const SEARCHES = 16

/** How far members may be from where they were noted, beside a part of the length: then all are noted again. */
const NEAR = 64

/** The edits that led to these members, if they are known. */
export function derivationOf(members: readonly Member[]): Derived<Member> | undefined {
  return derivations.get(members)
}

/** The position of a member in a list; -1 if it is not there. The index of positions moves on from edit to edit. */
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
 * Members as an edit leaves them.
 *
 * @param isLayer - true for an optimistic layer: the index stays with the members below
 */
export function edit(members: readonly Member[], change: Edit<Member>, isLayer: boolean): readonly Member[] {
  const after = editedCopy(members, change)
  // Of each list only the last edit is needed, and nothing that is older is kept by it.
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

/** Members without some of them: the same if none was there. */
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

/** A member that comes into a list, in a map under its key. */
export type Entering = readonly [ref: Member, key: string | undefined]

/**
 * Members with more of them, none of which the list has.
 *
 * @param isLater - True for members that a later operation added: new ones go before such members at the end (after such members at
 * the start), so that responses in any order leave the order in which the operations started.
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

/** The edit as splices from left to right. */
function splicesBy({ removed, added }: Edit<Member>): Derived<Member>['splices'] {
  const splices: { at: number; removed: number; added: number }[] = []
  let shift = 0
  for (let r = 0, a = 0; r < removed.length || a < added.length; ) {
    const from = Math.min(removed[r] ?? Infinity, added[a]?.at ?? Infinity)
    const splice = { at: from + shift, removed: 0, added: 0 }
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
