import { type Inline, isInline, type ListMembers, type Member, type MembershipChange } from '../schema/schema.js'

/**
 * What tells members apart: a primary key as it is, a union's reference with its kind, so that no two collide; what is no row's is
 * only itself.
 *
 * @example
 * ```ts
 * refKey('5') // '5'
 * refKey({ id: '5', schema: 'user' }) // '4:user|5'
 * ```
 */
export function refKey(ref: Member): string | Inline {
  if (typeof ref === 'string' || isInline(ref)) return ref
  return `${ref.schema.length}:${ref.schema}|${ref.id}`
}

/**
 * True if both name the same row.
 *
 * @example sameRef({ id: '5', schema: 'user' }, { id: '5', schema: 'user' }) // true
 */
export function sameRef(a: Member, b: Member): boolean {
  if (a === b) return true
  if (typeof a === 'string' || typeof b === 'string' || isInline(a) || isInline(b)) return false
  return a.id === b.id && a.schema === b.schema
}

/**
 * A list with more members.
 *
 * @param refs - New members, none of which the list has.
 * @param at - Where new members go, or a user's own merge.
 * @param isLater - True for members that a later operation added: `refs` go before such members at the end (after such
 * members at the start), so that responses in any order leave the order in which the operations started.
 *
 * @example applyAdd(['1', '2'], ['3'], 'end') // ['1', '2', '3']
 */
export function applyAdd(
  members: readonly Member[],
  refs: readonly Member[],
  at: MembershipChange['at'],
  isLater?: (ref: Member) => boolean,
): readonly Member[] {
  if (typeof at === 'function') return distinct(at(members, refs))
  const fresh = distinct(refs)
  const place = at === 'end' ? trailingRun(members, isLater) : leadingRun(members, isLater)
  // Mostly they go to the end, and each part of a long list would be a copy.
  return place === members.length ? members.concat(fresh) : members.slice(0, place).concat(fresh, members.slice(place))
}

/**
 * A list without some members; if none of them was there, the same array.
 *
 * @example applyRemove(['1', '2'], ['2']) // ['1']
 */
export function applyRemove(members: readonly Member[], refs: readonly Member[]): readonly Member[] {
  if (refs.length > FEW_SCANNED) {
    const isGone = keyedTest(refs)
    const left = members.filter((member) => !isGone(member))
    return left.length === members.length ? members : left
  }
  let left: Member[] | undefined
  for (const ref of refs) {
    const at = placeOf(left ?? members, ref)
    if (at < 0) continue
    left ??= [...members]
    left.splice(at, 1)
  }
  return left ?? members
}

/**
 * The members without repetitions, with the first of each; if there are none, the same array.
 *
 * @example distinct(['1', '2', '1']) // ['1', '2']
 */
export function distinct(members: readonly Member[]): readonly Member[] {
  const seen = new Set<string | Inline>()
  for (const member of members) seen.add(refKey(member))
  if (seen.size === members.length) return members
  return members.filter((member) => seen.delete(refKey(member)))
}

/**
 * A merge function for `addWith` and `moveWith` that puts new members first.
 *
 * @example
 * ```ts
 * const moveToTop = todos.moveWith(unshift)
 * ```
 */
export function unshift(existing: readonly Member[], incoming: readonly Member[]): readonly Member[] {
  return incoming.concat(existing)
}

/** True if a list has the member. */
export function holds(members: ListMembers, ref: Member): boolean {
  if (!(members instanceof Map)) return placeOf(members as readonly Member[], ref) >= 0
  for (const member of members.values()) if (sameRef(member, ref)) return true
  return false
}

function placeOf(members: readonly Member[], ref: Member): number {
  if (typeof ref === 'string' || isInline(ref)) return members.indexOf(ref)
  return members.findIndex((member) => sameRef(member, ref))
}

/** Tests whether a list has a member: if there are many to test, by a Set of all. */
export function heldTest(members: ListMembers): (ref: Member) => boolean {
  const place = placeFinder(members)
  return (ref) => place(ref) >= 0
}

/** Finds the first position of a member, -1 if there is none: if there are many to find, by a Map of all. */
export function placeFinder(members: ListMembers): (ref: Member) => number {
  let scans = 0
  let refs: readonly Member[] | undefined
  let places: ReadonlyMap<string | Inline, number> | undefined
  return (ref) => {
    // What is no map is an array.
    refs ??= members instanceof Map ? [...members.values()] : (members as readonly Member[])
    if (places === undefined && ++scans <= FEW_SCANNED) return placeOf(refs, ref)
    places ??= new Map(refs.map((member, at) => [refKey(member), at] as const).reverse())
    return places.get(refKey(ref)) ?? -1
  }
}

/** Up to so many, looking at each costs less than a Set of all. */
export const FEW_SCANNED = 8

function keyedTest(members: ListMembers): (ref: Member) => boolean {
  const keys = new Set<string | Inline>()
  for (const member of members.values()) keys.add(refKey(member))
  return (ref) => keys.has(refKey(ref))
}

function trailingRun(members: readonly Member[], isLater: ((ref: Member) => boolean) | undefined): number {
  let place = members.length
  if (isLater === undefined) return place
  while (place > 0 && isLater(members[place - 1] as Member)) place -= 1
  return place
}

function leadingRun(members: readonly Member[], isLater: ((ref: Member) => boolean) | undefined): number {
  let place = 0
  if (isLater === undefined) return place
  while (place < members.length && isLater(members[place] as Member)) place += 1
  return place
}
