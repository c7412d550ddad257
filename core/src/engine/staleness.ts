import type { Row } from '../table/row.js'
import type { MarkedSince } from '../table/value.js'
import type { Entry } from './entry.js'

export const SEVERITIES = ['invalid', 'stale'] as const

/** Marks all keys of an endpoint as invalid or stale since a moment. */
export interface Mark {
  /** The text that it matches, or the object that tests keys: a later mark of the same owner replaces an earlier one of the same severity. */
  readonly owner: object | string
  readonly severity: (typeof SEVERITIES)[number]
  readonly at: number
  testKey(key: string): boolean
}

/** The number of endpoint marks that are stored separately. */
const MOST_MARKS = 100

/**
 * Says since when results are marked: by a mark of their key, of their endpoint, or of a row or a table that they depend on. Marks of
 * endpoints are a list; a key is compared with those that are new to it when it is read. Mostly few endpoints have marks;
 * where there are more, the oldest mark holds for every key that is not known yet, so that a new key costs no more.
 */
export class Staleness {
  /** In the order of their moments. */
  marks: Mark[] = []
  /** Since when every key that is not known yet is marked. */
  readonly unknown: MarkedSince = { stale: 0, invalid: 0 }
  /** The newest mark of any row or table. */
  #newest = 0

  /** Marks keys, also those that are created later and read from rows. `entries` are all existing keys. */
  add(mark: Mark, entries: Iterable<Entry>): void {
    this.marks = this.marks.filter(({ owner, severity }) => owner !== mark.owner || severity !== mark.severity)
    this.marks.push(mark)
    if (this.marks.length <= MOST_MARKS) return
    const [{ owner, severity, at }] = this.marks as [Mark]
    // A mark of a key that was dropped concerns no known one.
    if (typeof owner !== 'string' || !owner.startsWith('= ')) for (const entry of entries) this.judge(entry)
    this.marks.shift()
    this.unknown[severity] = at
  }

  /** A key is heard of for the first time. */
  admit(entry: Entry): void {
    entry.invalid = this.unknown.invalid
    entry.stale = this.unknown.stale
    this.judge(entry)
  }

  /** Compares a key with the marks that are new to it; true if one of them concerns it. */
  judge(entry: Entry): boolean {
    let isMarked = false
    for (let i = this.marks.length - 1; i >= 0; i--) {
      const { at, severity, testKey } = this.marks[i] as Mark
      if (at <= entry.judged) break
      if (at <= entry[severity] || !testKey(entry.key)) continue
      entry[severity] = at
      isMarked = true
    }
    entry.judged = this.marks.at(-1)?.at ?? 0
    return isMarked
  }

  /** All rows of a kind are marked, also those that only requests in flight will bring. */
  markKind(table: MarkedSince, severity: Mark['severity'], at: number): void {
    table[severity] = at
    this.#newest = at
  }

  /** Rows were marked. */
  noteRows(rows: Iterable<Row>): void {
    for (const { marks } of rows) this.#newest = Math.max(this.#newest, marks?.stale ?? 0, marks?.invalid ?? 0)
  }

  /** Since when a result is marked: by itself or by any of the rows that it depends on, as far as that is later than `start`. */
  of(entry: Entry, start: number, rows: () => Iterable<Row>): MarkedSince {
    this.judge(entry)
    let { stale, invalid } = entry
    let contested: number | undefined
    if (this.#newest <= start) return { stale, invalid }
    const add = (marked: Readonly<MarkedSince> | undefined): void => {
      if (marked === undefined) return
      if (marked.stale > stale) {
        stale = marked.stale
        contested = marked.contested
      }
      invalid = Math.max(invalid, marked.invalid)
    }
    add(entry.row.marks)
    for (const { marks, home } of rows()) {
      add(marks)
      add(home.origin ?? home)
    }
    return { stale, invalid, contested }
  }

  clear(): void {
    this.marks = []
    this.unknown.stale = 0
    this.unknown.invalid = 0
    this.#newest = 0
  }
}
