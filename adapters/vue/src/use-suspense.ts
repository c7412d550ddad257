import type { LiveRead, QuerySnapshot, ReadEndpoint } from '@roundtable/core'
import { onScopeDispose } from 'vue'
import { argsOf } from './args-of.js'
import { dataOf } from './data-of.js'
import type { Following, FoundData, Read, ReadonlyRef, Spread, SpreadData } from './reads.js'
import { useController } from './use-controller.js'
import { lookingAt, useObserver } from './use-observer.js'

/**
 * The data of an endpoint: fetched if it must be, kept fresh while in use. Awaited in `setup` it suspends until the data is there, and throws what it failed with.
 *
 * @remarks
 * Arguments are values, refs or getters. While what new arguments ask for is pending the last data stays; a later error is
 * thrown where the ref is read. With null in place of the arguments nothing is asked for and the data is undefined. Given
 * several reads, each an array of an endpoint and its arguments, it starts all of them at once.
 *
 * @throws what the endpoint failed with, to the nearest `onErrorCaptured`
 * @example
 * ```ts
 * const todo = await useSuspense(getTodo, () => ({ id: props.id }))
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
      const query = (): LiveRead<unknown> => controller.queryOrError(endpoint, ...(argsOf(args) as [null]))
      return loaded(query, useObserver(query))
    }),
  )
  return isParallel ? data : data[0]
}

/** A read whose arguments were checked against its endpoint by the signatures above. */
type AnyRead = readonly [endpoint: ReadEndpoint, ...args: unknown[]]

/** Waits until something is there, for whatever arguments there are by then. */
async function loaded(
  query: () => LiveRead<unknown>,
  shown: ReadonlyRef<QuerySnapshot<unknown>>,
): Promise<ReadonlyRef<unknown>> {
  let isHere = true
  onScopeDispose(() => {
    isHere = false
  })
  // Who has left waits for ever: it must not ask again for what may have been aborted because it left.
  while (query().getSnapshot().status === 'pending') await (isHere ? query().load() : new Promise(() => {}))
  // Throws what it failed with; kept for the time when something else is pending.
  let last = dataOf(query().getSnapshot())
  return lookingAt(() => {
    if (shown.value.status !== 'pending') last = dataOf(shown.value)
    return last
  })
}
