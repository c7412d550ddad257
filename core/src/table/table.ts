import type { EntityInterface, ListCode, ListSchema, RowRecord } from '../schema/schema.js'
import type { EntityInfo } from './entity-info.js'
import { markDependentsDirty, Node } from './graph.js'
import { Indexes } from './indexes.js'
import { isThere, type ListNode, REMOVED, type RecordRow, Row, type RowHome, type Writer } from './row.js'

/** How far retention is: which of its passes is under way, or was the last, and which rows are gone. */
export class SweepState {
  /** The mark of what this pass finds in use, an even number: what is mentioned for the first time since has the next. */
  pass = 0
  /** Rows that were last of use in an earlier pass than this are gone, though they may wait to be taken out. */
  alive = 0
}

/** The rows of one kind, by primary key. */
export class Kind<Member extends Row = Row> implements RowHome {
  readonly key: string
  readonly rows: Map<string, Member> = new Map()
  /** A node that changes when a row of the kind comes or goes. */
  readonly everyone: Node = new Node()
  /** Results that depend on any row of the kind are stale if they are older than this; 0 is never. */
  stale = 0
  /** Results that depend on any row of the kind are not shown if they are older than this; 0 is never. */
  invalid = 0
  /** Made when a class of the kind names fields to look up by. */
  indexes: Indexes | undefined = undefined
  info: EntityInfo | undefined = undefined
  list: ListSchema | undefined = undefined
  /** Layers that changed who is in lists of the kind, or looked through its rows: they run again when one of it changes. */
  readonly watchingLayers: Set<Writer> = new Set()
  /** The kind whose rows these only show, by another class. */
  readonly origin: Kind<Member> | undefined
  /** The same rows as other classes of the key show them, by class. */
  readonly aliases: Map<unknown, Kind<Member>> = new Map()
  /** What stands in for rows where a whole record stands in the place of a key. */
  #embedded: EmbeddedHome | undefined = undefined
  /** The row that was asked for last. */
  #last: Member | undefined = undefined
  /** True if a row was forgotten while somebody showed all of them. */
  #hasLost = false
  readonly #make: (kind: RowHome, pk: string) => Member
  readonly #life: SweepState

  constructor(key: string, make: (kind: RowHome, pk: string) => Member, life: SweepState, origin?: Kind<Member>) {
    this.key = key
    this.#make = make
    this.#life = life
    this.origin = origin
  }

  /** The row of a key; it comes into being when first mentioned. */
  row(pk: string): Member {
    // An answer that comes again asks in the same order: looking at the next row is cheaper than looking one up.
    const last = this.#last
    const guess = last?.nextHint
    // The next row of a member is one of the same kind.
    const row = guess !== undefined && guess.pk === pk && this.isAlive(guess) ? (guess as Member) : this.#find(pk)
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
    const row = this.#make(this, pk)
    row.gcEpoch = this.#life.pass + 1
    this.rows.set(pk, row)
    return row
  }

  /** False once it was found that nobody needs the row, also while it waits to be taken out. */
  readonly isAlive = (row: Row): boolean => row.gcEpoch >= this.#life.alive

  embedded(record: RowRecord): Row {
    this.#embedded ??= new EmbeddedHome(this)
    return this.#embedded.embedded(record)
  }

  /** True if a row of the kind was ever there, also if it is deleted by now. */
  get wasThere(): boolean {
    if (this.#hasLost) return true
    for (const { value } of this.rows.values()) if (value !== undefined) return true
    return false
  }

  /** Forgets a row, and how other classes show it. */
  drop(row: Member): void {
    // Whoever shows all rows of the kind goes on knowing that there were some.
    if (row.value !== undefined && this.everyone.dependents !== undefined) this.#hasLost = true
    this.rows.delete(row.pk)
    row.gcEpoch = REMOVED
    row.nextHint = undefined
    row.value = undefined
    if (this.#last === row) this.#last = undefined
    this.indexes?.update(row)
    for (const alias of this.aliases.values()) {
      const shown = alias.rows.get(row.pk)
      if (shown !== undefined) alias.drop(shown)
    }
  }

  /** The same rows as another class shows them: it keeps views only. */
  alias(look: unknown): Kind<Member> {
    const known = this.aliases.get(look)
    if (known !== undefined) return known
    const alias = new Kind(this.key, this.#make, this.#life, this)
    this.aliases.set(look, alias)
    return alias
  }

  /** Shows the rows as another class from now on. */
  adopt(info: EntityInfo): void {
    const before = this.info
    this.info = info
    if (before === undefined) return
    for (const row of this.rows.values()) if (!row.dirty) markDependentsDirty(row)
  }

  /** The keys of the rows that are there, in the order in which they were first mentioned. */
  keys(): string[] {
    const keys: string[] = []
    for (const row of this.rows.values()) if (isThere(row.value) && this.isAlive(row)) keys.push(row.pk)
    return keys
  }

  /** Called when a row was given another value. */
  changed(_row: Row): void {}

  /** The look-up of a field's value: a node to depend on, and the key that it finds; undefined for a field that is not looked up by. */
  find(field: string, value: unknown): ReturnType<Indexes['find']> {
    return this.indexes?.find(field, value, (pk) => {
      const row = this.rows.get(pk)
      return row !== undefined && this.isAlive(row)
    })
  }

  /** Makes the rows findable by these fields. */
  index(fields: readonly string[]): void {
    this.indexes ??= new Indexes()
    this.indexes.cover(fields, this.rows.values())
  }
}

/**
 * Records that stand in the places of keys: a class for which a field is no relation kept what came. Another class of the key shows
 * them as instances, each for itself; they are nobody's rows.
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

/** The lists of a Collection, as the store knows them: their class comes with Collection. */
export interface Lists extends Kind<ListNode> {
  /** Lists whose Collection says who belongs to them, or in which order, each with that Collection. */
  readonly predicates: ReadonlyMap<ListNode, ListSchema>
  /** Forgets membership changes that every request in flight knows of; `oldest` is the start of the oldest. */
  forget(oldest: number): void
  /** The rows that lists which requests in flight bring will have as members. */
  pendingMembers(): Iterable<readonly [EntityInterface, string]>
}

/** What makes lists: a Collection's engine. */
export interface ListMaker {
  makeLists(key: string, life: SweepState): Lists
}

/** The one table: entities and lists by kind and primary key. It knows nothing of time, of requests or of schemas' insides. */
export class Table {
  readonly life: SweepState = new SweepState()
  readonly kinds: Map<string, Kind<RecordRow>> = new Map()
  readonly lists: Map<string, Lists> = new Map()
  /** What makes the lists; undefined as long as there are none. */
  maker: ListMaker | undefined = undefined
  /** Kinds that have predicate lists. */
  readonly predicateKinds: Set<Lists> = new Set()

  /** The rows of a kind of entity. */
  kind(key: string): Kind<RecordRow> {
    const known = this.kinds.get(key)
    if (known !== undefined) return known
    // The rows of an entity are given records only.
    const kind = new Kind(key, (home, pk) => new Row(home, pk) as RecordRow, this.life)
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
    return kind
  }

  /** The same lists as a Collection of these members shows them: two classes of one key have lists of one kind. */
  shownLists(schema: ListSchema): Kind<ListNode> {
    const kind = this.listKind(schema)
    if (kind.list === schema || kind.list?.member === schema.member) return kind
    const alias = kind.alias(schema.member)
    alias.list ??= schema
    return alias
  }

  /** Sees to it that rows of an entity can be looked up by its `indexes`. */
  indexed(entity: EntityInterface): Kind<RecordRow> {
    const kind = this.kind(entity.key)
    if (entity.indexes !== undefined && entity.indexes.length > 0) kind.index(entity.indexes)
    return kind
  }
}
