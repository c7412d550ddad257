import type { LiveQuery, QuerySnapshot, ReadEndpoint } from '@roundtable/core'
import { onScopeDispose } from 'vue'
import { argsOf } from './args-of.js'
import { dataOf } from './data-of.js'
import type { Following, FoundData, Loaded, Read, ReadonlyRef, Spread, SpreadData } from './reads.js'
import { useController } from './use-controller.js'
import { lookingAt, useObserver } from './use-observer.js'

/**
 * Returns a ref of the data of an endpoint. Fetches missing or stale data, and updates the ref when it changes. Awaited in `setup`,
 * it suspends until data arrives.
 *
 * @remarks
 * Arguments are values, refs or getters. While the data of new arguments loads, the ref keeps the previous data; a later error is
 * thrown when the ref is read. The ref has `refetch`: take it out in the script, since templates see the data alone. With null instead of arguments nothing is fetched and the data is undefined. Several reads, each an
 * array of an endpoint and its arguments, start at once.
 *
 * @throws the endpoint's error, to the nearest `onErrorCaptured`
 * @example
 * ```ts
 * const todo = await useSuspense(getTodo, () => ({ id: props.id }))
 * const { refetch } = todo
 * const [user, todos] = await useSuspense([getUser, { id: 1 }], [getTodos, { userId: 1 }])
 * ```
 */
export function useSuspense<
  E extends ReadEndpoint,
  First = never,
  One extends ReadEndpoint = never,
  More extends readonly ReadEndpoint[] = [],
>(
  endpoint: E | Read<One>,
  ...args: Following<E, First, One, More>
): Promise<FoundData<E, NoInfer<First>, NoInfer<One>, More>>
export function useSuspense<Given extends readonly unknown[]>(...reads: Spread<Given>): Promise<SpreadData<Given>>
export async function useSuspense(...given: readonly unknown[]): Promise<unknown> {
  const controller = useController()
  const isParallel = given.length === 0 || Array.isArray(given[0])
  const reads = (isParallel ? given : [given]) as readonly AnyRead[]
  const data = await Promise.all(
    reads.map(([endpoint, ...args]) => {
      const query = (): LiveQuery<unknown> => controller.queryOrError(endpoint, ...(argsOf(args) as [null]))
      return loaded(query, useObserver(query))
    }),
  )
  return isParallel ? data : data[0]
}

/** A read whose arguments the signatures above have checked against its endpoint. */
type AnyRead = readonly [endpoint: ReadEndpoint, ...args: unknown[]]

/** Waits until there is data or an error for the current arguments. */
async function loaded(
  query: () => LiveQuery<unknown>,
  shown: ReadonlyRef<QuerySnapshot<unknown>>,
): Promise<Loaded<unknown>> {
  let isHere = true
  onScopeDispose(() => {
    isHere = false
  })
  // A component that has left waits for ever: it must not fetch again a request that was aborted because it left.
  // What a server has rendered need not be waited for.
  const isPending = (): boolean => query().getSnapshot().status === 'pending' && shown.value.status === 'pending'
  while (isPending()) await (isHere ? query().load() : new Promise(() => {}))
  // Throws an error; the data is shown while other arguments are pending.
  let last = dataOf(shown.value.status === 'pending' ? query().getSnapshot() : shown.value)
  const data = lookingAt(() => {
    if (shown.value.status !== 'pending') last = dataOf(shown.value)
    return last
  })
  return Object.assign(data, { refetch: () => query().refetch() })
}
