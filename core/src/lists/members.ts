import { type Inline, isInline, type ListMembers, type Member } from '../schema/schema.js'

/**
 * The identity of a member: a primary key as it is, a union's reference with its kind, so that no two collide; a member that is not a row is
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
  return a === b || (typeof a !== 'string' && typeof b !== 'string' && refKey(a) === refKey(b))
}

/** Members as an array. */
export function arrayOf(members: ListMembers): readonly Member[] {
  // Members that are no map are an array.
  return members instanceof Map ? [...members.values()] : (members as readonly Member[])
}

/** The position of a member; -1 if it is not there. */
export function placeIn(members: readonly Member[], ref: Member): number {
  return typeof ref === 'string' ? members.indexOf(ref) : members.findIndex((other) => sameRef(other, ref))
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
