import { INVALID } from '../schema/schema.js'
import { PENDING, type Role } from './live-observer.js'
import type { LiveQuery, QuerySnapshot } from './observer.js'

type AnySnapshot = QuerySnapshot<unknown>

/** The data of a key with its status, fetched while somebody subscribes. */
export const QUERY: Role = {
  reads: 'key',
  fetches: true,
  initial: PENDING,
  show({ query, verdict, shown, host }, data) {
    // A query has shown nothing else before.
    const before = shown as AnySnapshot
    const broken = query?.view.error
    if (broken !== undefined) return snapshotOf(before, undefined, broken)
    const failure = query?.entry.error?.error
    if (verdict?.show === 'error' && failure !== undefined) {
      return snapshotOf(before, verdict.keepsData ? data : undefined, failure)
    }
    if (verdict?.show === 'data' && data !== undefined) return snapshotOf(before, data, undefined)
    // After close no data arrives: waiting callers must be rejected, or they would fetch again and again.
    const { closed } = host.runtime
    return closed === undefined ? PENDING : snapshotOf(before, undefined, closed)
  },
}

/** The data of a key, never fetched. */
export const PEEK: Role = {
  reads: 'key',
  show: ({ verdict }, data) => (verdict?.show === 'data' ? data : undefined),
}

/** What a schema shows for arguments, straight from the table. */
export const SELECTION: Role = {
  reads: 'table',
  show({ view, host }, data) {
    if (view?.error === undefined) return data === INVALID ? undefined : data
    host.runtime.report(view.error)
    return undefined
  },
}

/** Whether a request of a key is in flight. */
export const FETCHING: Role = {
  show: ({ key, host }) => host.runtime.network.isInFlight(key),
}

/** Returns the previous snapshot if the new one is equal. */
function snapshotOf(before: AnySnapshot, data: unknown, error: Error | undefined): AnySnapshot {
  const status = error === undefined ? 'ready' : 'failed'
  if (before.status === status && before.data === data && before.error === error) return before
  // The two shapes differ in whether there is an error.
  return Object.freeze({ status, data, error }) as AnySnapshot
}

const IDLE_SNAPSHOT: AnySnapshot = Object.freeze({ status: 'idle', data: undefined, error: undefined })

/** The query without an endpoint. */
export const IDLE_QUERY: LiveQuery<unknown> = Object.freeze({
  getSnapshot: () => IDLE_SNAPSHOT,
  subscribe: () => () => {},
  load: () => Promise.resolve(),
})

/** The query of a call that cannot be made. */
export function failedQuery(error: Error): LiveQuery<never> {
  const snapshot: QuerySnapshot<never> = Object.freeze({ status: 'failed', data: undefined, error })
  const { subscribe, load } = IDLE_QUERY
  return Object.freeze({ getSnapshot: () => snapshot, subscribe, load })
}
