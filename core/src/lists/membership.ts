import { type Inline, isInline, type Member, type MembershipChange } from '../schema/schema.js'
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
  const isEnd = at === 'end'
  let run = 0
  while (run < members.length && isLater?.(members.at(isEnd ? -1 - run : run) as Member)) run++
  const place = isEnd ? members.length - run : run
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
