import type { EndpointData, ReadEndpoint } from '@roundtable/core'

/** Arguments as they are, or a thunk of them that is followed: `() => [{ id }]`. A single one needs no brackets. */
export type Reactive<Args extends readonly unknown[]> = Args | [thunk: () => Readonly<Args> | OnlyArg<Args>]

/**
 * As `Reactive`. Where the first argument may be null (`First` is what is given, a value or a thunk), they may wait: nothing is
 * asked for.
 *
 * @remarks
 * One signature instead of two for both: then a wrong argument is told where it stands, in a line.
 */
export type ReactiveOrNull<Args extends readonly unknown[], First> =
  | Reactive<Args>
  | IfNull<First, WhileNull<Args>, Noted<First>>

/** What the data may be besides: undefined where the first argument may be null. */
export type Waiting<First> = IfNull<First, undefined, never>

/** An argument that may stand without brackets: a list must not be taken for the list of arguments. */
type OnlyArg<Args extends readonly unknown[]> = Args extends readonly [(infer First)?]
  ? First extends readonly unknown[]
    ? never
    : First
  : never

type WhileNull<Args extends readonly unknown[]> =
  | [notYet: Args[0] | null]
  | [thunk: () => Readonly<Args> | OnlyArg<Args> | NotYet<Args> | null]

type NotYet<Args extends readonly unknown[]> = [Args] extends [readonly []]
  ? readonly [null]
  : Args extends readonly [(infer First)?, ...infer Rest]
    ? readonly [First | null, ...Partial<Rest>]
    : readonly [null]

type IfNull<First, Then, Else> = [First] extends [never]
  ? never
  : 0 extends 1 & First // any, of which nothing is known
    ? never
    : null extends ValueOf<First>
      ? Then
      : Else

/** Never anything; but the compiler looks for `First` here, and so notes what was given. */
type Noted<First> = First extends Unheard ? readonly [First, ...never[]] : never

interface Unheard {
  readonly '~': never
}

/** The first argument as a thunk returns it, in a list or alone; any other value is itself. */
type ValueOf<Given> = Given extends () => infer Value ? (Value extends readonly unknown[] ? Value[0] : Value) : Given

/**
 * One of several reads of a parallel `useSuspense`: an endpoint and its arguments.
 *
 * @remarks
 * TypeScript takes what a thunk returns here for a plain array, so it checks each argument but not how many there are.
 */
export type Read<E extends ReadEndpoint> =
  | readonly [endpoint: E, ...args: Parameters<E>]
  | readonly [endpoint: E, thunk: () => readonly Parameters<E>[number][]]

/** The data of parallel reads, in their order. */
export type ReadsData<Endpoints extends readonly ReadEndpoint[]> = {
  -readonly [Index in keyof Endpoints]: Loaded<EndpointData<Endpoints[Index]>>
}

/** What follows the first argument of `useSuspense`: the arguments of the one endpoint, or, if `One` was found in an array, more reads. */
export type Following<E extends ReadEndpoint, First, One, More extends readonly ReadEndpoint[]> = [One] extends [never]
  ? ReactiveOrNull<Parameters<E>, First>
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
  -readonly [Index in keyof Given]: Loaded<EndpointData<EndpointOf<Given[Index]>>>
}

/** The data of one endpoint, or of parallel reads. */
export type FoundData<E extends ReadEndpoint, First, One extends ReadEndpoint, More extends readonly ReadEndpoint[]> = [
  One,
] extends [never]
  ? Loaded<EndpointData<E> | Waiting<First>>
  : ReadsData<[One, ...More]>

/** A value that changes: look at `current` in a template, a `$derived` or an `$effect`. */
export interface Current<Value> {
  readonly current: Value
}

/** What an awaited read gives: data that changes, and what it failed with since. */
export interface Loaded<Value> {
  /** @throws what it failed with since, so look at `error` first where no boundary is around */
  readonly current: Value
  /** What it failed with after it was there: when it was fetched again, or with other arguments. */
  readonly error: Error | undefined
}
