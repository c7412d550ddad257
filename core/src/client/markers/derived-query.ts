import type { LiveQuery, Observer } from '../observer.js'
import { type AnySnapshot, queryState, type SnapshotSource } from '../query-state.js'

/** A query that shows the data of another query differently. It fetches nothing itself. */
export abstract class DerivedQuery<Shown extends AnySnapshot = AnySnapshot> implements LiveQuery<unknown> {
  readonly from: LiveQuery<unknown>

  constructor(from: LiveQuery<unknown>) {
    this.from = from
  }

  /** Returns the snapshot to show for a snapshot of the other query. */
  abstract show(seen: AnySnapshot): Shown

  /** Returns a derived query of the same class over another query: `before`, if possible. */
  abstract over(from: LiveQuery<unknown>, before: DerivedQuery | undefined): DerivedQuery

  /** Passes the call on to the query below, so that markers compose. */
  after(before: LiveQuery<unknown> | undefined): LiveQuery<unknown> {
    const alike = before instanceof DerivedQuery && before.constructor === this.constructor ? before : undefined
    const from = this.from.after(alike?.from)
    return this.over(from, alike)
  }

  getSnapshot(): Shown {
    return this.show(this.from.getSnapshot())
  }

  getServerSnapshot(): Shown {
    const { from } = this
    return this.show((from.getServerSnapshot ?? from.getSnapshot).call(from))
  }

  get root(): LiveQuery<unknown> {
    return rootOf(this.from)
  }

  /** Calls `look` when its snapshot may have changed, until the returned functions are called. */
  follow(look: () => void): readonly (() => unknown)[] {
    return [this.root.subscribe(look)]
  }

  readonly subscribe = (onChange: () => void): (() => void) => {
    let last = this.getSnapshot()
    const look = (): void => {
      const before = last
      last = this.getSnapshot()
      if (last !== before) onChange()
    }
    const stops = this.follow(look)
    return () => {
      for (const stop of stops) stop()
    }
  }

  load(before?: LiveQuery<unknown>): Promise<void> {
    return this.from.load(before)
  }

  get refetch(): () => Promise<void> {
    return this.from.refetch
  }

  get fetching(): Observer<boolean> {
    return this.from.fetching
  }
}

/** Returns the query that fetches for a derived one, or else the query itself. */
export function rootOf(query: LiveQuery<unknown>): LiveQuery<unknown> {
  return query.root ?? query
}

/** Returns a snapshot with other data. With `isExpected`, the data stands in for a response that has not arrived. */
export function withData(of: AnySnapshot, data: unknown, error?: Error, isExpected = false): AnySnapshot {
  const query: SnapshotSource = {
    refetch: of.refetch,
    get flight() {
      return isExpected || of.refreshing ? of : undefined
    },
  }
  return queryState(query, error === undefined ? 'ready' : 'failed', data, error)
}
