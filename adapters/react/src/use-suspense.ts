import type { ReadEndpoint } from '@roundtable/core'
import * as React from 'react'
import { argsOf } from './args-of.js'
import { dataOf } from './data-of.js'
import type { Following, FoundData, Read, Spread, SpreadData } from './reads.js'
import { useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/**
 * The data of an endpoint: fetched if it must be, kept fresh while in use. Suspends until it is there, throws what it failed with.
 *
 * @remarks
 * With null in place of the arguments nothing is asked for and the data is undefined. Given several reads, each an array
 * of an endpoint and its arguments, it starts all of them at once and suspends once; their number must stay the same.
 *
 * @throws what the endpoint failed with, to the nearest `ErrorBoundary`
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
export function useSuspense<Given extends readonly unknown[]>(...reads: Spread<Given>): SpreadData<Given>
export function useSuspense(...given: readonly unknown[]): unknown {
  const controller = useController()
  const isParallel = given.length === 0 || Array.isArray(given[0])
  const reads = (isParallel ? given : [given]) as readonly AnyRead[]
  // For the compiler the arguments of any endpoint are null or nothing.
  useSameNumber(reads.length)
  const queries = reads.map(([endpoint, ...args]) => controller.query(endpoint, ...(argsOf(args) as [null])))
  // Their number is part of the call, as the number of hooks is part of a component.
  const snapshots = queries.map(useObserver)
  // React waits for what is thrown, on 18 and 19 alike, and renders again.
  if (snapshots.some(({ status }) => status === 'pending')) throw Promise.all(queries.map((query) => query.load()))
  const data = snapshots.map(dataOf)
  return isParallel ? data : data[0]
}

/** React compares the hooks of two renders by their order. */
function useSameNumber(now: number): void {
  const [first] = React.useState(now)
  if (now === first) return
  const hint = 'Keep it, with null in place of arguments for "not yet"; for a list render a component for each.'
  throw new Error(`useSuspense was given ${first} reads, and now ${now}: their number may not change. ${hint}`)
}

/** A read whose arguments were checked against its endpoint by the signatures above. */
type AnyRead = readonly [endpoint: ReadEndpoint, ...args: unknown[]]
