import type { EndpointInterface } from '../endpoint/options.js'
import type { Schema } from '../schema/schema.js'
import type { ResponseInfo, Row } from '../table/row.js'

/** An error that a key's last request ended with. */
export interface KeyError {
  readonly error: Error
  /** `'soft'`: data that may be shown is shown instead. */
  readonly policy: 'soft' | undefined
  /** Wall clock in ms at which it came. */
  readonly date: number
  /** Wall clock in ms after which the error no longer counts. */
  readonly expiresAt: number
  /** Monotonic ms at which it came. */
  readonly at: number
  /** Sequence number of the request's start. */
  readonly start: number
}

/** How a page of a list was asked for. */
export interface PageRequest {
  readonly endpoint: EndpointInterface
  readonly args: readonly unknown[]
}

/** What is known of one fetch key, as schemas of one form keep it, beside its result, which is a row like any other. */
export class Entry {
  readonly key: string
  /** Where the result is kept. */
  readonly row: Row
  /** The answer that the result came with. */
  response: ResponseInfo | undefined = undefined
  error: KeyError | undefined = undefined
  /** The schema of the endpoint that was answered last: how the result leads to rows. */
  schema: Schema
  /** The form in which the result is kept. */
  readonly form: string
  /** Data of answers that started before this may not be shown, as far as marks were judged. */
  invalid = 0
  /** Data of answers that started before this is out of date, as far as marks were judged. */
  stale = 0
  /** The newest mark of endpoints that it was compared with. */
  judged = 0
  /** Monotonic ms at which the last request started. */
  requestedAt: number | undefined = undefined
  /** Who asked for the pages of its list, by their cursors. */
  readonly pages: Map<string, PageRequest> = new Map()
  /** Start of the newest read that refreshes all pages. */
  refresh = 0

  constructor(key: string, row: Row, schema: Schema, form: string) {
    this.key = key
    this.row = row
    this.schema = schema
    this.form = form
  }
}
