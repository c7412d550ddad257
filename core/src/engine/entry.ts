import type { Cause } from '../cause.js'
import type { Following } from '../commit/list-engine.js'
import type { EndpointInterface } from '../endpoint/options.js'
import type { Schema } from '../schema/schema.js'
import type { Row } from '../table/row.js'
import type { ResponseInfo } from '../table/value.js'
import type { Env } from '../util/env.js'

/** The error of a key's last request. */
export interface KeyError {
  readonly error: Error
  /** With `'soft'`, readers show data instead of the error if they may. */
  readonly policy: 'soft' | undefined
  /** Wall clock in ms at which it arrived. */
  readonly date: number
  /** Wall clock in ms until which the error is recent. */
  readonly expiresAt: number
  /** Monotonic ms at which it arrived. */
  readonly at: number
  /** Sequence number of the request's start. */
  readonly start: number
}

/** Returns the time of a response or an error that arrives now, by both clocks, and its expiry. */
export function timesOf(env: Pick<Env, 'now' | 'mono'>, lifetime: number): Pick<KeyError, 'date' | 'expiresAt' | 'at'> {
  const date = env.now()
  return { date, expiresAt: date + lifetime, at: env.mono() }
}

/** Returns the facts of a read that arrives now without a request of its own. */
export function readAt(env: Pick<Env, 'now' | 'mono'>, start: number, lifetime: number): ResponseInfo {
  return { start, done: 0, mutation: false, ...timesOf(env, lifetime) }
}

/** The request for a page of a list. */
export interface PageRequest {
  readonly endpoint: EndpointInterface
  readonly args: readonly unknown[]
  /** Its response, once it is stored. */
  response?: ResponseInfo | undefined
}

/** The facts of one fetch key for schemas of one form. Its result is a row like any other. */
export class Entry {
  readonly key: string
  /** The row that stores the result. */
  readonly row: Row
  /** The response that wrote the result; for a list with pages the oldest one, while the row's `read` is the newest. */
  response: ResponseInfo | undefined
  error: KeyError | undefined
  /** The schema of the last response's endpoint, which finds the rows in the result. */
  schema: Schema
  /** The form in which the result is stored. */
  readonly form: string
  /** Data of responses that started before this is not shown; only includes marks up to `judged`. */
  invalid = 0
  /** Data of responses that started before this is stale; only includes marks up to `judged`. */
  stale = 0
  /** The reason for the next re-evaluation by its observers. */
  cause: Cause | undefined
  /** The number of the last endpoint mark with which the entry was compared. */
  judged = 0
  /** Monotonic ms at which the last request started. */
  requestedAt: number | undefined
  /** The requests for the pages of its list, by cursor; undefined while there are none, as for most keys. */
  pages: Map<string, PageRequest> | undefined
  /** The params of the pages that follow the loaded ones, by cursor, as returned by the endpoint's `nextPage`. */
  following: Map<string, Following> | undefined
  /** Start of the newest read that refreshes all pages. */
  refresh = 0

  constructor(key: string, row: Row, schema: Schema, form: string) {
    this.key = key
    this.row = row
    this.schema = schema
    this.form = form
  }
}
