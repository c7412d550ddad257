import type { LiveRead, QuerySnapshot, ReadEndpoint } from '@roundtable/core'
import { argsOf } from './args-of.js'
import { dataOf } from './data-of.js'
import type { Following, FoundData, Loaded, Read, Spread, SpreadData } from './reads.js'
import { useController } from './use-controller.js'

/**
 * The data of an endpoint: fetched if it must be, kept fresh while in use. Awaited it waits until the data is there, and throws what it failed with.
 *
 * @remarks
 * Arguments are values, or a thunk of them. While what new arguments ask for is pending the last data stays; a later error is
 * thrown where `current` is read, and told by `error`. With null in place of the arguments nothing is asked for and the data is undefined. Given
 * several reads, each an array of an endpoint and its arguments, it starts all of them at once.
 *
 * @throws what the endpoint failed with, to the nearest `<svelte:boundary>`
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

/** A read whose arguments were checked against its endpoint by the signatures above. */
type AnyRead = readonly [endpoint: ReadEndpoint, ...args: unknown[]]

/** Waits until something is there, for whatever arguments there are by then. */
async function loaded(query: () => LiveRead<unknown>): Promise<Loaded<unknown>> {
  let changes = $state(0)
  let isHere = true
  // From the start: before the component is mounted nothing else tells that it leaves.
  $effect.pre(() => {
    const read = query()
    // Looked at first: who subscribes already is shown what there was.
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
  // Only the arguments are followed here: what changes the data must not start the waiting anew. Who has left waits no longer:
  // it must not ask again for what was aborted because it left, and Svelte keeps what waits.
  while (isHere && query().getSnapshot().status === 'pending') await query().load()
  // Throws what it failed with; kept for the time when something else is pending.
  let last = dataOf(query().getSnapshot())
  const look = (): QuerySnapshot<unknown> => {
    // Looked at, so that whoever looks is told of the next one.
    void changes
    return query().getSnapshot()
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
  }
}
