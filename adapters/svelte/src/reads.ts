import type {
  EndpointData,
  EndpointOf,
  ErrorWithStatus,
  IfNull,
  Noted,
  QueryMembers,
  ReadArgs,
  ReadEndpoint,
  SpreadOf,
} from '@roundtable/core'

/** Arguments as values, or as one reactive thunk: `() => [{ id }]`. A single argument needs no brackets. */
export type Reactive<Args extends readonly unknown[]> = Args | [thunk: () => Readonly<Args> | OnlyArg<Args>]

/**
 * Like `Reactive`. If the type of the first argument passed, `First` (a value or a thunk), includes null, the read is
 * conditional: null fetches nothing.
 *
 * @remarks
 * One signature for both cases lets the compiler report a wrong argument at the argument, in one line.
 */
export type ReactiveOrNull<Args extends readonly unknown[], First> =
  | Reactive<ReadArgs<Args, ValueOf<First>>>
  | IfNull<ValueOf<First>, WhileNull<Args>, Noted<First>>

/** Added to the type of the data: undefined if the first argument may be null. */
export type Waiting<First> = IfNull<ValueOf<First>, undefined, never>

/** An argument that needs no brackets: a list would be ambiguous with the list of arguments. */
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

/** The first argument that a thunk returns, in a list or alone; the type itself for other values. */
type ValueOf<Argument> = Argument extends () => infer Value
  ? Value extends readonly unknown[]
    ? Value[0]
    : Value
  : Argument

/**
 * One read of a parallel `useSuspense`: an endpoint and its arguments.
 *
 * @remarks
 * TypeScript infers a plain array from the thunk, so it checks each argument but not their number.
 */
export type Read<E extends ReadEndpoint> =
  | readonly [endpoint: E, ...args: Parameters<E>]
  | readonly [endpoint: E, thunk: () => readonly Parameters<E>[number][] | OnlyArg<Parameters<E>>]

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

/** A reactive value: read `current` in a template, a `$derived` or an `$effect`. */
export interface Current<Value> {
  readonly current: Value
}

/** The result of an awaited read: reactive data and its state. */
export interface Loaded<Value> extends QueryMembers {
  /** @throws the error of a later fetch; without a boundary, check `error` first */
  readonly current: Value
  /** The error of a fetch after the first data arrived: of a refetch, or with new arguments. */
  readonly error: ErrorWithStatus | undefined
  /** True while the data of new arguments loads; `current` is then the previous data. */
  readonly loading: boolean
}
