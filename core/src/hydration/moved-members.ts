import { type ListMembers, type ListSchema, type Member, type MembershipChange, pkOfRef } from '../schema/schema.js'
import { stableKey } from '../util/stable-key.js'
import type { ReadList, ReadMove } from './read-state.js'

/** Members that a mutation has moved, and the lists that it has changed. */
export interface MovedMembers extends Omit<ReadMove, 'response'> {
  readonly lists: readonly Pick<ReadList, 'args' | 'members'>[]
}

/** Returns the change that makes the lists of this store contain the members exactly where another tab's lists do. */
export function membershipOf({ op, isFirst, members, lists }: MovedMembers, list: ListSchema): MembershipChange {
  const told = new Map(
    lists.map(({ args, members: there }) => [stableKey(args), new Set([...there.values()].map(refText))]),
  )
  const keys = new Map(lists.flatMap(({ members: there }) => keysIn(there)))
  return {
    list,
    op,
    at: isFirst ? 'start' : 'end',
    members,
    keys: list.isMap ? members.map((ref) => keys.get(refText(ref)) ?? pkOfRef(ref)) : undefined,
    matches: (args, _, ref) => {
      const isIn = told.get(stableKey(args))?.has(refText(ref))
      return op === 'remove' && isIn !== undefined ? !isIn : isIn
    },
  }
}

/** Returns the keys of a map's members, by the members. */
function keysIn(members: ListMembers): readonly (readonly [ref: string, key: string])[] {
  return members instanceof Map ? [...members].map(([key, ref]) => [refText(ref), key]) : []
}

/** Returns the members of one list that another one lacks. */
export function missingIn(members: ListMembers, of: ListMembers): readonly Member[] {
  const there = new Set([...members.values()].map(refText))
  return [...of.values()].filter((ref) => !there.has(refText(ref)))
}

/** Returns a text that is the same for members that are the same row. */
function refText(ref: Member): string {
  return typeof ref === 'string' ? ref : JSON.stringify(ref)
}
