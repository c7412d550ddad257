import type {
  EntityInterface,
  Inline,
  ListMembers,
  ListSchema,
  Member,
  MembershipChange,
  RowRecord,
} from '../schema/schema.js'
import { pkOfRef } from '../schema/schema.js'
import type { ListNode, Row } from '../table/row.js'
import { Kind, type Lists, type SweepState, type Table } from '../table/table.js'
import { ListFinder } from './list-finder.js'
import { ListRow } from './list-row.js'
import { ListsByMember } from './lists-by-member.js'
import { MemberDraft } from './member-draft.js'
import { MemberPlaces, type PlaceFinder, placeFinder } from './member-places.js'
import type { PageIndex } from './page-index.js'

/** A membership change with its place in the order; one of a mutation is logged while requests are in flight that began before it completed. */
export interface MemberWrite {
  readonly change: MembershipChange
  readonly start: number
  readonly done: number
  /** The members' records when it was made, by their keys. */
  readonly records: ReadonlyMap<string | Inline, RowRecord>
  /** Fields of members that the call's body has and the response lacks, by their keys. */
  readonly bodies: ReadonlyMap<string | Inline, RowRecord>
}

/** The lists of a Collection, found by their arguments and by their members. */
export class ListKind extends Kind<ListNode> implements Lists {
  readonly finder: ListFinder = new ListFinder()
  readonly byMember: ListsByMember = new ListsByMember()
  readonly predicates: Map<ListNode, ListSchema> = new Map()
  /** Members that are out of order, since `compare` threw. */
  readonly unsorted: WeakSet<ListMembers> = new WeakSet()
  /** What is known of lists with several pages in server state, by their members. */
  readonly pageIndexes: WeakMap<ListMembers, PageIndex> = new WeakMap()
  /** Where members are in lists of server state. */
  readonly #places: WeakMap<ListMembers, MemberPlaces> = new WeakMap()
  /** Membership changes that requests in flight may not know of. */
  readonly log: MemberWrite[] = []

  constructor(key: string, life: SweepState) {
    super(key, ListRow, life)
  }

  override changed(row: Row): void {
    if (row.list !== undefined) this.byMember.changed(row.list)
  }

  override drop(row: ListNode): void {
    this.predicates.delete(row)
    this.finder.remove(row)
    this.byMember.forget()
    super.drop(row)
  }

  /** Finds the members of a list. */
  placeFinder(members: ListMembers): PlaceFinder {
    const places = this.#places.get(members) ?? new MemberPlaces()
    this.#places.set(members, places)
    return placeFinder(members, places)
  }

  /** Returns members without some of them; a layer's, if server state still has those that leave. */
  without(members: ListMembers, leaving: readonly Member[], isLayer: boolean): ListMembers {
    const draft = new MemberDraft(members)
    draft.remove(leaving, this.placeFinder(members))
    if (!isLayer) this.moveOn(draft)
    return draft.members
  }

  /** Members of server state have become others: what is known of their places moves on. */
  moveOn({ members, steps = [] }: Pick<MemberDraft, 'members' | 'steps'>): void {
    const before = steps[0]?.members
    const places = before && this.#places.get(before)
    if (before === undefined || places === undefined) return
    for (const step of steps) places.moveOn(step)
    this.#places.delete(before)
    this.#places.set(members, places)
  }

  /** A change that a logged one, which stays, has to give way to stays too: it started later. */
  prune(oldest: number): void {
    if (this.log.length === 0) return
    let first = Infinity
    for (const { start, done } of this.log) if (done >= oldest) first = Math.min(first, start)
    const left = this.log.filter(({ start, done }) => done >= oldest || start > first)
    this.log.splice(0, this.log.length, ...left)
  }

  *pendingMembers(): Generator<readonly [EntityInterface, string], void> {
    for (const { change } of this.log) {
      for (const ref of change.members) {
        const entity = change.list.entityOf(ref)
        if (entity !== undefined) yield [entity, pkOfRef(ref)]
      }
    }
  }
}

/** The lists of a Collection. */
export function listKind(table: Table, schema: ListSchema): ListKind {
  // The table's lists are all made by this engine.
  return table.listKind(schema) as ListKind
}
