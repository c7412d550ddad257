import type { Inline, ListMembers, Member } from '../schema/schema.js'
import { isThere, type ListNode, valuesOf } from '../table/row.js'
import { placeFinder } from './member-places.js'
import { refKey } from './membership.js'

/** The number of changed lists that are scanned one by one before they are indexed by member. */
const FRESH = 64
/** The number of scans of all lists before it pays to index them by member. */
const SCANS = 16

/** Finds the lists that may hold a member on any level, so that removing it from a few does not scan thousands. */
export class ListsByMember {
  /** Lists by the members that they once held; undefined until it pays. */
  #lists: Map<string | Inline, Set<ListNode>> | undefined = undefined
  /** Lists whose members changed since they were noted. */
  readonly #fresh = new Set<ListNode>()
  #scans = 0

  /** Hears of a list that was given other members. */
  changed(list: ListNode): void {
    if (this.#lists !== undefined) this.#fresh.add(list)
  }

  /** Drops the index, since a list was dropped. */
  forget(): void {
    this.#lists = undefined
    this.#scans = 0
    this.#fresh.clear()
  }

  /** Adds to `found` all lists that may hold any of these members. */
  find(refs: readonly Member[], lists: ReadonlyMap<string, ListNode>, found: Set<ListNode>): void {
    const noted = this.#noted(lists)
    // Who asks tests them anyway: long lists are scanned once.
    for (const list of noted === undefined ? lists.values() : this.#fresh) found.add(list)
    if (noted === undefined) return
    for (const ref of refs) {
      const holding = noted.get(refKey(ref))
      for (const list of holding ?? []) {
        if (mayHold(list, ref)) found.add(list)
        else holding?.delete(list)
      }
    }
  }

  #noted(lists: ReadonlyMap<string, ListNode>): Map<string | Inline, Set<ListNode>> | undefined {
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
    for (const members of membersOnLevels(list)) {
      for (const ref of members.values()) {
        const key = refKey(ref)
        const holding = noted.get(key)
        if (holding === undefined) noted.set(key, new Set([list]))
        else holding.add(list)
      }
    }
  }
}

function mayHold(list: ListNode, ref: Member): boolean {
  return membersOnLevels(list).some((members) => placeFinder(members)(ref) >= 0)
}

/** Who is in a list, in server state and on each layer. */
function membersOnLevels(list: ListNode): ListMembers[] {
  return valuesOf(list).flatMap((value) => (isThere(value) ? [value.members] : []))
}
