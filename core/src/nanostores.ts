import { atom, batch, onStart, onStop, type ReadableAtom } from 'nanostores'
import type { LiveObserver } from './client/live-observer.js'
import type { LiveQuery, QuerySnapshot } from './client/observer.js'

/**
 * Turns a query into a [nanostores](https://github.com/nanostores/nanostores) atom, which is also a Svelte store. It fetches while
 * it has listeners. A store computed from several atoms runs once for each change. Errors of listeners go to the controller's
 * `onError`.
 *
 * @remarks
 * Each call creates a new atom: create it together with the query, not on each render.
 *
 * @example
 * ```ts
 * const $todos = atomOf(controller.query(getTodos, { userId: 1 }))
 * const stop = $todos.subscribe(({ status, data }) => console.log(status, data))
 * ```
 */
export function atomOf<Data>(query: LiveQuery<Data>): ReadableAtom<QuerySnapshot<Data>> {
  const $atom = atom(query.getSnapshot())
  // The query without an endpoint has no listeners.
  const guarded = (query as Partial<Pick<LiveObserver, 'bridge'>>).bridge?.(batch)
  const { listen } = $atom
  // nanostores throws what a listener throws, in the middle of whatever was told.
  if (guarded !== undefined) $atom.listen = (listener) => listen(guarded(listener))
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
