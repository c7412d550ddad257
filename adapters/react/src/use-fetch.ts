import type { EndpointData, LiveQuery, ReadEndpoint } from '@roundtable/core'
import { argsOf } from './args-of.js'
import { dataOf } from './data-of.js'
import type { OrNull, Waiting } from './reads.js'
import { useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/**
 * Fetches missing or stale data without suspending, and returns a promise for React's `use`, in this component or in a
 * child.
 *
 * @remarks
 * The promise stays the same until the data changes; the next one is already settled with the new data. With null instead of
 * arguments nothing is fetched.
 *
 * @example
 * ```tsx
 * const todo = useFetch(getTodo, { id: 5 }) // starts now, in parallel with other reads
 * return <Suspense fallback={<Spinner />}><TodoView promise={todo} /></Suspense>
 * ```
 */
export function useFetch<E extends ReadEndpoint, First = never>(
  endpoint: E,
  ...args: OrNull<Parameters<E>, First>
): Promise<EndpointData<E> | Waiting<NoInfer<First>>>
export function useFetch(endpoint: ReadEndpoint, ...args: readonly unknown[]): Promise<unknown> {
  const query = useController().watch(endpoint, ...argsOf(args))
  const snapshot = useObserver(query)
  // One promise for each load and each snapshot, since React would wait again for every new promise.
  const moment = snapshot.status === 'pending' ? query.load() : snapshot
  let promise = promises.get(moment) as Promise<unknown> | undefined
  if (!promise) {
    promise = loaded(query)
    // A caller that uses the promise gets its error; an unused promise must not be reported as unhandled.
    promise.catch(() => {})
    // React's `use` reads the value in these properties without waiting.
    if (snapshot.status === 'ready' || snapshot.status === 'idle')
      Object.assign(promise, { status: 'fulfilled', value: snapshot.data })
    promises.set(moment, promise)
  }
  return promise
}

const promises = new WeakMap<object, Promise<unknown>>()

async function loaded<Data>(query: LiveQuery<Data>): Promise<Data> {
  while (query.getSnapshot().status === 'pending') await query.load()
  // The type includes undefined for idle queries.
  return dataOf(query.getSnapshot()) as Data
}
