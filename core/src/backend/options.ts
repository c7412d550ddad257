import type { UrlTexts } from '../path/read.js'
import type { Schema } from '../schema/schema.js'
import type { Env } from '../util/env.js'

/** The members of a `RestEndpoint` that a backend reads. */
export interface ServedEndpoint {
  readonly name: string
  readonly path: string
  readonly urlPrefix: string
  readonly method: string
  readonly schema?: Schema
  readonly paginationField?: string | undefined
  readonly pageFields?: readonly string[] | undefined
}

/** A request that `answers` responds to. */
export interface BackendCall {
  /** The params of its URL, as text. */
  readonly params: UrlTexts
  /** Its body: JSON or a form as an object, undefined without one. */
  readonly body: unknown
  readonly request: Request
}

/** The response of an endpoint that does not follow from its definition: of a login, an export, a move. */
export interface BackendAnswer {
  /** The `RestEndpoint`; it need not be among the resources. */
  readonly endpoint: ServedEndpoint
  /**
   * Returns the body of the response, to be sent as JSON, or a whole `Response`; undefined is 204. A thrown
   * `Response` is the response, too.
   *
   * @example backend({ TodoResource }, { answers: [{ endpoint: getUser, response: ({ params }) => ({ id: Number(params.id), name: 'Ann' }) }] })
   */
  // biome-ignore lint/suspicious/noExplicitAny: the body is what the endpoint sends, which is not known here; unknown would refuse to read a field.
  response(call: BackendCall & { readonly body: any }): unknown
}

/** The facts of a response, for the option `send`. */
export interface SentValue {
  /** The endpoint's name. */
  readonly endpoint: string
  readonly method: string
  /** The number of rows on all pages of the list; undefined for other responses. */
  readonly total: number | undefined
  /** The number, offset or key of the next page; undefined on the last one. */
  readonly next: number | string | undefined
}

/** The options of `backend`. */
export interface BackendOptions {
  /**
   * The rows that it starts with, by the `key` of their entity, as the server sends them. Nested rows get tables of their
   * own.
   *
   * @default no rows
   * @example backend({ TodoResource }, { seed: { Todo: [{ id: 1, title: 'Milk' }] } })
   */
  readonly seed?: Readonly<Record<string, readonly object[]>> | undefined
  /**
   * How long a response takes, in milliseconds, or a function of the request.
   *
   * @default 0
   * @example backend({ TodoResource }, { delay: ({ method }) => (method === 'GET' ? 50 : 300) })
   */
  readonly delay?: number | ((request: Request) => number) | undefined
  /**
   * Which requests fail, before anything is done: a share from 0 to 1, which is status 503, or a function of the request
   * that returns the status, true for 503, or nothing.
   *
   * @default 0
   * @example backend({ TodoResource }, { fail: ({ method }) => method === 'DELETE' && 403 })
   */
  readonly fail?: number | ((request: Request) => number | boolean | undefined) | undefined
  /**
   * True for responses with `ETag`: 304 for `If-None-Match`, and 412 for an `If-Match` of an older one.
   *
   * @default true
   * @example backend({ TodoResource }, { etag: false })
   */
  readonly etag?: boolean | undefined
  /**
   * The page size if the request does not specify one.
   *
   * @default 20
   * @example backend({ TodoResource }, { pageSize: 5 })
   */
  readonly pageSize?: number | undefined
  /**
   * Responses of endpoints that do not follow from their definitions.
   *
   * @default []
   * @example backend({ TodoResource }, { answers: [{ endpoint: getCurrentUser, response: () => Response.json({}, { status: 401 }) }] })
   */
  readonly answers?: readonly BackendAnswer[] | undefined
  /**
   * Returns the body for a value as the endpoint's schema has it: the inverse of `process` and `parseResponse`, and fields
   * beside a list that no schema names.
   *
   * @default the value itself; an endpoint with a `process` or `parseResponse` of its own gets 501
   * @example backend({ TodoResource }, { send: (value, { total }) => ({ data: value, total }) })
   */
  send?(value: unknown, about: SentValue): unknown
  /**
   * The clock of `delay`, and the chance of `fail`.
   *
   * @default the platform's
   * @example backend({ TodoResource }, { delay: 100, env: new HandClock() })
   */
  readonly env?: Env | undefined
}

/** One request that a backend has responded to. */
export interface BackendLogEntry {
  readonly method: string
  /** The path and the query, without the origin. */
  readonly url: string
  readonly body: unknown
  readonly status: number
}

/** An entity, or its `key`. */
export type BackendKind = string | { readonly key: string }
