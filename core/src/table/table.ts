import type { ListCode, ListSchema, Member } from '../schema/schema.js'
import { type EntityInfo, usesArgs } from './entity-info.js'
import { type EntityRow, Kind, type ListNode, type MemberClass, Row, SweepState } from './row.js'

/** The interface of a Collection's lists for the store. Their class is imported with Collection. */
export interface Lists extends Kind<ListNode> {
  /** Lists whose Collection has `belongs` or `compare`, each with that Collection. */
  readonly predicates: ReadonlyMap<ListNode, ListSchema>
  /** Removes members that no view shows from a list, without a trace. */
  forget(list: ListNode, members: readonly Member[]): void
}

/** The code that creates lists: a Collection's engine. */
export interface ListMaker {
  makeLists(key: string, life: SweepState): Lists
}

/** Listens for the first use of classes, Collections, lists and keys, since their data may have been hydrated earlier. */
export interface FirstUse {
  /** Called when a class declares relations by which rows of its key have not been split yet. */
  relations?(kind: Kind<EntityRow>, info: EntityInfo): void
  /** Called at the first use of a Collection's key. */
  lists?(schema: ListSchema): void
  /** Called at each use of a list, with its own Collection, since several may share a key. */
  list?(schema: ListSchema, list: ListNode): void
  /** Called at the first use of a fetch key with a schema of a new form. */
  key?(key: string): void
}

/** The table: entities and lists by kind and primary key. It does not depend on time, requests or the details of schemas. */
export class Table {
  readonly life: SweepState = new SweepState()
  readonly kinds: Map<string, Kind<EntityRow>> = new Map()
  readonly lists: Map<string, Lists> = new Map()
  /** The code that creates lists; undefined until there is a list. */
  maker: ListMaker | undefined
  /** True once a list has had several pages, or a page without the first one. */
  hasPages = false
  /** Listeners for the first use of kinds, lists and keys. */
  readonly firstUse: Set<FirstUse> = new Set()

  /** The primary keys of all rows of a kind, for schemas that show all of them. */
  readonly keysOf = (kind: string): readonly string[] => this.kind(kind).keys()

  /** Returns the rows of a kind of entity. */
  kind(key: string): Kind<EntityRow> {
    const existing = this.kinds.get(key)
    if (existing !== undefined) return existing
    // Only changes write the value of an entity's row, and they write only records.
    const kind = new Kind(key, Row as MemberClass<EntityRow>, this.life)
    // Engines optimize fields that have never changed as constants, and drop that code at the first change, in the middle of
    // the first long response. So the fields of one row change here first.
    const row = new Row(kind, '')
    row.value = row.built = row.view = row.dependents = row
    row.read = {} as never
    row.writeIndex = row.rank = 1
    row.dirty = false
    this.kinds.set(key, kind)
    return kind
  }

  /** Returns the lists of a Collection. */
  listKind(schema: ListSchema): Lists {
    const existing = this.lists.get(schema.key)
    if (existing !== undefined) return existing
    // Schemas do not know the table, so the type of their engine does not mention it. The only engine is that of `lists/`.
    const maker = schema.engine as ListCode & ListMaker
    this.maker = maker
    const kind = maker.makeLists(schema.key, this.life)
    this.lists.set(schema.key, kind)
    showBy(kind, schema)
    for (const waiting of this.firstUse) waiting.lists?.(schema)
    return kind
  }

  /** Returns the lists of a Collection as its own member class shows them: classes with the same key share their lists. */
  shownLists(schema: ListSchema): Kind<ListNode> {
    const kind = this.listKind(schema)
    if (kind.list === schema || kind.list?.member === schema.member) return kind
    const alias = kind.alias(schema.member)
    if (alias.list === undefined) showBy(alias, schema)
    return alias
  }
}

function showBy(kind: Kind<ListNode>, schema: ListSchema): void {
  kind.list = schema
  kind.usesArgs = usesArgs(schema.member)
}
