import type { LiveQuery } from './observer.js'

/**
 * For hooks: returns the function through which one reader passes its queries. It returns the query to use in place of each: that of
 * `keepPrevious` takes over from the one before, and most are used as they are.
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
    // One of the same kind takes over.
    return last as Query
  }
}
