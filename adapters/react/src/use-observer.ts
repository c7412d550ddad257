import type { Observer } from '@roundtable/core'
import { useCallback, useSyncExternalStore } from 'react'

/** What an observer shows, kept true while the component is mounted. */
export function useObserver<Snapshot>(observer: Observer<Snapshot>): Snapshot {
  const subscribe = useCallback((onChange: () => void) => observer.subscribe(onChange), [observer])
  const getSnapshot = (): Snapshot => observer.getSnapshot()
  return useSyncExternalStore(subscribe, getSnapshot, getSnapshot)
}
