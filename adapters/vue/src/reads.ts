import type { EndpointData, ReadEndpoint } from '@roundtable/core'
import type { MaybeRef, MaybeRefOrGetter, Ref } from 'vue'

/** Arguments, each as a value, a ref or a getter; the fields of an object may be refs. */
export type Reactive<Args extends readonly unknown[]> = {
  [Index in keyof Args]: MaybeRefOrGetter<WithRefs<Args[Index]>>
}

type WithRefs<Arg> = unknown extends Arg
  ? Arg
  : Arg extends string | number | bigint | boolean | symbol | null | undefined
    ? Arg
    : { [Field in keyof Arg]: MaybeRef<Arg[Field]> }

/** As `Reactive`, where the first may be null: not yet, nothing is asked for. */
export type ReactiveOrNull<Args extends readonly unknown[]> = [Args] extends [readonly []]
  ? [] | [MaybeRefOrGetter<null | undefined>]
  : Args extends readonly [unknown?, ...infer Rest]
    ? Reactive<Args> | [first: MaybeRefOrGetter<WithRefs<Args[0]> | null>, ...Partial<Reactive<Rest>>]
    : Reactive<Args>

/** One of several reads of a parallel `useSuspense`: an endpoint and its arguments. */
export type Read<E extends ReadEndpoint> = readonly [endpoint: E, ...args: Reactive<Parameters<E>>]

/** The data of parallel reads, in their order. */
export type ReadsData<Endpoints extends readonly ReadEndpoint[]> = {
  -readonly [Index in keyof Endpoints]: ReadonlyRef<EndpointData<Endpoints[Index]>>
}

/** A ref that is only looked at. */
export type ReadonlyRef<Value> = Readonly<Ref<Value>>
