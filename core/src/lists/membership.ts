import { type Inline, isInline, type ListMembers, type Member, type MembershipChange } from '../schema/schema.js'
import type { Edit } from '../util/edits.js'

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
 * How more members come into a list.
 *
 * @param refs - New members, none of which the list has.
 * @param isLater - True for members that a later operation added: `refs` go before such members at the end (after such
 * members at the start), so that responses in any order leave the order in which the operations started.
 *
 * @example additions(['1', '2'], ['3'], 'end') // { removed: [], added: [{ at: 2, item: '3' }] }
 */
export function additions(
  members: readonly Member[],
  refs: readonly Member[],
  at: Exclude<MembershipChange['at'], (...args: never) => unknown>,
  isLater?: (ref: Member) => boolean,
): Edit<Member> {
  const place = at === 'end' ? trailingRun(members, isLater) : leadingRun(members, isLater)
  return { removed: [], added: distinct(refs).map((item) => ({ at: place, item })) }
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
  // What is no map is an array.
  if (!(members instanceof Map) && typeof ref === 'string') return (members as readonly Member[]).includes(ref)
  for (const member of members.values()) if (sameRef(member, ref)) return true
  return false
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
