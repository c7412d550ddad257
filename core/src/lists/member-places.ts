import type { Inline, ListMembers, Member } from '../schema/schema.js'
import type { Edit } from '../util/edits.js'
import { refKey, sameRef } from './membership.js'

/** One edit of a list's members. */
export interface Step {
  /** The members before it. */
  readonly members: readonly Member[]
  readonly edit: Edit<Member>
}

/** After so many searches of an array it pays to note where its members are. */
const SEARCHES = 16

/** How far members may be from where they were noted, beside a part of the length: then all are noted again. */
const NEAR = 64

/**
 * The places of a list's members. They move on with the list from edit to edit, so that in a long list that changes often no member is
 * searched.
 */
export class MemberPlaces {
  #searches = 0
  /** Where members were when they came; undefined until it pays. */
  #noted: Map<string | Inline, number> | undefined = undefined
  /** How far members may be from there by now. */
  #drift = 0

  /** The first position of a member, -1 if there is none. */
  find(members: readonly Member[], ref: Member): number {
    const noted = this.#places(members)
    if (noted === undefined) return search(members, ref)
    const place = noted.get(refKey(ref))
    if (place === undefined) return -1
    for (let off = 0; off <= this.#drift; off++) {
      if (isAt(members, place - off, ref)) return place - off
      if (isAt(members, place + off, ref)) return place + off
    }
    return -1
  }

  /** The list becomes what an edit makes of it. */
  moveOn({ members, edit: { removed, added } }: Step): void {
    const noted = this.#noted
    if (noted === undefined) return
    for (const at of removed) noted.delete(refKey(members[at] as Member))
    let left = 0
    for (const [i, { at, item }] of added.entries()) {
      while ((removed[left] ?? at) < at) left++
      noted.set(refKey(item), at - left + i)
    }
    const first = Math.min(removed[0] ?? members.length, added[0]?.at ?? members.length)
    // Members before all that changes stay where they are.
    if (members.length - first > removed.length) this.#drift += Math.max(removed.length, added.length)
    if (this.#drift > NEAR + members.length / 32) this.#noted = undefined
  }

  #places(members: readonly Member[]): Map<string | Inline, number> | undefined {
    if (this.#noted !== undefined || ++this.#searches <= SEARCHES) return this.#noted
    this.#noted = new Map()
    this.#drift = 0
    for (let at = members.length - 1; at >= 0; at--) this.#noted.set(refKey(members[at] as Member), at)
    return this.#noted
  }
}

function isAt(members: readonly Member[], at: number, ref: Member): boolean {
  const there = members[at]
  return there !== undefined && sameRef(there, ref)
}

function search(members: readonly Member[], ref: Member): number {
  return typeof ref === 'object' ? members.findIndex((member) => sameRef(member, ref)) : members.indexOf(ref)
}

/** Finds the first position of a member, -1 if there is none. */
export type PlaceFinder = (ref: Member) => number

/** Finds members of a list: if there are many to find, by a Map of all. */
export function placeFinder(members: ListMembers, places: MemberPlaces = new MemberPlaces()): PlaceFinder {
  let refs: readonly Member[] | undefined
  return (ref) => {
    // What is no map is an array.
    refs ??= members instanceof Map ? [...members.values()] : (members as readonly Member[])
    return places.find(refs, ref)
  }
}
