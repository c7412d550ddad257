import type { LiveQuery, Observer } from '../observer.js'
import { type AnySnapshot, queryState } from '../query-state.js'

/** A query that shows the data of another one in its own way. It fetches nothing itself. */
export abstract class DerivedQuery<Shown extends AnySnapshot = AnySnapshot> implements LiveQuery<unknown> {
  readonly from: LiveQuery<unknown>

  constructor(from: LiveQuery<unknown>) {
    this.from = from
  }

  /** Returns its snapshot while the other one has this. */
  abstract show(seen: AnySnapshot): Shown

  /** The same of another query: `before`, if that is it. */
  abstract over(from: LiveQuery<unknown>, before: DerivedQuery | undefined): DerivedQuery

  /** Markers compose: data that the query below takes over from the previous one is shown by this one too. */
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

  /** All that its snapshot follows from. */
  get sources(): readonly Observer<unknown>[] {
    return [this.root]
  }

  readonly subscribe = (onChange: () => void): (() => void) => {
    let last = this.getSnapshot()
    const look = (): void => {
      const before = last
      last = this.getSnapshot()
      if (last !== before) onChange()
    }
    const stops = this.sources.map((source) => source.subscribe(look))
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

/** The query that a derived one fetches by; any other is its own. */
export function rootOf(query: LiveQuery<unknown>): LiveQuery<unknown> {
  return query.root ?? query
}

/** A snapshot with other data. `isExpected`: it is shown until other data arrives. */
export function withData(of: AnySnapshot, data: unknown, error?: Error, isExpected = false): AnySnapshot {
  const query = {
    refetch: of.refetch,
    get flight() {
      return isExpected || of.refreshing ? of : undefined
    },
  }
  return queryState(query, error === undefined ? 'ready' : 'failed', data, error)
}
