import type { LiveQuery, ReadEndpoint } from '@roundtable/core'
import * as React from 'react'
import { argsOf } from './args-of.js'
import { dataOf } from './data-of.js'
import type { Following, FoundData, Read, Spread, SpreadData } from './reads.js'
import { useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/**
 * Returns the data of an endpoint. Fetches missing or stale data, suspends until data arrives, and renders again when
 * it changes.
 *
 * @remarks
 * With null instead of arguments nothing is fetched and the data is undefined. Other arguments suspend, unless the
 * endpoint is marked with `keepPrevious` or React renders them in a transition. Several reads, each an array of an
 * endpoint and its arguments, start at once and suspend once; their number must not change between renders.
 *
 * @throws the endpoint's error, to the nearest `ErrorBoundary`
 * @example
 * ```tsx
 * const todo = useSuspense(getTodo, { id: 5 })
 * const [user, todos] = useSuspense([getUser, { id: 1 }], [getTodos, { userId: 1 }])
 * ```
 */
export function useSuspense<
  E extends ReadEndpoint,
  First = never,
  One extends ReadEndpoint = never,
  More extends readonly ReadEndpoint[] = [],
>(endpoint: E | Read<One>, ...args: Following<E, First, One, More>): FoundData<E, NoInfer<First>, NoInfer<One>, More>
export function useSuspense<Reads extends readonly unknown[]>(...reads: Spread<Reads>): SpreadData<Reads>
export function useSuspense(...callArgs: readonly unknown[]): unknown {
  const controller = useController()
  const isParallel = callArgs.length === 0 || Array.isArray(callArgs[0])
  const reads = (isParallel ? callArgs : [callArgs]) as readonly AnyRead[]
  const last = useLast(reads.length)
  const queries = reads.map(([endpoint, ...args], i) =>
    // The compiler reduces the arguments of any endpoint to null or nothing.
    controller.watch(endpoint, ...(argsOf(args) as [null])).after(last[i]),
  )
  // The number of reads must not change, like the number of a component's hooks.
  const snapshots = queries.map(useObserver)
  // React 18 and 19 await the thrown promise, and then render again.
  if (snapshots.some(({ status }) => status === 'pending'))
    throw Promise.all(queries.map((query, i) => query.load(query === last[i] ? undefined : last[i])))
  Object.assign(last, queries)
  const data = snapshots.map(dataOf)
  return isParallel ? data : data[0]
}

/**
 * Returns the queries that the component last showed; none at first. Throws if the number of reads changes, because React
 * matches the hooks of two renders by their order.
 */
function useLast(now: number): (LiveQuery<unknown> | undefined)[] {
  const [last] = React.useState<(LiveQuery<unknown> | undefined)[]>(() => Array(now))
  if (now === last.length) return last
  const hint =
    process.env.NODE_ENV === 'production'
      ? ''
      : ' For a list render a component for each; for "not yet" read it alone, with null instead of arguments.'
  throw new Error(`useSuspense was given ${last.length} reads, and now ${now}: their number may not change.${hint}`)
}

/** A read whose arguments the signatures above have checked. */
type AnyRead = readonly [endpoint: ReadEndpoint, ...args: unknown[]]
