import type { LiveQuery, Observer } from '../observer.js'
import { type AnySnapshot, queryState } from '../query-state.js'

/** A query that shows what another one knows in its own way. It fetches nothing itself. */
export abstract class DerivedQuery implements LiveQuery<unknown> {
  readonly from: LiveQuery<unknown>

  constructor(from: LiveQuery<unknown>) {
    this.from = from
  }

  /** What it shows while the other one shows this. */
  abstract show(seen: AnySnapshot): AnySnapshot

  getSnapshot(): AnySnapshot {
    return this.show(this.from.getSnapshot())
  }

  getServerSnapshot(): AnySnapshot {
    const { from } = this
    return this.show((from.getServerSnapshot ?? from.getSnapshot).call(from))
  }

  get root(): LiveQuery<unknown> {
    return rootOf(this.from)
  }

  readonly subscribe = (onChange: () => void): (() => void) => {
    let last = this.getSnapshot()
    return this.from.subscribe(() => {
      const before = last
      last = this.getSnapshot()
      if (last !== before) onChange()
    })
  }

  load(isChange?: boolean): Promise<void> {
    return this.from.load(isChange)
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
  const fetching = { getSnapshot: () => isExpected || of.refreshing }
  return queryState({ refetch: of.refetch, fetching }, error === undefined ? 'ready' : 'failed', data, error)
}
