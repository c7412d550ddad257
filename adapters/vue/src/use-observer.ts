import type { Observer } from '@roundtable/core'
import {
  customRef,
  getCurrentInstance,
  getCurrentScope,
  inject,
  onActivated,
  onDeactivated,
  shallowRef,
  ssrContextKey,
  watch,
} from 'vue'
import type { ReadonlyRef } from './reads.js'

/** What the observer that `source` names shows, kept true until the scope ends, but not while a `<KeepAlive>` hides the component. */
export function useObserver<Snapshot>(source: () => Observer<Snapshot>): ReadonlyRef<Snapshot> {
  // Scopes are not disposed while rendering on a server: nothing is subscribed to there.
  if (isServerRender()) return lookingAt(() => source().getSnapshot())
  // Looked at once outside the watcher, which would not hand on an error.
  const shown = shallowRef(source().getSnapshot())
  const isHidden = useHidden()
  watch(
    () => (isHidden.value ? undefined : source()),
    (observer, _, onCleanup) => {
      // Nor is there one where the source threw, of which Vue has told.
      if (!observer) return
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

/** Whether a `<KeepAlive>` hides the component. What is made in a scope of its own, such as a store's, outlives that. */
export function useHidden(): ReadonlyRef<boolean> {
  const isHidden = shallowRef(false)
  // Vue's types keep the scope of a component to themselves.
  const component = getCurrentInstance() as { readonly scope?: unknown } | null
  if (component && component.scope === getCurrentScope()) {
    onActivated(() => {
      isHidden.value = false
    })
    onDeactivated(() => {
      isHidden.value = true
    })
  }
  return isHidden
}

/** True while a page is rendered to text. */
export function isServerRender(): boolean {
  return !!inject(ssrContextKey, undefined)
}

/** A ref whose value is worked out at each look: unlike a computed one it throws each time. */
export function lookingAt<Value>(get: () => Value): ReadonlyRef<Value> {
  return customRef(() => ({ get, set() {} }))
}
