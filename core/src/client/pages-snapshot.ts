import type { QuerySnapshot } from './observer.js'

/** The snapshot of a list with pages. `error` is the list's, or that of the last page that was requested. */
export type PagesSnapshot<Data> = QuerySnapshot<Data> & PagesMembers

/** The facts of a list's pages, and the function that fetches the next one. */
export interface PagesMembers {
  /** How many pages are loaded. */
  readonly pages: number
  /** True if another page follows; undefined while the list has not been loaded. */
  readonly hasNext: boolean | undefined
  /** True while the next page is requested. */
  readonly fetchingNext: boolean
  /** The query's `fetchNext`. */
  readonly fetchNext: () => Promise<void>
}

/** The state of a list's pages. Its error is that of the last page that was requested, or of the endpoint's `nextPage`. */
export interface PagesState extends PagesMembers, Pick<QuerySnapshot<unknown>, 'refetch'> {
  readonly error: Error | undefined
}

/** The snapshot of a list with pages: the last one, unless something differs. */
export function pagesSnapshot(
  seen: QuerySnapshot<unknown>,
  paged: PagesState,
  last: PagesSnapshot<unknown> | undefined,
): PagesSnapshot<unknown> {
  const { pages, hasNext, fetchingNext, fetchNext, refetch } = paged
  const { data, loading } = seen
  const error = seen.error ?? paged.error
  const status = error === undefined ? seen.status : 'failed'
  if (
    last !== undefined &&
    last.data === data &&
    last.status === status &&
    last.error === error &&
    last.pages === pages &&
    last.hasNext === hasNext &&
    last.fetchingNext === fetchingNext
  )
    return last
  const shown = {
    status,
    data,
    error,
    loading,
    get refreshing() {
      // `fetchingNext` tells of a request for the next page.
      return seen.refreshing && !fetchingNext
    },
    get failureCount() {
      return seen.failureCount
    },
    get failureReason() {
      return seen.failureReason
    },
    refetch,
    pages,
    hasNext,
    fetchingNext,
    fetchNext,
  }
  // One of the shapes of a query's snapshot, with an error added.
  return Object.freeze(shown) as PagesSnapshot<unknown>
}
