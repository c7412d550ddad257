import type { Observer } from '@roundtable/core'
import { createSubscriber } from 'svelte/reactivity'
import type { Current } from './reads.js'

/** Returns a function that reads the snapshot of `source`'s observer, subscribed while an effect or a template reads it. */
export function useObserver<Snapshot>(source: () => Observer<Snapshot>): () => Snapshot {
  let last: Observer<Snapshot> | undefined
  let track = (): void => {}
  return () => {
    const observer = source()
    if (observer !== last) {
      last = observer
      track = createSubscriber((update) => observer.subscribe(update))
    }
    // This read comes first, since a query with subscribers returns its last snapshot.
    const snapshot = observer.getSnapshot()
    track()
    return snapshot
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
