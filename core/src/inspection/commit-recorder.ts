import type { CommitFacts, CommitLog, RowChange } from '../engine/commit-log.js'
import { isThere, type Row } from '../table/row.js'

/** How many rows of one notification are remembered one by one: a log of events keeps their records in memory. */
const MOST = 100

/** What was visible in a row before, and after the commits of one notification. */
interface Seen {
  readonly before: unknown
  readonly row: Row
  after: unknown
}

/** Notes what commits are made of. Rows are compared when somebody asks. */
export class CommitRecorder implements CommitLog {
  /** How many inspect the store. */
  users = 0
  #causes: number[] = []
  /** Only there after a row has changed. */
  #seen: Map<Row, Seen> | undefined = undefined

  step(by: number): void {
    if (!this.#causes.includes(by)) this.#causes.push(by)
  }

  row(row: Row, before: unknown): void {
    // The rows of results are no rows for users.
    if (row.home.key === '') return
    this.#seen ??= new Map()
    if (!this.#seen.has(row)) this.#seen.set(row, { before, row, after: undefined })
  }

  take(): (notified: readonly object[]) => CommitFacts {
    const causes = this.#causes
    const seen = this.#seen
    const rowCount = seen?.size ?? 0
    this.#causes = []
    this.#seen = undefined
    const first: Seen[] = []
    for (const change of seen?.values() ?? []) {
      if (first.length === MOST) break
      change.after = change.row.value
      first.push(change)
    }
    return (notified) => {
      let readers = 0
      // Observers were notified, nothing else.
      for (const { listenerCount } of notified as readonly { readonly listenerCount: number }[])
        readers += listenerCount
      let rows: readonly RowChange[] | undefined
      return {
        causes,
        readers,
        rowCount,
        rows: () => {
          rows ??= first.map(compared)
          return rows
        },
        notified,
      }
    }
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
