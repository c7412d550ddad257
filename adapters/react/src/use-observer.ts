import type { Observer } from '@roundtable/core'
import * as React from 'react'

/** The snapshot of an observer, subscribed while the component is mounted. */
export function useObserver<Snapshot>(observer: Observer<Snapshot>): Snapshot {
  const subscribe = React.useCallback((onChange: () => void) => observer.subscribe(onChange), [observer])
  const getSnapshot = (): Snapshot => observer.getSnapshot()
  // While React hydrates, what the server has rendered; if there is something newer, React renders again.
  const getServerSnapshot = (): Snapshot => (observer.getServerSnapshot ?? observer.getSnapshot).call(observer)
  return React.useSyncExternalStore(subscribe, getSnapshot, getServerSnapshot)
}
