import type { Inline, Member } from '../schema/schema.js'
import { refKey } from './members.js'

/** The identity of a member. */
export type MemberKey = string | Inline

/**
 * Counts the members of a list with pages. It moves on with the list from page to page, so that one more page costs nothing
 * for each member of the others; a list that was changed otherwise gets a new one.
 */
export class PageIndex {
  /** How many pages hold a member; 0 for one that none has brought. */
  readonly #counts = new Map<MemberKey, number>()
  /** Members of pages that the list does not have: a mutation removed them, or `belongs`. */
  readonly #absent = new Set<MemberKey>()
  /** True if the members of pages are in the order of the pages, with or without others between them. */
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
      if (place === undefined) this.#counts.set(key, 0)
      else {
        this.isInOrder &&= place > last
        last = place
        places.delete(key)
      }
    }
    for (const key of places.keys()) this.#absent.add(key)
  }

  /** The number of pages that hold a member. */
  count(key: MemberKey): number {
    return this.#counts.get(key) ?? 0
  }

  /** True if the list has a member. */
  has(key: MemberKey): boolean {
    return this.#counts.has(key) && !this.#absent.has(key)
  }

  /** True if the list has a member that no page has brought, such as a pushed one. */
  isExtra(key: MemberKey): boolean {
    return this.#counts.get(key) === 0
  }

  /** One more page holds a member, which the list has too. */
  add(key: MemberKey): void {
    this.#counts.set(key, this.count(key) + 1)
    this.#absent.delete(key)
  }

  /** One page less holds a member; the list loses it with the last. */
  leave(key: MemberKey): void {
    const left = this.count(key) - 1
    if (left > 0) this.#counts.set(key, left)
    else {
      this.#counts.delete(key)
      this.#absent.delete(key)
    }
  }
}
