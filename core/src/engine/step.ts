import type { Change } from '../table/change.js'
import type { ResponseInfo, Row } from '../table/row.js'
import type { Entry } from './entry.js'
import type { Layer } from './layer.js'

/** One step of the store: what it does is done together, and told once. */
export interface StoreStep {
  /** The layer whose mutation settled. */
  readonly settle?: Layer | undefined
  /** A layer that begins. */
  readonly push?: Layer | undefined
  /** What a response writes, and the response's facts. */
  readonly change?: Change | undefined
  readonly response?: ResponseInfo | undefined
  /** The key whose result the response is. */
  readonly entry?: Entry | undefined
  /** Fields of the result that are the last page's, where the response carried a page of a list. */
  readonly lastPageFields?: readonly string[] | undefined
  /** Rows whose results shall be fetched again. */
  readonly stale?: Iterable<Row> | undefined
  /** Rows whose results may not be shown before they are fetched again. */
  readonly invalid?: Iterable<Row> | undefined
}
