import type { Layer } from '../commit/layer.js'
import type { Change } from '../table/change.js'
import type { Row } from '../table/row.js'
import type { ResponseInfo } from '../table/value.js'
import type { Entry, PageRequest } from './entry.js'

/** One step of the store. Everything in it is written in one commit. */
export interface StoreStep {
  /** The layer whose mutation settled. */
  readonly settle?: Layer | undefined
  /** A new layer. */
  readonly push?: Layer | undefined
  /** The change that a response makes, and the response's facts. */
  readonly change?: Change | undefined
  readonly response?: ResponseInfo | undefined
  /** The entry whose result the response becomes. */
  readonly entry?: Entry | undefined
  /** The request of the response, which may be for a page of a list. */
  readonly request?: PageRequest | undefined
  /** The sequence number of the request or action that the step belongs to. */
  readonly by: number
  /** Rows whose results are marked stale. */
  readonly stale?: Iterable<Row> | undefined
  /** Rows whose results are marked invalid: they are not shown before they are fetched again. */
  readonly invalid?: Iterable<Row> | undefined
}
