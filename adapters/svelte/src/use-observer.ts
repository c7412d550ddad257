import type { Observer } from '@roundtable/core'
import { createSubscriber } from 'svelte/reactivity'
import type { Current } from './reads.js'

/** Looks at what the observer that `source` names shows. It is kept true while an effect or a template looks. */
export function useObserver<Snapshot>(source: () => Observer<Snapshot>): () => Snapshot {
  let last: Observer<Snapshot> | undefined
  let track = (): void => {}
  return () => {
    const observer = source()
    if (observer !== last) {
      last = observer
      track = createSubscriber((update) => observer.subscribe(update))
    }
    // Looked at first: who subscribes already is shown what there was.
    const snapshot = observer.getSnapshot()
    track()
    return snapshot
  }
}

/** A value that is worked out at each look. */
export function currentOf<Value>(look: () => Value): Current<Value> {
  return {
    get current() {
      return look()
    },
  }
}
