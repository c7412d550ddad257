import type { LiveQuery, Observer } from '@roundtable/core'
import * as React from 'react'

/** Returns the snapshot of an observer, subscribed while the component is mounted. */
export function useObserver<Snapshot>(
  observer: Observer<Snapshot> & Pick<Partial<LiveQuery<unknown>>, 'root'>,
): Snapshot {
  const getSnapshot = (): Snapshot => observer.getSnapshot()
  const subscribed: Observer<unknown> = observer.root ?? observer
  const subscribe = React.useCallback((onChange: () => void) => subscribed.subscribe(onChange), [subscribed])
  // During hydration, this is the server-rendered snapshot. If there is a newer one, React renders again.
  const getServerSnapshot = (): Snapshot => (observer.getServerSnapshot ?? observer.getSnapshot).call(observer)
  return React.useSyncExternalStore(subscribe, getSnapshot, getServerSnapshot)
}
