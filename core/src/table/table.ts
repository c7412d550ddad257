import type { EntityInterface, Inline, ListSchema, MembershipChange, RowRecord } from '../schema/schema.js'
import type { EntityInfo } from './entity-info.js'
import { Indexes } from './indexes.js'
import { ListFinder } from './list-finder.js'
import { ListHolders } from './list-holders.js'
import { ListRow } from './list-row.js'
import { Node, soilDependents } from './node.js'
import { GONE, isThere, Row, type RowHome, type Writer } from './row.js'

/** Stands for "all rows of a kind": dirty when one comes or goes. */
class Everyone extends Node {}

/** A membership change with its place in the order; one of a mutation is logged while requests are in flight that began before it completed. */
export interface MemberWrite {
  readonly change: MembershipChange
  readonly start: number
  readonly done: number
  /** The members' records when it was made, by their keys. */
  readonly records: ReadonlyMap<string | Inline, RowRecord>
  /** What the call said of members beyond what the answer did, by their keys. */
  readonly bodies: ReadonlyMap<string | Inline, RowRecord>
}

/** How far retention is: which of its passes is under way, or was the last, and which rows are gone. */
export class Life {
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
  readonly everyone: Node = new Everyone()
  /** Results that stand on any row of the kind and are older than this are stale; 0 is never. */
  stale = 0
  /** Results that stand on any row of the kind and are older than this may not be shown; 0 is never. */
  invalid = 0
  /** Made when a class of the kind names fields to look up by. */
  indexes: Indexes | undefined = undefined
  info: EntityInfo | undefined = undefined
  list: ListSchema | undefined = undefined
  /** Finds lists by their arguments. */
  readonly finder: ListFinder = new ListFinder()
  /** Finds lists by their members. */
  readonly holders: ListHolders = new ListHolders()
  /** Lists whose Collection says who belongs to them, or in which order. */
  readonly kept: Set<Member> = new Set()
  /** Layers that changed who is in lists of the kind, or looked through its rows: they run again when one of it changes. */
  readonly watchers: Set<Writer> = new Set()
  /** Membership changes that answers still under way may not know of. */
  readonly log: MemberWrite[] = []
  /** The kind whose rows these only show, by another class. */
  readonly origin: Kind<Member> | undefined
  /** The same rows as other classes of the key show them, by class. */
  readonly twins: Map<unknown, Kind<Member>> = new Map()
  /** What stands in for rows where a whole record stands in the place of a key. */
  readonly #embedded: EmbeddedHome = new EmbeddedHome(this)
  /** The row that was asked for last. */
  #last: Member | undefined = undefined
  /** True if a row was forgotten while somebody showed all of them. */
  #hasLost = false
  readonly #make: (kind: RowHome, pk: string) => Member
  readonly #life: Life

  constructor(key: string, make: (kind: RowHome, pk: string) => Member, life: Life, origin?: Kind<Member>) {
    this.key = key
    this.#make = make
    this.#life = life
    this.origin = origin
  }

  /** The row of a key; it comes into being when first mentioned. */
  row(pk: string): Member {
    // An answer that comes again asks in the same order: looking at the next row is cheaper than looking one up.
    const last = this.#last
    const guess = last?.next
    // The next row of a member is one of the same kind.
    const row = guess !== undefined && guess.pk === pk && this.isAlive(guess) ? (guess as Member) : this.#find(pk)
    if (last !== undefined && last !== row && guess !== row) last.next = row
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
    row.mark = this.#life.pass + 1
    this.rows.set(pk, row)
    return row
  }

  /** False once it was found that nobody needs the row, also while it waits to be taken out. */
  readonly isAlive = (row: Row): boolean => row.mark >= this.#life.alive

  embedded(record: RowRecord): Row {
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
    row.mark = GONE
    row.next = undefined
    row.value = undefined
    if (this.#last === row) this.#last = undefined
    this.indexes?.update(row)
    this.kept.delete(row)
    if (row instanceof ListRow) {
      this.finder.remove(row)
      this.holders.forget()
    }
    for (const twin of this.twins.values()) {
      const shown = twin.rows.get(row.pk)
      if (shown !== undefined) twin.drop(shown)
    }
  }

  /** The same rows as another class shows them: it keeps views only. */
  twin(look: unknown): Kind<Member> {
    const known = this.twins.get(look)
    if (known !== undefined) return known
    const twin = new Kind(this.key, this.#make, this.#life, this)
    this.twins.set(look, twin)
    return twin
  }

  /** Shows the rows as another class from now on. */
  adopt(info: EntityInfo): void {
    const before = this.info
    this.info = info
    if (before === undefined) return
    for (const row of this.rows.values()) if (!row.dirty) soilDependents(row)
  }

  /** The keys of the rows that are there, in the order in which they were first mentioned. */
  keys(): string[] {
    const keys: string[] = []
    for (const row of this.rows.values()) if (isThere(row.value) && this.isAlive(row)) keys.push(row.pk)
    return keys
  }

  /**
   * Forgets membership changes completed before the oldest request under way began, but for those that a change which stays has to
   * give way to: they started later than it.
   */
  forget(oldest: number): void {
    if (this.log.length === 0) return
    let first = Infinity
    for (const { start, done } of this.log) if (done >= oldest) first = Math.min(first, start)
    const kept = this.log.filter(({ start, done }) => done >= oldest || start > first)
    this.log.splice(0, this.log.length, ...kept)
  }

  /** The look-up of a field's value: a node to stand on, and the key it finds; undefined for a field that is not looked up by. */
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

/** The one table: entities and lists by kind and primary key. It knows nothing of time, of requests or of schemas' insides. */
export class Table {
  readonly life: Life = new Life()
  readonly kinds: Map<string, Kind> = new Map()
  readonly lists: Map<string, Kind<ListRow>> = new Map()
  /** Kinds of lists some of which know by themselves who is in them. */
  readonly kept: Set<Kind<ListRow>> = new Set()

  /** The rows of a kind of entity. */
  kind(key: string): Kind {
    const known = this.kinds.get(key)
    if (known !== undefined) return known
    const kind = new Kind(key, (home, pk) => new Row(home, pk), this.life)
    this.kinds.set(key, kind)
    return kind
  }

  /** The lists of a Collection. */
  listKind(schema: ListSchema): Kind<ListRow> {
    const known = this.lists.get(schema.key)
    if (known !== undefined) return known
    const kind = new Kind(schema.key, (home, pk) => new ListRow(home, pk), this.life)
    this.lists.set(schema.key, kind)
    kind.list = schema
    return kind
  }

  /** The same lists as a Collection of these members shows them: two classes of one key have lists of one kind. */
  shownLists(schema: ListSchema): Kind<ListRow> {
    const kind = this.listKind(schema)
    if (kind.list === schema || kind.list?.member === schema.member) return kind
    const twin = kind.twin(schema.member)
    twin.list ??= schema
    return twin
  }

  /** Sees to it that rows of an entity can be looked up by its `indexes`. */
  indexed(entity: EntityInterface): Kind {
    const kind = this.kind(entity.key)
    if (entity.indexes !== undefined && entity.indexes.length > 0) kind.index(entity.indexes)
    return kind
  }
}
