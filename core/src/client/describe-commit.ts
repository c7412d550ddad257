import type { CommitLog } from '../engine/commit-log.js'
import type { CommitEvent } from './events.js'

/** An observer whose listeners were called. */
export interface NotifiedObserver {
  readonly listenerCount: number
}

/** What the event of a commit has in development in addition. */
export function describeCommit(
  event: CommitEvent,
  log: CommitLog | undefined,
  notified: readonly NotifiedObserver[],
): CommitEvent {
  let readers = 0
  for (const { listenerCount } of notified) readers += listenerCount
  return { ...event, causes: [...(log?.causes ?? [])], readers, notified, ...(log && { changedRows: log }) }
}
