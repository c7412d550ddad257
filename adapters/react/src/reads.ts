import type { EndpointData, EndpointOf, IfNull, Noted, ReadArgs, ReadEndpoint, SpreadOf } from '@roundtable/core'

/**
 * The arguments of a read. If the type of the first argument passed, `First`, includes null, the read is conditional: null
 * fetches nothing.
 *
 * @remarks
 * One signature for both cases lets the compiler report a wrong argument at the argument, in one line.
 */
export type OrNull<Args extends readonly unknown[], First> =
  | ReadArgs<Args, First>
  | IfNull<First, WhileNull<Args>, Noted<First>>

/** Added to the type of the data: undefined if the first argument may be null. */
export type Waiting<First> = IfNull<First, undefined, never>

/** One read of a parallel `useSuspense`: an endpoint and its arguments. */
export type Read<E extends ReadEndpoint> = readonly [endpoint: E, ...args: Parameters<E>]

/** The data of parallel reads, in the order of the reads. */
export type ReadsData<Endpoints extends readonly ReadEndpoint[]> = {
  -readonly [Index in keyof Endpoints]: EndpointData<Endpoints[Index]>
}

/**
 * The further arguments of `useSuspense`: those of the endpoint, or more reads if the first argument was an array, with the
 * endpoint `One`.
 */
export type Following<E extends ReadEndpoint, First, One, More extends readonly ReadEndpoint[]> = [One] extends [never]
  ? OrNull<Parameters<E>, First>
  : { readonly [Index in keyof More]: Read<More[Index]> }

/** Parallel reads from an array of unknown length. A literal list of reads uses the other signature. */
export type Spread<Reads extends readonly unknown[]> = SpreadOf<
  Reads,
  { readonly [Index in keyof Reads]: Read<EndpointOf<Reads[Index]>> }
>

/** The data of `Spread` reads. */
export type SpreadData<Reads extends readonly unknown[]> = {
  -readonly [Index in keyof Reads]: EndpointData<EndpointOf<Reads[Index]>>
}

/** The result type of `useSuspense`: the data of one endpoint, or of parallel reads. */
export type FoundData<E extends ReadEndpoint, First, One extends ReadEndpoint, More extends readonly ReadEndpoint[]> = [
  One,
] extends [never]
  ? EndpointData<E> | Waiting<First>
  : ReadsData<[One, ...More]>

type WhileNull<Args extends readonly unknown[]> = [Args] extends [readonly []]
  ? [notYet: null]
  : Args extends readonly [(infer First)?, ...infer Rest]
    ? [first: First | null, ...rest: Partial<Rest>]
    : Args
