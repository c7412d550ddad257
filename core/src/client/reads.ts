import type { ReadEndpoint } from '../endpoint/options.js'

// The argument types of reading hooks, which all adapters share. How arguments are passed and data is shown differs, so each
// adapter declares that itself.

/**
 * The arguments of a hook's read whose first one has type `First`. If `First` may be undefined but the endpoint's argument
 * may not, the compiler's error says to pass null.
 *
 * @example
 * ```ts
 * type Shown = ReadArgs<[params: { id: number }], { id: number }> // [params: { id: number }]
 * ```
 */
export type ReadArgs<Args extends readonly unknown[], First> = undefined extends First
  ? undefined extends Args[0]
    ? Args
    : { [Index in keyof Args]: Args[Index] | InsteadOfUndefined<'pass null to fetch nothing yet'> }
  : Args

/** An impossible type whose argument tells what to pass. */
interface InsteadOfUndefined<What extends string> {
  readonly 'instead of undefined': What
}

/**
 * For hooks: `Then` if a first argument of this type may be null, or else `Else`. `never` if its type is unknown.
 *
 * @example
 * ```ts
 * type Waiting = IfNull<{ id: number } | null, undefined, never> // undefined
 * ```
 */
export type IfNull<First, Then, Else> = [First] extends [never]
  ? never
  : 0 extends 1 & First // any
    ? never
    : null extends First
      ? Then
      : Else

/**
 * For hooks: impossible arguments from which the compiler infers the type of the first one. With them in the only signature,
 * the compiler reports a wrong argument at the argument, in one line.
 *
 * @example
 * ```ts
 * declare function useTodo<First = never>(...args: [{ id: number }] | Noted<First>): void
 * ```
 */
export type Noted<First> = First extends Unheard ? readonly [First, ...never[]] : never

/**
 * For hooks: parallel reads in an array of unknown length, each of the type at the same index of `Each`. A literal list of
 * reads uses the other signature of `useSuspense`.
 *
 * @example
 * ```ts
 * type ReadsOf<Reads extends readonly unknown[]> = SpreadOf<
 *   Reads,
 *   { readonly [Index in keyof Reads]: readonly [EndpointOf<Reads[Index]>, ...unknown[]] }
 * >
 * ```
 */
export type SpreadOf<Reads extends readonly unknown[], Each> = Reads extends Unheard
  ? Reads
  : number extends Reads['length']
    ? Each
    : Reads extends readonly [infer E extends ReadEndpoint, ...unknown[]]
      ? Reads['length'] extends [E, ...Parameters<E>]['length']
        ? Longer<Reads>
        : [E, ...Parameters<E>]
      : Longer<Reads>

/**
 * For hooks: the endpoint of one of several parallel reads.
 *
 * @example
 * ```ts
 * type GetTodo = EndpointOf<[typeof getTodo, { id: number }]> // typeof getTodo
 * ```
 */
export type EndpointOf<Read> = Read extends readonly [infer E extends ReadEndpoint, ...unknown[]] ? E : ReadEndpoint

type Longer<Reads> = Reads extends readonly [...infer All] ? [...All, never] : never

interface Unheard {
  readonly '~': never
}
