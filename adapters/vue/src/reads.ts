import type { EndpointData, ReadEndpoint } from '@roundtable/core'
import type { MaybeRefOrGetter, Ref } from 'vue'

/** Arguments, each as a value, a ref or a getter. */
export type Reactive<Args extends readonly unknown[]> = {
  [Index in keyof Args]: MaybeRefOrGetter<Args[Index]>
}

/** As `Reactive`, where the first may be null: not yet, nothing is asked for. */
export type ReactiveOrNull<Args extends readonly unknown[]> = [Args] extends [readonly []]
  ? [] | [MaybeRefOrGetter<null>]
  : Args extends readonly [(infer First)?, ...infer Rest]
    ? Reactive<Args> | [first: MaybeRefOrGetter<First | null>, ...Partial<Reactive<Rest>>]
    : Reactive<Args>

/** One of several reads of a parallel `useSuspense`: an endpoint and its arguments. */
export type Read<E extends ReadEndpoint> = readonly [endpoint: E, ...args: Reactive<Parameters<E>>]

/** The data of parallel reads, in their order. */
export type ReadsData<Endpoints extends readonly ReadEndpoint[]> = {
  -readonly [Index in keyof Endpoints]: ReadonlyRef<EndpointData<Endpoints[Index]>>
}

/** A ref that is only looked at. */
export type ReadonlyRef<Value> = Readonly<Ref<Value>>
