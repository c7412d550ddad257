import type { Observer } from '@roundtable/core'
import { createSubscriber } from 'svelte/reactivity'
import type { Current } from './reads.js'

/** Calls `update` when readers must read again, until the returned function is called. */
type Follow<Snapshot> = (observer: Observer<Snapshot>, update: () => void) => () => void

/** Returns a function that reads the snapshot of `source`'s observer, subscribed while an effect or a template reads it. */
export function useObserver<Snapshot>(
  source: () => Observer<Snapshot>,
  follow: Follow<Snapshot> = (observer, update) => observer.subscribe(update),
): () => Snapshot {
  let last: Observer<Snapshot> | undefined
  let track = (): void => {}
  return () => {
    const observer = source()
    if (observer !== last) {
      last = observer
      track = createSubscriber((update) => follow(observer, update))
    }
    // This read comes first, since a query with subscribers returns its last snapshot.
    const snapshot = observer.getSnapshot()
    track()
    return snapshot
  }
}

/** Returns a function that reads one value of the snapshot: its readers run again only when this value changes. */
export function useField<Snapshot, Value>(
  source: () => Observer<Snapshot>,
  pick: (snapshot: Snapshot) => Value,
): () => Value {
  const look = useObserver(source, (observer, update) => {
    let last = pick(observer.getSnapshot())
    return observer.subscribe(() => {
      const value = pick(observer.getSnapshot())
      if (value === last) return
      last = value
      update()
    })
  })
  return () => pick(look())
}

/**
 * Returns a function that returns the observer of `source` with one subscription for all readers, since a query fetches stale
 * data for each new one.
 */
export function shared<Snapshot>(source: () => Observer<Snapshot>): () => Observer<Snapshot> {
  let last: Observer<Snapshot> | undefined
  let one: Observer<Snapshot>
  return () => {
    const observer = source()
    if (observer === last) return one
    last = observer
    const listeners = new Set<() => void>()
    let stop: () => void
    const notify = (): void => {
      for (const listener of listeners) listener()
    }
    const subscribe = (listener: () => void): (() => void) => {
      listeners.add(listener)
      if (listeners.size === 1) stop = observer.subscribe(notify)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) stop()
      }
    }
    one = { getSnapshot: () => observer.getSnapshot(), subscribe }
    return one
  }
}

/** Returns an object whose `current` is computed on each read. */
export function currentOf<Value>(look: () => Value): Current<Value> {
  return {
    get current() {
      return look()
    },
  }
}
