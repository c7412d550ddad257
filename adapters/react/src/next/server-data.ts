import { Controller, type EndpointData, type ReadEndpoint, type Transport } from '@roundtable/core'
import { dehydrate } from '@roundtable/core/hydration'
import * as React from 'react'
import { Hydrate } from '../hydrate.js'

/** The options of `createServerData`. */
export interface ServerDataOptions {
  /**
   * Sends the requests of server components: adds the user's cookies or token, and the address of the API.
   *
   * @default the global fetch
   */
  readonly transport?: Transport | undefined
}

/** A promise of the data that also knows the fetch key. If nothing awaits it, a failure is not an unhandled rejection. */
export type Prefetch<Data> = Promise<Data> & { readonly key: string }

/** The props of `Prefetched`. */
export interface PrefetchedProps {
  /** The reads to await, whose data the client components inside receive. */
  readonly of: Prefetch<unknown> | readonly Prefetch<unknown>[]
  readonly children?: React.ReactNode
}

/** The result of `createServerData`. */
export interface ServerData {
  /** Returns the controller of the request that is being rendered. */
  readonly getController: () => Controller
  /**
   * Starts to load data, once for each request and key. Await it for the data, typed by the endpoint's schema, or pass it to
   * `Prefetched`, so that several load at once.
   */
  readonly prefetch: <E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>) => Prefetch<EndpointData<E>>
  /**
   * Waits for prefetched data, inside of the nearest `Suspense`, and passes it to the client components inside: their
   * `useSuspense` finds it, on the server and in the browser.
   */
  readonly Prefetched: (props: PrefetchedProps) => Promise<React.ReactElement>
}

/**
 * Returns the functions with which server components load data: `getController`, which has one controller for each request,
 * `prefetch`, and `Prefetched`.
 *
 * @example
 * ```tsx
 * const { prefetch, Prefetched } = createServerData()
 *
 * export default function Page() {
 *   return (
 *     <Suspense fallback="…">
 *       <Prefetched of={prefetch(getTodos)}>
 *         <Todos />
 *       </Prefetched>
 *     </Suspense>
 *   )
 * }
 * ```
 */
export function createServerData({ transport }: ServerDataOptions = {}): ServerData {
  // React caches the controller for the request.
  const getController = React.cache(() => new Controller({ server: true, transport }))
  const prefetch = <E extends ReadEndpoint>(endpoint: E, ...args: Parameters<E>): Prefetch<EndpointData<E>> => {
    const loading = getController().fetchIfStale(endpoint, ...args)
    loading.catch(() => {})
    return Object.assign(loading, { key: endpoint.key(...args) })
  }
  const Prefetched = async ({ of, children }: PrefetchedProps): Promise<React.ReactElement> => {
    const parts = Array.isArray(of) ? of : [of]
    // An error is part of the state, and thrown by the component that reads it.
    await Promise.allSettled(parts)
    const keys = new Set(parts.map(({ key }) => key))
    const state = dehydrate(getController(), { include: (key) => keys.has(key) })
    return React.createElement(Hydrate, { state }, children)
  }
  return { getController, prefetch, Prefetched }
}
