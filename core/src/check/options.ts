import type { Transport } from '../endpoint/options.js'
import type { Schema } from '../schema/schema.js'

/** The endpoints of a resource that are checked; rules of missing ones are skipped. */
export interface CheckedResource {
  readonly get?: CheckedEndpoint | undefined
  readonly getList?: CheckedEndpoint | undefined
  readonly create?: CheckedEndpoint | undefined
  readonly update?: CheckedEndpoint | undefined
  readonly partialUpdate?: CheckedEndpoint | undefined
  readonly delete?: CheckedEndpoint | undefined
}

/** The members of a `RestEndpoint` that a check needs. */
export interface CheckedEndpoint {
  readonly name: string
  readonly path: string
  readonly schema?: Schema
  readonly paginationField?: string | undefined
}

/** The options of `checkServer`. */
export interface CheckOptions {
  /**
   * The body of a new row. With it the check creates rows, changes and deletes them.
   *
   * @default undefined: only reads are checked
   * @example await checkServer(TodoResource, { example: { title: 'A test' } })
   */
  readonly example?: object | undefined
  /**
   * The fields that a change of the new row sends.
   *
   * @default undefined: changes are not checked
   * @example await checkServer(TodoResource, { example: { title: 'A test' }, change: { title: 'Another' } })
   */
  readonly change?: object | undefined
  /**
   * The names of the search params by which the list filters, or the values to try by their names.
   *
   * @default []
   * @example await checkServer(TodoResource, { filters: ['userId', 'done'] })
   */
  readonly filters?: readonly string[] | Readonly<Record<string, string | number | boolean>> | undefined
  /**
   * Params of all requests: those of the path besides the row's key, and search params that the list needs.
   *
   * @default {}
   * @example await checkServer(TodoResource, { params: { userId: 1 } })
   */
  readonly params?: Readonly<Record<string, string | number>> | undefined
  /**
   * True to send only GET requests, whatever the other options are.
   *
   * @default false
   * @example await checkServer(TodoResource, { readOnly: true })
   */
  readonly readOnly?: boolean | undefined
  /**
   * Sends the requests, in place of the global `fetch` or the transport of an endpoint.
   *
   * @default undefined
   * @example await checkServer(TodoResource, { transport: backend({ TodoResource }).transport })
   */
  readonly transport?: Transport | undefined
  /**
   * The server's URL, instead of the endpoints' `urlPrefix`.
   *
   * @default undefined
   * @example await checkServer(TodoResource, { urlPrefix: 'http://localhost:3000' })
   */
  readonly urlPrefix?: string | undefined
  /**
   * Headers of all requests, such as a token.
   *
   * @default {}
   * @example await checkServer(TodoResource, { headers: { authorization: 'Bearer abc' } })
   */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /**
   * How long a response may take, in milliseconds.
   *
   * @default 10_000
   * @example await checkServer(TodoResource, { timeout: 1_000 })
   */
  readonly timeout?: number | undefined
}

/** The rules of `checkServer`, in the order in which they are checked. */
export const RULES = [
  'list-place',
  'list-json',
  'list-keys',
  'list-keys-unique',
  'list-types',
  'list-filters',
  'list-empty',
  'pages-end',
  'pages-disjoint',
  'item-as-listed',
  'item-404',
  'errors-json',
  'etag-304',
  'create-row',
  'create-listed',
  'create-readable',
  'idempotency-key',
  'patch-row',
  'patch-others',
  'etag-changes',
  'if-match-412',
  'put-row',
  'delete-gone',
  'delete-twice',
] as const

/** The name of a rule. */
export type CheckRule = (typeof RULES)[number]

/** The result for one rule. */
export interface CheckResult {
  readonly rule: CheckRule
  /**
   * `fails`: clients would show wrong data. `warns`: the behaviour has a cost, or could not be determined. `skipped`:
   * there was nothing to check.
   */
  readonly verdict: 'ok' | 'fails' | 'warns' | 'skipped'
  /** The observation and its place; '' for `ok`. */
  readonly detail: string
}
