import type { Observer } from '@roundtable/core'
import { createSubscriber } from 'svelte/reactivity'
import type { Current } from './reads.js'

/** Reads the snapshot of the observer that `source` returns. Subscribed while an effect or a template reads it. */
export function useObserver<Snapshot>(source: () => Observer<Snapshot>): () => Snapshot {
  let last: Observer<Snapshot> | undefined
  let track = (): void => {}
  return () => {
    const observer = source()
    if (observer !== last) {
      last = observer
      track = createSubscriber((update) => observer.subscribe(update))
    }
    // Read first: a query with subscribers returns its last snapshot.
    const snapshot = observer.getSnapshot()
    track()
    return snapshot
  }
}

/** An object whose `current` is computed on each read. */
export function currentOf<Value>(look: () => Value): Current<Value> {
  return {
    get current() {
      return look()
    },
  }
}
