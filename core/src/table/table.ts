import type { ListCode, ListSchema } from '../schema/schema.js'
import { type EntityInfo, usesArgs } from './entity-info.js'
import { type EntityRow, Kind, type ListNode, type MemberClass, Row, SweepState } from './row.js'

/** The interface of a Collection's lists for the store; their class is imported with Collection. */
export interface Lists extends Kind<ListNode> {
  /** Lists whose Collection has `belongs` or `compare`, each with that Collection. */
  readonly predicates: ReadonlyMap<ListNode, ListSchema>
}

/** The code that creates lists: a Collection's engine. */
export interface ListMaker {
  makeLists(key: string, life: SweepState): Lists
}

/** Listens for the first use of classes, Collections, lists and keys, since their data may have come before them. */
export interface FirstUse {
  /** A class declares relations by which rows of its key were not split so far. */
  relations?(kind: Kind<EntityRow>, info: EntityInfo): void
  /** A Collection: lists of its key may have come. */
  lists?(schema: ListSchema): void
  /** A list, by the Collection that it is of: several may share a key. Called for each use. */
  list?(schema: ListSchema, list: ListNode): void
  /** A fetch key, by a schema of another form than before. */
  key?(key: string): void
}

/** The table: entities and lists by kind and primary key. It does not depend on time, requests or the details of schemas. */
export class Table {
  readonly life: SweepState = new SweepState()
  readonly kinds: Map<string, Kind<EntityRow>> = new Map()
  readonly lists: Map<string, Lists> = new Map()
  /** The code that creates lists; undefined as long as there are none. */
  maker: ListMaker | undefined = undefined
  /** True once a list has had several pages. */
  hasPages = false
  /** Called when a kind or a list is used for the first time. */
  readonly firstUse: Set<FirstUse> = new Set()

  /** The primary keys of all rows of a kind, for schemas that show all of them. */
  readonly keysOf = (kind: string): readonly string[] => this.kind(kind).keys()

  /** The rows of a kind of entity. */
  kind(key: string): Kind<EntityRow> {
    const existing = this.kinds.get(key)
    if (existing !== undefined) return existing
    // A row is of any value: that of an entity is written by changes alone, and these write records.
    const kind = new Kind(key, Row as MemberClass<EntityRow>, this.life)
    // Engines compile code as if fields that never changed never will, and throw it away when they do: in the middle of the first long
    // response. So the fields of one row change before.
    const row = new Row(kind, '')
    row.value = row.built = row.view = row.dependents = row
    row.read = {} as never
    row.writeIndex = row.rank = 1
    row.dirty = false
    this.kinds.set(key, kind)
    return kind
  }

  /** The lists of a Collection. */
  listKind(schema: ListSchema): Lists {
    const existing = this.lists.get(schema.key)
    if (existing !== undefined) return existing
    // Schemas do not know the table, so the type of their engine says nothing of it; there is no other one than that of `lists/`.
    const maker = schema.engine as ListCode & ListMaker
    this.maker = maker
    const kind = maker.makeLists(schema.key, this.life)
    this.lists.set(schema.key, kind)
    showBy(kind, schema)
    for (const waiting of this.firstUse) waiting.lists?.(schema)
    return kind
  }

  /** The list of a key. */
  list(schema: ListSchema, pk: string): ListNode {
    return this.listKind(schema).row(pk)
  }

  /** Returns the same lists for a Collection of these members: two classes with the same key share their lists. */
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
