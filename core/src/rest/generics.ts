import type { EndpointOptions } from '../endpoint/options.js'
import type { IsKnown, PathArgs } from '../path/params.js'
import type { PlainData } from '../schema/infer.js'
import type { Schema } from '../schema/schema.js'

/** The ways to read the body of a response; see `RestGenerics.content`. */
export type Content = 'json' | 'blob' | 'text' | 'arrayBuffer' | 'stream'

/** The options of all endpoints that are simple values: neither functions nor options that determine other types. */
type ValueOption = {
  [Name in keyof EndpointOptions]-?: [Exclude<EndpointOptions[Name], undefined>] extends [(...args: never) => unknown]
    ? never
    : Name
}[Exclude<keyof EndpointOptions, 'schema' | 'sideEffect'>]

/**
 * The options whose types are the same for all endpoints. As generics they are checked first, and an error names the
 * expected type.
 */
export interface SimpleOptions extends Pick<EndpointOptions, ValueOption> {
  /**
   * The prefix of the path, such as `https://api.test/v1`.
   *
   * @default ''
   * @example new RestEndpoint({ urlPrefix: 'https://api.test/v1', path: '/todos' })
   */
  readonly urlPrefix?: string | undefined
}

/**
 * The options that determine the types of a `RestEndpoint`. They are inferred from the constructor's argument, or can be
 * written out.
 *
 * @example
 * ```ts
 * function show(endpoint: RestEndpoint<{ path: '/user/:id'; schema: typeof User }>) {}
 * ```
 */
export interface RestGenerics extends SimpleOptions {
  /**
   * The path template: `/user/:id{/:tab}`. It determines the type of the first argument.
   *
   * @example new RestEndpoint({ path: '/users/:id{/:tab}' }) // ({ id: 5 }), ({ id: 5, tab: 'posts' })
   */
  readonly path: string
  /**
   * The schema of the data. It must be undefined if `content` is not JSON.
   *
   * @default undefined
   * @example new RestEndpoint({ path: '/todos', schema: new Collection([Todo]) })
   */
  readonly schema?: Schema
  /**
   * The HTTP method. Methods other than GET and QUERY have side effects. Methods other than GET, HEAD and DELETE take a
   * body, if they are set in the constructor (not in `extend`). QUERY is a read whose body is part of its key.
   *
   * @default 'GET'
   * @example new RestEndpoint({ path: '/todos/:id', method: 'PUT', schema: Todo })
   */
  readonly method?: Method
  /**
   * The type of the body argument, as in `body: {} as { title: string }`; the value is never sent. `undefined`: no body.
   *
   * @default depends on the method; a body has the type any
   * @example new RestEndpoint({ path: '/login', method: 'POST', body: {} as { name: string; password: string } })
   */
  readonly body?: unknown
  /**
   * The type of the params of the query string, as in `searchParams: {} as { page?: number }`.
   *
   * @default none
   * @example new RestEndpoint({ path: '/search', searchParams: {} as { query: string; page?: number } })
   */
  readonly searchParams?: unknown
  /**
   * The search param that selects a page. The endpoint then has `getPage`.
   *
   * @default undefined
   * @example await getTodos.extend({ paginationField: 'page' }).getPage({ page: 2 })
   */
  readonly paginationField?: string
  /**
   * How the body of a response is read, which determines its type.
   *
   * @default undefined: depends on the content type of the response
   * @example new RestEndpoint({ path: '/photos/:id', content: 'blob' })
   */
  readonly content?: Content | undefined
  /**
   * The path of `move`, if it has more params than the list's: `/board/:board/card/:id`.
   *
   * @example new RestEndpoint({ path: '/lists/:list/todos', schema: todos, movePath: '/lists/:list/todos/:id' })
   */
  readonly movePath?: string
  /**
   * True if a call changes something on the server. Overrides the default of the method.
   *
   * @example new RestEndpoint({ path: '/search', method: 'POST', sideEffect: false, schema: [Todo] })
   */
  readonly sideEffect?: boolean | undefined
  /**
   * Computes the result of a call from the parsed response.
   *
   * @example new RestEndpoint({ path: '/todos', process: (value: { data: { id: number }[] }) => value.data })
   */
  readonly process?: unknown
  /** The type of the body of `push` and `unshift`, if it is not the entity's; `resource` sets it to its `body`. */
  readonly memberBody?: unknown
  /** The arguments of a call, if other options do not determine them: those of the function in `paginated`. */
  readonly args?: readonly unknown[]
}

/** Any text; editors complete the usual methods. */
type Method =
  | 'GET'
  | 'POST'
  | 'PUT'
  | 'PATCH'
  | 'DELETE'
  | 'HEAD'
  | 'OPTIONS'
  | 'QUERY'
  | (string & NonNullable<unknown>)

/** The generics as options of `extend`, so that editors complete them: options of an inferred type have no other names. */
export type GenericOptions = Pick<
  Partial<RestGenerics>,
  'path' | 'schema' | 'method' | 'body' | 'searchParams' | 'paginationField' | 'content' | 'movePath' | 'sideEffect'
>

/** The type of undescribed data: parsed JSON, and bodies without a type. */
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
  ? keyof RestGenerics extends keyof O
    ? [params?: Anything, body?: Anything]
    : [params?: object] // only a path, which is no literal
  : O extends { readonly args: infer Args extends readonly unknown[] }
    ? Args
    : ArgsOf<O>

type ArgsOf<O extends RestGenerics> =
  BodyArgs<O> extends readonly [] ? ParamArgs<UrlParams<O>> : ParamsAndBody<UrlParams<O>, BodyArgs<O>>

/** The type of the first argument: path params and search params; `unknown` if there are none. */
export type UrlParams<O extends RestGenerics> = ParamsAndSearch<O['path'], PathArgs<O['path']>, SearchParamsOf<O>>

/** A path that is not a literal takes any params beside search params. */
type ParamsAndSearch<Path extends string, Params, Search> =
  IsKnown<Path> extends true
    ? unknown extends Params
      ? Params & Search
      : unknown extends Search
        ? Params & Search
        : Params & Search extends infer Both
          ? { [Name in keyof Both]: Both[Name] } // a single object type, for errors and tooltips
          : never
    : unknown extends Search
      ? Params & Search
      : Params & Search & { readonly [param: string]: Anything }

/** The params that `key` accepts alone: those of a path with required params. */
export type KeyParams<O extends RestGenerics> = Record<never, never> extends PathArgs<O['path']> ? never : UrlParams<O>

/** The arguments of `url`. */
export type UrlArgs<O extends RestGenerics> = RestGenerics extends O
  ? [params?: keyof RestGenerics extends keyof O ? Anything : object]
  : ParamArgs<UrlParams<O>>

/** The declared search params; `unknown` if there are none. */
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

/** The arguments of a call with a body. A single argument is the body, so the body is optional only without params. */
type ParamsAndBody<Params, Body extends readonly unknown[]> = 0 extends 1 & Params
  ? Body | [params: Params, body: Body[0]]
  : unknown extends Params
    ? Body
    : Record<never, never> extends Params
      ? Body | [params: Params, body: Body[0]]
      : [params: Params, body: Body[0]]

/** The body argument: the type of `body`, or else the default of the method. */
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

/** The type of an endpoint's `sideEffect`: the option, or else the default of the method. */
export type SideEffectOf<O extends RestGenerics> = RestGenerics extends O
  ? boolean | undefined
  : O extends { readonly sideEffect: infer Option extends boolean | undefined }
    ? Option
    : O extends { readonly method: infer Method extends string }
      ? Uppercase<Method> extends 'GET' | 'QUERY'
        ? undefined
        : true
      : undefined

/** The type of an endpoint's `schema`. */
export type SchemaOf<O extends RestGenerics> = RestGenerics extends O
  ? Schema
  : O extends { readonly schema: unknown }
    ? O['schema']
    : undefined

/** The type that a direct call resolves with: the result of `process`, or else the type of `content`. */
export type ResultOf<O extends RestGenerics> = O extends { readonly process: infer Process }
  ? Process extends (...args: never) => infer Result
    ? Awaited<Result>
    : Anything
  : ParsedAs<O>

type ParsedAs<O> = O extends { readonly content: infer Name extends keyof Parsed } ? Parsed[Name] : PlainOf<O>

/** The type of parsed JSON by the schema. The response to a mutation may be empty, and that to a deletion anything. */
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
 * The generics of an endpoint after `extend`: the new options merged over the previous ones.
 *
 * @remarks
 * `method` in `extend` does not change the arguments of a call, so the previous method still decides whether there is a
 * body.
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

/** Generics with others merged over them. */
export type Merged<O extends RestGenerics, P> = RestGenerics extends O
  ? RestGenerics
  : {
        readonly [K in keyof O | keyof P]: K extends keyof P ? P[K] : K extends keyof O ? O[K] : never
      } extends infer Next extends RestGenerics
    ? Next
    : RestGenerics

/** The type that a direct call resolves with: the result of the class's own `process`, unless that is `any`. */
export type Processed<This extends { process(...args: never): unknown }, Result> = 0 extends 1 &
  ReturnType<This['process']>
  ? Awaited<Result>
  : Awaited<ReturnType<This['process']>>

/** The type that a direct call resolves with after `extend`. */
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

/** The members that options add to an endpoint, such as an `accessToken`. */
export type NewMembers<P, Known> = [Exclude<keyof P, Known | keyof RestGenerics>] extends [never]
  ? unknown
  : { readonly [Name in Exclude<keyof P, Known | keyof RestGenerics>]: P[Name] }

/**
 * Generics with defaults, for classes that set options themselves.
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

/**
 * A FormData, identified by its entries, so that editors complete the fields of a body's data instead of a form's methods.
 */
export interface FormBody {
  [Symbol.iterator](): Iterator<[string, FormDataEntryValue]>
}

/** A type that no value has. Its text tells why an option is invalid. */
export interface Refused<Reason extends string> {
  readonly 'this cannot be': Reason
}

/** Rejects invalid combinations of options. */
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
