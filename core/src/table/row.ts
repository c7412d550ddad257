import type {
  ArgsCode,
  EntityInterface,
  ListArgs,
  ListMembers,
  ListSchema,
  Member,
  PageMark,
  RowRecord,
} from '../schema/schema.js'
import type { EntityInfo } from './entity-info.js'
import { type Dependents, markDependentsDirty, Node } from './graph.js'
import type { Indexes } from './indexes.js'
import { isThere, type MarkedSince, type RecordValue, type ResponseInfo } from './value.js'

/** The `gcEpoch` of a row that the table dropped. */
export const REMOVED = -1

/**
 * One entity, list or result. Rows are created on first reference, so views can depend on missing or deleted rows too.
 * `value` is immutable: it is replaced, never changed.
 */
export class Row extends Node {
  // The fields that every response reads come first, so that they are adjacent in memory.
  readonly home: Kind<this>
  readonly pk: string
  /** The visible value: a record, a list's value, a result, TOMBSTONE, or undefined if it was never written. */
  value: unknown
  /** The newest read that wrote it. */
  read: ResponseInfo | undefined
  /** The row's index in the current change's writes. It is never cleared, so readers check it against the writes. */
  writeIndex = 0
  /** The row of its kind that was looked up after it, which is likely to be the next one again. */
  nextHint: Row | undefined
  /** The retention pass that last found it in use; `REMOVED` after the table has dropped it. */
  gcEpoch = 0
  /** The row's position in the order of arrival. Looking up a missing row does not fix its position. */
  rank = 0
  /** The value from which `view` was built. */
  built: unknown
  /** The newest mutation that wrote it. */
  mutated: ResponseInfo | undefined
  marks: MarkedSince | undefined

  constructor(home: Kind, pk: string) {
    super()
    // A kind creates its own rows, all of its class.
    this.home = home as Kind<this>
    this.pk = pk
  }

  /** The row itself if it is a list. */
  get list(): ListNode | undefined {
    return undefined
  }
}

/** The row of an entity. */
export interface EntityRow extends Row {
  value: RecordValue
  built: RecordValue
  readonly list: undefined
}

/** A row of the table. Results are rows outside of the table, and their values may have any form. */
export type TableRow = EntityRow | ListNode

/** The value of a list: the arguments with which it was loaded, and its members. */
export interface ListValue {
  readonly args: ListArgs
  readonly members: ListMembers
  /** Its pages in order: at least one, since a list that was read whole is its own first page. */
  readonly pages: readonly ListPage[]
}

/** A page of a list. */
export interface ListPage extends PageMark {
  /** Start of the first request for the page. */
  readonly first: number
  /** Start of the newest request for the page. */
  readonly start: number
  readonly members: ListMembers
  /** The members in the response, including those that mutations have removed since. */
  readonly came: ListMembers
}

/** The members to show of lists of which a page was requested. */
export type Page = ReadonlyMap<ListNode, ListMembers>

/** Returns the row that shows a member of a list. */
export type SeeMember = (entity: EntityInterface, pk: string) => TableRow

/** The node of a member: its row, or a fixed node for a member without a row, or null for a null member. */
export type ListItem = TableRow | FixedNode | null

/** A node that never changes. */
export interface FixedNode extends Node {
  readonly home?: undefined
}

/** The interface of a list's row for views; its class is imported with Collection. */
export interface ListNode extends Row {
  value: ListValue | undefined
  readonly list: ListNode
  /** True if it has pages, but not its first one. */
  readonly lacksFirst: boolean
  /** Returns the members to read again: those that changed, or all if the list itself has changed. */
  toSee(rowOf: SeeMember): readonly ListItem[]
  /** Returns the next view, which contains the views of its members. */
  show(): unknown
  /** Returns the view of the list for these members. */
  showBy(members: ListMembers, see: (entity: EntityInterface, pk: string) => unknown): unknown
  /** Returns the members of a list's value that are rows. */
  membersIn(value: ListValue | undefined): Iterable<readonly [EntityInterface, string, Member]>
  /** True if a class rejects an existing member that another class with the same key has stored. */
  lacksMembers(): boolean
  /** Makes the next view read all members again. */
  renew(): void
}

/** The state that all rows of a table share: the passes of retention, and the next rank. */
export class SweepState {
  /** The number of the current or last pass, always even: rows created during it have the next number. */
  pass = 0
  /** Rows last found in use by an earlier pass are dropped, although they may still be in the Map. */
  alive = 0
  /** The rank of the next row. */
  nextRank = 1
}

/** The class of a kind's rows. */
export type MemberClass<Member extends Row> = new (home: Kind, pk: string) => Member

/** The node on which views of all rows of a kind depend. Its class is imported with `All`. */
export interface AllRowsNode extends Node {
  /** True once no view depends on it. */
  readonly isRemoved: boolean
  /** Called after a row was created. */
  add(row: Row): void
  /** Called after a missing row has got a new rank. */
  hasMoved(): void
  /** Called before a row is dropped. */
  drop(row: Row): void
  /** True if an observer shows the row, so that retention keeps it. */
  holds(row: Row): boolean
  /** Drops views without dependents; `alive` decides which dependents still exist. */
  sweep(alive: (dependents: Dependents) => Dependents): void
}

/** The rows of one kind, by primary key; or rows that show those of `origin` in another class or for a call's arguments. */
export class Kind<Member extends Row = Row> {
  readonly key: string
  readonly rows: Map<string, Member> = new Map()
  /** A node that changes when a row of the kind is added or removed. */
  readonly everyone: Node = new Node()
  /** The node of views of all rows; undefined while there are none. */
  allRows: AllRowsNode | undefined
  /** Results older than this are stale, or are not shown, if they depend on any row of the kind; 0 if none are. */
  stale = 0
  invalid = 0
  /** The indexes; undefined until a class of the kind has `indexes`. */
  indexes: Indexes | undefined
  /** The class that shows entities of the kind: the first one that was used. */
  info: EntityInfo | undefined
  /** The schema that shows lists of the kind. */
  list: ListSchema | undefined
  /** The code that builds the views of its rows if they depend on the call's arguments. */
  usesArgs: ArgsCode | undefined
  /** The kind whose rows these show; undefined if these are the stored rows. */
  readonly origin: Kind<Member> | undefined
  /** The call for which these rows exist; undefined for rows that all calls share. */
  readonly scope: Scope | undefined
  /** The kinds that show these rows in other classes with the same key, by class. */
  readonly aliases: Map<unknown, Kind<Member>> = new Map()
  readonly life: SweepState
  readonly #Member: MemberClass<Member>
  /** The row that was read last. */
  #last: Member | undefined
  /** The rows that represent embedded records. */
  #embedded: WeakMap<RowRecord, Member> | undefined
  /** True if a row was dropped while all rows were being shown. */
  #hasLost = false

  constructor(key: string, Member: MemberClass<Member>, life: SweepState, origin?: Kind<Member>, scope?: Scope) {
    this.key = key
    this.#Member = Member
    this.life = life
    this.origin = origin
    this.scope = scope
  }

  /** Returns the row of a primary key. Creates it on first reference. */
  row(pk: string): Member {
    // Repeated responses read rows in the same order, and checking the hint is cheaper than a look-up.
    const last = this.#last
    const guess = last?.nextHint
    // The hint of a row is a row of the same kind.
    const row = guess?.pk === pk && guess.gcEpoch >= this.life.alive ? (guess as Member) : this.#find(pk)
    if (last !== undefined && last !== row && guess !== row) last.nextHint = row
    this.#last = row
    return row
  }

  #find(pk: string): Member {
    const existing = this.rows.get(pk)
    if (existing !== undefined) {
      if (this.isAlive(existing)) return existing
      this.drop(existing)
    }
    const row = new this.#Member(this, pk)
    row.gcEpoch = this.life.pass + 1
    row.rank = this.life.nextRank++
    this.rows.set(pk, row)
    this.allRows?.add(row)
    return row
  }

  /** Moves a missing row behind all others, since it is about to get its first value. */
  moveToEnd(row: Member): void {
    this.rows.delete(row.pk)
    this.rows.set(row.pk, row)
    row.rank = this.life.nextRank++
    this.allRows?.hasMoved()
  }

  /** False after a sweep found the row unused, even while it is still in the Map. */
  isAlive(row: Row): boolean {
    return row.gcEpoch >= this.life.alive
  }

  /**
   * Returns a row that represents an embedded record: a class in which a field is no relation has stored the payload
   * unchanged, and another class with the same key shows it as a separate instance. It is not a row of the table.
   */
  embedded(record: RowRecord): Member {
    this.#embedded ??= new WeakMap()
    const existing = this.#embedded.get(record)
    if (existing !== undefined) return existing
    const row = new this.#Member(this, '')
    row.value = record
    this.#embedded.set(record, row)
    return row
  }

  /** True if the table ever had a row of the kind, even if it is deleted now. */
  get wasThere(): boolean {
    if (this.#hasLost) return true
    for (const { value } of this.rows.values()) if (value !== undefined) return true
    return false
  }

  /** Drops a row and its aliases. */
  drop(row: Member): void {
    // Views of all rows must still know that there were rows.
    if (row.value !== undefined && this.everyone.dependents !== undefined) this.#hasLost = true
    this.allRows?.drop(row)
    this.rows.delete(row.pk)
    row.gcEpoch = REMOVED
    row.value = row.built = row.view = row.nextHint = undefined
    if (this.#last === row) this.#last = undefined
    this.indexes?.update(row)
    for (const alias of this.aliases.values()) {
      const shown = alias.rows.get(row.pk)
      if (shown !== undefined) alias.drop(shown)
    }
  }

  /** Returns the kind that shows these rows in another class. */
  alias(by: unknown): Kind<Member> {
    const existing = this.aliases.get(by)
    if (existing !== undefined) return existing
    const alias = new Kind(this.key, this.#Member, this.life, this)
    this.aliases.set(by, alias)
    return alias
  }

  /** Returns a new kind that shows these rows for a call. */
  within(scope: Scope): Kind<Member> {
    const shown = new Kind(this.key, this.#Member, new SweepState(), this.origin ?? this, scope)
    shown.info = this.info
    shown.list = this.list
    shown.usesArgs = this.usesArgs
    return shown
  }

  /** Lets a class show the rows from now on. */
  adopt(info: EntityInfo): void {
    const before = this.info
    this.info = info
    this.usesArgs = info.usesArgs
    if (before === undefined) return
    for (const row of this.rows.values()) if (!row.dirty) markDependentsDirty(row)
  }

  /** Returns the keys of the existing rows in order of arrival. */
  keys(): string[] {
    const keys: string[] = []
    for (const row of this.rows.values()) if (isThere(row.value) && this.isAlive(row)) keys.push(row.pk)
    return keys
  }

  /** Looks up a field's value. Returns a node to depend on and the key found; undefined for a field without an index. */
  find(field: string, value: unknown): ReturnType<Indexes['find']> {
    return this.indexes?.find(field, value, (pk) => {
      const row = this.rows.get(pk)
      return row !== undefined && this.isAlive(row)
    })
  }
}

/** The source of the values of a single read, and the callbacks that it calls. */
export interface RowSource {
  /** Returns the value of a row, such as on a certain layer. */
  valueOf<R extends Row>(row: R): R['value']
  /** Called for every row that is read, whether it exists or not. */
  onRead?(row: Row): void
  /** Called for every kind whose rows are searched. */
  onKind?(kind: Kind): void
}

/**
 * A call with rows of its own: those whose view depends on its arguments, or all rows for a single read of values other than
 * the visible ones. They are nodes like the shared rows.
 */
export interface Scope {
  readonly args: readonly unknown[]
  /** The source of a read of values other than the visible ones. */
  readonly values: RowSource | undefined
  /** For a single read, members to show instead of all members of their lists. */
  readonly page: Page | undefined
  /** True for a single read: nothing depends on what it builds. */
  readonly isOnce: boolean
  /** True if it will not be read again. */
  readonly isRemoved: boolean
  /** False while its view is up to date and depends on every row that it uses. */
  readonly dirty: Node['dirty']
  /** Returns the rows of a kind for this call. */
  home<Member extends Row>(shared: Kind<Member>): Kind<Member>
}

/** Returns the row that stores a row's value, which is another one for aliases and rows of derived kinds. */
export function originOf<R extends Row>(row: R): R {
  return row.home.origin?.row(row.pk) ?? row
}

/** Returns the time of the last change of a row, in the order of requests and responses; 0 if nothing has written it. */
export function changedAt(row: Row | undefined): number {
  return Math.max(row?.read?.start ?? 0, row?.mutated?.done ?? 0)
}
