import type { NoTyposIn } from '../endpoint/option-table.js'
import type { EndpointOptions, Transport } from '../endpoint/options.js'
import type { Denormalize } from '../schema/infer.js'
import type { Schema, SchemaContract } from '../schema/schema.js'
import type { Anything, Content, RestArgs, RestGenerics, SchemaOf, SideEffectOf, UrlArgs } from './generics.js'

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
   * More options for the accessors of the list, such as `push`: a different `getOptimisticResponse`, for example. Those of a
   * `resource` apply to all its mutations.
   *
   * @default undefined
   * @example getTodos.extend({ mutationOptions: { timeout: 10_000 } })
   */
  readonly mutationOptions?: object | undefined
  /**
   * Returns the params of the page after the last loaded one; undefined or null at the end. For `usePages` and
   * `pagesOf`.
   *
   * @default the next number for the pagination fields `page`, `_page` and `pageNumber`, the number of members for `offset`,
   * `skip`, `start` and `_start`, until a page is empty or repeats earlier ones; other fields need this function
   * @example getTodos.extend({ paginationField: 'page', nextPage: ({ items, index }) => (items.length < 20 ? null : { page: index + 2 }) })
   */
  nextPage?(last: LastPage<PageData<SchemaOf<O>>, PageItem<SchemaOf<O>>>): object | null | undefined
  /**
   * Performs the whole request. The default calls `url`, `getRequestInit`, `fetchResponse`, `parseResponse` and `process`,
   * in this order.
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
   * Returns the headers with additional ones, such as a token. It runs for each request, so do not use hooks in it.
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

/** Rejects misspelled options; `Own` is the endpoint, with the members of its class. */
export type NoTypos<P, Own = unknown> = NoTyposIn<P, keyof RestGenerics | keyof RestOptions<RestGenerics, unknown>, Own>

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

/** The page that `nextPage` receives. */
export interface LastPage<Data = unknown, Item = unknown> {
  /** The endpoint's data with only the members of this page. */
  readonly response: Data
  /** The members of the page. */
  readonly items: readonly Item[]
  /** The params with which the page was requested. */
  readonly params: Readonly<Record<string, Anything>>
  /** The number of pages before it. */
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
            // An entity is not a record of schemas, and may refer to itself.
            | { pk(...args: never): unknown }
        ? never
        : S extends object
          ? { [Field in keyof S]: CollectionOf<S[Field]> }[keyof S]
          : never

/** True for a schema that cannot contain a Collection. A custom schema may contain one. */
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
