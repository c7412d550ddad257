import type { LiveQuery } from './observer.js'

/**
 * For hooks: returns a function that one reader calls with each of its queries. It returns the query to use instead:
 * a `keepPrevious` query takes over the data of the previous one; most queries are returned unchanged.
 *
 * @example
 * ```ts
 * const follow = follower()
 * const resultsFor = (text: string) => follow(controller.watch(keepPrevious(search), { query: text }))
 * ```
 */
export function follower(): <Query extends LiveQuery<unknown>>(query: Query) => Query {
  let last: LiveQuery<unknown> | undefined
  return <Query extends LiveQuery<unknown>>(query: Query) => {
    last = query.after(last)
    // `after` returns a query of the same class.
    return last as Query
  }
}
