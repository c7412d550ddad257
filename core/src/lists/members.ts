import { type Inline, isInline, type ListMembers, type Member } from '../schema/schema.js'

/**
 * Returns the identity of a member: its primary key, or for a union also its kind, so that no two collide. A member that is
 * not a row is its own identity.
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
 * Returns true if both members are the same row.
 *
 * @example sameRef({ id: '5', schema: 'user' }, { id: '5', schema: 'user' }) // true
 */
export function sameRef(a: Member, b: Member): boolean {
  return a === b || (typeof a !== 'string' && typeof b !== 'string' && refKey(a) === refKey(b))
}

/** Returns members as an array. */
export function arrayOf(members: ListMembers): readonly Member[] {
  // Members that are no map are an array.
  return members instanceof Map ? [...members.values()] : (members as readonly Member[])
}

/** Returns the position of a member; -1 if there is none. */
export function placeIn(members: readonly Member[], ref: Member): number {
  return typeof ref === 'string' ? members.indexOf(ref) : members.findIndex((other) => sameRef(other, ref))
}

/**
 * Returns the members without repetitions, or the same array if there are none.
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
