import type { EndpointData, ReadEndpoint } from '@roundtable/core'

/** Arguments as they are, or a thunk of them that is followed: `() => [{ id }]`. A single one needs no brackets. */
export type Reactive<Args extends readonly unknown[]> = Args | [thunk: () => Readonly<Args> | OnlyArg<Args>]

/** As `Reactive`, where the first argument may be null: not yet, nothing is asked for. */
export type ReactiveOrNull<Args extends readonly unknown[]> =
  | Args
  | [null]
  | [thunk: () => Readonly<Args> | OnlyArg<Args> | NotYet<Args> | null]

/** An argument that may stand without brackets: a list must not be taken for the list of arguments. */
type OnlyArg<Args extends readonly unknown[]> = Args extends readonly [(infer First)?]
  ? First extends readonly unknown[]
    ? never
    : First
  : never

type NotYet<Args extends readonly unknown[]> = [Args] extends [readonly []]
  ? readonly [null]
  : Args extends readonly [(infer First)?, ...infer Rest]
    ? readonly [First | null, ...Partial<Rest>]
    : readonly [null]

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
