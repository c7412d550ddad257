import type { EntityInterface, ListCode, ListSchema, RowRecord } from '../schema/schema.js'
import type { EntityInfo } from './entity-info.js'
import { type Dependents, markDependentsDirty, Node } from './graph.js'
import { Indexes } from './indexes.js'
import { isThere, type ListNode, REMOVED, type RecordRow, Row, type RowHome, type Writer } from './row.js'

/** The state of retention: its current or last pass, and the epoch of dropped rows. */
export class SweepState {
  /** The mark of what this pass finds in use, an even number: what is mentioned for the first time since has the next. */
  pass = 0
  /** Rows that were last used in an earlier pass are dropped, although they may still be in the Map. */
  alive = 0
}

/** The class of a kind's rows. */
type MemberClass<Member extends Row> = new (home: RowHome, pk: string) => Member

/** The node that the views of all rows of a kind depend on; its class is imported with `All`. */
export interface AllRowsNode extends Node {
  /** True once no view depends on it. */
  readonly isRemoved: boolean
  /** Called when a row was created. */
  add(row: Row): void
  /** Called before a row is dropped. */
  drop(row: Row): void
  /** True if an observer shows the row, so that retention keeps it. */
  holds(row: Row): boolean
  /** Drops views without dependents; `alive` decides which dependents still exist. */
  sweep(alive: (dependents: Dependents) => Dependents): void
}

/** The rows of one kind, by primary key. */
export class Kind<Member extends Row = Row> implements RowHome {
  readonly key: string
  readonly rows: Map<string, Member> = new Map()
  /** A node that changes when a row of the kind is added or removed. */
  readonly everyone: Node = new Node()
  /** Exists while there are views of all rows. */
  allRows: AllRowsNode | undefined = undefined
  /** Results that depend on any row of the kind are stale if they are older than this; 0 is never. */
  stale = 0
  /** Results that depend on any row of the kind are not shown if they are older than this; 0 is never. */
  invalid = 0
  /** Created when a class of the kind has `indexes`. */
  indexes: Indexes | undefined = undefined
  info: EntityInfo | undefined = undefined
  list: ListSchema | undefined = undefined
  /** Layers that changed members of the kind's lists, or searched its rows; they run again when one of the rows changes. */
  readonly watchingLayers: Set<Writer> = new Set()
  /** The table whose rows these show by another class. */
  readonly origin: Kind<Member> | undefined
  /** The same rows as shown by other classes with the same key, by class. */
  readonly aliases: Map<unknown, Kind<Member>> = new Map()
  /** The rows that represent embedded records. */
  #embedded: EmbeddedHome | undefined = undefined
  /** The row that was read last. */
  #last: Member | undefined = undefined
  /** True if a row was dropped while all rows were being shown. */
  #hasLost = false
  readonly #Member: MemberClass<Member>
  readonly life: SweepState

  constructor(key: string, Member: MemberClass<Member>, life: SweepState, origin?: Kind<Member>) {
    this.key = key
    this.#Member = Member
    this.life = life
    this.origin = origin
  }

  /** Returns the row of a key, which is created on first reference. */
  row(pk: string): Member {
    // A response that arrives again reads rows in the same order: checking the next row is cheaper than a look-up.
    const last = this.#last
    const guess = last?.nextHint
    // The next row of a member is one of the same kind.
    const isNext = guess?.pk === pk && guess.gcEpoch >= this.life.alive
    const row = isNext ? (guess as Member) : this.#find(pk)
    if (last !== undefined && last !== row && guess !== row) last.nextHint = row
    this.#last = row
    return row
  }

  #find(pk: string): Member {
    const known = this.rows.get(pk)
    if (known !== undefined) {
      if (this.isAlive(known)) return known
      this.drop(known)
    }
    const row = new this.#Member(this, pk)
    row.gcEpoch = this.life.pass + 1
    this.rows.set(pk, row)
    this.allRows?.add(row)
    return row
  }

  /** False once the row was found unused, also while it is still in the Map. */
  readonly isAlive = (row: Row): boolean => row.gcEpoch >= this.life.alive

  embedded(record: RowRecord): Row {
    this.#embedded ??= new EmbeddedHome(this)
    return this.#embedded.embedded(record)
  }

  /** True if the table ever had a row of the kind, also if it is deleted now. */
  get wasThere(): boolean {
    if (this.#hasLost) return true
    for (const { value } of this.rows.values()) if (value !== undefined) return true
    return false
  }

  /** Drops a row, and its views by other classes. */
  drop(row: Member): void {
    // Views of all rows must still know that there were some.
    if (row.value !== undefined && this.everyone.dependents !== undefined) this.#hasLost = true
    this.allRows?.drop(row)
    this.rows.delete(row.pk)
    row.gcEpoch = REMOVED
    row.nextHint = undefined
    row.value = undefined
    // A row that was looked up before may still hint at this one.
    row.built = undefined
    row.view = undefined
    if (this.#last === row) this.#last = undefined
    this.indexes?.update(row)
    for (const alias of this.aliases.values()) {
      const shown = alias.rows.get(row.pk)
      if (shown !== undefined) alias.drop(shown)
    }
  }

  /** Returns the same rows for another class, with only views of its own. */
  alias(key: unknown): Kind<Member> {
    const known = this.aliases.get(key)
    if (known !== undefined) return known
    const alias = new Kind(this.key, this.#Member, this.life, this)
    this.aliases.set(key, alias)
    return alias
  }

  /** Makes another class show the rows from now on. */
  adopt(info: EntityInfo): void {
    const before = this.info
    this.info = info
    if (before === undefined) return
    for (const row of this.rows.values()) if (!row.dirty) markDependentsDirty(row)
  }

  /** Returns the keys of the existing rows, in the order in which they were first referenced. */
  keys(): string[] {
    const keys: string[] = []
    for (const row of this.rows.values()) if (isThere(row.value) && this.isAlive(row)) keys.push(row.pk)
    return keys
  }

  /** Called when a row has another value. */
  changed(_row: Row): void {}

  /** The look-up of a field's value: a node to depend on, and the key that it finds; undefined for a field that is not looked up by. */
  find(field: string, value: unknown): ReturnType<Indexes['find']> {
    return this.indexes?.find(field, value, (pk) => {
      const row = this.rows.get(pk)
      return row !== undefined && this.isAlive(row)
    })
  }

  /** Adds indexes for these fields. */
  index(fields: readonly string[]): void {
    this.indexes ??= new Indexes()
    this.indexes.cover(fields, this.rows.values())
  }
}

/**
 * Embedded records: a class for which a field is not a relation has stored the payload unchanged. Another class with the same key
 * shows them as separate instances; they are not rows of the table.
 */
class EmbeddedHome implements RowHome {
  readonly key: string
  readonly stale = 0
  readonly invalid = 0
  readonly list = undefined
  readonly origin = undefined
  readonly #kind: RowHome
  readonly #rows = new WeakMap<RowRecord, Row>()

  constructor(kind: RowHome) {
    this.key = kind.key
    this.#kind = kind
  }

  get info(): EntityInfo | undefined {
    return this.#kind.info
  }

  row(pk: string): Row {
    return this.#kind.row(pk)
  }

  embedded(record: RowRecord): Row {
    const known = this.#rows.get(record)
    if (known !== undefined) return known
    const row = new Row(this, '')
    row.value = record
    this.#rows.set(record, row)
    return row
  }
}

/** The interface of a Collection's lists for the store; their class is imported with Collection. */
export interface Lists extends Kind<ListNode> {
  /** Lists whose Collection has `belongs` or `compare`, each with that Collection. */
  readonly predicates: ReadonlyMap<ListNode, ListSchema>
  /** Drops membership changes that are older than all requests in flight; `oldest` is the start of the oldest one. */
  prune(oldest: number): void
  /** Returns the rows that will be members of lists which requests in flight load. */
  pendingMembers(): Iterable<readonly [EntityInterface, string]>
}

/** The code that creates lists: a Collection's engine. */
export interface ListMaker {
  makeLists(key: string, life: SweepState): Lists
}

/** The table: entities and lists by kind and primary key. It does not depend on time, requests or the details of schemas. */
export class Table {
  readonly life: SweepState = new SweepState()
  readonly kinds: Map<string, Kind<RecordRow>> = new Map()
  readonly lists: Map<string, Lists> = new Map()
  /** The code that creates lists; undefined as long as there are none. */
  maker: ListMaker | undefined = undefined
  /** Called with the Collection of each new kind of lists, for lists that wait for it. */
  onLists: ((schema: ListSchema) => void) | undefined = undefined
  /** Called with each list that is used and the Collection that it is of: several Collections may share a key. */
  onList: ((schema: ListSchema, list: ListNode) => void) | undefined = undefined
  /** Kinds that have predicate lists. */
  readonly predicateKinds: Set<Lists> = new Set()

  /** The primary keys of all rows of a kind, for schemas that show all of them. */
  readonly keysOf = (kind: string): readonly string[] => this.kind(kind).keys()

  /** The rows of a kind of entity. */
  kind(key: string): Kind<RecordRow> {
    const known = this.kinds.get(key)
    if (known !== undefined) return known
    // Only records are written to the rows of an entity.
    const kind = new Kind(key, Row as MemberClass<RecordRow>, this.life)
    // Engines compile code as if fields that never changed never will, and throw it away when they do: in the middle of the first long
    // response. So the fields of one row change before.
    const row = new Row(kind, '')
    row.value = row.built = row.view = row.dependents = row
    row.read = {} as never
    row.dirty = false
    this.kinds.set(key, kind)
    return kind
  }

  /** The lists of a Collection. */
  listKind(schema: ListSchema): Lists {
    const known = this.lists.get(schema.key)
    if (known !== undefined) return known
    // Schemas do not know the table, so the type of their engine says nothing of it; there is no other one than that of `lists/`.
    const maker = schema.engine as ListCode & ListMaker
    this.maker = maker
    const kind = maker.makeLists(schema.key, this.life)
    this.lists.set(schema.key, kind)
    kind.list = schema
    this.onLists?.(schema)
    return kind
  }

  /** Returns the same lists for a Collection of these members: two classes with the same key share their lists. */
  shownLists(schema: ListSchema): Kind<ListNode> {
    const kind = this.listKind(schema)
    if (kind.list === schema || kind.list?.member === schema.member) return kind
    const alias = kind.alias(schema.member)
    alias.list ??= schema
    return alias
  }

  /** Creates the indexes of an entity. */
  indexed(entity: EntityInterface): Kind<RecordRow> {
    const kind = this.kind(entity.key)
    if (entity.indexes !== undefined && entity.indexes.length > 0) kind.index(entity.indexes)
    return kind
  }
}
