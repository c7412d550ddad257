import {
  type EndpointData,
  follower,
  type PagesEndpoint,
  type PagesMembers,
  type PagesQuery,
  pagesOf,
} from '@roundtable/core'
import { argsOf } from './args-of.js'
import type { ReactiveOrNull } from './reads.js'
import { useController } from './use-controller.js'
import { type DLE, dleOf, noted } from './use-dle.svelte.js'
import { useObserver } from './use-observer.js'

/** The result of `usePages`: that of `useDLE`, and the state of the pages. */
export interface Pages<Data> extends DLE<Data>, PagesMembers {}

/**
 * Reads a list with pages: the result of `useDLE` with `fetchNext()`, `hasNext`, `fetchingNext` and the number of
 * loaded `pages`.
 *
 * @remarks
 * Arguments are values, or a thunk of them. The loaded pages and the endpoint's `nextPage` determine the next page, not the
 * length of the list. Concurrent `fetchNext` calls share one request and never reject; a failed page keeps the list and sets
 * `error`. `refetch` refreshes all loaded pages, or with `refreshPages: 'first'` the first one. Do not destructure the
 * result.
 *
 * @example
 * ```ts
 * const todos = usePages(getTodos, () => [{ userId: id }])
 * const isWhole = $derived(todos.hasNext === false)
 * ```
 */
export function usePages<E extends PagesEndpoint, First = never>(
  endpoint: E,
  ...args: ReactiveOrNull<Parameters<E>, First>
): Pages<EndpointData<E>>
export function usePages(endpoint: PagesEndpoint, ...args: readonly unknown[]): Pages<unknown> {
  const controller = useController()
  const follow = follower()
  const query = noted((): PagesQuery<unknown> => follow(pagesOf(controller, endpoint, ...argsOf(args))))
  const shown = useObserver(query)
  const members = {
    get pages() {
      return shown().pages
    },
    get hasNext() {
      return shown().hasNext
    },
    get fetchingNext() {
      return shown().fetchingNext
    },
    fetchNext: () => query().fetchNext(),
  }
  // A spread would not copy getters.
  return Object.defineProperties(dleOf(query, shown), Object.getOwnPropertyDescriptors(members)) as Pages<unknown>
}
