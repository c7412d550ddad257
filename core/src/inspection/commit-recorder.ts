import type { CommitFacts, CommitLog, CommitRecord, RowChange } from '../engine/commit-log.js'
import { isThere, type Row } from '../table/row.js'

/** How many rows of one notification are remembered one by one: a log of events keeps their records in memory. */
const MOST = 100
/** Up to so many rows are searched one by one: most commits change few, and a Map costs more than they do. */
const FEW = 8

/** What was visible in a row before, and after the commits of one notification. */
interface Seen {
  readonly before: unknown
  readonly row: Row
  after: unknown
}

const NONE: readonly never[] = []

/** Notes what commits are made of. Rows are compared when somebody asks. */
export class CommitRecorder implements CommitLog {
  /** How many inspect the store. */
  users = 0
  #causes: number[] | undefined = undefined
  /** Only there after a row has changed. */
  #seen: Seen[] | undefined = undefined
  /** The rows of these, once they are many. */
  #rows: Set<Row> | undefined = undefined

  step(by: number): void {
    if (this.#causes === undefined) this.#causes = [by]
    else if (!this.#causes.includes(by)) this.#causes.push(by)
  }

  row(row: Row, before: unknown): void {
    // The rows of results are no rows for users.
    if (row.home.key === '') return
    const seen = { before, row, after: undefined }
    if (this.#seen === undefined) this.#seen = [seen]
    else if (!this.#has(row, this.#seen)) {
      this.#seen.push(seen)
      this.#rows?.add(row)
    }
  }

  #has(row: Row, seen: readonly Seen[]): boolean {
    if (this.#rows === undefined && seen.length > FEW) this.#rows = new Set(seen.map((one) => one.row))
    return this.#rows?.has(row) ?? seen.some((one) => one.row === row)
  }

  take(): RecordedCommit {
    const record = new RecordedCommit(this.#causes, this.#seen)
    this.#causes = undefined
    this.#seen = undefined
    this.#rows = undefined
    return record
  }
}

/** What is known of the commits of one notification. */
class RecordedCommit implements CommitFacts, CommitRecord {
  keys: readonly string[] = NONE
  readonly causes: readonly number[]
  readers = 0
  readonly rowCount: number
  notified: readonly object[] = NONE
  readonly #first: readonly Seen[]
  #changes: readonly RowChange[] | undefined = undefined

  constructor(causes: readonly number[] = NONE, seen: Seen[] = []) {
    this.causes = causes
    this.rowCount = seen.length
    if (seen.length > MOST) seen.length = MOST
    for (const change of seen) change.after = change.row.value
    this.#first = seen
  }

  get rows(): () => readonly RowChange[] {
    return () => {
      this.#changes ??= this.#first.map(compared)
      return this.#changes
    }
  }

  of(keys: readonly string[], notified: readonly object[]): this {
    this.keys = keys
    this.notified = notified
    // Observers were notified, nothing else.
    for (const { listenerCount } of notified as readonly { readonly listenerCount: number }[])
      this.readers += listenerCount
    return this
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
