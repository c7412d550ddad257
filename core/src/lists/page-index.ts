import type { Inline, Member } from '../schema/schema.js'
import { refKey } from './members.js'

/** The identity of a member. */
export type MemberKey = string | Inline

/**
 * Counts the pages of each member of a list. The index moves on with the list from page to page, so that the cost of a page
 * does not grow with the number of other members. A list that was changed in another way gets a new index.
 */
export class PageIndex {
  /** The number of pages that contain each member; 0 for a member that is in no page. */
  readonly #counts = new Map<MemberKey, number>()
  /** The members of the list that no page contains, such as pushed ones. */
  readonly extras: Set<MemberKey> = new Set()
  /** Members of pages that are not in the list, since a mutation or `belongs` has removed them. */
  readonly #absent = new Set<MemberKey>()
  /** True if the members of pages are in page order, with or without other members between them. */
  isInOrder = true

  constructor(members: readonly Member[], pages: readonly (readonly Member[])[]) {
    const places = new Map<MemberKey, number>()
    for (const page of pages) {
      for (const ref of page) {
        const key = refKey(ref)
        this.#counts.set(key, this.count(key) + 1)
        if (!places.has(key)) places.set(key, places.size)
      }
    }
    let last = -1
    for (const ref of members) {
      const key = refKey(ref)
      const place = places.get(key)
      if (place === undefined) {
        this.#counts.set(key, 0)
        this.extras.add(key)
      } else {
        this.isInOrder &&= place > last
        last = place
        places.delete(key)
      }
    }
    for (const key of places.keys()) this.#absent.add(key)
  }

  /** Returns the number of pages that contain a member. */
  count(key: MemberKey): number {
    return this.#counts.get(key) ?? 0
  }

  /** True if the list has a member. */
  has(key: MemberKey): boolean {
    return this.#counts.has(key) && !this.#absent.has(key)
  }

  /** True if the list has a member that no page contains, such as a pushed one. */
  isExtra(key: MemberKey): boolean {
    return this.extras.has(key)
  }

  /** Counts one more page with a member, which is also in the list. */
  add(key: MemberKey): void {
    this.#counts.set(key, this.count(key) + 1)
    this.#absent.delete(key)
    this.extras.delete(key)
  }

  /** Counts one page less with a member, which leaves the list with its last page. */
  leave(key: MemberKey): void {
    const left = this.count(key) - 1
    if (left > 0) this.#counts.set(key, left)
    else {
      this.#counts.delete(key)
      this.#absent.delete(key)
    }
  }
}
