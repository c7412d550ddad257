import type { QueryMembers, QuerySnapshot, RetryState } from './observer.js'

/** The snapshot of a query with any data. */
export type AnySnapshot = QuerySnapshot<unknown>

/** The members of a query that its snapshot reads. */
export interface SnapshotSource {
  readonly refetch: () => Promise<void>
  /** The request in flight, if there is one. */
  readonly flight?: Partial<RetryState> | undefined
}

/** The snapshot of a query: fields that never change, and fields that are read from the query on access. */
class QueryState implements QueryMembers {
  readonly status: AnySnapshot['status']
  readonly data: unknown
  readonly error: Error | undefined
  readonly #query: SnapshotSource

  constructor(query: SnapshotSource, status: QueryState['status'], data?: unknown, error?: Error) {
    this.#query = query
    this.status = status
    this.data = data
    this.error = error
  }

  get loading(): boolean {
    return this.status === 'pending'
  }

  get refreshing(): boolean {
    return !this.loading && this.#query.flight !== undefined
  }

  get failureCount(): number {
    return this.#query.flight?.failureCount ?? 0
  }

  get failureReason(): Error | undefined {
    return this.#query.flight?.failureReason
  }

  get refetch(): () => Promise<void> {
    return this.#query.refetch
  }
}

/** Creates the snapshot of a query in this state. */
export function queryState(
  query: SnapshotSource,
  status: QueryState['status'],
  data?: unknown,
  error?: Error,
): AnySnapshot {
  // Callers pass data and an error as the status requires.
  return Object.freeze(new QueryState(query, status, data, error)) as AnySnapshot
}
