import type { Inline, Member } from '../schema/schema.js'
import type { ListNode } from '../table/row.js'
import { arrayOf, placeIn, refKey } from './members.js'

/** The number of changed lists up to which they are scanned instead of indexed by member. */
const FRESH = 64
/** The number of scans of all lists after which indexing them by member pays. */
const SCANS = 16

/** Finds the lists that may contain a member, so that removing it from a few does not scan thousands. */
export class ListsByMember {
  /** Lists by their past and present members; undefined until it pays. */
  #lists: Map<string | Inline, Set<ListNode>> | undefined
  /** Lists whose members changed since they were indexed. */
  readonly #fresh = new Set<ListNode>()
  #scans = 0

  /** Called when the members of a list have changed. */
  changed(list: ListNode): void {
    if (this.#lists !== undefined) this.#fresh.add(list)
  }

  /**
   * Adds to `found` all lists that may contain any of these members.
   *
   * @param isWhole - true if no layer has changed the members of a list, so that the current members can be indexed
   */
  find(refs: readonly Member[], lists: ReadonlyMap<string, ListNode>, found: Set<ListNode>, isWhole: boolean): void {
    const noted = this.#noted(lists, isWhole)
    // The caller tests the lists anyway, so long lists are not scanned twice.
    for (const list of noted === undefined ? lists.values() : this.#fresh) found.add(list)
    if (noted === undefined) return
    for (const ref of refs) {
      const holding = noted.get(refKey(ref))
      for (const list of holding ?? []) {
        if (placeIn(arrayOf(list.value?.members ?? []), ref) >= 0) found.add(list)
        else if (isWhole) holding?.delete(list)
      }
    }
  }

  #noted(
    lists: ReadonlyMap<string, ListNode>,
    isWhole: boolean,
  ): ReadonlyMap<string | Inline, Set<ListNode>> | undefined {
    if (!isWhole) return this.#lists
    if (this.#lists === undefined) {
      if (lists.size <= FRESH || ++this.#scans <= SCANS) return undefined
      this.#lists = new Map()
      indexMembers(this.#lists, lists.values())
    } else if (this.#fresh.size > FRESH) {
      indexMembers(this.#lists, this.#fresh)
      this.#fresh.clear()
    }
    return this.#lists
  }
}

function indexMembers(noted: Map<string | Inline, Set<ListNode>>, lists: Iterable<ListNode>): void {
  for (const list of lists) {
    for (const ref of list.value?.members.values() ?? []) {
      const key = refKey(ref)
      const holding = noted.get(key)
      if (holding === undefined) noted.set(key, new Set([list]))
      else holding.add(list)
    }
  }
}
