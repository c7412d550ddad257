import type { EndpointData, EndpointOf, IfNull, Noted, ReadArgs, ReadEndpoint, SpreadOf } from '@roundtable/core'
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

/**
 * Like `Reactive`. If the type of the first argument passed, `First`, includes null, the read is conditional: null fetches
 * nothing.
 *
 * @remarks
 * One signature for both cases lets the compiler report a wrong argument at the argument, in one line.
 */
export type ReactiveOrNull<Args extends readonly unknown[], First> =
  | ReadArgs<Reactive<Args>, ValueOf<First>>
  | IfNull<ValueOf<First>, WhileNull<Args>, Noted<First>>

/** Added to the type of the data: undefined if the first argument may be null. */
export type Waiting<First> = IfNull<ValueOf<First>, undefined, never>

/** One read of a parallel `useSuspense`: an endpoint and its arguments. */
export type Read<E extends ReadEndpoint> = readonly [endpoint: E, ...args: Reactive<Parameters<E>>]

/** The data of parallel reads, in the order of the reads. */
export type ReadsData<Endpoints extends readonly ReadEndpoint[]> = {
  -readonly [Index in keyof Endpoints]: Loaded<EndpointData<Endpoints[Index]>>
}

/**
 * The further arguments of `useSuspense`: those of the endpoint, or more reads if the first argument was an array, with the
 * endpoint `One`.
 */
export type Following<E extends ReadEndpoint, First, One, More extends readonly ReadEndpoint[]> = [One] extends [never]
  ? ReactiveOrNull<Parameters<E>, First>
  : { readonly [Index in keyof More]: Read<More[Index]> }

/** Parallel reads from an array of unknown length. A literal list of reads uses the other signature. */
export type Spread<Reads extends readonly unknown[]> = SpreadOf<
  Reads,
  { readonly [Index in keyof Reads]: Read<EndpointOf<Reads[Index]>> }
>

/** The data of `Spread` reads. */
export type SpreadData<Reads extends readonly unknown[]> = {
  -readonly [Index in keyof Reads]: Loaded<EndpointData<EndpointOf<Reads[Index]>>>
}

/** The result type of `useSuspense`: the data of one endpoint, or of parallel reads. */
export type FoundData<E extends ReadEndpoint, First, One extends ReadEndpoint, More extends readonly ReadEndpoint[]> = [
  One,
] extends [never]
  ? Loaded<EndpointData<E> | Waiting<First>>
  : ReadsData<[One, ...More]>

type WhileNull<Args extends readonly unknown[]> = [Args] extends [readonly []]
  ? [notYet: MaybeRefOrGetter<null | undefined>]
  : Args extends readonly [unknown?, ...infer Rest]
    ? [first: MaybeRefOrGetter<WithRefs<Args[0]> | null>, ...rest: Partial<Reactive<Rest>>]
    : Reactive<Args>

/** The value of a ref or a getter; the type itself for other values. */
type ValueOf<Argument> = Argument extends () => infer Value
  ? Value
  : Argument extends Ref<infer Value>
    ? Value
    : Argument

/** The result of an awaited read: a ref of its data. */
export interface Loaded<Value> extends ReadonlyRef<Value> {
  /** Sends one request, or joins one that started after the last mutation settled. Never rejects. */
  readonly refetch: () => Promise<void>
}

/** A ref that cannot be assigned. */
export type ReadonlyRef<Value> = Readonly<Ref<Value>>
