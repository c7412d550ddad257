import type { ListMembers, ListSchema, Member } from '../schema/schema.js'
import { Kind, type ListNode } from '../table/row.js'
import type { Lists, Table } from '../table/table.js'
import { without } from './edits.js'
import { ListFinder } from './list-finder.js'
import type { ListsByMember } from './lists-by-member.js'
import type { PageIndex } from './page-index.js'

/** The lists of a Collection, found by their arguments and by their members. */
export class ListKind extends Kind<ListNode> implements Lists {
  readonly finder: ListFinder = new ListFinder()
  /** Finds lists by their members; undefined until a member is removed or moved. */
  byMember: ListsByMember | undefined
  readonly predicates: Map<ListNode, ListSchema> = new Map()
  /** Indexes of lists with several pages, by their members. */
  readonly pageIndexes: WeakMap<ListMembers, PageIndex> = new WeakMap()
  /** Members that may be out of order because `compare` threw. */
  readonly unsorted: WeakSet<ListMembers> = new WeakSet()

  forget(list: ListNode, leaving: readonly Member[]): void {
    const { value } = list
    if (value === undefined || leaving.length === 0) return
    const leave = (all: ListMembers): ListMembers => (all === value.members ? members : without(all, leaving, false))
    const members = without(value.members, leaving, false)
    if (this.unsorted.has(value.members)) this.unsorted.add(members)
    // Other classes of the list compare their members with these when they show it again.
    const isBuilt = list.built === value
    list.value = {
      ...value,
      members,
      pages: value.pages.map((page) => ({ ...page, members: leave(page.members), came: leave(page.came) })),
    }
    if (isBuilt) list.built = list.value
  }

  override drop(row: ListNode): void {
    this.predicates.delete(row)
    this.finder.remove(row)
    this.byMember = undefined
    super.drop(row)
  }
}

/** Returns the lists of a list's Collection. */
export function listKindOf({ home }: ListNode): ListKind {
  // Only a `ListKind` creates rows of lists.
  return home as ListKind
}

/** Returns the lists of a Collection. */
export function listKind(table: Table, schema: ListSchema): ListKind {
  // This engine creates all lists of the table.
  return table.listKind(schema) as ListKind
}
