import type { Observer } from '@roundtable/core'
import { customRef, inject, shallowRef, ssrContextKey, watch } from 'vue'
import type { ReadonlyRef } from './reads.js'

/** What the observer that `source` names shows, kept true until the scope ends. */
export function useObserver<Snapshot>(source: () => Observer<Snapshot>): ReadonlyRef<Snapshot> {
  // Scopes are not disposed while rendering on a server: nothing is subscribed to there.
  if (isServerRender()) return lookingAt(() => source().getSnapshot())
  // Looked at once outside the watcher, which would not hand on an error.
  const shown = shallowRef(source().getSnapshot())
  watch(
    source,
    (observer, _, onCleanup) => {
      const show = (): void => {
        shown.value = observer.getSnapshot()
      }
      show()
      onCleanup(observer.subscribe(show))
    },
    { immediate: true, flush: 'sync' },
  )
  return shown
}

/** True while a page is rendered to text. */
export function isServerRender(): boolean {
  return !!inject(ssrContextKey, undefined)
}

/** A ref whose value is worked out at each look: unlike a computed one it throws each time. */
export function lookingAt<Value>(get: () => Value): ReadonlyRef<Value> {
  return customRef(() => ({ get, set() {} }))
}
