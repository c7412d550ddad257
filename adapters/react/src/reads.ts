import type { EndpointData, ReadEndpoint } from '@roundtable/core'

/**
 * Arguments. Where the first one may be null (`First` is what is given there), they may wait: nothing is asked for.
 *
 * @remarks
 * One signature instead of two for both: then a wrong argument is told where it stands, in a line.
 */
export type OrNull<Args extends readonly unknown[], First> = Args | IfNull<First, WhileNull<Args>, Noted<First>>

/** What the data may be besides: undefined where the first argument may be null. */
export type Waiting<First> = IfNull<First, undefined, never>

/** One of several reads of a parallel `useSuspense`: an endpoint and its arguments. */
export type Read<E extends ReadEndpoint> = readonly [endpoint: E, ...args: Parameters<E>]

/** The data of parallel reads, in their order. */
export type ReadsData<Endpoints extends readonly ReadEndpoint[]> = {
  -readonly [Index in keyof Endpoints]: EndpointData<Endpoints[Index]>
}

/** What follows the first argument of `useSuspense`: the arguments of the one endpoint, or, if `One` was found in an array, more reads. */
export type Following<E extends ReadEndpoint, First, One, More extends readonly ReadEndpoint[]> = [One] extends [never]
  ? OrNull<Parameters<E>, First>
  : { readonly [Index in keyof More]: Read<More[Index]> }

/** Parallel reads from an array whose length is not known; those that are written out are for the other signature. */
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

/** The data of such reads. */
export type SpreadData<Given extends readonly unknown[]> = {
  -readonly [Index in keyof Given]: EndpointData<EndpointOf<Given[Index]>>
}

/** The data of one endpoint, or of parallel reads. */
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

/** Never anything; but the compiler looks for `First` here, and so notes what was given. */
type Noted<First> = First extends Unheard ? readonly [First, ...never[]] : never

interface Unheard {
  readonly '~': never
}
