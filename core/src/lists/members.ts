import {
  type Inline,
  isInline,
  type ListMembers,
  type Member,
  type MembershipChange,
  pkOfRef,
} from '../schema/schema.js'

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

/** Members without some of them: the same if none was there. */
export function without(members: ListMembers, leaving: readonly Member[]): ListMembers {
  if (leaving.length === 0) return members
  const gone = new Set(leaving.map(refKey))
  if (members instanceof Map) {
    const left = [...members].filter(([, member]) => !gone.has(refKey(member)))
    return left.length === members.size ? members : new Map(left)
  }
  // Members that are no map are an array.
  const all = members as readonly Member[]
  const [first] = leaving
  const at = leaving.length === 1 && typeof first === 'string' ? all.indexOf(first) : undefined
  if (at !== undefined) return at < 0 ? members : all.slice(0, at).concat(all.slice(at + 1))
  const left = all.filter((member) => !gone.has(refKey(member)))
  return left.length === all.length ? members : left
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
  isLater: ((ref: Member) => boolean) | undefined,
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
  return all.slice(0, place).concat(refs, all.slice(place))
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
