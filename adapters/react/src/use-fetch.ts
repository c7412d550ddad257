import type { EndpointData, LiveRead, QuerySnapshot, ReadEndpoint } from '@roundtable/core'
import type { ArgsOrNull } from './reads.js'
import { useController } from './use-controller.js'
import { useObserver } from './use-observer.js'

/**
 * Starts fetching what must be fetched, without waiting: a promise of the data for React's `use`, here or further down.
 *
 * @remarks
 * The promise stays the same until the data changes, and then is a settled one of the new data. With null in place of the
 * arguments nothing is asked for.
 *
 * @example
 * ```tsx
 * const todo = useFetch(getTodo, { id: 5 }) // starts now, in parallel with what else is rendered
 * return <Suspense fallback={<Spinner />}><Todo promise={todo} /></Suspense>
 * ```
 */
export function useFetch<E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>): Promise<EndpointData<E>>
export function useFetch<E extends ReadEndpoint>(
  endpoint: E,
  ...args: ArgsOrNull<E>
): Promise<EndpointData<E> | undefined>
export function useFetch<E extends ReadEndpoint>(
  endpoint: E,
  ...args: ArgsOrNull<E>
): Promise<EndpointData<E> | undefined> {
  const query = useController().query(endpoint, ...args)
  return promiseOf(query, useObserver(query))
}

/** One promise for each load and for each snapshot, so that React does not wait for a new one on every render. */
const promises = new WeakMap<object, Promise<unknown>>()

function promiseOf<Data>(query: LiveRead<Data>, snapshot: QuerySnapshot<Data>): Promise<Data> {
  const source = snapshot.status === 'pending' ? query.load() : snapshot
  let promise = promises.get(source) as Promise<Data> | undefined
  if (promise === undefined) {
    promise = source instanceof Promise ? source.then(() => promiseOf(query, query.getSnapshot())) : settled(source)
    // Whoever uses it hears of its error; that nobody does is no error.
    promise.catch(() => {})
    promises.set(source, promise)
  }
  return promise
}

/** A settled promise in which `use` sees that it is, and so need not wait. */
function settled<Data>({ data, error }: QuerySnapshot<Data>): Promise<Data> {
  return error === undefined
    ? Object.assign(Promise.resolve(data as Data), { status: 'fulfilled', value: data })
    : Object.assign(Promise.reject(error), { status: 'rejected', reason: error })
}
