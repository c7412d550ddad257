import type { Row } from '../table/row.js'
import type { MarkedSince } from '../table/value.js'
import type { Entry } from './entry.js'

export const SEVERITIES = ['invalid', 'stale'] as const

/** Marks all keys of an endpoint as invalid or stale from the sequence number `at`. */
export interface Mark {
  /** The identity of the test: a later mark of the same owner and severity replaces an earlier one. */
  readonly owner: object | string
  readonly severity: (typeof SEVERITIES)[number]
  readonly at: number
  /** Its number in the order of addition, which `add` sets. */
  number?: number
  testKey(key: string): boolean
}

/** The argument of `invalidateAll` and `expireAll`: an endpoint, or any object that tests keys. */
export interface KeyTest {
  testKey(key: string): boolean
  /** A string that is equal for all objects with the same key test, which are then treated as one. */
  readonly keyPattern?: string | undefined
}

/** The number of endpoint marks that are stored separately. */
const MOST_MARKS = 100

/**
 * Knows from which sequence number results are stale or invalid: by a mark of their key, of their endpoint, or of a row or a
 * kind that they depend on. Endpoint marks are a list, and a read compares its key with the marks added since the last read.
 * Few endpoints have marks; beyond `MOST_MARKS`, the oldest one applies to every new key, so that the cost of a new key is
 * bounded.
 */
export class Staleness {
  /** In the order in which they were added: several may have one `at`, and a later one may have an earlier `at`. */
  marks: Required<Mark>[] = []
  #added = 0
  /** The marks of every key that has no entry yet. */
  readonly unknown: MarkedSince = { stale: 0, invalid: 0 }
  /** The newest mark of any row or kind. */
  #newest = 0

  /** Adds a mark, which also applies to keys that are created later and read from rows. `entries` are all existing keys. */
  add(mark: Mark, entries: Iterable<Entry>): void {
    this.marks = this.marks.filter(({ owner, severity }) => owner !== mark.owner || severity !== mark.severity)
    // A copy with the number would take as long as the rest of `expireAll`.
    mark.number = ++this.#added
    // It has its number now.
    this.marks.push(mark as Required<Mark>)
    if (this.marks.length <= MOST_MARKS) return
    const [{ owner, severity, at }] = this.marks as [Required<Mark>]
    // The mark of a dropped key matches no existing entry.
    if (typeof owner !== 'string' || !owner.startsWith('= ')) for (const entry of entries) this.judge(entry)
    this.marks.shift()
    this.unknown[severity] = Math.max(at, this.unknown[severity])
  }

  /** Marks a new entry. */
  admit(entry: Entry): void {
    entry.invalid = this.unknown.invalid
    entry.stale = this.unknown.stale
    this.judge(entry)
  }

  /** Compares a key with the marks added since it was last compared. Returns true if one of them matches. */
  judge(entry: Entry): boolean {
    let isMarked = false
    for (let i = this.marks.length - 1; i >= 0; i--) {
      const { number, at, severity, testKey } = this.marks[i] as Required<Mark>
      if (number <= entry.judged) break
      if (at <= entry[severity] || !testKey(entry.key)) continue
      entry[severity] = at
      isMarked = true
    }
    entry.judged = this.#added
    return isMarked
  }

  /** Marks all rows of a kind, including those that requests in flight will load. */
  markKind(table: MarkedSince, severity: Mark['severity'], at: number): void {
    table[severity] = at
    this.#newest = at
  }

  /** Notes the marks of rows that a commit has marked. */
  noteRows(rows: Iterable<Row>): void {
    for (const { marks } of rows) this.#newest = Math.max(this.#newest, marks?.stale ?? 0, marks?.invalid ?? 0)
  }

  /** Returns the newest marks of a result and of the rows that it depends on. Row marks up to `start` are ignored. */
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
}
