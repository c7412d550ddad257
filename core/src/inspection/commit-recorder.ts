import type { CommitFacts, CommitListener, Committed, RowChange, RowSeen } from '../engine/on-commit.js'
import type { Row } from '../table/row.js'
import { isThere } from '../table/value.js'

/** The number of rows kept per notification, since a log of events retains their records. */
const MOST = 20

/** Adds the facts of a commit to its event, only once for all inspections. */
export const describeCommit: CommitListener = (commit) => {
  if (!(commit.event instanceof RecordedCommit)) commit.event = new RecordedCommit(commit)
}

/** The facts of a commit. Rows are compared on demand, since most are never inspected. */
class RecordedCommit implements CommitFacts {
  declare readonly keys: readonly string[]
  readonly causes: readonly number[]
  declare readonly notified: readonly object[]
  readonly readers: number
  readonly rowCount: number
  readonly rows: () => readonly RowChange[]

  constructor({ causes, changed, notified, event }: Committed) {
    this.causes = [...causes]
    // Only observers are notified.
    const observers = notified as readonly { readonly listenerCount: number }[]
    this.readers = observers.reduce((sum, { listenerCount }) => sum + listenerCount, 0)
    let rowCount = 0
    const first: (readonly [Row, RowSeen])[] = []
    for (const seen of changed) {
      // Users do not see rows of results.
      if (seen[0].home.key !== '' && ++rowCount <= MOST) first.push(seen)
    }
    this.rowCount = rowCount
    this.rows = () => first.map(compared)
    // Not enumerable: observers cannot be logged, and keys may contain credentials.
    Object.defineProperties(this, { notified: { value: notified }, keys: { value: event.keys } })
  }

  toJSON(): object {
    const { causes, readers, rowCount } = this
    return { causes, readers, rowCount, rows: this.rows() }
  }
}

function compared([row, { before, after }]: readonly [Row, RowSeen]): RowChange {
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
