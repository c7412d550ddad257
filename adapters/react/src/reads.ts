import type { EndpointData, ReadEndpoint } from '@roundtable/core'

/** The arguments of an endpoint, or null in their place: not yet, nothing is asked for. */
export type ArgsOrNull<E extends ReadEndpoint> = Parameters<E> | readonly [null]

/** One of several reads of a parallel `useSuspense`: an endpoint and its arguments. */
export type Read<E extends ReadEndpoint> = readonly [endpoint: E, ...args: Parameters<E>] | readonly [E, null]

/** The data of parallel reads, in their order. */
export type ReadsData<Endpoints extends readonly ReadEndpoint[]> = {
  -readonly [Index in keyof Endpoints]: EndpointData<Endpoints[Index]>
}
