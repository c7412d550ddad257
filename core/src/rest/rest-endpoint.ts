import { Endpoint, type EndpointMembers } from '../endpoint/endpoint.js'
import { defineDefault, type OptionRecord } from '../endpoint/option-table.js'
import type { RequestPart, ResultUpdater, Snapshot } from '../endpoint/options.js'
import { searchWriter } from '../path/search.js'
import { template } from '../path/template.js'
import { describe } from '../util/describe.js'
import { OptionError } from '../util/errors.js'
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
  GenericOptions,
  KeyParams,
  NewMembers,
  Processed,
  RestArgs,
  RestGenerics,
  RestRules,
  ResultOf,
  SchemaOf,
  SideEffectOf,
  UrlParams,
} from './generics.js'
import { NetworkError } from './network-error.js'
import type { LacksList, NoTypos, RestMembers, RestOptions } from './options.js'
import { badHeader, checkInit, preparedInit } from './request.js'
import { checkResponse, readBody, received, type SentRequest, warnOfLost } from './response.js'
import { checkJoint, urlOf } from './url.js'

/** The request of each response, for errors that its body may cause. */
const sentOf = /* @__PURE__ */ new WeakMap<Response, SentRequest>()

/** `Endpoint` as the base of `RestEndpoint`, whose `extend` has other options. */
const Base = Endpoint as unknown as new <Args extends readonly unknown[], O extends RestGenerics>(
  options: object,
) => EndpointMembers<(...args: Args) => Promise<unknown>, SchemaOf<O>, SideEffectOf<O>>

// `fetch`, `process` and `key` have two signatures with a type parameter for the arguments. With several signatures, the
// compiler erases type parameters when it compares an override, so overrides in a generic class may omit arguments or
// declare their own.

/**
 * One HTTP operation: a path template, a method, and the types of its arguments and result. It is called like a function.
 *
 * @remarks
 * Pass options to the constructor or to `extend`, or define them as members of a subclass; options of `extend` override
 * members of a class. In a class call the parent with `super`, in an options object with
 * `RestEndpoint.prototype.getHeaders.call(this, headers)` or `base.getHeaders.call(this, headers)`.
 *
 * @example
 * ```ts
 * const getUser = new RestEndpoint({ urlPrefix: 'https://api.test', path: '/user/:id', schema: User })
 * await getUser({ id: 5 }) // GET https://api.test/user/5
 * const save = getUser.extend({ method: 'PUT', body: {} as Partial<User> })
 * ```
 * @throws OptionError for invalid options; in production some are found by the first call.
 */
export class RestEndpoint<O extends RestGenerics = RestGenerics, Result = ResultOf<O>> extends Base<RestArgs<O>, O> {
  /** The parts of each request of this class's endpoints, in addition to those of the classes that it extends. */
  declare static readonly parts?: readonly RequestPart[]
  /** The information that follows from immutable members, computed on first use. */
  #info: EndpointInfo | undefined
  /** The body that an `extend` without `body` has inherited. */
  #body: BodyPlace | undefined
  #accessors: Map<string, RestEndpoint> | undefined

  constructor(
    options: Readonly<O> &
      RestOptions<O, Result> &
      RestRules<O> &
      NoTypos<O> &
      ThisType<RestEndpoint<O, Result> & Readonly<O>>,
  ) {
    super(withMethod(options))
    // The first use derives the rest from the options, and checks it, since class fields are set after this constructor.
    if (process.env.NODE_ENV !== 'production') {
      if (new.target === RestEndpoint) this.#described()
      else if (this.path !== undefined) template(this.path)
    }
  }

  /** Performs the request: `url`, `getRequestInit`, `fetchResponse`, `parseResponse`, `process`, in this order. */
  override fetch(...args: never): Promise<Processed<this, Result>>
  override fetch<Args extends readonly unknown[] = RestArgs<O>>(
    ...args: NoInfer<Args>
  ): Promise<Processed<this, Result>>
  override async fetch(...args: Anything): Promise<Processed<this, Result>> {
    const { params, body } = splitArgs(args, this.#facts.body)
    const url = this.url(params as never)
    const init = await this.getRequestInit(body)
    checkInit(init)
    this.onSend?.(init)
    const response = await this.fetchResponse(url, init)
    const value = await this.parseResponse(response)
    const processed = this.process(value, ...args)
    if (process.env.NODE_ENV !== 'production' && this.schema !== undefined && init.method !== 'DELETE')
      warnOfLost(this.name, value, processed)
    return processed
  }

  /**
   * Returns the URL for these params: `urlPrefix`, the path with its params, and all other params as a query string.
   *
   * @throws UrlParamError for a missing or invalid param, UrlOriginError if the URL would lead to another origin.
   */
  url(urlParams?: UrlParams<O>): string {
    return urlOf(this, this.#info ?? this.#facts, urlParams)
  }

  /**
   * Returns the query string for search params, sorted by name. Override it to encode nested objects.
   *
   * @throws KeyArgError for a nested object
   */
  searchToString(searchParams: Readonly<Record<string, Anything>>): string {
    return searchWriter()(searchParams, this.name)
  }

  /**
   * Returns the options of `fetch`; it may be async. Override it to add options or to change the body: every request calls
   * it.
   */
  getRequestInit(body?: Anything): RequestInit | Promise<RequestInit> {
    return preparedInit(this as never, body)
  }

  /** Returns the headers of a request; it may be async. Override it to add headers, such as a token. */
  getHeaders(headers: Record<string, string>): HeadersInit | Promise<HeadersInit> {
    return headers
  }

  /**
   * Performs the HTTP call with `transport`, or else with the global `fetch`. Override it to inspect the response first.
   *
   * @throws NetworkError for an error status, TransportError if no response arrives, AbortError and TimeoutError
   */
  async fetchResponse(input: string | URL | Request, init: RequestInit): Promise<Response> {
    const { method = 'GET', signal } = init
    const sent = { url: String((input as Partial<Request>).url ?? input), method, signal }
    const { transport, aroundExchange } = this
    const send = async (by: RequestInit): Promise<Response> => {
      // Async, so that a transport that throws fails like one that rejects. A platform's `fetch` must be called without
      // `this`.
      const call = async (): Promise<Response> => (transport ? transport(input, by, this as never) : fetch(input, by))
      const response = await received(sent, call()).catch((error) => {
        throw badHeader(by.headers) ?? error
      })
      checkResponse(response, 'transport')
      return response
    }
    const response = await (aroundExchange ? aroundExchange(input, init, send) : send(init))
    checkResponse(response, 'exchange of a part')
    if (!response.ok) throw new NetworkError(response, sent)
    sentOf.set(response, sent)
    return response
  }

  /**
   * Reads the body of a response by `content` or its content type; null for 204, 205 and HEAD.
   *
   * @throws ResponseParseError for invalid JSON
   */
  async parseResponse(response: Response): Promise<Anything> {
    checkResponse(response, 'fetchResponse')
    const sent = sentOf.get(response) ?? { url: response.url, method: methodOf(this), signal: this.signal }
    return readBody(response, this.content, this.schema !== undefined && this.schema !== null, sent)
  }

  /** Computes the result of a call from the parsed body. By default it returns the body. */
  process(value: Anything, ...args: never): Anything
  process<Args extends readonly unknown[] = RestArgs<O>>(value: Anything, ...args: NoInfer<Args>): Anything
  process(value: Anything): Anything {
    return value
  }

  /**
   * Returns the fetch key of a call: the method, a space and the URL; for a read with a body, also a space and the body. If
   * the path has required params, a single argument is the params.
   *
   */
  override key<Args extends readonly unknown[] = RestArgs<O>>(...args: NoInfer<Args>): string
  override key<Params = KeyParams<O>>(urlParams: NoInfer<Params>): string
  override key(...args: readonly unknown[]): string {
    const info = this.#info ?? this.#facts
    const isParams = args.length === 1 && info.template?.needsParams
    const { params, body } = splitArgs(args, isParams ? 'none' : info.body)
    const url = info.isOwnUrl ? urlOf(this as never, info, params) : this.url(params as never)
    const key = info.keyStart + url
    // Spaces in the body's text occur only in strings and are escaped, so the last space of a key precedes the body.
    return info.hasBodyInKey && body !== undefined ? `${key} ${stableKey(body).replaceAll(' ', '\\u0020')}` : key
  }

  /** True unless `key` was overridden: its errors are then those of `url`, and pass through unchanged. */
  get '~keyIsUrl'(): boolean {
    return this.key === RestEndpoint.prototype.key
  }

  /** Returns true if a key belongs to this endpoint, by method, `urlPrefix` and path. */
  override testKey(key: string): boolean {
    const { keyStart, hasBodyInKey, template } = this.#facts
    const start = keyStart + this.urlPrefix
    if (!template || !key.startsWith(start)) return false
    const end = hasBodyInKey ? key.lastIndexOf(' ') : -1
    return template.matches(key.slice(start.length, end < start.length ? undefined : end))
  }

  /**
   * A string that is equal for all endpoints with the same method, `urlPrefix` and path; undefined if `testKey` was
   * overridden.
   */
  get keyPattern(): string | undefined {
    if (this.testKey !== RestEndpoint.prototype.testKey) return undefined
    const { keyStart, hasBodyInKey } = this.#facts
    return [keyStart, this.urlPrefix, this.path, hasBodyInKey].join(' ')
  }

  /** Creates an endpoint with these options in addition to this one's; see `Endpoint.extend`. */
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
    if (process.env.NODE_ENV !== 'production') next.#described()
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

  /** An endpoint that removes a member from the Collection, and updates its row with the response. */
  get remove(): Accessor<this, O, 'remove'> {
    return this.#accessor('remove')
  }

  /**
   * An endpoint that updates a member and moves it to the lists that its new values match. Its path is `movePath`, if that
   * is set.
   */
  get move(): Accessor<this, O, 'move'> {
    return this.#accessor('move')
  }

  /** An endpoint for further pages, if `paginationField` is set. Their members join the list, in page order. */
  get getPage(): PageAccessor<this, O> {
    const { paginationField } = this
    // On access, `paginated` checks that the schema has a Collection.
    return (paginationField === undefined ? undefined : this.paginated(paginationField as never)) as never
  }

  /**
   * Creates an endpoint for further pages of the list in the schema: `cursor` is the search param that selects a page, or a
   * function that takes a page's arguments and returns the list's.
   *
   * @throws OptionError if the schema has no Collection.
   */
  paginated<Field extends string>(cursor: Field & WithList<O>): RestEndpoint<PageGenerics<O, Field>> & Added<this>
  paginated<Args extends readonly unknown[]>(
    cursor: RemoveCursor<Args> & WithList<O>,
  ): RestEndpoint<CursorGenerics<O, Args>> & Added<this>
  paginated(cursor: string | RemoveCursor): never {
    const options = (): OptionRecord => listOf(this as never, 'pages').engine.pageOptions(this as never, cursor)
    return typeof cursor === 'string'
      ? this.#cached(`paginated ${cursor}`, options)
      : (this.extend(options() as never) as never)
  }

  #accessor(accessor: AccessorName): never {
    return this.#cached(accessor, () => listOf(this as never, accessor).engine.accessorOptions(this as never, accessor))
  }

  /** Creates an accessor once, so that reading one in a render costs nothing. */
  #cached(name: string, options: () => OptionRecord): never {
    this.#accessors ??= new Map()
    const accessor = this.#accessors.get(name) ?? (this.extend(options() as never) as unknown as RestEndpoint)
    this.#accessors.set(name, accessor)
    return accessor as never
  }

  /** The information, computed on first use. This getter is as slow as the rest of a key, so `key` reads `#info` first. */
  get #facts(): EndpointInfo {
    this.#info ??= this.#described()
    return this.#info
  }

  #described(): EndpointInfo {
    if (process.env.NODE_ENV !== 'production') checkContent(this)
    checkJoint(this)
    const body = bodyPlace(this, this.#body)
    return {
      name: this.name,
      keyStart: `${methodOf(this)} `,
      body,
      hasBodyInKey: body !== 'none' && !this.sideEffect,
      isOwnUrl: this.url === RestEndpoint.prototype.url,
      isOwnSearch: this.searchToString === RestEndpoint.prototype.searchToString,
      template: this.path === undefined ? undefined : template(this.path),
    }
  }
}

/** Returns options with the standard form of their method, if they have one. */
function withMethod(options: { readonly method?: string | undefined }): OptionRecord {
  if (process.env.NODE_ENV !== 'production' && (typeof options !== 'object' || options === null)) {
    const reason = `must be an object, as in { path: '/todos' }, found ${describe(options)}.`
    throw new OptionError('options', reason, { message: `Options ${reason}` })
  }
  const { method } = options
  // A method other than a text is rejected with the other options.
  return typeof method === 'string' ? { ...options, method: methodOf({ method }) } : { ...options }
}

/** The members of a `RestEndpoint` that are not methods. */
export interface RestEndpoint<O, Result> extends RestMembers {
  /** For the compiler only: it does not exist at run time. */
  readonly '~types': { readonly generics: O; readonly result: Result }
  // An override in a generic class may have any arguments; `RestOptions` declares those of options.
  getOptimisticResponse?(snapshot: Snapshot, ...args: Anything): unknown
  update?(normalizedResponse: Anything, ...args: Anything): Readonly<Record<string, ResultUpdater>>
  requestKey?(...args: Anything): string
  /** Creates an endpoint with fixed arguments. `thisArg` is ignored, as in `call` and `apply`. */
  bind(
    thisArg: unknown,
    ...args: RestArgs<O>
  ): EndpointMembers<() => Promise<Awaited<Result>>, SchemaOf<O>, SideEffectOf<O>>
}

/** Members that a subclass has added; nothing, which no tooltip shows, if there are none. */
type Added<This> = [Exclude<keyof This, keyof RestEndpoint>] extends [never] ? unknown : Omit<This, keyof RestEndpoint>

type Accessor<This, O extends RestGenerics, A extends AccessorName> = RestGenerics extends O
  ? Anything
  : [MemberSchemaOf<O, A>] extends [never]
    ? NeedsCollection
    : RestEndpoint<AccessorGenerics<O, A>> & Added<This>

/** Added to an argument of members that need a Collection in the schema. */
type WithList<O extends RestGenerics> = RestGenerics extends O
  ? unknown
  : LacksList<SchemaOf<O>> extends true
    ? NeedsCollection
    : unknown

type PageAccessor<This, O extends RestGenerics> = RestGenerics extends O
  ? Anything
  : O extends { readonly paginationField: infer Field extends string }
    ? LacksList<SchemaOf<O>> extends true
      ? NeedsCollection
      : RestEndpoint<PageGenerics<O, Field>> & Added<This>
    : undefined

type RestExtendOptions<This, Next extends RestGenerics, Result, P> = RestOptions<Next, Result> &
  GenericOptions &
  RestRules<Next> &
  NoTypos<P, This> & {
    readonly [Member in Exclude<keyof This, keyof RestEndpoint>]?: This[Member]
  } & ThisType<RestEndpoint<Next, Result> & Added<This> & Readonly<P>>

const { prototype } = RestEndpoint
defineDefault(prototype, 'name', ({ urlPrefix, path }: RestEndpoint) => urlPrefix + path)
Object.assign(prototype, { urlPrefix: '', method: 'GET' })
defineDefault(
  prototype,
  'sideEffect',
  (endpoint: RestEndpoint) => !/^(?:GET|QUERY)$/.test(methodOf(endpoint)) || undefined,
)
// An override of one of these functions may retain the result of a call.
defineDefault(prototype, 'transfers', (endpoint: RestEndpoint) =>
  (['fetch', 'parseResponse', 'process'] as const).every((name) => endpoint[name] === prototype[name]),
)
