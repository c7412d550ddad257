import type { EndpointData, ReadEndpoint } from '@roundtable/core'

/** Arguments of which the first may be null: not yet, nothing is asked for. */
export type OrNull<Args extends readonly unknown[]> = [Args] extends [readonly []]
  ? [] | [null]
  : Args extends readonly [(infer First)?, ...infer Rest]
    ? Args | [first: First | null, ...Partial<Rest>]
    : Args

/** One of several reads of a parallel `useSuspense`: an endpoint and its arguments. */
export type Read<E extends ReadEndpoint> = readonly [endpoint: E, ...args: Parameters<E>]

/** The data of parallel reads, in their order. */
export type ReadsData<Endpoints extends readonly ReadEndpoint[]> = {
  -readonly [Index in keyof Endpoints]: EndpointData<Endpoints[Index]>
}
