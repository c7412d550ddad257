import type { LiveQuery, QuerySnapshot, ReadEndpoint } from '@roundtable/core'
import { argsOf } from './args-of.js'
import { dataOf } from './data-of.js'
import type { Following, FoundData, Loaded, Read, Spread, SpreadData } from './reads.js'
import { useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/**
 * Resolves with the reactive data of an endpoint. Fetches missing or stale data, waits until data arrives, and updates `current`
 * when it changes.
 *
 * @remarks
 * Arguments are values, or a thunk of them. While the data of new arguments loads, `current` keeps the previous data; a later error
 * is in `error`, and thrown when `current` is read. The other members are those of `useDLE`. With null instead of arguments nothing is
 * fetched and the data is undefined. Several reads, each an array of an endpoint and its arguments, start at once.
 *
 * @throws the endpoint's error, to the nearest `<svelte:boundary>`
 * @example
 * ```ts
 * const todo = await useSuspense(getTodo, () => [{ id }])
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
  // For the compiler the arguments of any endpoint are null or nothing.
  const data = reads.map(([endpoint, ...args]) =>
    loaded(() => controller.queryOrError(endpoint, ...(argsOf(args) as [null]))),
  )
  return isParallel ? Promise.all(data) : data[0]
}

/** A read whose arguments the signatures above have checked against its endpoint. */
type AnyRead = readonly [endpoint: ReadEndpoint, ...args: unknown[]]

/** Waits until there is data or an error for the current arguments. */
async function loaded(query: () => LiveQuery<unknown>): Promise<Loaded<unknown>> {
  let changes = $state(0)
  const fetching = useObserver(() => query().fetching)
  let isHere = true
  // Before the component is mounted, only this effect reports that it leaves.
  $effect.pre(() => {
    const read = query()
    // Read first: a query with subscribers returns its last snapshot.
    read.getSnapshot()
    const stop = read.subscribe(() => {
      changes++
    })
    isHere = true
    return () => {
      isHere = false
      stop()
    }
  })
  // Only the arguments are tracked here: a change of the data must not restart the waiting. A component that has left stops waiting:
  // it must not fetch again a request that was aborted because it left, and Svelte keeps pending work alive.
  while (isHere && query().getSnapshot().status === 'pending') await query().load()
  // Throws an error; the data is shown while other arguments are pending.
  let last = dataOf(query().getSnapshot())
  const look = (): QuerySnapshot<unknown> => {
    // Read to subscribe the reader to the next snapshot.
    void changes
    return query().getSnapshot()
  }
  // Read to run the reader again when a request starts, fails or ends.
  const requested = (): QuerySnapshot<unknown> => {
    void fetching()
    return look()
  }
  return {
    get current() {
      const snapshot = look()
      if (snapshot.status !== 'pending') last = dataOf(snapshot)
      return last
    },
    get error() {
      return look().error
    },
    get loading() {
      return look().loading
    },
    get refreshing() {
      return requested().refreshing
    },
    get failureCount() {
      return requested().failureCount
    },
    get failureReason() {
      return requested().failureReason
    },
    refetch: () => query().refetch(),
  }
}
