import { belongs, before as comesBefore } from '../domain.js'
import { same } from '../same.js'
import type { Fact, Fields, ListFact, Membership, Saying, Told } from './facts.js'

/** A row: never heard of, deleted, or its fields. */
export type Row = Fields | 'deleted' | undefined

export type List = Omit<ListFact, 'key'>

/** A change of membership that lists must not forget. */
interface Logged extends Membership {
  readonly start: number
  readonly done: number
  /** What the row held then. */
  readonly fields: Fields
}

/** An edit's answer, or an optimistic layer, takes part in the order by these. */
type Place = Pick<Fact, 'start' | 'done' | 'names' | 'membership'> & {
  /** The fields that it only repeats: it does not name them, and they are as they were when it was sent. */
  readonly repeats?: ReadonlySet<string>
}

/** True for an edit that can only have succeeded where its rows existed. */
function onlyChanges({ done, membership }: Place): boolean {
  return done !== undefined && (membership?.op === 'move' || membership?.op === 'remove')
}

/**
 * True if a read does not know of something: it was over only after the read's start, and its own answer did not bring
 * the read.
 */
function isMissedBy(read: Pick<Fact, 'start'>, { start, done = start }: Pick<Fact, 'start' | 'done'>): boolean {
  return done > read.start && start !== read.start
}

/** What follows from all facts, folded one by one in the order in which they arrived. */
export class Truth {
  readonly rows: Map<string, Row>
  readonly lists: Map<string, List>
  readonly results: Map<string, unknown>
  /** The facts that told of a field, by `row|field`; `@` is the row's being there. */
  readonly #tellers: Map<string, Place[]>
  readonly #log: Logged[]
  /** The rows without layers. */
  readonly #base: ReadonlyMap<string, Row>
  /** The edits of rows, with what they told. */
  readonly #edits: {
    readonly row: string
    readonly start: number
    readonly done: number
    readonly fields: Fields
    readonly tellsGroup: boolean
  }[]
  /** What rows held before an answer changed them. */
  readonly #history: { readonly at: number; readonly row: string; readonly before: Row }[]
  /** The rows that reads brought. */
  readonly #reads: {
    readonly row: string
    readonly start: number
    readonly done: undefined
    readonly tellsGroup: boolean
  }[]
  /** Lists of items know by themselves who is in them, and in which order. */
  readonly #keeps: boolean

  constructor(keeps: boolean, copied?: Truth) {
    this.#keeps = keeps
    this.#edits = copied === undefined ? [] : copied.#edits
    this.#history = copied === undefined ? [] : copied.#history
    this.#reads = copied === undefined ? [] : copied.#reads
    this.rows = new Map(copied?.rows)
    this.lists = new Map(copied?.lists)
    this.results = new Map(copied?.results)
    // A copy is made to put layers on, which tell nothing.
    this.#tellers = copied === undefined ? new Map() : copied.#tellers
    this.#log = copied === undefined ? [] : copied.#log
    this.#base = copied === undefined ? this.rows : copied.rows
  }

  static of(facts: readonly Fact[], keeps: boolean): Truth {
    const truth = new Truth(keeps)
    for (const fact of facts) truth.#add(fact)
    return truth
  }

  #add(given: Fact): void {
    const fact = this.#tells(given) ? given : { ...given, names: undefined }
    const rows = new Map(this.rows)
    const decided = new Set(fact.says.filter(tellsGroup).map(({ row }) => row))
    for (const row of decided) if (!this.#wins(`${row}|group`, fact)) decided.delete(row)
    for (const saying of fact.says) this.#hear(saying, fact)
    const written = new Set(fact.lists.filter((list) => this.#readList(list, fact)).map(({ key }) => key))
    if (fact.result !== undefined) this.#readResult(fact.result, fact)
    // A move that is answered without the group goes by the call, unless a later edit has settled the group.
    const isUnsaid = fact.membership?.isUnsaid === true && this.#wins(`${fact.membership.member}|group`, fact)
    const membership = fact.membership && { ...fact.membership, isUnsaid }
    if (membership !== undefined) this.#changeLists(membership, fact)
    const moved = membership?.isUnsaid ? { name: membership.member, group: membership.group } : undefined
    if (moved !== undefined) {
      decided.add(moved.name)
      this.#edits.push({ row: moved.name, start: fact.start, done: fact.done ?? 0, fields: {}, tellsGroup: true })
    }
    if (!this.#keeps) return
    const changed = [...this.rows.keys()].filter((row) => !same(rows.get(row), this.rows.get(row)))
    if (fact.done === undefined)
      for (const row of changed) this.#reads.push({ row, start: fact.start, done: undefined, tellsGroup: true })
    // Whoever was moved is asked about even if that changed nothing.
    const touched = membership?.op === 'move' ? [...changed, membership.member] : changed
    const since = [...this.#edits, ...this.#reads].filter((other) => isMissedBy(fact, other))
    // Older facts of a row may be known than of the list: what edits and later reads have told counts.
    const rowsFor = (key: string, isByGroup: boolean): readonly string[] => {
      if (written.has(key)) return since.filter(({ tellsGroup }) => !isByGroup || tellsGroup).map(({ row }) => row)
      return fact.done === undefined ? changed : touched.filter((row) => !isByGroup || decided.has(row))
    }
    this.#keep(rowsFor, moved, (key) => !this.#isReadBefore(key, fact))
  }

  /** True if an edit names a field of its answer beside keys: a body without one does not tell what it changes. */
  #tells({ says, names }: Fact): boolean {
    const isKey = (row: string, field: string): boolean => field === 'id' && typeof this.rows.get(row) === 'object'
    return says.some(({ row, fields }) =>
      Object.keys(fields === 'deleted' ? {} : fields).some((field) => names?.has(field) && !isKey(row, field)),
    )
  }

  /** A read that started before the one that brought a list does not know better who is in it, but who is not. */
  #isReadBefore(list: string, { start, done }: Place): boolean {
    return done === undefined && (this.#tellers.get(list) ?? []).some((teller) => teller.start > start)
  }

  #readResult(result: (before: unknown) => unknown, fact: Fact): void {
    const before = this.results.get('stats')
    const value = result(before)
    if (before === undefined || this.#wins('result|@', fact)) this.results.set('stats', value)
    this.#note('result|@', fact)
  }

  // — rows —

  #hear({ row, fields }: Saying, told: Fact): void {
    const before = this.rows.get(row)
    const fact = { ...told, repeats: this.#repeatedBy({ row, fields }, told) }
    this.#history.push({ at: told.done ?? told.start, row, before })
    if (fields === 'deleted') {
      if (this.#wins(`${row}|@`, fact) || this.#comesLast(row, fact)) this.rows.set(row, 'deleted')
      this.#note(`${row}|@`, fact)
      this.#note(`${row}|*`, fact)
      this.#noteSaying({ row, fields }, fact)
      return
    }
    const comesBack = onlyChanges(fact) ? !this.#hasCrossed(row, fact) : this.#winsPresence(row, fact)
    if (before === undefined) this.rows.set(row, fields)
    else if (before === 'deleted' && comesBack) this.rows.set(row, this.#restored(row, fields, fact))
    this.#noteSaying({ row, fields }, fact)
    if (before !== undefined && before !== 'deleted') this.rows.set(row, this.#merged(row, before, fields, fact))
    for (const field of ['@', ...Object.keys(fields)]) this.#note(`${row}|${field}`, fact)
  }

  /** The fields that an edit only repeats. */
  #repeatedBy({ row, fields }: Saying, { start, done, names }: Place): ReadonlySet<string> {
    const then = this.#history.find((other) => other.row === row && other.at > start)
    const known = then === undefined ? this.rows.get(row) : then.before
    if (done === undefined || names === undefined || fields === 'deleted' || typeof known !== 'object') return new Set()
    return new Set(Object.keys(fields).filter((field) => !names.has(field) && same(known[field], fields[field])))
  }

  #noteSaying(saying: Saying, { start, done }: Place): void {
    if (done === undefined) return
    const fields = saying.fields === 'deleted' ? {} : saying.fields
    this.#edits.push({ row: saying.row, start, done, fields, tellsGroup: tellsGroup(saying) })
  }

  /** A row that comes back, with what edits told that started later and found no row. */
  #restored(row: string, fields: Fields, { start }: Place): Fields {
    const later = this.#edits.filter((edit) => edit.row === row && edit.start > start)
    const restored: Record<string, unknown> = { ...fields }
    for (const edit of later.sort((a, b) => a.start - b.start))
      for (const field of Object.keys(edit.fields)) put(restored, field, edit.fields[field])
    return restored
  }

  #merged(row: string, before: Fields, fields: Fields, fact: Fact): Fields {
    const merged: Record<string, unknown> = { ...before }
    for (const field of Object.keys(fields)) {
      // What is older fills gaps only.
      if (!Object.hasOwn(before, field) || this.#wins(`${row}|${field}`, fact)) put(merged, field, fields[field])
    }
    return merged
  }

  /**
   * Whether an answer replaces what is there. A read does unless a read of the same field started later, or an edit of
   * it was completed after the read's start; an edit does unless an edit of the field started later. Edits that name the
   * field come after those that do not.
   */
  #wins(field: string, place: Place, tells: (teller: Place) => boolean = () => true): boolean {
    const { start, done } = place
    // A deletion tells of all fields.
    const deletions = this.#tellers.get(`${field.slice(0, field.lastIndexOf('|'))}|*`) ?? []
    const tellers = [...(this.#tellers.get(field) ?? []), ...deletions].filter(tells)
    const edits = tellers.filter((teller) => teller.done !== undefined)
    const name = field.slice(field.lastIndexOf('|') + 1)
    const isRepeat = ({ repeats }: Place): boolean => repeats?.has(name) === true
    const isNamed = ({ names }: Place): boolean | undefined => (name === '@' ? undefined : names?.has(name))
    const isAhead = (edit: Place): boolean => {
      if (isNamed(place) === false && isNamed(edit)) return isMissedBy(place, edit)
      return edit.start > start && !(isNamed(place) && isNamed(edit) === false)
    }
    // An edit that only repeats a field is a read that started with it.
    const isLater = (teller: Place): boolean =>
      isMissedBy(place, isRepeat(teller) ? { start: teller.start, done: undefined } : teller)
    if (done === undefined || isRepeat(place)) return !tellers.some(isLater)
    return !edits.some((edit) => isAhead(edit) && !isRepeat(edit))
  }

  /** As `#wins`, of a row's being there: whether an edit brings it back, edits that can only change it do not tell. */
  #winsPresence(row: string, place: Place): boolean {
    return this.#wins(`${row}|@`, place, (teller) => place.done === undefined || !onlyChanges(teller))
  }

  /** The edits that told of a row and were completed after a fact's start. */
  #crossing(row: string, { start }: Place): readonly Place[] {
    const tellers = [...(this.#tellers.get(`${row}|@`) ?? []), ...(this.#tellers.get(`${row}|*`) ?? [])]
    return tellers.filter(({ done = 0 }) => done > start)
  }

  /** A deletion comes after edits that crossed it, if each of them can only have succeeded where the row existed. */
  #comesLast(row: string, fact: Place): boolean {
    return fact.done !== undefined && this.#crossing(row, fact).every(onlyChanges)
  }

  /** True if an edit of a row was completed, or a read of it sent, after a fact's start. */
  #hasCrossed(row: string, fact: Place): boolean {
    const reads = (this.#tellers.get(`${row}|@`) ?? []).filter(({ done }) => done === undefined)
    return this.#crossing(row, fact).length > 0 || reads.some(({ start }) => start > fact.start)
  }

  #note(field: string, fact: Place): void {
    const tellers = this.#tellers.get(field)
    if (tellers === undefined) this.#tellers.set(field, [fact])
    else tellers.push(fact)
  }

  // — lists —

  /** False if a later read of the list has told more. */
  #readList({ key, ...read }: ListFact, fact: Fact): boolean {
    const isOld = (this.#tellers.get(key) ?? []).some((teller) => teller.start > fact.start)
    if (isOld && this.lists.has(key)) return false
    let list: List = read
    const missed = this.#log.filter((logged) => isMissedBy(fact, logged)).sort((a, b) => a.start - b.start)
    for (const logged of missed) list = this.#changed(list, logged, logged.start, logged.fields)
    this.lists.set(key, list)
    this.#note(key, fact)
    return true
  }

  /** Lists that know by themselves who is in them gain or lose rows, and are put in order. */
  #keep(
    rowsFor: (key: string, isByGroup: boolean) => readonly string[],
    moved?: { readonly name: string; readonly group: string },
    mayEnter: (key: string) => boolean = () => true,
  ): void {
    for (const [key, list] of this.lists) {
      if (list.kind !== 'list' || list.isOwn) continue
      let members = [...list.members]
      for (const name of rowsFor(key, list.group !== undefined)) {
        const row = this.rows.get(name)
        if (!name.startsWith('Item ') || row === undefined || row === 'deleted') continue
        const is = belongs(name === moved?.name ? { ...row, group: moved.group } : row, { group: list.group })
        if (is === true && !members.includes(name) && mayEnter(key)) members.push(name)
        if (is === false) members = members.filter((other) => other !== name)
      }
      const fieldsOf = (name: string): Fields | undefined => {
        const row = this.rows.get(name)
        return row === 'deleted' ? undefined : row
      }
      members.sort((a, b) => {
        const [x, y] = [fieldsOf(a), fieldsOf(b)]
        return x === undefined || y === undefined
          ? Number(x === undefined) - Number(y === undefined)
          : comesBefore(x, y)
      })
      this.lists.set(key, { ...list, members })
    }
  }

  #changeLists(membership: Membership, { start, done = start }: Place): void {
    const fields = this.#fieldsOf(membership.member)
    for (const [key, list] of this.lists) this.lists.set(key, this.#changed(list, membership, start, fields))
    this.#log.push({ ...membership, start, done, fields })
  }

  /** A list after a change of membership, unless an edit that started later has decided on the member. */
  #changed(list: List, membership: Membership, start: number, known: Fields): List {
    const { op, member } = membership
    const enters = this.#enters(list, membership, this.#fieldsOf(member, known))
    if (enters === undefined || enters === list.members.includes(member)) return list
    const log = this.#log.filter((later) => later.start > start && later.kind === list.kind)
    const isDecided = log.some(
      (later) => later.member === member && this.#enters(list, later, later.fields) !== undefined,
    )
    if (isDecided) return list
    if (!enters) return { ...list, members: list.members.filter((other) => other !== member) }
    // Maps have no order to keep.
    const isLater = (other: string | undefined): boolean =>
      list.kind !== 'map' && log.some((later) => later.member === other && later.op !== 'remove')
    const members = [...list.members]
    const isFirst = list.kind !== 'map' && (op === 'unshift' || op === 'put first')
    let place = isFirst ? 0 : members.length
    if (op === 'unshift') while (place < members.length && isLater(members[place])) place++
    if (!isFirst) while (place > 0 && isLater(members[place - 1])) place--
    members.splice(place, 0, member)
    return { ...list, members }
  }

  /** Whether a member shall be in a list; undefined if the change says nothing of it. */
  #enters(list: List, { op, group, kind, isUnsaid }: Membership, fields: Fields): boolean | undefined {
    if (kind !== list.kind || list.isOwn) return undefined
    if (op === 'remove') return list.group === group ? false : undefined
    const isMatch = list.group === undefined || list.group === (isUnsaid ? group : (fields.group ?? group))
    if (op === 'move') return isMatch
    return isMatch ? true : undefined
  }

  #fieldsOf(name: string, otherwise: Fields = {}): Fields {
    const row = this.rows.get(name)
    return row === undefined || row === 'deleted' ? otherwise : row
  }

  // — layers —

  /** Puts on top what an edit that is still pending is expected to say; what later edits were answered stays. */
  expect(told: Told, start: number): void {
    const isNew = ['push', 'unshift', 'put first'].includes(told.membership?.op ?? '')
    for (const { row, fields } of told.says) {
      const before = this.rows.get(row)
      const base = this.#base.get(row)
      const isOpen = (field: string): boolean => {
        const isHeld = field === '@' || (typeof base === 'object' && Object.hasOwn(base, field))
        return !isHeld || this.#wins(`${row}|${field}`, { start, done: start, names: new Set([field]) })
      }
      if (fields === 'deleted') {
        if (isOpen('@') || this.#comesLast(row, { start, done: start })) this.rows.set(row, 'deleted')
      } else if (before === undefined || before === 'deleted') {
        // Of deleted rows, only what is put into a list comes back.
        if (before === undefined) this.rows.set(row, fields)
        else if (isNew && this.#winsPresence(row, { start, done: start }))
          this.rows.set(row, this.#restored(row, fields, { start, done: start }))
      } else {
        const merged: Record<string, unknown> = { ...before }
        for (const field of Object.keys(fields)) if (isOpen(field)) put(merged, field, fields[field])
        this.rows.set(row, merged)
      }
    }
    const { membership, result } = told
    if (result !== undefined && this.#wins('result|@', { start, done: start }))
      this.results.set('stats', result(this.results.get('stats')))
    if (membership !== undefined) {
      const fields = this.#fieldsOf(membership.member)
      for (const [key, list] of this.lists) this.lists.set(key, this.#changed(list, membership, start, fields))
    }
    if (this.#keeps) this.#keep(() => told.says.map(({ row }) => row))
  }
}

function tellsGroup({ fields }: Saying): boolean {
  return fields !== 'deleted' && Object.hasOwn(fields, 'group')
}

function put(record: Record<string, unknown>, field: string, value: unknown): void {
  Object.defineProperty(record, field, { value, enumerable: true, configurable: true, writable: true })
}
