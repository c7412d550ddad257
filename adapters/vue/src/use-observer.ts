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
 * Returns the snapshot of `source`'s observer as a ref, subscribed until the scope ends, but not while a `<KeepAlive>` hides
 * the component.
 */
export function useObserver<Snapshot>(source: () => Observer<Snapshot>): ReadonlyRef<Snapshot> {
  // Server rendering does not dispose scopes, so it must not subscribe.
  if (isServerRender()) return lookingAt(() => source().getSnapshot())
  let isTakenOver = hasMarkup()
  // Shows the data in the server's HTML until the component is mounted, and newer data after that.
  const look = (observer: Observer<Snapshot>): Snapshot =>
    (isTakenOver ? (observer.getServerSnapshot ?? observer.getSnapshot) : observer.getSnapshot).call(observer)
  // The first read is outside the watcher, which would not pass on an error.
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
      // There is also no observer if the source threw, which Vue has reported.
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

/** True during the setup of a component for server-rendered elements: Vue hydrates a component whose node has an element. */
function hasMarkup(): boolean {
  return !!getCurrentInstance()?.vnode.el
}

/** True while a `<KeepAlive>` hides the component. Always false in a detached scope, such as a store's. */
export function useHidden(): ReadonlyRef<boolean> {
  const isHidden = shallowRef(false)
  // Vue's types do not include the scope of a component.
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

/** True while a page is rendered on a server. */
export function isServerRender(): boolean {
  return !!inject(ssrContextKey, undefined)
}

/** Returns a ref that calls `get` on each read. Unlike a computed ref, it throws each time. */
export function lookingAt<Value>(get: () => Value): ReadonlyRef<Value> {
  return customRef(() => ({ get, set() {} }))
}
