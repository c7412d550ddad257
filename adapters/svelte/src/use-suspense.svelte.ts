import type { LiveQuery, QuerySnapshot, ReadEndpoint } from '@roundtable/core'
import { argsOf } from './args-of.js'
import { dataOf } from './data-of.js'
import type { Following, FoundData, Loaded, Read, Spread, SpreadData } from './reads.js'
import { useController } from './use-controller.js'
import { withMembers } from './use-dle.svelte.js'

/**
 * Resolves with the reactive data of an endpoint. Fetches missing or stale data, waits until data arrives, and updates
 * `current` when it changes.
 *
 * @remarks
 * Arguments are values, or a thunk of them. While the data of new arguments loads, `current` keeps the previous data; a
 * later error is in `error`, and thrown when `current` is read. The other members are those of `useDLE`. With null
 * instead of arguments nothing is fetched and the data is undefined. Several reads, each an array of an endpoint and
 * its arguments, start at once, and show new arguments together.
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
export function useSuspense<Reads extends readonly unknown[]>(...reads: Spread<Reads>): Promise<SpreadData<Reads>>
export async function useSuspense(...callArgs: readonly unknown[]): Promise<unknown> {
  const controller = useController()
  const isParallel = callArgs.length === 0 || Array.isArray(callArgs[0])
  const reads = (isParallel ? callArgs : [callArgs]) as readonly AnyRead[]
  // The compiler reduces the arguments of any endpoint to null or nothing.
  const group = reads.map(([endpoint, ...args]) =>
    openRead(() => controller.watchOrError(endpoint, ...(argsOf(args) as [null]))),
  )
  // This tracks only the arguments, since a change of the data must not restart the wait.
  while (group.some(isPending)) await Promise.all(group.map(({ query }) => query().load()))
  const data = group.map((read) => following(read, group))
  return isParallel ? data : data[0]
}

/** A read whose arguments the signatures above have checked. */
type AnyRead = readonly [endpoint: ReadEndpoint, ...args: unknown[]]

/** One of the reads of a call. */
interface GroupRead {
  readonly query: () => LiveQuery<unknown>
  /** The snapshot: an effect or a template that reads it runs again when it changes. */
  readonly look: () => QuerySnapshot<unknown>
  /** The last snapshot shown. Its `refetch` identifies its query. */
  last?: QuerySnapshot<unknown>
  isHere: boolean
}

/**
 * False for a destroyed component, since Svelte keeps pending work alive, and a request that was aborted when the component
 * left must not be sent again.
 */
const isPending = ({ query, isHere }: GroupRead): boolean => isHere && query().getSnapshot().loading
const isAwaited = ({ look, last }: GroupRead): boolean => look().loading && look().refetch !== last?.refetch

function openRead(open: () => LiveQuery<unknown>): GroupRead {
  let changes = $state(0)
  let last: LiveQuery<unknown> | undefined
  // The arguments of a destroyed component may depend on state that no longer exists.
  const query = (): LiveQuery<unknown> => {
    if (read.isHere || last === undefined) last = open()
    return last
  }
  const look = (): QuerySnapshot<unknown> => {
    // This read subscribes to the next snapshot.
    void changes
    return query().getSnapshot()
  }
  const read: GroupRead = { query, look, isHere: true }
  // Until the component is mounted, only this effect notices that it is destroyed.
  $effect.pre(() => {
    read.isHere = true
    const live = query()
    // This read comes first, since a query with subscribers returns its last snapshot.
    live.getSnapshot()
    const stop = live.subscribe(() => changes++)
    return () => {
      read.isHere = false
      stop()
    }
  })
  return read
}

/** Returns reactive data that stays while any read of the call awaits the data of new arguments. */
function following(read: GroupRead, group: readonly GroupRead[]): Loaded<unknown> {
  const { query, look } = read
  const isKept = ({ loading, refetch }: QuerySnapshot<unknown>): boolean =>
    loading || (refetch !== read.last?.refetch && group.some(isAwaited))
  /** @throws the error of the read */
  const show = (snapshot: QuerySnapshot<unknown>): unknown => {
    const data = dataOf(snapshot)
    read.last = snapshot
    return data
  }
  show(query().getSnapshot())
  return withMembers(query, look, {
    get current() {
      return isKept(look()) ? read.last?.data : show(look())
    },
    get loading() {
      return isKept(look())
    },
  })
}
