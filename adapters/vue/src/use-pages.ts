import { type EndpointData, follower, type PagesEndpoint, type PagesQuery, pagesOf } from '@roundtable/core'
import { computed } from 'vue'
import { argsOf } from './args-of.js'
import type { ReactiveOrNull, ReadonlyRef } from './reads.js'
import { useController } from './use-controller.js'
import { type DLE, dleOf } from './use-dle.js'
import { useObserver } from './use-observer.js'

/** The result of `usePages`: that of `useDLE`, and the state of the pages. */
export interface Pages<Data> extends DLE<Data> {
  /** The number of loaded pages. */
  readonly pages: ReadonlyRef<number>
  /** True if another page follows; undefined while the list has not been loaded. */
  readonly hasNext: ReadonlyRef<boolean | undefined>
  /** True while the next page is requested. */
  readonly fetchingNext: ReadonlyRef<boolean>
  /** Requests the next page, if there is one. Concurrent calls share one request. Never rejects. */
  readonly fetchNext: () => Promise<void>
}

/**
 * Reads a list with pages: the result of `useDLE` with `fetchNext()`, `hasNext`, `fetchingNext` and the number of
 * loaded `pages`.
 *
 * @remarks
 * Arguments are values, refs or getters. The loaded pages and the endpoint's `nextPage` determine the next page, not the
 * length of the list. A failed page keeps the list and sets `error`. `refetch` refreshes all loaded pages, or with
 * `refreshPages: 'first'` the first one.
 *
 * @example
 * ```ts
 * const { data: todos, hasNext, fetchNext, fetchingNext } = usePages(getTodos, { userId: 1 })
 * ```
 */
export function usePages<E extends PagesEndpoint, First = never>(
  endpoint: E,
  ...args: ReactiveOrNull<Parameters<E>, First>
): Pages<EndpointData<E>>
export function usePages(endpoint: PagesEndpoint, ...args: readonly unknown[]): Pages<unknown> {
  const controller = useController()
  const follow = follower()
  const query = (): PagesQuery<unknown> => follow(pagesOf(controller, endpoint, ...argsOf(args)))
  const shown = useObserver(query)
  return {
    ...dleOf(query, shown),
    pages: computed(() => shown.value.pages),
    hasNext: computed(() => shown.value.hasNext),
    fetchingNext: computed(() => shown.value.fetchingNext),
    fetchNext: () => query().fetchNext(),
  }
}
