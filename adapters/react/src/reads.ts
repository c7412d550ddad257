import type { EndpointData, ReadArgs, ReadEndpoint } from '@roundtable/core'

/**
 * The arguments of a read. If the type of the given first argument, `First`, includes null, the read is conditional: null fetches
 * nothing.
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

/** Parallel reads from an array of unknown length. Reads that are written out use the other signature. */
export type Spread<Given extends readonly unknown[]> = Given extends Unheard
  ? Given
  : number extends Given['length']
    ? { readonly [Index in keyof Given]: Read<EndpointOf<Given[Index]>> }
    : Given extends readonly [infer E extends ReadEndpoint, ...unknown[]]
      ? Given['length'] extends [E, ...Parameters<E>]['length']
        ? Longer<Given>
        : [E, ...Parameters<E>]
      : Longer<Given>

type Longer<Given> = Given extends readonly [...infer All] ? [...All, never] : never

type EndpointOf<Given> = Given extends readonly [infer E extends ReadEndpoint, ...unknown[]] ? E : ReadEndpoint

/** The data of `Spread` reads. */
export type SpreadData<Given extends readonly unknown[]> = {
  -readonly [Index in keyof Given]: EndpointData<EndpointOf<Given[Index]>>
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

type IfNull<First, Then, Else> = [First] extends [never]
  ? never
  : 0 extends 1 & First // any, of which nothing is known
    ? never
    : null extends First
      ? Then
      : Else

/** Matches nothing; the compiler infers `First` from it. */
type Noted<First> = First extends Unheard ? readonly [First, ...never[]] : never

interface Unheard {
  readonly '~': never
}
