import type { NoTyposIn } from '../endpoint/option-table.js'
import type { EndpointOptions, Transport } from '../endpoint/options.js'
import type { IsKnown, PathArgs } from '../path/params.js'
import type { Denormalize, PlainData } from '../schema/infer.js'
import type { Schema, SchemaContract } from '../schema/schema.js'

/** The ways to read the body of a response; see `RestGenerics.content`. */
export type Content = 'json' | 'blob' | 'text' | 'arrayBuffer' | 'stream'

/**
 * The options whose types are the same for all endpoints. As generics they are checked first, and an error names the type that is
 * expected.
 */
export interface SimpleOptions
  extends Pick<
    EndpointOptions,
    | 'name'
    | 'dataExpiryLength'
    | 'errorExpiryLength'
    | 'invalidIfStale'
    | 'pollFrequency'
    | 'timeout'
    | 'abortOnUnused'
    | 'retry'
    | 'scope'
    | 'parts'
    | 'batch'
    | 'signal'
    | 'refreshPages'
  > {
  /**
   * The prefix of the path, such as `https://api.test/v1`.
   *
   * @default ''
   * @example new RestEndpoint({ urlPrefix: 'https://api.test/v1', path: '/todos' })
   */
  readonly urlPrefix?: string | undefined
}

/**
 * The options from which the types of a `RestEndpoint` follow. They are inferred from the constructor's argument, or can be written
 * out.
 *
 * @example
 * ```ts
 * function show(endpoint: RestEndpoint<{ path: '/user/:id'; schema: typeof User }>) {}
 * ```
 */
export interface RestGenerics extends SimpleOptions {
  /**
   * The path template: `/user/:id{/:tab}`. The type of the first argument follows from it.
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
   * The HTTP method. Methods other than GET and QUERY have side effects. Methods other than GET, HEAD and DELETE take a body, if they
   * are set in the constructor (not in `extend`). QUERY is a read with a body, which belongs to its key.
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
   * True if a call changes something on the server; overrides the default of the method.
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
  /** The arguments of a call, if they do not follow from other options: `paginated(removeCursor)` sets those of the function. */
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

/** The generics as options of `extend`, for editors to complete: what is inferred from the options that are there names no others. */
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
    : [params?: object] // of nothing but a path, which is not known literally
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
          ? { [Name in keyof Both]: Both[Name] } // one object, which errors and tooltips show
          : never
    : unknown extends Search
      ? Params & Search
      : Params & Search & { readonly [param: string]: Anything }

/** The params that `key` accepts without further arguments: those of a path with required params. */
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

/** The body argument: the type of `body`, else the default of the method. */
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

/** The type of an endpoint's `sideEffect`: the option, else the default of the method. */
export type SideEffectOf<O extends RestGenerics> = RestGenerics extends O
  ? boolean | undefined
  : O extends { readonly sideEffect: infer Given extends boolean | undefined }
    ? Given
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

/** The type that a direct call resolves with: the result of `process`, else the type of `content`. */
export type ResultOf<O extends RestGenerics> = O extends { readonly process: infer Process }
  ? Process extends (...args: never) => infer Result
    ? Awaited<Result>
    : Anything
  : ParsedAs<O>

type ParsedAs<O> = O extends { readonly content: infer Given extends keyof Parsed } ? Parsed[Given] : PlainOf<O>

/** The type of parsed JSON, from the schema. The response to a mutation may be empty, and to a deletion anything. */
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
 * `method` in `extend` does not change the arguments of a call, so the previous method still decides whether there is a body.
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

/** Rejects misspelled options; `Own` is the endpoint, with the members of its class. */
export type NoTypos<P, Own = unknown> = NoTyposIn<P, keyof RestGenerics | keyof RestOptions<RestGenerics, unknown>, Own>

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

/** A FormData, identified by its entries, so that editors complete the fields of a body's data instead of a form's methods. */
export interface FormBody {
  [Symbol.iterator](): Iterator<[string, FormDataEntryValue]>
}

/** A type that no value has. Its text is the reason why an option is invalid. */
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

/**
 * The options of a `RestEndpoint` besides its generics: for the constructor, for `extend`, or as members of a subclass.
 */
export interface RestOptions<O extends RestGenerics, Result>
  extends Omit<
    EndpointOptions<(...args: RestArgs<O>) => Promise<Anything>, SchemaOf<O>, SideEffectOf<O>>,
    'schema' | 'sideEffect'
  > {
  /**
   * The prefix of the path, such as `https://api.test/v1`.
   *
   * @default ''
   * @example new RestEndpoint({ urlPrefix: 'https://api.test/v1', path: '/todos' })
   */
  readonly urlPrefix?: string | undefined
  /**
   * Options for every `fetch`; `method`, `body` and `signal` of the endpoint override them.
   *
   * @default undefined
   * @example new RestEndpoint({ path: '/me', requestInit: { credentials: 'include' } })
   */
  readonly requestInit?: RequestInit | undefined
  /**
   * More options for the accessors of the list, such as `push`: another `getOptimisticResponse` than the list's.
   *
   * @default undefined
   * @example getTodos.extend({ mutationOptions: { timeout: 10_000 } })
   */
  readonly mutationOptions?: object | undefined
  /**
   * Returns the params of the page after the last one that is loaded, undefined or null at the end; for `usePages` and `pagesOf`.
   *
   * @default the next number for the pagination fields `page`, `_page` and `pageNumber`, the number of members for `offset`, `skip`,
   * `start` and `_start`, until a page is empty or repeats earlier ones; other fields need this function
   * @example getTodos.extend({ paginationField: 'page', nextPage: ({ items, index }) => (items.length < 20 ? null : { page: index + 2 }) })
   */
  nextPage?(last: LastPage<PageData<SchemaOf<O>>, PageItem<SchemaOf<O>>>): object | null | undefined
  /**
   * Performs the whole request. The default calls `url`, `getRequestInit`, `fetchResponse`, `parseResponse` and `process`, in this
   * order.
   */
  fetch?(...args: RestArgs<O>): Promise<Anything>
  /**
   * Returns the URL of a call.
   *
   * @example getTodo.extend({ url: ({ id }) => `https://api.test/todo?id=${id}` })
   */
  url?(...args: UrlArgs<O>): string
  /**
   * Returns the query string for search params. Override it to encode nested objects.
   *
   * @example search.extend({ searchToString: (params) => new URLSearchParams(params as Record<string, string>).toString() })
   */
  searchToString?(searchParams: Readonly<Record<string, Anything>>): string
  /**
   * Returns the options of `fetch`; `body` is the call's body argument.
   *
   * @example getTodo.extend({ getRequestInit: () => ({ method: 'GET', credentials: 'include' }) })
   */
  getRequestInit?(body?: Anything): RequestInit | Promise<RequestInit>
  /**
   * Returns the given headers with additional ones, such as a token. It runs for each request, so do not use hooks in it.
   *
   * @example getTodo.extend({ getHeaders: (headers) => ({ ...headers, 'x-tenant': '7' }) })
   */
  getHeaders?(headers: Record<string, string>): HeadersInit | Promise<HeadersInit>
  /**
   * Performs the HTTP call. Override it to use another `fetch`.
   *
   * @example getTodo.extend({ fetchResponse: (url, init) => fetch(url, init) })
   */
  fetchResponse?(input: string | URL | Request, init: RequestInit): Promise<Response>
  /**
   * Reads the body of the response.
   *
   * @example getTodo.extend({ parseResponse: (response) => response.json() })
   */
  parseResponse?(response: Response): Promise<Anything>
  /**
   * Computes the result of a call from the parsed body.
   *
   * @example getTodos.extend({ process: (value: { data: { id: number }[] }) => value.data })
   */
  process?(value: Anything, ...args: RestArgs<O>): Result
}

/** The page that `nextPage` receives. */
export interface LastPage<Data = unknown, Item = unknown> {
  /** The data of the last page: that of the endpoint, with the members of this page alone. */
  readonly response: Data
  /** The members of the page. */
  readonly items: readonly Item[]
  /** The params that it was requested with. */
  readonly params: Readonly<Record<string, Anything>>
  /** How many pages come before it. */
  readonly index: number
}

type PageData<S> = S extends Schema ? Denormalize<S> : Anything

type PageItem<S> =
  Extract<PageData<CollectionOf<S>>, readonly unknown[]> extends readonly (infer Item)[] ? Item : Anything

/** The first Collection in a schema; `never` if there is none. */
export type CollectionOf<S> = S extends { readonly push: unknown; readonly isMap: boolean }
  ? S
  : S extends { readonly definition: infer Definition }
    ? CollectionOf<Definition>
    : S extends SchemaContract
      ? S extends { readonly schema: infer Inner; readonly process: unknown }
        ? CollectionOf<Inner>
        : never
      : S extends
            | readonly unknown[]
            | ((...args: never) => unknown)
            | (abstract new (
                ...args: never
              ) => unknown)
            // An entity is no record of schemas, and refers to itself.
            | { pk(...args: never): unknown }
        ? never
        : S extends object
          ? { [Field in keyof S]: CollectionOf<S[Field]> }[keyof S]
          : never

/** True for a schema in which no Collection can be; one of the user's own may have one. */
export type LacksList<S> = [CollectionOf<S>] extends [never] ? (false extends PartsLack<S> ? false : true) : false

type PartsLack<S> = S extends (abstract new (...args: never) => unknown) | { pk(...args: never): unknown }
  ? true
  : S extends SchemaContract
    ? false
    : S extends string | readonly unknown[] | ((...args: never) => unknown)
      ? true
      : S extends object
        ? { [Field in keyof S]: PartsLack<S[Field]> }[keyof S]
        : true

/** The members of a `RestEndpoint` whose types do not depend on its generics, so that any subclass may redeclare them. */
export interface RestMembers {
  /** The path template. */
  readonly path: string
  /** The prefix of the path, with or without scheme and host. */
  readonly urlPrefix: string
  /** The HTTP method. */
  readonly method: string
  /** True if no override of `fetch`, `parseResponse` or `process` can hold the result of a call. */
  readonly transfers: boolean
  /** Options for every `fetch`. */
  readonly requestInit?: RequestInit | undefined
  /** Performs the HTTP calls; the global `fetch` if undefined. */
  readonly transport?: Transport | undefined
  /** Called right before a request is sent, with its options. */
  onSend?(init: RequestInit): void
  /** How the body of a response is read; depends on its content type if undefined. */
  readonly content?: Content | undefined
  /** The search param that selects a page. */
  readonly paginationField?: string | undefined
  /** Returns the params of the page after the last one; counts on by the pagination field if undefined. */
  nextPage?(last: LastPage<Anything, Anything>): object | null | undefined
  /** The path of `move`; the endpoint's own path if undefined. */
  readonly movePath?: string | undefined
  /** More options for the accessors of the list, such as `push`. */
  readonly mutationOptions?: object | undefined
}
