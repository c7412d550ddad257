import type { Fact, Fields, Membership, Saying } from './facts.js'

/** A row: never heard of, deleted, or its fields. */
export type Row = Fields | 'deleted' | undefined

export interface List {
  readonly group: string | undefined
  readonly pks: readonly string[]
}

/** A change of membership that lists must not forget. */
interface Logged extends Membership {
  readonly start: number
  readonly done: number
  /** What the row held then. */
  readonly fields: Fields
}

/** An edit's answer, or an optimistic layer, takes part in the order by these. */
type Place = Pick<Fact, 'start' | 'done'>

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

  constructor(copied?: Truth) {
    this.rows = new Map(copied?.rows)
    this.lists = new Map(copied?.lists)
    this.results = new Map(copied?.results)
    // A copy is made to put layers on, which tell nothing.
    this.#tellers = copied === undefined ? new Map() : copied.#tellers
    this.#log = copied === undefined ? [] : copied.#log
    this.#base = copied === undefined ? this.rows : copied.rows
  }

  static of(facts: readonly Fact[]): Truth {
    const truth = new Truth()
    for (const fact of facts) truth.#add(fact)
    return truth
  }

  #add(fact: Fact): void {
    for (const saying of fact.says) this.#hear(saying, fact)
    if (fact.list !== undefined) this.#readList(fact.list, fact)
    if (fact.result !== undefined && this.#wins('result|@', fact)) this.results.set('stats', fact.result.value)
    if (fact.result !== undefined) this.#note('result|@', fact)
    if (fact.membership !== undefined) this.#changeLists(fact.membership, fact)
  }

  // — rows —

  #hear({ row, fields }: Saying, fact: Fact): void {
    const before = this.rows.get(row)
    const isNewest = this.#wins(`${row}|@`, fact)
    if (fields === 'deleted') {
      if (isNewest) this.rows.set(row, 'deleted')
      this.#note(`${row}|@`, fact)
      return
    }
    if (before === undefined || (before === 'deleted' && isNewest)) this.rows.set(row, fields)
    else if (before !== 'deleted') this.rows.set(row, this.#merged(row, before, fields, fact))
    for (const field of ['@', ...Object.keys(fields)]) this.#note(`${row}|${field}`, fact)
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
   * Whether an answer replaces what is there. A read does unless a read of the same field started later, or an edit of it was completed
   * after the read's start; an edit does unless an edit of the field started later.
   */
  #wins(field: string, { start, done }: Place): boolean {
    const tellers = this.#tellers.get(field) ?? []
    if (done !== undefined) return !tellers.some((teller) => teller.done !== undefined && teller.start > start)
    return !tellers.some((teller) => (teller.done ?? teller.start) > start)
  }

  #note(field: string, fact: Place): void {
    const tellers = this.#tellers.get(field)
    if (tellers === undefined) this.#tellers.set(field, [fact])
    else tellers.push(fact)
  }

  // — lists —

  #readList({ group, pks }: List, fact: Fact): void {
    const key = listKey(group)
    const isOld = (this.#tellers.get(key) ?? []).some((teller) => teller.start > fact.start)
    if (isOld && this.lists.has(key)) return
    let list: List = { group, pks }
    const missed = this.#log.filter(({ done }) => done > fact.start).sort((a, b) => a.start - b.start)
    for (const logged of missed) list = this.#changed(list, logged, logged.start, logged.fields)
    this.lists.set(key, list)
    this.#note(key, fact)
  }

  #changeLists(membership: Membership, { start, done = start }: Place): void {
    const fields = this.#fieldsOf(membership.pk)
    for (const [key, list] of this.lists) this.lists.set(key, this.#changed(list, membership, start, fields))
    this.#log.push({ ...membership, start, done, fields })
  }

  /** A list after a change of membership, unless an edit that started later has decided on the member. */
  #changed(list: List, membership: Membership, start: number, known: Fields): List {
    const { op, pk } = membership
    const enters = this.#enters(list, membership, this.#fieldsOf(pk, known))
    if (enters === undefined || enters === list.pks.includes(pk)) return list
    const isDecided = this.#log.some(
      (later) => later.start > start && later.pk === pk && this.#enters(list, later, later.fields) !== undefined,
    )
    if (isDecided) return list
    if (!enters) return { ...list, pks: list.pks.filter((other) => other !== pk) }
    const isLater = (other: string | undefined): boolean =>
      this.#log.some((later) => later.start > start && later.pk === other && later.op !== 'remove')
    const pks = [...list.pks]
    let place = op === 'unshift' ? 0 : pks.length
    if (op === 'unshift') while (place < pks.length && isLater(pks[place])) place++
    else while (place > 0 && isLater(pks[place - 1])) place--
    pks.splice(place, 0, pk)
    return { ...list, pks }
  }

  /** Whether a member shall be in a list; undefined if the change says nothing of it. */
  #enters(list: List, { op, group }: Membership, fields: Fields): boolean | undefined {
    if (op === 'remove') return list.group === group ? false : undefined
    const isMatch = list.group === undefined || list.group === (fields.group ?? group)
    if (op === 'move') return isMatch
    return isMatch ? true : undefined
  }

  #fieldsOf(pk: string, otherwise: Fields = {}): Fields {
    const row = this.rows.get(`Item ${pk}`)
    return row === undefined || row === 'deleted' ? otherwise : row
  }

  // — layers —

  /** Puts on top what an edit that is still pending is expected to say; what later edits were answered stays. */
  expect(told: Pick<Fact, 'says' | 'membership'>, start: number): void {
    const isNew = told.membership?.op === 'push' || told.membership?.op === 'unshift'
    for (const { row, fields } of told.says) {
      const before = this.rows.get(row)
      const base = this.#base.get(row)
      const isOpen = (field: string): boolean => {
        const isHeld = field === '@' || (typeof base === 'object' && Object.hasOwn(base, field))
        return !isHeld || this.#wins(`${row}|${field}`, { start, done: start })
      }
      if (fields === 'deleted') {
        if (isOpen('@')) this.rows.set(row, 'deleted')
      } else if (before === undefined || before === 'deleted') {
        // Of deleted rows, only what is put into a list comes back.
        if (before === undefined || (isNew && isOpen('@'))) this.rows.set(row, fields)
      } else {
        const merged: Record<string, unknown> = { ...before }
        for (const field of Object.keys(fields)) if (isOpen(field)) put(merged, field, fields[field])
        this.rows.set(row, merged)
      }
    }
    if (told.membership === undefined) return
    const fields = this.#fieldsOf(told.membership.pk)
    for (const [key, list] of this.lists) this.lists.set(key, this.#changed(list, told.membership, start, fields))
  }
}

export function listKey(group: string | undefined): string {
  return `list ${group ?? ''}|@`
}

function put(record: Record<string, unknown>, field: string, value: unknown): void {
  Object.defineProperty(record, field, { value, enumerable: true, configurable: true, writable: true })
}
