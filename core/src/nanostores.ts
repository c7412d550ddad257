import { atom, batch, onStart, onStop, type ReadableAtom } from 'nanostores'
import type { LiveObserver } from './client/live-observer.js'
import { rootOf } from './client/markers/derived-query.js'
import type { LiveQuery, QuerySnapshot } from './client/observer.js'
import type { Runtime } from './client/runtime.js'
import { guarded } from './util/thrown.js'

/**
 * Converts a query to a [nanostores](https://github.com/nanostores/nanostores) atom, which is also a Svelte store. It
 * fetches while it has listeners. A store computed from several atoms runs once for each change. The controller's `onError`
 * receives errors of listeners.
 *
 * @remarks
 * Each call creates a new atom: create it together with the query, not on each render.
 *
 * @example
 * ```ts
 * const $todos = atomOf(controller.watch(getTodos, { userId: 1 }))
 * const stop = $todos.subscribe(({ status, data }) => console.log(status, data))
 * ```
 */
export function atomOf<Data>(query: LiveQuery<Data>): ReadableAtom<QuerySnapshot<Data>> {
  const $atom = atom(query.getSnapshot())
  // An idle query has neither a host nor listeners.
  const { host } = rootOf(query) as Partial<Pick<LiveObserver, 'host'>>
  const { listen } = $atom
  if (host !== undefined) {
    // The listeners of one commit are called in one batch, so that stores may depend on several queries.
    host.together = reporting(host.runtime, batch)
    // nanostores rethrows errors of listeners in the middle of a notification.
    $atom.listen = (listener) => listen(reporting(host.runtime, listener))
  }
  let stop: (() => void) | undefined
  onStart($atom, () => {
    $atom.set(query.getSnapshot())
    stop = query.subscribe(() => $atom.set(query.getSnapshot()))
  })
  onStop($atom, () => {
    stop?.()
    stop = undefined
  })
  return $atom
}

const guards = new WeakMap<Runtime, WeakMap<object, unknown>>()

/** Wraps a listener so that its errors are reported instead of thrown. The same listener always gets the same wrapper. */
function reporting<Args extends readonly unknown[]>(
  runtime: Runtime,
  listener: (...args: Args) => void,
): (...args: Args) => void {
  const ofRuntime = guards.get(runtime) ?? new WeakMap<object, unknown>()
  guards.set(runtime, ofRuntime)
  const guard = (...args: Args): void => guarded(runtime.report, 'A listener', 'a store', () => listener(...args))
  if (!ofRuntime.has(listener)) ofRuntime.set(listener, guard)
  // The wrapper was created for this listener.
  return ofRuntime.get(listener) as typeof guard
}
