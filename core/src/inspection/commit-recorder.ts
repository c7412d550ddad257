import type { CommitFacts, CommitLog, CommitRecord, RowChange } from '../engine/commit-log.js'
import type { Row } from '../table/row.js'
import { isThere } from '../table/value.js'

/** How many rows of one notification are remembered one by one: a log of events keeps their records in memory. */
const MOST = 20

/** What was visible in a row before, and after the commits of one notification. */
interface Seen {
  readonly before: unknown
  readonly row: Row
  after: unknown
}

/** Up to so many rows are searched one by one: most commits change few, and a Set costs more than they do. */
const FEW = 8

const NONE: readonly never[] = []

/** Notes what commits are made of. Rows are compared, and lists are made, when somebody asks: most are never looked at. */
export class CommitRecorder implements CommitLog {
  /** How many inspect the store. */
  users = 0
  #next = new RecordedCommit()
  /** The rows of the next notification, once they are many. */
  #rows: Set<Row> | undefined = undefined

  step(by: number): void {
    this.#next.addCause(by)
  }

  row(row: Row, before: unknown): void {
    const next = this.#next
    // The rows of results are no rows for users.
    if (row.home.key === '') return
    if (next.rowCount > FEW) this.#rows ??= new Set(next.seen().map((one) => one.row))
    if (this.#rows?.has(row) ?? next.has(row)) return
    this.#rows?.add(row)
    next.addRow(row, before)
  }

  take(): RecordedCommit {
    const taken = this.#next
    this.#next = new RecordedCommit()
    this.#rows = undefined
    taken.end()
    return taken
  }
}

/** What is known of the commits of one notification. A log keeps many, so what is mostly one thing has no array around it. */
class RecordedCommit implements CommitFacts, CommitRecord {
  keys: readonly string[] = NONE
  readers = 0
  rowCount = 0
  #causes: number | Set<number> | undefined = undefined
  #notified: object | readonly object[] = NONE
  #row: Row | undefined = undefined
  #before: unknown = undefined
  #after: unknown = undefined
  /** The second row and those that follow. */
  #more: Seen[] | undefined = undefined

  get causes(): readonly number[] {
    if (this.#causes === undefined) return NONE
    return typeof this.#causes === 'number' ? [this.#causes] : [...this.#causes]
  }

  get notified(): readonly object[] {
    return Array.isArray(this.#notified) ? this.#notified : [this.#notified]
  }

  get rows(): () => readonly RowChange[] {
    return () => this.seen().map(compared)
  }

  /** For logs: observers are no data. */
  toJSON(): object {
    const { keys, causes, readers, rowCount } = this
    return { keys, causes, readers, rowCount, rows: this.rows() }
  }

  addCause(by: number): void {
    if (this.#causes === undefined) this.#causes = by
    else if (typeof this.#causes !== 'number') this.#causes.add(by)
    else if (this.#causes !== by) this.#causes = new Set([this.#causes, by])
  }

  has(row: Row): boolean {
    return row === this.#row || this.#more?.some((one) => one.row === row) === true
  }

  addRow(row: Row, before: unknown): void {
    if (this.#row === undefined) {
      this.#row = row
      this.#before = before
    } else if (this.rowCount < MOST) {
      this.#more ??= []
      this.#more.push({ row, before, after: undefined })
    }
    this.rowCount++
  }

  /** All that belongs to it has happened. */
  end(): void {
    this.#after = this.#row?.value
    if (this.#more !== undefined) for (const seen of this.#more) seen.after = seen.row.value
  }

  of(keys: readonly string[], notified: readonly object[]): this {
    if (keys.length > 0) this.keys = keys
    this.#notified = notified.length === 1 ? (notified[0] as object) : notified
    // Observers were notified, nothing else.
    for (const { listenerCount } of notified as readonly { readonly listenerCount: number }[])
      this.readers += listenerCount
    return this
  }

  seen(): Seen[] {
    if (this.#row === undefined) return []
    return [{ row: this.#row, before: this.#before, after: this.#after }, ...(this.#more ?? NONE)]
  }
}

function compared({ row, before, after }: Seen): RowChange {
  return {
    kind: row.home.key,
    pk: row.pk,
    fields: fieldsThatDiffer(before, after),
    before: isThere(before) ? before : undefined,
    after: isThere(after) ? after : undefined,
  }
}

function fieldsThatDiffer(before: unknown, after: unknown): string[] {
  const old = fieldsToCompare(before)
  const now = fieldsToCompare(after)
  return [...new Set([...old.keys(), ...now.keys()])].filter((name) => old.get(name) !== now.get(name))
}

function fieldsToCompare(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : [])
}
