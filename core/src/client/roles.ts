import { INVALID } from '../schema/schema.js'
import type { LiveObserver, Role } from './live-observer.js'
import type { LiveQuery, Observer, QuerySnapshot } from './observer.js'
import { type AnySnapshot, queryState } from './query-state.js'

/** Shows the data of a key with its status, and fetches it while there are subscribers. */
export const QUERY: Role = {
  reads: 'key',
  fetches: true,
  show(observer, data) {
    const { query, verdict, host } = observer
    if (verdict?.isLast) return observer.shown
    if (query?.deleted?.error !== undefined) return stateOf(observer, undefined, query.deleted.error)
    const broken = query?.view.error
    if (broken !== undefined) return stateOf(observer, undefined, broken)
    const failure = query?.entry.error?.error
    if (verdict?.show === 'error' && failure !== undefined) {
      return stateOf(observer, verdict.keepsData ? data : undefined, failure)
    }
    if (verdict?.show === 'data' && data !== undefined) return stateOf(observer, data, undefined)
    // After `dispose` no data arrives: waiting callers must be rejected, or they would fetch again and again.
    return stateOf(observer, undefined, host.runtime.closed)
  },
}

/** Shows the data of a key without fetching it. */
export const PEEK: Role = {
  reads: 'key',
  show: ({ verdict }, data) => (verdict?.show === 'data' ? data : undefined),
}

/** Shows the value of a schema for arguments, read from the table. */
export const SELECTION: Role = {
  reads: 'table',
  show({ view, host }, data) {
    if (view?.error === undefined) return data === INVALID ? undefined : data
    host.runtime.report(view.error)
    return undefined
  },
}

/** Shows whether a request of a key is in flight. */
export const FETCHING: Role = {
  show: ({ flight }) => flight !== undefined,
}

/** Returns the previous snapshot, or the last delivered one, if the new one is equal. */
function stateOf(observer: LiveObserver, data: unknown, error: Error | undefined): AnySnapshot {
  const status = error !== undefined ? 'failed' : data === undefined ? 'pending' : 'ready'
  // A query shows only snapshots, and the symbol `UNSEEN` has no status.
  for (const before of [observer.shown, observer.delivered] as AnySnapshot[])
    if (before.status === status && before.data === data && before.error === error) return before
  return queryState(observer, status, data, error)
}

function still<Value>(value: Value): Observer<Value> {
  return { getSnapshot: () => value, subscribe: () => () => {} }
}

/** An observer that always shows undefined. */
export const NOTHING: Observer<undefined> = /* @__PURE__ */ still(undefined)
/** An observer that always shows false. */
export const NEVER: Observer<boolean> = /* @__PURE__ */ still(false)

/** Creates a query that never changes: one without arguments, or of a call that cannot be made. */
export function stillQuery(status: AnySnapshot['status'], error?: Error): LiveQuery<never> {
  const settled = async (): Promise<void> => {}
  const query: LiveQuery<never> = {
    getSnapshot: () => snapshot,
    subscribe: NEVER.subscribe,
    load: settled,
    refetch: settled,
    fetching: NEVER,
    after: () => query,
  }
  // Neither an idle nor a failed query has data.
  const snapshot = queryState(query, status, undefined, error) as QuerySnapshot<never>
  return Object.freeze(query)
}

/** The query for null in place of arguments. */
export const IDLE_QUERY: LiveQuery<never> = /* @__PURE__ */ stillQuery('idle')
