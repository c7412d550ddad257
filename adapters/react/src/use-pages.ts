import { type EndpointData, type PagesEndpoint, type PagesMembers, type PagesSnapshot, pagesOf } from '@roundtable/core'
import { argsOf } from './args-of.js'
import type { OrNull, Waiting } from './reads.js'
import { useController } from './use-controller.js'
import { type DLE, useReader } from './use-dle.js'

/** The result of `usePages`: that of `useDLE`, and the state of the pages. */
export type Pages<Data> = DLE<Data> & PagesMembers

/**
 * Reads a list with pages: the result of `useDLE` with `fetchNext()`, `hasNext`, `fetchingNext` and the number of
 * loaded `pages`.
 *
 * @remarks
 * The loaded pages and the endpoint's `nextPage` determine the next page, not the length of the list. Concurrent `fetchNext`
 * calls share one request and never reject; a failed page keeps the list and sets `error`. `refetch` refreshes all loaded
 * pages, or with `refreshPages: 'first'` the first one.
 *
 * @example
 * ```tsx
 * const { data: todos = [], hasNext, fetchNext, fetchingNext } = usePages(getTodos, { userId: 1 })
 * return <button disabled={!hasNext || fetchingNext} onClick={fetchNext}>{todos.length} and more</button>
 * ```
 */
export function usePages<E extends PagesEndpoint, First = never>(
  endpoint: E,
  ...args: OrNull<Parameters<E>, First>
): Pages<EndpointData<E> | Waiting<NoInfer<First>>>
export function usePages(endpoint: PagesEndpoint, ...args: readonly unknown[]): Pages<unknown> {
  return useReader(pagesOf(useController(), endpoint, ...argsOf(args)), pagesIn)
}

function pagesIn({ pages, hasNext, fetchingNext, fetchNext }: PagesSnapshot<unknown>): PagesMembers {
  return { pages, hasNext, fetchingNext, fetchNext }
}
