import type { ReadEndpoint } from '../endpoint/options.js'

// The types of the arguments that hooks read with, which all adapters share. Each says itself how its framework passes an argument, and
// how it shows data.

/**
 * The arguments of a hook's read, of whose first one `First` was given. If that may be undefined and must not be, the compiler's
 * error says to pass null.
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

/** An impossible type whose name says what to pass. */
interface InsteadOfUndefined<What extends string> {
  readonly 'instead of undefined': What
}

/**
 * For hooks: one of two types, by whether a first argument of this type may be null. `never` while nothing is known of it.
 *
 * @example
 * ```ts
 * type Waiting = IfNull<{ id: number } | null, undefined, never> // undefined
 * ```
 */
export type IfNull<First, Then, Else> = [First] extends [never]
  ? never
  : 0 extends 1 & First // any, of which nothing is known
    ? never
    : null extends First
      ? Then
      : Else

/**
 * For hooks: arguments that nobody can pass, from which the compiler infers the type of the first one. One signature with them lets it
 * report a wrong argument at the argument, in one line.
 *
 * @example
 * ```ts
 * declare function useTodo<First = never>(...args: [{ id: number }] | Noted<First>): void
 * ```
 */
export type Noted<First> = First extends Unheard ? readonly [First, ...never[]] : never

/**
 * For hooks: parallel reads in an array of unknown length, each of the type that `Each` has in its place. Reads that are written out use
 * the other signature of `useSuspense`.
 *
 * @example
 * ```ts
 * type Reads<Given extends readonly unknown[]> = SpreadOf<
 *   Given,
 *   { readonly [Index in keyof Given]: readonly [EndpointOf<Given[Index]>, ...unknown[]] }
 * >
 * ```
 */
export type SpreadOf<Given extends readonly unknown[], Each> = Given extends Unheard
  ? Given
  : number extends Given['length']
    ? Each
    : Given extends readonly [infer E extends ReadEndpoint, ...unknown[]]
      ? Given['length'] extends [E, ...Parameters<E>]['length']
        ? Longer<Given>
        : [E, ...Parameters<E>]
      : Longer<Given>

/**
 * For hooks: the endpoint of one of several parallel reads.
 *
 * @example
 * ```ts
 * type GetTodo = EndpointOf<[typeof getTodo, { id: number }]> // typeof getTodo
 * ```
 */
export type EndpointOf<Given> = Given extends readonly [infer E extends ReadEndpoint, ...unknown[]] ? E : ReadEndpoint

type Longer<Given> = Given extends readonly [...infer All] ? [...All, never] : never

interface Unheard {
  readonly '~': never
}
