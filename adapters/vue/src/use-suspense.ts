import type { LiveQuery, QuerySnapshot, ReadEndpoint } from '@roundtable/core'
import { onScopeDispose } from 'vue'
import { argsOf } from './args-of.js'
import { dataOf } from './data-of.js'
import type { Following, FoundData, Loaded, Read, ReadonlyRef, Spread, SpreadData } from './reads.js'
import { useController } from './use-controller.js'
import { lookingAt, useObserver } from './use-observer.js'

/**
 * Returns a ref of the data of an endpoint. Fetches missing or stale data, and updates the ref when it changes. Awaited
 * in `setup`, it suspends until data arrives.
 *
 * @remarks
 * Arguments are values, refs or getters. A value is read once: pass `() => ({ id: props.id })`, since `{ id: props.id }`
 * never changes. While the data of new arguments loads, the ref keeps the previous data; a later error is thrown when
 * the ref is read. The ref has `refetch`: take it out in the script, since templates see the data alone. With null
 * instead of arguments nothing is fetched and the data is undefined. Several reads, each an array of an endpoint and
 * its arguments, start at once, and show new arguments together.
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
export function useSuspense<Reads extends readonly unknown[]>(...reads: Spread<Reads>): Promise<SpreadData<Reads>>
export async function useSuspense(...callArgs: readonly unknown[]): Promise<unknown> {
  const controller = useController()
  const isParallel = callArgs.length === 0 || Array.isArray(callArgs[0])
  const reads = (isParallel ? callArgs : [callArgs]) as readonly AnyRead[]
  const group: GroupRead[] = reads.map(([endpoint, ...args]) => {
    const query = (): LiveQuery<unknown> => controller.watchOrError(endpoint, ...(argsOf(args) as [null]))
    return { query, shown: useObserver(query) }
  })
  let isHere = true
  onScopeDispose(() => {
    isHere = false
  })
  // An unmounted component waits for ever, since a request that was aborted when it left must not be sent again.
  while (group.some(isPending)) await (isHere ? Promise.all(group.filter(isPending).map(load)) : new Promise(() => {}))
  const data = group.map((read) => following(read, group))
  return isParallel ? data : data[0]
}

/** A read whose arguments the signatures above have checked. */
type AnyRead = readonly [endpoint: ReadEndpoint, ...args: unknown[]]

/** One of the reads of a call. */
interface GroupRead {
  readonly query: () => LiveQuery<unknown>
  readonly shown: ReadonlyRef<QuerySnapshot<unknown>>
  /** The last snapshot shown. Its `refetch` identifies its query. */
  last?: QuerySnapshot<unknown>
}

/** True if a read must wait, which is not so if the server rendered its data. */
const isPending = ({ query, shown }: GroupRead): boolean => query().getSnapshot().loading && shown.value.loading
const load = ({ query }: GroupRead): Promise<void> => query().load()
const isAwaited = ({ shown, last }: GroupRead): boolean => shown.value.loading && shown.value.refetch !== last?.refetch

/** Returns a ref of data that stays while any read of the call awaits the data of new arguments. */
function following(read: GroupRead, group: readonly GroupRead[]): Loaded<unknown> {
  const { query, shown } = read
  const isKept = ({ loading, refetch }: QuerySnapshot<unknown>): boolean =>
    loading || (refetch !== read.last?.refetch && group.some(isAwaited))
  /** @throws the error of the read */
  const show = (snapshot: QuerySnapshot<unknown>): unknown => {
    const data = dataOf(snapshot)
    read.last = snapshot
    return data
  }
  show(shown.value.loading ? query().getSnapshot() : shown.value)
  const data = lookingAt(() => (isKept(shown.value) ? read.last?.data : show(shown.value)))
  return Object.assign(data, { refetch: () => query().refetch() })
}
