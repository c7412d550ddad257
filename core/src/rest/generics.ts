import type { NoTyposIn } from '../endpoint/option-table.js'
import type { EndpointOptions } from '../endpoint/options.js'
import type { IsKnown, PathArgs } from '../path/params.js'
import type { PlainData } from '../schema/infer.js'
import type { Schema } from '../schema/schema.js'

/** How the body of an answer is read; see `RestGenerics.content`. */
export type Content = 'json' | 'blob' | 'text' | 'arrayBuffer' | 'stream'

/**
 * What the types of a `RestEndpoint` are made from. Its options are inferred as such a type; it can be written out too.
 *
 * @example
 * ```ts
 * function show(endpoint: RestEndpoint<{ path: '/user/:id'; schema: typeof User }>) {}
 * ```
 */
export interface RestGenerics {
  /**
   * The path template: `/user/:id{/:tab}`. What the first argument must hold is read from it.
   */
  readonly path: string
  /**
   * Describes the data. It must be undefined where `content` is not JSON.
   *
   * @default undefined
   */
  readonly schema?: Schema
  /**
   * The HTTP method. Methods other than GET have side effects; those other than GET, HEAD and DELETE take a body, if the
   * constructor (not `extend`) says so.
   *
   * @default 'GET'
   */
  readonly method?: string
  /**
   * The type of the body argument, as in `body: {} as { title: string }`; the value is never sent. `undefined`: no body.
   *
   * @default what the method says, of type any
   */
  readonly body?: unknown
  /**
   * The type of further params, which go into the query string, as in `searchParams: {} as { page?: number }`.
   *
   * @default none
   */
  readonly searchParams?: unknown
  /**
   * The search param that asks for another page; with it there is `getPage`.
   *
   * @default undefined
   */
  readonly paginationField?: string
  /**
   * How the body of an answer is read, and so its type.
   *
   * @default undefined: by its content-type
   */
  readonly content?: Content | undefined
  /** The path that `move` asks, when it carries more than the list's: `/board/:board/card/:id`. */
  readonly movePath?: string
  /** True if a call changes something; overrides what the method says. */
  readonly sideEffect?: boolean | undefined
  /** Makes the result of a call from the parsed answer. */
  readonly process?: unknown
  /** The type of what `push` and `unshift` take, where the entity does not say it: `resource` puts its `body` there. */
  readonly memberBody?: unknown
  /** The arguments of a call where nothing else says them: `paginated(removeCursor)` takes those of the function. */
  readonly args?: readonly unknown[]
}

/** What nobody has described: parsed JSON, and bodies without a type. */
// biome-ignore lint/suspicious/noExplicitAny: unknown would forbid their use.
export type Anything = any

/**
 * The arguments of a call.
 *
 * @example
 * ```ts
 * type Args = RestArgs<{ path: '/user/:id'; method: 'PUT'; body: User }> // [params: { id: string | number }, body: User]
 * ```
 */
export type RestArgs<O extends RestGenerics> = RestGenerics extends O
  ? [params?: Anything, body?: Anything]
  : O extends { readonly args: infer Args extends readonly unknown[] }
    ? Args
    : ArgsOf<O>

type ArgsOf<O extends RestGenerics> =
  BodyArgs<O> extends readonly [] ? ParamArgs<UrlParams<O>> : ParamsAndBody<UrlParams<O>, BodyArgs<O>>

/** What the first argument holds: path params and search params. `unknown` if there are none. */
export type UrlParams<O extends RestGenerics> = PathArgs<O['path']> & OpenSearch<O['path'], SearchParamsOf<O>>

/** Search params beside a path that is not known literally leave room for its params. */
type OpenSearch<Path extends string, Search> =
  IsKnown<Path> extends true
    ? Search
    : unknown extends Search
      ? Search
      : Search & { readonly [param: string]: Anything }

/** The params that `key` takes alone where a call takes more: those of a path that has required ones. */
export type KeyParams<O extends RestGenerics> = Record<never, never> extends PathArgs<O['path']> ? never : UrlParams<O>

/** The arguments of `url`. */
export type UrlArgs<O extends RestGenerics> = RestGenerics extends O ? [params?: Anything] : ParamArgs<UrlParams<O>>

/** The search params that were declared; `unknown` if there are none. */
export type SearchParamsOf<O extends RestGenerics> = O extends { readonly searchParams: infer Search }
  ? [Exclude<Search, undefined>] extends [never]
    ? unknown
    : Exclude<Search, undefined>
  : unknown

type ParamArgs<Params> = 0 extends 1 & Params
  ? [params?: Params]
  : unknown extends Params
    ? []
    : Record<never, never> extends Params
      ? [params?: Params]
      : [params: Params]

/** With one argument, that is the body; so the body may be left out only where there are no params. */
type ParamsAndBody<Params, Body extends readonly unknown[]> = 0 extends 1 & Params
  ? Body | [params: Params, body: Body[0]]
  : unknown extends Params
    ? Body
    : Record<never, never> extends Params
      ? Body | [params: Params, body: Body[0]]
      : [params: Params, body: Body[0]]

/** The body as an argument: what `body` says, else what the method says. */
type BodyArgs<O extends RestGenerics> = O extends { readonly body: infer Body }
  ? [Exclude<Body, undefined>] extends [never]
    ? []
    : undefined extends Body
      ? [body?: Body]
      : [body: Body]
  : O extends { readonly method: infer Method extends string }
    ? Uppercase<Method> extends 'GET' | 'HEAD' | 'DELETE'
      ? []
      : [body?: Anything]
    : []

/** The type of an endpoint's `sideEffect`: what was given, else what the method says. */
export type SideEffectOf<O extends RestGenerics> = RestGenerics extends O
  ? boolean | undefined
  : O extends { readonly sideEffect: infer Given extends boolean | undefined }
    ? Given
    : O extends { readonly method: infer Method extends string }
      ? Uppercase<Method> extends 'GET'
        ? undefined
        : true
      : undefined

/** The type of an endpoint's `schema`. */
export type SchemaOf<O extends RestGenerics> = RestGenerics extends O
  ? Schema
  : O extends { readonly schema: unknown }
    ? O['schema']
    : undefined

/** What a direct call resolves with: what `process` returns, else what `content` says. */
export type ResultOf<O extends RestGenerics> = O extends { readonly process: infer Process }
  ? Process extends (...args: never) => infer Result
    ? Awaited<Result>
    : Anything
  : ParsedAs<O>

type ParsedAs<O> = O extends { readonly content: infer Given extends keyof Parsed } ? Parsed[Given] : PlainOf<O>

/** JSON, as its schema describes it; a mutation may be answered by nothing, and a deletion by anything. */
type PlainOf<O> = O extends { readonly schema: infer S }
  ? [S] extends [undefined | null | { readonly deletes: true }]
    ? Anything
    : O extends { readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE' } | { readonly sideEffect: true }
      ? O extends { readonly sideEffect: false | undefined }
        ? PlainData<S>
        : PlainData<S> | null
      : PlainData<S>
  : Anything

interface Parsed {
  blob: Blob
  text: string
  arrayBuffer: ArrayBuffer
  stream: ReadableStream<Uint8Array>
}

/**
 * The generics of an endpoint after `extend`: the options on top of those before.
 *
 * @remarks
 * `method` in `extend` does not change which arguments a call takes, so what the old method said of the body is kept.
 *
 * @example
 * ```ts
 * type Paged = Extended<{ path: '/users' }, { searchParams: { page: number } }>
 * ```
 */
export type Extended<O extends RestGenerics, P> = P extends { readonly method: unknown }
  ? O extends { readonly body: unknown }
    ? Merged<O, P>
    : Merged<{ readonly body: BodyArgs<O> extends readonly [] ? undefined : Anything } & O, P>
  : Merged<O, P>

/** Generics with others on top. */
export type Merged<O extends RestGenerics, P> = RestGenerics extends O
  ? RestGenerics
  : {
        readonly [K in keyof O | keyof P]: K extends keyof P ? P[K] : K extends keyof O ? O[K] : never
      } extends infer Next extends RestGenerics
    ? Next
    : RestGenerics

/** What a direct call resolves with: what the class's own `process` returns, where it says more than `any`. */
export type Processed<This extends { process(...args: never): unknown }, Result> = 0 extends 1 &
  ReturnType<This['process']>
  ? Awaited<Result>
  : Awaited<ReturnType<This['process']>>

/** What a direct call resolves with after `extend`. */
export type ExtendedResult<
  This extends { process(...args: never): unknown },
  O extends RestGenerics,
  P,
  Result,
> = O extends { readonly process: unknown }
  ? Result
  : 0 extends 1 & ReturnType<This['process']>
    ? keyof P & ('content' | 'schema' | 'sideEffect' | 'method') extends never
      ? Awaited<Result>
      : ParsedAs<Extended<O, P>>
    : Awaited<ReturnType<This['process']>>

/** The members that options add to an endpoint beside those that all have, such as an `accessToken`. */
export type NewMembers<P, Known> = [Exclude<keyof P, Known | keyof RestGenerics>] extends [never]
  ? unknown
  : { readonly [Name in Exclude<keyof P, Known | keyof RestGenerics>]: P[Name] }

/** Refuses options that are known ones misspelt; `Own` is the endpoint, with members of its class. */
export type NoTypos<P, Own = unknown> = NoTyposIn<P, keyof RestGenerics | keyof RestOptions<RestGenerics, unknown>, Own>

/**
 * Generics with defaults: for classes that give options of their own.
 *
 * @example
 * ```ts
 * class UserEndpoint<O extends RestGenerics> extends RestEndpoint<Defaults<O, { schema: typeof User }>> {
 *   constructor(options: Readonly<O> & RestOptions<O, unknown>) {
 *     super({ schema: User, ...options } as never)
 *   }
 * }
 * ```
 */
export type Defaults<O extends RestGenerics, D> = Merged<O, Omit<D, keyof O>>

/** A FormData, told by its entries: so an editor that completes a body offers the fields of the data, not a form's methods. */
export interface FormBody {
  [Symbol.iterator](): Iterator<[string, FormDataEntryValue]>
}

/** A type that nothing fits: its text is the reason why an option cannot be. */
export interface Refused<Reason extends string> {
  readonly 'this cannot be': Reason
}

/** Combinations of options that cannot be. */
export type RestRules<O extends RestGenerics> = RestGenerics extends O ? unknown : ContentRule<O> & BodyRule<O>

type ContentRule<O extends RestGenerics> = O extends {
  readonly content: 'blob' | 'text' | 'arrayBuffer' | 'stream'
}
  ? [SchemaOf<O>] extends [undefined]
    ? unknown
    : { readonly content: Refused<'data that is not JSON has no schema: set schema to undefined'> }
  : unknown

type BodyRule<O extends RestGenerics> = O extends { readonly body: infer Body }
  ? [Exclude<Body, undefined>] extends [never]
    ? unknown
    : MethodOf<O> extends 'GET' | 'HEAD'
      ? { readonly body: undefined | Refused<'GET and HEAD have no body: set another method, or body to undefined'> }
      : unknown
  : unknown

type MethodOf<O> = O extends { readonly method: infer Method extends string } ? Uppercase<Method> : 'GET'

/**
 * The options of a `RestEndpoint` beside its generics. Each may be given to the constructor, to `extend`, or be a member of
 * a subclass.
 */
export interface RestOptions<O extends RestGenerics, Result>
  extends Omit<
    EndpointOptions<(...args: RestArgs<O>) => Promise<Anything>, SchemaOf<O>, SideEffectOf<O>>,
    'schema' | 'sideEffect'
  > {
  /**
   * Goes before the path, such as `https://api.test/v1`.
   *
   * @default ''
   */
  readonly urlPrefix?: string | undefined
  /**
   * Options for every `fetch`; `method`, `body` and `signal` of the endpoint win.
   *
   * @default undefined
   */
  readonly requestInit?: RequestInit | undefined
  /**
   * More options for the accessors `push`, `unshift`, `assign`, `remove` and `move`, such as a `getOptimisticResponse` that is not
   * the list's own.
   *
   * @default undefined
   */
  readonly mutationOptions?: object | undefined
  /** Performs the whole request. The default is the fixed order `url`, `getRequestInit`, `fetchResponse`, `parseResponse`, `process`. */
  fetch?(...args: RestArgs<O>): Promise<Anything>
  /** Makes the URL. */
  url?(...args: UrlArgs<O>): string
  /** Writes search params as a query string. Override it to encode nested objects. */
  searchToString?(searchParams: Readonly<Record<string, Anything>>): string
  /** Prepares the options of `fetch`; `body` is the call's body argument. */
  getRequestInit?(body?: Anything): RequestInit | Promise<RequestInit>
  /** Adds headers. Hooks must not be used in it. */
  getHeaders?(headers: Record<string, string>): HeadersInit | Promise<HeadersInit>
  /** Performs the HTTP call. */
  fetchResponse?(input: string | URL | Request, init: RequestInit): Promise<Response>
  /** Reads the body. */
  parseResponse?(response: Response): Promise<Anything>
  /** Makes the result from the parsed body. */
  process?(value: Anything, ...args: RestArgs<O>): Result
}

/** The members of a `RestEndpoint` whose types do not depend on its generics, so that any subclass may say them anew. */
export interface RestMembers {
  /** The path template. */
  readonly path: string
  /** Goes before the path; may carry a scheme and host. */
  readonly urlPrefix: string
  /** The HTTP method. */
  readonly method: string
  /** True if no override of `fetch`, `parseResponse` or `process` has seen what a call resolves with. */
  readonly transfers: boolean
  /** Options for every `fetch`. */
  readonly requestInit?: RequestInit | undefined
  /** Hears what a request is sent with, right before. */
  onSend?(init: RequestInit): void
  /** How the body of an answer is read; by its content-type if it is undefined. */
  readonly content?: Content | undefined
  /** The search param that asks for another page. */
  readonly paginationField?: string | undefined
  /** The path that `move` asks; its own if it is undefined. */
  readonly movePath?: string | undefined
  /** More options for `push`, `unshift`, `assign`, `remove` and `move`. */
  readonly mutationOptions?: object | undefined
}
