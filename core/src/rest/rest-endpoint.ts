import { Endpoint, type EndpointMembers } from '../endpoint/endpoint.js'
import { defineDefault, type OptionRecord } from '../endpoint/option-table.js'
import type { ResultUpdater, Snapshot } from '../endpoint/options.js'
import { searchToString } from '../path/search.js'
import { template } from '../path/template.js'
import { stableKey } from '../util/stable-key.js'
import {
  type AccessorGenerics,
  type AccessorName,
  type CursorGenerics,
  listOf,
  type MemberSchemaOf,
  type NeedsCollection,
  type PageGenerics,
  type RemoveCursor,
} from './accessors.js'
import { type BodyPlace, bodyPlace, checkContent, type EndpointInfo, methodOf, splitArgs } from './endpoint-info.js'
import type {
  Anything,
  Extended,
  ExtendedResult,
  KeyParams,
  NewMembers,
  NoTypos,
  Processed,
  RestArgs,
  RestGenerics,
  RestMembers,
  RestOptions,
  RestRules,
  ResultOf,
  SchemaOf,
  SideEffectOf,
  UrlParams,
} from './generics.js'
import { NetworkError } from './network-error.js'
import { badHeader, preparedInit } from './request.js'
import { readBody, received, type Sent, sentOf } from './response.js'
import { checkJoint, urlOf } from './url.js'

/** `Endpoint` as `RestEndpoint` extends it: its own `extend` knows other options. */
const Base = Endpoint as unknown as new <Args extends readonly unknown[], O extends RestGenerics>(
  options: object,
) => EndpointMembers<(...args: Args) => Promise<unknown>, SchemaOf<O>, SideEffectOf<O>>

// `fetch`, `process` and `key` have two signatures, each with a type of its own for its arguments: with several the compiler compares
// an override by what is left without such types, so in a generic class it may leave arguments out or say its own.

/**
 * One HTTP operation: a path template, a method, what goes in and what comes out. It is called like a function.
 *
 * @remarks
 * Every option may be given to the constructor, to `extend`, or be a member of a subclass; options of `extend` win over
 * members of a class. In a class the parent is called by `super`, in an options object by
 * `RestEndpoint.prototype.getHeaders.call(this, headers)` or `base.getHeaders.call(this, headers)`.
 *
 * @example
 * ```ts
 * const getUser = new RestEndpoint({ urlPrefix: 'https://api.test', path: '/user/:id', schema: User })
 * await getUser({ id: 5 }) // GET https://api.test/user/5
 * const save = getUser.extend({ method: 'PUT', body: {} as Partial<User> })
 * ```
 * @throws OptionError for options that cannot be.
 */
export class RestEndpoint<O extends RestGenerics = RestGenerics, Result = ResultOf<O>> extends Base<RestArgs<O>, O> {
  /** What follows from members that do not change, worked out at the first use. */
  #info: EndpointInfo | undefined
  /** What an `extend` without `body` took over. */
  #body: BodyPlace | undefined
  readonly #accessors = new Map<string, RestEndpoint>()
  readonly #sent = new WeakMap<Response, Sent>()

  constructor(
    options: Readonly<O> &
      RestOptions<O, Result> &
      RestRules<O> &
      NoTypos<O> &
      ThisType<RestEndpoint<O, Result> & Readonly<O>>,
  ) {
    super(withMethod(options))
    // Fields of a class come after this: then the first use checks the rest.
    if (new.target === RestEndpoint) this.#described()
    else if (this.path !== undefined) template(this.path)
  }

  /** Performs the request: `url`, `getRequestInit`, `fetchResponse`, `parseResponse`, `process`, in this order. */
  override fetch(...args: never): Promise<Processed<this, Result>>
  override fetch<Args extends readonly unknown[] = RestArgs<O>>(
    ...args: NoInfer<Args>
  ): Promise<Processed<this, Result>>
  override async fetch(...args: Anything): Promise<Processed<this, Result>> {
    const { params, body } = splitArgs(args, (this.#info ?? this.#firstInfo()).body)
    const url = this.url(params as never)
    const init = await this.getRequestInit(body)
    this.onSend?.(init)
    const response = await this.fetchResponse(url, init)
    const value = await this.parseResponse(response)
    return this.process(value, ...args)
  }

  /**
   * The URL for these params: `urlPrefix`, the filled path, and what is no path param as a query string.
   *
   * @throws UrlParamError for a param that cannot stand in it, UrlOriginError if it would lead to another origin.
   */
  url(urlParams?: UrlParams<O>): string {
    return urlOf(this, this.#info ?? this.#firstInfo(), urlParams)
  }

  /**
   * Writes search params as a query string, sorted by name. Override it to encode nested objects.
   *
   * @throws KeyArgError for a nested object
   */
  searchToString(searchParams: Readonly<Record<string, Anything>>): string {
    return searchToString(searchParams, this.name)
  }

  /** Prepares the options of `fetch`, async. Override it to add some, or to change the body: all requests pass through it. */
  getRequestInit(body?: Anything): RequestInit | Promise<RequestInit> {
    return preparedInit(this as never, body)
  }

  /** Returns the headers of a request. Override it to add some, such as a token; it may be async. */
  getHeaders(headers: Record<string, string>): HeadersInit | Promise<HeadersInit> {
    return headers
  }

  /**
   * Performs the HTTP call.
   *
   * @throws NetworkError if the answer is not ok, TransportError if there is none, AbortError and TimeoutError
   */
  async fetchResponse(input: string | URL | Request, init: RequestInit): Promise<Response> {
    const sent = sentOf(input, init)
    const response = await received(sent, fetch(input, init)).catch((error) => {
      throw badHeader(init.headers) ?? error
    })
    if (!response.ok) throw new NetworkError(response, sent)
    this.#sent.set(response, sent)
    return response
  }

  /**
   * Reads the body of an answer, as `content` or its content-type says; null for 204, 205 and HEAD.
   *
   * @throws ResponseParseError for JSON that is none
   */
  async parseResponse(response: Response): Promise<Anything> {
    const sent = this.#sent.get(response) ?? { url: response.url, method: methodOf(this), signal: this.signal }
    return readBody(response, this.content, this.schema !== undefined && this.schema !== null, sent)
  }

  /** Makes the result of a call from what was parsed: here the same. */
  process(value: Anything, ...args: never): Anything
  process<Args extends readonly unknown[] = RestArgs<O>>(value: Anything, ...args: NoInfer<Args>): Anything
  process(value: Anything): Anything {
    return value
  }

  /**
   * The text under which the answer to these arguments is kept: the method, a space and the URL; for a read with a body
   * one more space and the body. Where the path has required params, a single argument is the params.
   *
   */
  override key<Args extends readonly unknown[] = RestArgs<O>>(...args: NoInfer<Args>): string
  override key<Params = KeyParams<O>>(urlParams: NoInfer<Params>): string
  override key(...args: readonly unknown[]): string {
    const info = this.#info ?? this.#firstInfo()
    const isParams = args.length === 1 && info.template?.needsParams
    const { params, body } = splitArgs(args, isParams ? 'none' : info.body)
    const url = info.isOwnUrl ? urlOf(this as never, info, params) : this.url(params as never)
    const key = `${info.method} ${url}`
    // Spaces in the text of the body are in strings only, where an escape means the same; so the last space of a key parts URL and body.
    return info.hasBodyInKey && body !== undefined ? `${key} ${stableKey(body).replaceAll(' ', '\\u0020')}` : key
  }

  /** Tells whether a key is one of this endpoint's, by method, `urlPrefix` and path. */
  override testKey(key: string): boolean {
    const { method, hasBodyInKey, template } = this.#info ?? this.#firstInfo()
    const start = `${method} ${this.urlPrefix}`
    if (!template || !key.startsWith(start)) return false
    const end = hasBodyInKey ? key.lastIndexOf(' ') : -1
    return template.matches(key.slice(start.length, end < start.length ? undefined : end))
  }

  /** The same text for all endpoints of one method, `urlPrefix` and path; undefined where `testKey` was overridden. */
  get keyPattern(): string | undefined {
    if (this.testKey !== RestEndpoint.prototype.testKey) return undefined
    const { method, hasBodyInKey } = this.#info ?? this.#firstInfo()
    return [method, this.urlPrefix, this.path, hasBodyInKey].join(' ')
  }

  /** A new endpoint with these options on top of this one's; see `Endpoint.extend`. */
  extend<
    P extends Partial<RestGenerics> & object = Record<never, never>,
    NextResult = ExtendedResult<this, O, P, Result>,
  >(
    options: Readonly<P> & RestExtendOptions<this, Extended<O, P>, NextResult, P>,
  ): RestEndpoint<Extended<O, P>, NextResult> & Added<this> & NewMembers<P, keyof RestEndpoint> {
    const next: RestEndpoint = Endpoint.prototype.extend.call(this, withMethod(options)) as never
    if (!('body' in next)) {
      const place = bodyPlace(this, this.#body)
      next.#body = place === 'none' && 'method' in options ? 'second' : place
    }
    next.#described()
    return next as never
  }

  /** An endpoint that adds new members at the end of the Collection in the schema. */
  get push(): Accessor<this, O, 'push'> {
    return this.#accessor('push')
  }

  /** An endpoint that adds new members at the start of the Collection. */
  get unshift(): Accessor<this, O, 'unshift'> {
    return this.#accessor('unshift')
  }

  /** An endpoint that adds members to a Collection of Values, by their keys. */
  get assign(): Accessor<this, O, 'assign'> {
    return this.#accessor('assign')
  }

  /** An endpoint that removes a member from the Collection, and updates it by the answer. */
  get remove(): Accessor<this, O, 'remove'> {
    return this.#accessor('remove')
  }

  /** An endpoint that moves a member to the lists that match it once it is updated. Its path is `movePath`, if that is set. */
  get move(): Accessor<this, O, 'move'> {
    return this.#accessor('move')
  }

  /** An endpoint for further pages, if `paginationField` is set; their members are appended to the list. */
  get getPage(): PageAccessor<this, O> {
    const { paginationField } = this
    return (paginationField === undefined ? undefined : this.paginated(paginationField)) as never
  }

  /**
   * An endpoint for further pages of the list in the schema: `cursor` is the search param that names the page, or a
   * function that takes a page's arguments and returns the list's.
   *
   * @throws OptionError if the schema has no Collection.
   */
  paginated<Field extends string>(cursor: Field): RestEndpoint<PageGenerics<O, Field>> & Added<this>
  paginated<Args extends readonly unknown[]>(
    cursor: RemoveCursor<Args>,
  ): RestEndpoint<CursorGenerics<O, Args>> & Added<this>
  paginated(cursor: string | RemoveCursor): never {
    const options = (): OptionRecord => listOf(this as never, 'pages').pageOptions(this as never, cursor)
    return typeof cursor === 'string'
      ? this.#cached(`paginated ${cursor}`, options)
      : (this.extend(options() as never) as never)
  }

  #accessor(accessor: AccessorName): never {
    return this.#cached(accessor, () => listOf(this as never, accessor).accessorOptions(this as never, accessor))
  }

  /** Accessors are made once, so that reading one in a render costs nothing. */
  #cached(name: string, options: () => OptionRecord): never {
    const accessor = this.#accessors.get(name) ?? (this.extend(options() as never) as unknown as RestEndpoint)
    this.#accessors.set(name, accessor)
    return accessor as never
  }

  #firstInfo(): EndpointInfo {
    this.#info = this.#described()
    return this.#info
  }

  #described(): EndpointInfo {
    if (process.env.NODE_ENV !== 'production') checkContent(this)
    checkJoint(this)
    const body = bodyPlace(this, this.#body)
    return {
      name: this.name,
      method: methodOf(this),
      body,
      hasBodyInKey: body !== 'none' && !this.sideEffect,
      isOwnUrl: this.url === RestEndpoint.prototype.url,
      isOwnSearch: this.searchToString === RestEndpoint.prototype.searchToString,
      template: this.path === undefined ? undefined : template(this.path),
    }
  }
}

/** Options with their method, if they have one, as `methodOf` gives it. */
function withMethod(options: { readonly method?: string | undefined }): OptionRecord {
  const { method } = options
  return method === undefined ? { ...options } : { ...options, method: methodOf({ method }) }
}

/** The members of a `RestEndpoint` that are no methods. */
export interface RestEndpoint<O, Result> extends RestMembers {
  /** For the compiler only: it has no value at run time. */
  readonly '~types': { readonly generics: O; readonly result: Result }
  // An override in a generic class may have any arguments; those of options are known by `RestOptions`.
  getOptimisticResponse?(snapshot: Snapshot, ...args: Anything): unknown
  update?(normalizedResponse: Anything, ...args: Anything): Readonly<Record<string, ResultUpdater>>
  requestKey?(...args: Anything): string
  /** An endpoint whose arguments are given. `thisArg` is ignored, as it is by `call` and `apply`. */
  bind(
    thisArg: unknown,
    ...args: RestArgs<O>
  ): EndpointMembers<() => Promise<Awaited<Result>>, SchemaOf<O>, SideEffectOf<O>>
}

/** Members that a subclass has added. */
type Added<This> = Omit<This, keyof RestEndpoint>

type Accessor<This, O extends RestGenerics, A extends AccessorName> = RestGenerics extends O
  ? Anything
  : [MemberSchemaOf<O, A>] extends [never]
    ? NeedsCollection
    : RestEndpoint<AccessorGenerics<O, A>> & Added<This>

type PageAccessor<This, O extends RestGenerics> = RestGenerics extends O
  ? Anything
  : O extends { readonly paginationField: infer Field extends string }
    ? RestEndpoint<PageGenerics<O, Field>> & Added<This>
    : undefined

type RestExtendOptions<This, Next extends RestGenerics, Result, P> = RestOptions<Next, Result> &
  RestRules<Next> &
  NoTypos<P, This> & {
    readonly [Member in Exclude<keyof This, keyof RestEndpoint>]?: This[Member]
  } & ThisType<RestEndpoint<Next, Result> & Added<This> & Readonly<P>>

const { prototype } = RestEndpoint
/** Overrides of these may keep what a call resolves with. */
const overridableHooks = ['fetch', 'parseResponse', 'process'] as const
defineDefault(prototype, 'name', ({ urlPrefix, path }: RestEndpoint) => urlPrefix + path)
defineDefault(prototype, 'urlPrefix', () => '')
defineDefault(prototype, 'method', () => 'GET')
defineDefault(prototype, 'sideEffect', (endpoint: RestEndpoint) => methodOf(endpoint) !== 'GET' || undefined)
defineDefault(prototype, 'transfers', (it: RestEndpoint) =>
  overridableHooks.every((name) => it[name] === prototype[name]),
)
