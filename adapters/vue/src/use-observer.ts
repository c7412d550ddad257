import type { Observer } from '@roundtable/core'
import {
  customRef,
  getCurrentInstance,
  getCurrentScope,
  inject,
  onActivated,
  onDeactivated,
  onMounted,
  shallowRef,
  ssrContextKey,
  watch,
} from 'vue'
import type { ReadonlyRef } from './reads.js'

/**
 * The snapshot of the observer that `source` returns, as a ref: subscribed until the scope ends, but not while a `<KeepAlive>`
 * hides the component.
 */
export function useObserver<Snapshot>(source: () => Observer<Snapshot>): ReadonlyRef<Snapshot> {
  // Scopes are not disposed while rendering on a server: nothing is subscribed to there.
  if (isServerRender()) return lookingAt(() => source().getSnapshot())
  let isTakenOver = hasMarkup()
  // Shows the data of the server's HTML until the component is mounted on it; newer data follows then.
  const look = (observer: Observer<Snapshot>): Snapshot =>
    (isTakenOver ? (observer.getServerSnapshot ?? observer.getSnapshot) : observer.getSnapshot).call(observer)
  // Looked at once outside the watcher, which would not hand on an error.
  const shown = shallowRef(look(source()))
  let show = (): void => {}
  if (isTakenOver)
    onMounted(() => {
      isTakenOver = false
      show()
    })
  const isHidden = useHidden()
  watch(
    () => (isHidden.value ? undefined : source()),
    (observer, _, onCleanup) => {
      // There is no observer either if the source threw, which Vue has reported.
      if (!observer) return
      show = () => {
        shown.value = look(observer)
      }
      show()
      onCleanup(observer.subscribe(show))
    },
    { immediate: true, flush: 'sync' },
  )
  return shown
}

/** True while the component is set up for elements that a server has rendered: Vue hydrates a component whose node has an element. */
function hasMarkup(): boolean {
  return !!getCurrentInstance()?.vnode.el
}

/** True while a `<KeepAlive>` hides the component. Always false in a detached scope, such as a store's. */
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

/** A ref that calls `get` on each read. Unlike a computed ref it throws each time. */
export function lookingAt<Value>(get: () => Value): ReadonlyRef<Value> {
  return customRef(() => ({ get, set() {} }))
}
